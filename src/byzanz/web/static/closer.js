// Show an opponent's known cards, sold cards and profit large: on hover, on a tap, or from the keyboard.
const WAIT = 350; // milliseconds that a mouse rests on an opponent
const box = document.getElementById("closer");
let shown = null;
let timer = 0;
let pinned = false;

const isOpen = () => box.matches(":popover-open");

function fill(panel) {
  const part = (name) => box.querySelector(`[data-part=${name}]`);
  const copy = (element) => {
    const made = element.cloneNode(true);
    for (const inner of [made, ...made.querySelectorAll("[id]")]) inner.removeAttribute("id");
    return made;
  };
  part("face").replaceChildren(copy(panel.querySelector(".avatar")));
  part("name").textContent = panel.querySelector(".name").textContent;
  part("profit").replaceChildren(copy(panel.querySelector(".earned")));
  const known = panel.querySelector(".known");
  part("holds").textContent = known.getAttribute("aria-label");
  part("known").replaceChildren(
    ...[...known.querySelectorAll(".kin:not(.k-back) .card")].map((card) => face(card.className)),
    ...(known.querySelector(".k-back") ? [face("card f-back"), count(known.querySelector(".many").textContent)] : []),
  );
  const { kept, keptText } = panel.querySelector(".pill").dataset;
  part("sold").hidden = !kept;
  part("kept").replaceChildren(...(kept || "").split(" ").filter(Boolean).map((code) => face(`card f-${code}`)));
  part("kept").setAttribute("aria-label", keptText || "");
}

function face(classes) {
  const card = document.createElement("span");
  card.className = classes;
  return card;
}

function count(text) {
  const shownNumber = document.createElement("b");
  shownNumber.textContent = `× ${text}`;
  return shownNumber;
}

function show(panel, pin) {
  fill(panel);
  shown = panel.id;
  pinned = pin;
  if (!isOpen()) box.showPopover();
  place(panel);
}

// Below the opponent if there is room, otherwise in the middle.
function place(panel) {
  const { left, width, bottom } = panel.querySelector(".holding").getBoundingClientRect();
  const below = bottom + 8 + box.offsetHeight < innerHeight;
  const most = innerWidth - box.offsetWidth - 8;
  box.style.margin = below ? "0" : "";
  box.style.top = below ? `${bottom + 8}px` : "";
  box.style.left = below ? `${Math.max(8, Math.min(most, left + width / 2 - box.offsetWidth / 2))}px` : "";
}

function hide() {
  clearTimeout(timer);
  if (isOpen()) box.hidePopover();
}

// After an update the panel may hold other cards.
export function refresh() {
  const panel = isOpen() && document.getElementById(shown);
  if (panel) fill(panel);
  else hide();
}

const panelOf = (element) => element.closest?.("#board .panel");
const opens = (element) => panelOf(element) && element.closest(".pill, .holding");

document.addEventListener("pointerover", (event) => {
  if (event.pointerType !== "mouse" || pinned) return;
  clearTimeout(timer);
  const panel = opens(event.target) ? panelOf(event.target) : null;
  if (panel && event.target.closest(".holding")) timer = setTimeout(() => show(panel, false), WAIT);
  else if (isOpen() && !event.target.closest("#closer")) timer = setTimeout(hide, WAIT);
});

document.addEventListener("click", (event) => {
  if (!opens(event.target)) return;
  clearTimeout(timer);
  const panel = panelOf(event.target);
  if (isOpen() && pinned && shown === panel.id) hide();
  else {
    show(panel, true);
    if (!event.detail) box.focus(); // from the keyboard
  }
});

box.addEventListener("toggle", (event) => {
  if (event.newState === "open") return;
  if (pinned && (document.activeElement === box || document.activeElement === document.body)) {
    document.querySelector(`#${shown} .look`)?.focus();
  }
  pinned = false;
});

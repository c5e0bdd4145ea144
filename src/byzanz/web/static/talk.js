// Talk at a table: the menu, bubbles at the speaker's seat, and muting, which this browser remembers.
const SHOWN = 6000;
const KEPT = "muted";
const MOST = 200;
const OWN = "-"; // the tag of the reader, and of bots

export function talk(board, announce) {
  const button = document.getElementById("open-talk");
  const menu = document.getElementById("talk");
  const bubbles = document.getElementById("bubbles");
  const notices = document.getElementById("notices");
  const muting = menu.querySelector(".muting");
  let heard = lastSaid();

  // ---- muting: a person has the same tag at every table, under every name

  const tagOf = (seat) => (board().dataset.tags || "").split(" ")[seat];
  const isMuted = (seat) => muted().has(tagOf(seat));

  function muted() {
    try { return new Set(JSON.parse(localStorage.getItem(KEPT))); } catch { return new Set(); }
  }

  function mute(seat, on) {
    const now = muted();
    now.delete(tagOf(seat));
    if (on) now.add(tagOf(seat));
    localStorage.setItem(KEPT, JSON.stringify([...now].slice(-MOST)));
    show();
  }

  function nameOf(seat) {
    return document.querySelector(`#seat-${seat} .name`)?.textContent.trim() || "";
  }

  // ---- the list, and bubbles for what is new

  function lastSaid() {
    const lines = document.querySelectorAll("#said [data-said]");
    return lines.length ? Number(lines[lines.length - 1].dataset.said) : -1;
  }

  function show() {
    const state = board().dataset.talk || "";
    button.hidden = !state || (state === "off" && !menu.querySelector(".switching"));
    menu.dataset.talk = state;
    for (const line of document.querySelectorAll("#said [data-said]")) {
      const { said, speaker, picture } = line.dataset;
      line.hidden = isMuted(speaker);
      if (Number(said) <= heard) continue;
      if (!line.hidden) bubble(speaker, picture, line.querySelector(".words").textContent);
      if (!line.hidden && tagOf(speaker) !== OWN) announce([line.textContent.trim()]);
    }
    heard = lastSaid();
    move(); // the seats may have other places on the new board
  }

  function bubble(seat, picture, text) {
    const place = document.querySelector(`#seat-${seat}`);
    if (!place) return;
    bubbles.querySelector(`[data-seat="${seat}"]`)?.remove();
    const shown = document.createElement("p");
    shown.className = "bubble";
    shown.dataset.seat = seat;
    if (picture) {
      const drawn = document.createElement("span");
      drawn.className = `reaction ${picture}`;
      shown.append(drawn);
    } else shown.textContent = text;
    bubbles.append(shown);
    put(shown);
    setTimeout(() => shown.remove(), SHOWN);
  }

  // Below the portrait, or above it at the lower half of the page; inside the window.
  function put(shown) {
    const place = document.querySelector(`#seat-${shown.dataset.seat}`);
    if (!place) return;
    const at = (place.querySelector(".portrait, .face") || place).getBoundingClientRect();
    const size = shown.getBoundingClientRect();
    const below = at.top < innerHeight / 2;
    shown.classList.toggle("above", !below);
    const left = Math.min(Math.max(8, at.left), innerWidth - size.width - 8);
    shown.style.left = `${left}px`;
    shown.style.top = `${below ? at.bottom + 6 : at.top - size.height - 6}px`;
  }

  const move = () => { for (const shown of bubbles.children) put(shown); };
  addEventListener("resize", move);
  document.addEventListener("scroll", move, { capture: true, passive: true });

  // ---- the menu

  function people() {
    const codes = (board().dataset.people || "").split(" ");
    muting.querySelectorAll("label").forEach((label) => label.remove());
    codes.forEach((code, seat) => {
      if (!["here", "away", "replaced"].includes(code) || tagOf(seat) === OWN) return;
      const label = document.createElement("label");
      label.className = "check";
      const box = document.createElement("input");
      box.type = "checkbox";
      box.checked = isMuted(seat);
      box.addEventListener("change", () => mute(seat, box.checked));
      label.append(box, ` ${muting.dataset.mute.replace("{name}", nameOf(seat))}`);
      muting.append(label);
    });
    muting.hidden = !muting.querySelector("label");
  }

  menu.addEventListener("beforetoggle", (event) => { if (event.newState === "open") people(); });

  menu.addEventListener("submit", async (event) => {
    event.preventDefault();
    const body = new URLSearchParams(new FormData(event.target, event.submitter));
    menu.hidePopover();
    button.focus();
    let text = "";
    try {
      const answer = await fetch(event.target.action, { method: "POST", body, headers: { Accept: "text/plain" } });
      if (!answer.ok) text = await answer.text();
    } catch { return; }
    if (text) notice(text);
  });

  function notice(text) {
    const line = document.createElement("p");
    line.textContent = text;
    notices.append(line);
    setTimeout(() => line.remove(), SHOWN);
  }

  function toggle() {
    if (!button.hidden) menu.togglePopover();
  }

  return { show, toggle };
}

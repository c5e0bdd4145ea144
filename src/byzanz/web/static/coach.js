// The coach's drawer: a hint on request, and the odds, which follow the board while it is open.
import { closeDrawer } from "./drawer.js";

const drawer = document.getElementById("coach");
const opener = document.getElementById("open-coach");
const form = document.getElementById("ask-hint");
const hint = document.getElementById("hint");
const odds = document.getElementById("coach-odds");
const used = document.getElementById("hints-used");
const PATIENCE = 30000;
const ASKED = ["bid", "give", "take", "limit", "sale"];

export function coach(board) {
  let hinted = ""; // the decision of the hint that is shown or awaited
  let counted = ""; // the version of the board whose odds are shown or awaited

  const isOpen = () => !drawer.hidden;
  const may = (aid) => board().dataset[aid] !== undefined;
  const question = () => `${board().dataset.decision}/${document.querySelector("#act [name=sale]")?.value}`;

  function toggle(wanted) {
    if (wanted === isOpen() || (wanted && opener.hidden)) return;
    const inside = drawer.contains(document.activeElement);
    drawer.hidden = !wanted;
    opener.setAttribute("aria-expanded", String(wanted));
    document.body.classList.toggle("coach-open", wanted);
    if (wanted) {
      closeDrawer();
      refresh();
      drawer.focus({ preventScroll: true });
    } else if (inside) opener.focus();
  }

  // Show what the table allows, drop a hint whose question has passed, and count the odds again.
  function refresh() {
    opener.hidden = !may("mayHint") && !may("mayOdds");
    if (opener.hidden) toggle(false);
    document.getElementById("coach-hint").hidden = !may("mayHint");
    const number = Number(board().dataset.hints);
    used.textContent = number ? used.dataset.text.replace("{count}", number) : "";
    if (hinted && hinted !== question()) {
      hinted = "";
      hint.replaceChildren();
    }
    form.hidden = hinted !== "";
    form.querySelector("button").disabled = !ASKED.includes(board().dataset.asked);
    odds.hidden = !may("mayOdds");
    if (isOpen() && may("mayOdds") && counted !== board().dataset.version) count();
  }

  async function ask() {
    if (!may("mayHint") || !ASKED.includes(board().dataset.asked)) return;
    toggle(true);
    if (hinted === question()) return;
    const asked = hinted = question();
    hint.textContent = drawer.dataset.thinking;
    refresh();
    const body = new URLSearchParams({ decision: board().dataset.decision });
    const answer = await fetched(form.action, { method: "POST", body });
    if (asked !== hinted) return; // the question has passed
    show(hint, answer);
    if (!answer.ok) hinted = "";
    refresh();
    drawer.scrollTop = 0;
  }

  async function count() {
    const version = counted = board().dataset.version;
    const answer = await fetched(odds.dataset.address);
    if (version !== counted) return;
    show(odds, answer);
    if (!answer.ok) counted = "";
  }

  opener.addEventListener("click", () => toggle(!isOpen()));
  document.getElementById("open-log").addEventListener("click", () => toggle(false));
  document.getElementById("close-coach").addEventListener("click", () => toggle(false));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    ask();
  });

  return { isOpen, refresh, ask, close: () => toggle(false), toggle: () => toggle(!isOpen()) };
}

function show(place, { ok, text }) {
  if (ok) place.innerHTML = text;
  else place.textContent = text;
}

async function fetched(address, options = {}) {
  try {
    const response = await fetch(address, { ...options, headers: { Accept: "text/plain" }, signal: AbortSignal.timeout(PATIENCE) });
    return { ok: response.ok, text: await response.text() };
  } catch {
    return { ok: false, text: drawer.dataset.lost };
  }
}

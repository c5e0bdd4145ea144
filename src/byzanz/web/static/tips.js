// Tips for a first game. Each tip is shown once: until it is dismissed, or until it no longer
// applies and has been visible long enough to be read.
const READING_TIME = 4000; // milliseconds
const PER_CHARACTER = 40; // milliseconds; bots wait until a tip can have been read
const LONGEST = 8000;

// The storage keys are from a time when tips were called hints.
const ENABLED = "hints";
const SEEN = "hints-seen";

export function tips(dismissed) {
  const enabled = document.getElementById("tips");
  let shown = null;

  const seen = () => new Set((localStorage.getItem(SEEN) || "").split(" "));

  function markSeen(key) {
    localStorage.setItem(SEEN, [...seen(), key].join(" "));
    shown = null;
  }

  function pass() {
    if (shown && performance.now() - shown.since >= READING_TIME) markSeen(shown.key);
    shown = null;
  }

  // Newcomers see marks on the offer. A newcomer has tips and has not seen a game end.
  const LAST_TIP = "over";

  function show() {
    document.body.classList.toggle("newcomer", enabled.checked && !seen().has(LAST_TIP));
    const tip = document.querySelector(".tip");
    if (shown?.key !== tip?.dataset.tip) pass();
    if (tip) tip.hidden = !enabled.checked || seen().has(tip.dataset.tip);
    if (tip && !tip.hidden) shown ||= { key: tip.dataset.tip, since: performance.now() };
    // The log and the coach end above the tip, so that both can be read.
    document.body.style.setProperty("--tip", `${tip?.offsetHeight || 0}px`);
  }

  enabled.checked = localStorage.getItem(ENABLED) !== "off";
  enabled.addEventListener("change", () => {
    localStorage.setItem(ENABLED, enabled.checked ? "on" : "off");
    if (enabled.checked) localStorage.removeItem(SEEN);
    show();
  });
  document.addEventListener("click", (event) => {
    const tip = event.target.closest(".tip");
    if (!tip || !event.target.closest("button")) return;
    if (event.target.closest("[data-tip-stop]")) enabled.click();
    else markSeen(tip.dataset.tip);
    show();
    dismissed();
  });
  addEventListener("pagehide", pass);

  // How long a new tip should still stay, in milliseconds. With a clock running, nothing waits.
  function unread() {
    const tip = document.querySelector(".tip:not([hidden])");
    if (!shown || shown.read || !tip || document.querySelector(".deadline")) return 0;
    const time = Math.min(LONGEST, tip.innerText.length * PER_CHARACTER);
    return Math.max(0, shown.since + time - performance.now());
  }

  // The tip has been read, or the player does not want to wait for it.
  function read() {
    if (shown) shown.read = true;
  }

  return { show, unread, read };
}

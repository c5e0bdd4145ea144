// The game log: a drawer on small screens, with blocks that stay folded when the board is updated.
const button = document.getElementById("open-log");
const folded = new Set();

function open(wanted) {
  document.body.classList.toggle("log-open", wanted);
  button.setAttribute("aria-expanded", String(wanted));
  if (wanted) scrollLog();
}

export const isOpen = () => document.body.classList.contains("log-open");
export const closeDrawer = () => open(false);

export function scrollLog() {
  const log = document.getElementById("log");
  if (!log) return;
  for (const block of log.querySelectorAll("details")) block.open = !folded.has(block.dataset.block);
  log.scrollTop = log.scrollHeight;
}

button.addEventListener("click", () => open(!isOpen()));
document.addEventListener("pointerdown", (event) => {
  if (isOpen() && !event.target.closest("#log-panel, #open-log")) open(false);
});
document.addEventListener("toggle", (event) => {
  const block = event.target.dataset?.block;
  if (!block) return;
  if (event.target.open) folded.delete(block);
  else folded.add(block);
}, true);

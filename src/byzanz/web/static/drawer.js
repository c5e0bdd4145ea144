// The log: a drawer where there is no room for it, and blocks that stay folded over pushes.
const button = document.getElementById("open-log");
const folded = new Set();

function open(wanted) {
  document.body.classList.toggle("log-open", wanted);
  button.setAttribute("aria-expanded", String(wanted));
  if (wanted) scrollStory();
}

export const isOpen = () => document.body.classList.contains("log-open");
export const closeDrawer = () => open(false);

export function scrollStory() {
  const story = document.getElementById("story");
  if (!story) return;
  for (const block of story.querySelectorAll("details")) block.open = !folded.has(block.dataset.block);
  story.scrollTop = story.scrollHeight;
}

button.addEventListener("click", () => open(!isOpen()));
document.addEventListener("pointerdown", (event) => {
  if (isOpen() && !event.target.closest("#log, #open-log")) open(false);
});
document.addEventListener("toggle", (event) => {
  const block = event.target.dataset?.block;
  if (!block) return;
  if (event.target.open) folded.delete(block);
  else folded.add(block);
}, true);

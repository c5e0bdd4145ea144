// The replay: arrow keys step, the chosen eyes show at once, and the story is open where it is now.
import { scrollStory } from "./drawer.js";

document.addEventListener("keydown", (event) => {
  if (event.target.matches("input, select, textarea")) return;
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  const link = { ArrowLeft: "prev", ArrowRight: "next" }[event.key];
  if (link) document.getElementById(link).click();
});
const eyes = document.getElementById("eyes");
eyes.addEventListener("change", () => eyes.form.requestSubmit());
scrollStory();

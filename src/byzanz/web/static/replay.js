// The replay: arrow keys step through the game, choosing a viewer submits the form at once, and the
// game log is scrolled to the end.
import { scrollLog } from "./drawer.js";
import "./rules.js";

document.addEventListener("keydown", (event) => {
  if (event.target.matches("input, select, textarea")) return;
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  const link = { ArrowLeft: "prev", ArrowRight: "next" }[event.key];
  if (link) document.getElementById(link).click();
});
const eyes = document.getElementById("eyes");
eyes.addEventListener("change", () => eyes.form.requestSubmit());
scrollLog();

// The replay: arrow keys step through the game, choosing a viewer submits the form at once, and the
// game log is scrolled to the end.
import "./rules.js";

document.addEventListener("keydown", (event) => {
  if (event.target.matches("input, select, textarea")) return;
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  const link = { ArrowLeft: "prev", ArrowRight: "next" }[event.key];
  if (link) document.getElementById(link).click();
});
const eyes = document.getElementById("eyes");
eyes.addEventListener("change", () => eyes.form.requestSubmit());
const log = document.getElementById("log");
if (log) log.scrollTop = log.scrollHeight;

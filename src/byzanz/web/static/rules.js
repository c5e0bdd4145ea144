// Shows the mark of a log line that is tapped. Adds the text of a rule to its mark when the mark is
// pointed at or focused: marks in pushed frames have no text, which keeps the frames small.
const texts = document.getElementById("rule-texts");

function explain(event) {
  const mark = event.target.closest?.("a.rule:not([title])");
  if (!mark) return;
  const number = mark.hash.slice(1);
  const text = texts.querySelector(`[data-rule="${CSS.escape(number)}"]`);
  if (text) mark.title = `${number}: ${text.textContent}`;
}

document.addEventListener("pointerover", explain);
document.addEventListener("focusin", explain);

// A touch screen has no pointer, so a tap shows the mark of the line.
document.addEventListener("click", (event) => {
  if (event.target.closest?.("a.rule")) return;
  for (const line of document.querySelectorAll("#log .tapped")) line.classList.remove("tapped");
  event.target.closest?.("#log li")?.classList.add("tapped");
});

// Adds the text of a rule to its mark when the mark is pointed at or focused. Marks in pushed
// frames have no text of their own, which keeps the frames small.
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

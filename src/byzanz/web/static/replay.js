// The replay: arrow keys step, and the chosen eyes show at once.
document.addEventListener("keydown", (event) => {
  if (event.target.matches("input, select, textarea")) return;
  const link = { ArrowLeft: "prev", ArrowRight: "next" }[event.key];
  if (link) document.getElementById(link).click();
});
const eyes = document.getElementById("eyes");
eyes.addEventListener("change", () => eyes.form.requestSubmit());

// The guided first game: each hint once, and once is until its moment has passed.
const READ = 4000; // milliseconds that a hint must have stood there

export function guiding(dismissed) {
  const wanted = document.getElementById("hints");
  let standing = null;

  const seen = () => new Set((localStorage.getItem("hints-seen") || "").split(" "));

  function see(key) {
    localStorage.setItem("hints-seen", [...seen(), key].join(" "));
    standing = null;
  }

  function pass() {
    if (standing && performance.now() - standing.since >= READ) see(standing.key);
    standing = null;
  }

  function show() {
    const hint = document.querySelector(".hint");
    if (standing?.key !== hint?.dataset.hint) pass();
    if (!hint) return;
    hint.hidden = !wanted.checked || seen().has(hint.dataset.hint);
    if (!hint.hidden) standing ||= { key: hint.dataset.hint, since: performance.now() };
  }

  wanted.checked = localStorage.getItem("hints") !== "off";
  wanted.addEventListener("change", () => {
    localStorage.setItem("hints", wanted.checked ? "on" : "off");
    if (wanted.checked) localStorage.removeItem("hints-seen");
    show();
  });
  document.addEventListener("click", (event) => {
    const hint = event.target.closest(".hint");
    if (!hint || !event.target.closest("button")) return;
    if (event.target.closest("[data-hint-stop]")) wanted.click();
    else see(hint.dataset.hint);
    show();
    dismissed();
  });
  addEventListener("pagehide", pass);

  return { show };
}

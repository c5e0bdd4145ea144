// The lobby: both forms send the name field, seats show the chosen face, and dates are local.
"use strict";
const name = document.getElementById("name");
for (const form of document.querySelectorAll("form.new")) {
  form.addEventListener("formdata", (event) => event.formData.set("name", name.value));
}

// A page restored from the back/forward cache does not list games that began in the meantime.
addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });

// The server names only the path of a personal link if it does not trust the host of the request.
for (const link of document.querySelectorAll("[data-link]")) {
  link.textContent = new URL(link.textContent, location.href).href;
}

// ---- seats: the summary shows the choice, and one chooser is open at a time

const choosers = [...document.querySelectorAll(".chooser")];

function show(chooser) {
  const chosen = chooser.querySelector("input:checked");
  const summary = chooser.querySelector("summary");
  summary.querySelector(".face").className = `face ${chosen.dataset.face}`;
  summary.querySelector(".title").textContent = chosen.closest("label").querySelector(".title").textContent;
  chooser.parentElement.classList.toggle("unused", chosen.value === "none");
}

function close(except) {
  for (const chooser of choosers) if (chooser !== except) chooser.open = false;
}

for (const chooser of choosers) {
  show(chooser);
  chooser.addEventListener("toggle", () => { if (chooser.open) close(chooser); });
  chooser.addEventListener("change", () => show(chooser));
  chooser.addEventListener("click", (event) => {
    if (event.detail && event.target.matches("input")) { // by pointer, not by arrow keys
      chooser.open = false;
      chooser.querySelector("summary").focus();
    }
  });
  chooser.addEventListener("keydown", (event) => {
    if (!chooser.open || !["Escape", "Enter"].includes(event.key)) return;
    event.preventDefault();
    chooser.open = false;
    chooser.querySelector("summary").focus();
  });
}
document.addEventListener("click", (event) => close(event.target.closest(".chooser")));

// The lobby: the name is the same in both forms, and what is listed is what there is.
"use strict";
const name = document.getElementById("name");
for (const form of document.querySelectorAll("form.new")) {
  form.addEventListener("formdata", (event) => event.formData.set("name", name.value));
}

// A page that comes back from the browser's memory does not know of the game just begun.
addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });

// The lobby: both forms send the name field, and the list of games is never a stale copy.
"use strict";
const name = document.getElementById("name");
for (const form of document.querySelectorAll("form.new")) {
  form.addEventListener("formdata", (event) => event.formData.set("name", name.value));
}

// A page restored from the back/forward cache does not list games that began in the meantime.
addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });

// The lobby: nothing but keeping the name in both forms the same.
"use strict";
const name = document.getElementById("name");
for (const form of document.querySelectorAll("form.new")) {
  form.addEventListener("formdata", (event) => event.formData.set("name", name.value));
}

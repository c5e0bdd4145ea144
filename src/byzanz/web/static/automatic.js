// The player's automatic actions. The server stores them for each table; this
// browser remembers the choice for the next table.
import { deliver } from "./sending.js";

const KEPT = "automatic";

export function automatic() {
  const form = document.getElementById("automatic");
  if (!form) return;
  const boxes = [...form.querySelectorAll("input")];
  const send = () => deliver(form.action, new URLSearchParams(new FormData(form)));
  const kept = JSON.parse(localStorage.getItem(KEPT) || "{}");
  const other = boxes.filter((box) => box.name in kept && box.checked !== kept[box.name]);
  for (const box of other) box.checked = kept[box.name];
  if (other.length) send();
  form.addEventListener("change", () => {
    localStorage.setItem(KEPT, JSON.stringify(Object.fromEntries(boxes.map((box) => [box.name, box.checked]))));
    send();
  });
}

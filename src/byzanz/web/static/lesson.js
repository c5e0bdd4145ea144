// A step of a lesson: the controls and keys of the table. The form is sent as it is, and the
// server judges the answer on a new page.
import { Selection } from "./selection.js";
import "./closer.js";

const board = () => document.getElementById("board");

if (document.getElementById("act")) {
  const selection = new Selection(board);
  selection.confirm.checked = false; // a wrong answer can be taken back
  selection.clear();

  document.addEventListener("pointerdown", () => document.body.classList.remove("by-keys"), true);
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("select")) return;
    if (event.repeat && /^(enter|p|s)$/i.test(event.key)) {
      event.preventDefault(); // a held key acts once
      return;
    }
    if (/^[1-9psPS]$|^Arrow|^Enter$|^Tab$/.test(event.key)) document.body.classList.add("by-keys");
    if (event.key === "Escape") selection.clear();
    else if (/^[1-9]$/.test(event.key)) selection.toggle(Number(event.key) - 1);
    else if (event.key === "Enter" && !event.target.matches("a, button, summary")) {
      event.preventDefault();
      selection.act("do");
    } else if (event.key.toLowerCase() === "p") selection.pass();
    else if (event.key.toLowerCase() === "s") selection.sell();
  });
}
document.body.classList.add("ready");

// Short notices at the top of the table; screen readers announce them.
const SHOWN = 7000;
const MOST = 4;

export function notify(text) {
  const box = document.getElementById("notices");
  const line = document.createElement("p");
  line.textContent = text;
  box.append(line);
  while (box.childElementCount > MOST) box.firstChild.remove();
  setTimeout(() => line.remove(), SHOWN);
}

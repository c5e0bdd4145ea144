// The time that is left to think: a number in the bar, and a ring around who acts.
import { sound } from "./sounds.js";

const URGENT = 20; // seconds

export function showClock() {
  const clock = document.querySelector(".deadline");
  const board = document.getElementById("board");
  document.body.classList.remove("urgent");
  if (!clock) {
    board.style.removeProperty("--left");
    return;
  }
  const left = Math.max(0, Number(clock.dataset.deadline) - Date.now() / 1000);
  const [days, hours, minutes] = [left / 86400, left / 3600, left / 60].map(Math.floor);
  const seconds = String(Math.floor(left % 60)).padStart(2, "0");
  clock.textContent = days ? `${days} d ${hours % 24} h` : hours ? `${hours} h ${minutes % 60} min` : `${minutes}:${seconds}`;
  const whole = Number(clock.dataset.seconds) || left || 1;
  board.style.setProperty("--left", `${Math.min(360, (360 * left) / whole)}deg`);
  const urgent = left > 0 && left <= URGENT;
  document.body.classList.toggle("urgent", urgent);
  if (urgent && board.querySelector(".self.acting")) sound("tick");
}

setInterval(showClock, 1000);

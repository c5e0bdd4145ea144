// The time left: in the bar, and as a ring around the portraits of those who must act.
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
  const { clockDays, clockHours } = document.getElementById("felt").dataset;
  clock.textContent = days ? clockDays.replace("{days}", days).replace("{hours}", hours % 24)
    : hours ? clockHours.replace("{hours}", hours).replace("{minutes}", minutes % 60)
    : `${minutes}:${seconds}`;
  const whole = Number(clock.dataset.seconds) || left || 1;
  board.style.setProperty("--left", `${Math.min(360, (360 * left) / whole)}deg`);
  const urgent = left > 0 && left <= URGENT;
  document.body.classList.toggle("urgent", urgent);
  if (urgent && board.querySelector(".self.acting")) sound("tick");
}

setInterval(showClock, 1000);

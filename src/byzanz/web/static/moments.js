// Sounds, banners and flying coins for what has just happened. Nothing here can be clicked, and
// screen readers get the log instead.
import { moving } from "./travel.js";
import { sound } from "./sounds.js";

const SOUND_OF = { bid: "bid", pass: "pass", give: "card", take: "card", discard: "card", sell: "sale", won: "win", cleared: "round", offer: "card", final: "round", ended: "victory" };
const LOUDEST = ["victory", "round", "sale", "win", "bid", "pass", "card"];

export function celebrate(moments, words) {
  const sounds = moments.map(({ what }) => SOUND_OF[what]).filter(Boolean);
  const loudest = LOUDEST.find((name) => sounds.includes(name));
  if (loudest) sound(loudest);
  for (const moment of moments) {
    if (moment.what === "sell") gain(moment.seat, moment.gain);
    if (moment.what === "won") glow(moment.seat);
    if (moment.what === "offer" && moment.last) banner(words.lastRound);
    else if (moment.what === "offer" && moment.round > 1) banner(words.round.replace("{number}", moment.round));
    if (moment.what === "final") banner(words.finalSale);
  }
}

export function banner(text) {
  if (!moving()) return;
  document.querySelector(".banner")?.remove();
  const shown = floating("banner", text);
  shown.animate(
    [
      { opacity: 0, transform: "scaleX(.6)" },
      { opacity: 1, transform: "none", offset: 0.15 },
      { opacity: 1, transform: "none", offset: 0.75 },
      { opacity: 0, transform: "translateY(-12px)" },
    ],
    { duration: 1700, easing: "ease-out" },
  ).finished.catch(() => {}).finally(() => shown.remove());
}

// Show the profit of a sale and let it fly to the seat's total.
function gain(seat, amount) {
  const pile = document.querySelector(`#seat-${seat} .coins`);
  if (!pile || !moving()) return;
  const at = pile.getBoundingClientRect();
  const shown = floating("flying", `+${amount}`);
  const mine = pile.closest(".self");
  shown.style.left = `${at.left - 30}px`;
  shown.style.top = `${at.top - 8}px`;
  shown.animate(
    [
      { opacity: 0, transform: `translateY(${mine ? 10 : 70}px) scale(.7)` },
      { opacity: 1, transform: `translateY(${mine ? -60 : 40}px) scale(1.35)`, offset: 0.35 },
      { opacity: 1, transform: `translateY(${mine ? -60 : 40}px) scale(1.35)`, offset: 0.65 },
      { opacity: 0, transform: "translate(26px, 0) scale(.6)" },
    ],
    { duration: 1300, easing: "ease-in-out" },
  ).finished.catch(() => {}).finally(() => shown.remove());
  pulse(pile.closest(".earned"), 900);
}

const glow = (seat) => pulse(document.querySelector(`#seat-${seat} .portrait`), 0);

function pulse(element, delay) {
  if (!element || !moving()) return;
  element.animate([{ transform: "none" }, { transform: "scale(1.28)" }, { transform: "none" }], { duration: 420, delay, easing: "ease-out" });
}

function floating(name, text) {
  const element = document.createElement("div");
  element.className = name;
  element.textContent = text;
  element.setAttribute("aria-hidden", "true");
  document.body.append(element);
  return element;
}

// Animate cards from their position before a push to their position after it (FLIP). Only transform
// and opacity change, so that there is no new layout and no click is lost.
const DURATION = 420;
const STAGGER = 35; // milliseconds between cards that move together
const CHIP = 28; // narrower than any picture of a card: a chip with the card's value
const EASE = "cubic-bezier(.2, .75, .25, 1)";
const still = matchMedia("(prefers-reduced-motion: reduce)");

export const moving = () => !still.matches && !document.hidden;

export function positions() {
  const cards = new Map();
  for (const card of document.querySelectorAll("#board .card[id]")) {
    cards.set(card.id, { face: faceOf(card), box: card.getBoundingClientRect() });
  }
  return { cards, seats: seats() };
}

const faceOf = (card) => [...card.classList].find((name) => name.startsWith("f-"));

// Return the seats' portraits: cards that go to a hidden hand move there.
function seats() {
  const found = new Map();
  for (const seat of document.querySelectorAll("#board [id^=seat-]")) {
    found.set(seat.id, (seat.querySelector(".portrait") || seat).getBoundingClientRect());
  }
  return found;
}

// Animate what moved; `actor` is the seat that acted, `swept` whether the round ended.
export function travel({ cards, seats: before }, { actor, swept }) {
  if (!moving()) return;
  const now = [...document.querySelectorAll("#board .card[id]")];
  const here = new Set(now.map((card) => card.id));
  const gone = [...cards].filter(([id]) => !here.has(id)).map(([id, was]) => ({ id, ...was }));

  // Read all positions before the first animation starts: one layout instead of one for each card.
  const flights = [];
  for (const card of now) {
    const to = card.getBoundingClientRect();
    let from = cards.get(card.id)?.box;
    if (!from) {
      const place = gone.findIndex((was) => was.face === faceOf(card));
      from = place >= 0 ? gone.splice(place, 1)[0].box : origin(card, before, actor);
    }
    if (from) flights.push([card, from, to]);
  }
  const actors = before.get(`seat-${actor}`);
  let order = 0;
  for (const [card, from, to] of flights) {
    // A chip has no picture to enlarge, so a picture of the card flies to it.
    if (to.width < CHIP && from.width >= CHIP) leave({ face: faceOf(card), box: from }, to, order++);
    else if (fly(card, from, to, order)) order += 1;
  }
  gone.forEach((was, place) => leave(was, swept ? null : actors, place));
}

// Return where a newly visible card comes from: its owner's portrait, or the deck.
function origin(card, before, actor) {
  if (card.closest(".offer")) return document.querySelector("#deck .card")?.getBoundingClientRect();
  if (card.closest(".bid, .market")) return before.get(`seat-${actor}`);
  return null;
}

function fly(card, from, to, order) {
  const x = from.left + from.width / 2 - to.left - to.width / 2;
  const y = from.top + from.height / 2 - to.top - to.height / 2;
  if (Math.abs(x) + Math.abs(y) < 3 || !to.width) return false;
  // With any other property in the animation, the browser would compute every frame in the page's
  // own thread.
  card.style.zIndex = "20";
  card
    .animate([{ transform: `translate(${x}px, ${y}px) scale(${from.width / to.width})` }, { transform: "none" }], {
      duration: DURATION, delay: Math.min(order, 8) * STAGGER, easing: EASE, fill: "backwards",
    })
    .finished.catch(() => {}).finally(() => { card.style.zIndex = ""; });
  return true;
}

// Move a card that leaves the table to the seat that took it, or off the table if nobody did.
function leave(was, to, order) {
  const ghost = document.createElement("span");
  ghost.className = `card ghost ${was.face}`;
  ghost.setAttribute("aria-hidden", "true");
  ghost.style.left = `${was.box.left}px`;
  ghost.style.top = `${was.box.top}px`;
  ghost.style.width = `${was.box.width}px`;
  document.body.append(ghost);
  const aim = to
    ? `translate(${to.left + to.width / 2 - was.box.left - was.box.width / 2}px, ${to.top + to.height / 2 - was.box.top - was.box.height / 2}px) scale(.3)`
    : "translate(45vw, 6vh) rotate(14deg)";
  ghost
    .animate([{ opacity: 1 }, { opacity: 0.9, offset: 0.5 }, { opacity: 0, transform: aim }], {
      duration: DURATION + 120, delay: Math.min(order, 8) * STAGGER, easing: "ease-in", fill: "backwards",
    })
    .finished.catch(() => {}).finally(() => ghost.remove());
}

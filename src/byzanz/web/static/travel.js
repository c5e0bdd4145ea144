// Animate cards from their position before a push to their position after it (FLIP).
const DURATION = 320;
const still = matchMedia("(prefers-reduced-motion: reduce)");

export function positions() {
  const cards = new Map();
  for (const card of document.querySelectorAll("#board .card[id]")) {
    cards.set(card.id, { face: faceOf(card), box: card.getBoundingClientRect() });
  }
  const seats = new Map();
  for (const seat of document.querySelectorAll("#board [id^=seat-]")) seats.set(seat.id, seat.getBoundingClientRect());
  return { cards, seats };
}

const faceOf = (card) => [...card.classList].find((name) => name.startsWith("f-"));

export function travel({ cards, seats }) {
  if (still.matches || document.hidden) return;
  const now = new Map([...document.querySelectorAll("#board .card[id]")].map((card) => [card.id, card]));
  const gone = [...cards].filter(([id]) => !now.has(id)).map(([id, was]) => ({ id, ...was }));

  for (const [id, card] of now) {
    const box = card.getBoundingClientRect();
    let from = cards.get(id)?.box;
    if (!from) {
      const place = gone.findIndex((was) => was.face === faceOf(card));
      from = place >= 0 ? gone.splice(place, 1)[0].box : origin(card, seats);
    }
    if (from) fly(card, from, box);
  }
  for (const was of gone) leave(was);
}

// Return where a card comes from that was not visible before: its owner's seat, or the deck.
function origin(card, seats) {
  const seat = card.closest("[id^=seat-]");
  if (seat && card.closest(".bid")) return seats.get(seat.id);
  if (card.closest(".offer")) return document.getElementById("deck")?.getBoundingClientRect();
  return null;
}

function fly(card, from, to) {
  const x = from.left - to.left;
  const y = from.top - to.top;
  if (Math.abs(x) + Math.abs(y) < 2) return;
  card.animate(
    [{ transform: `translate(${x}px, ${y}px)`, zIndex: 5 }, { transform: "none", zIndex: 5 }],
    { duration: DURATION, easing: "cubic-bezier(.2, .8, .3, 1)" },
  );
}

// Fade out a card that leaves the table or goes into a hidden hand.
function leave(was) {
  const ghost = document.createElement("span");
  ghost.className = `card ghost ${was.face}`;
  ghost.setAttribute("aria-hidden", "true");
  document.body.append(ghost);
  ghost.style.left = `${was.box.left}px`;
  ghost.style.top = `${was.box.top}px`;
  ghost.style.width = `${was.box.width}px`;
  const acting = document.querySelector(".panel.acting .backs");
  const to = acting && was.id.startsWith("market") ? acting.getBoundingClientRect() : null;
  const shift = to ? `translate(${to.left - was.box.left}px, ${to.top - was.box.top}px) scale(.4)` : "translateY(-16px)";
  ghost
    .animate([{ opacity: 1 }, { opacity: 0, transform: shift }], { duration: DURATION, easing: "ease-in" })
    .finished.finally(() => ghost.remove());
}

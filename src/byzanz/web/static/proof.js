// Check the deal of a record, as docs/dealing.md specifies: the hash of the secret, then the cards
// that follow from the secret and the players' nonces.
const NAME = "byzanz-deal/1";
const KEYS = ["no-proof", "malformed-proof", "wrong-seats", "other-commitment", "missing-nonce",
  "wrong-secret", "wrong-deal"];
const REMOVED = { 3: 4, 4: 12, 5: 2, 6: 4 };
const HAND = 4;
const WORDS = 2 ** 32;
const COPIES = [6, 5, 3, 2];
const CARDS = [..."CGOSTW"].flatMap((good) => COPIES.flatMap((copies, at) => Array(copies).fill(good + (at + 1))))
  .concat(Array(16).fill("M"));

// Return the hash that binds the server to its secret.
export async function commitment(secret) {
  return hex(await crypto.subtle.digest("SHA-256", bytes(secret)));
}

// Return the 112 cards in the order that follows from the secret and the nonces.
export async function shuffled(secret, nonces) {
  const words = stream(secret, nonces);
  const cards = [...CARDS];
  for (let last = cards.length - 1; last > 0; last -= 1) {
    const other = await below(words, last + 1);
    [cards[last], cards[other]] = [cards[other], cards[last]];
  }
  return cards;
}

// Return the code of what is wrong with the proof in a record's header; empty if the deal is proven.
export async function fault(header, { published = null, nonce = null } = {}) {
  const { proof } = header;
  if (proof === undefined || proof === null) return KEYS[0];
  if (!wellFormed(proof)) return KEYS[1];
  const players = header.hands.length;
  if (proof.nonces.length !== players) return KEYS[2];
  if (published !== null && proof.commitment !== published) return KEYS[3];
  if (nonce !== null && !proof.nonces.includes(`player:${nonce}`)) return KEYS[4];
  if (await commitment(proof.secret) !== proof.commitment) return KEYS[5];
  const cards = await shuffled(proof.secret, proof.nonces);
  const dealt = [...header.hands.flat(), ...header.removed, ...header.deck];
  const whole = header.hands.every((hand) => hand.length === HAND) && header.removed.length === REMOVED[players];
  return whole && dealt.join() === cards.join() ? "" : KEYS[6];
}

function wellFormed({ commitment: hash, secret, nonces }) {
  const long = /^[0-9a-f]{64}$/;
  const text = (found, pattern) => typeof found === "string" && pattern.test(found);
  return text(hash, long) && text(secret, long) && Array.isArray(nonces)
    && nonces.every((nonce) => nonce === null || text(nonce, /^(player|server):[0-9a-f]{32}$/));
}

// The stream of 32-bit words: blocks of HMAC-SHA-512, numbered from 0.
async function* stream(secret, nonces) {
  const key = await crypto.subtle.importKey(
    "raw", bytes(secret), { name: "HMAC", hash: "SHA-512" }, false, ["sign"],
  );
  const lines = [NAME, ...nonces.map((nonce) => nonce ?? "-")];
  for (let block = 0; ; block += 1) {
    const message = new TextEncoder().encode([...lines, block].join("\n"));
    const digest = new DataView(await crypto.subtle.sign("HMAC", key, message));
    for (let at = 0; at < digest.byteLength; at += 4) yield digest.getUint32(at);
  }
}

// Return a number below the bound, each equally likely.
async function below(words, bound) {
  const end = WORDS - (WORDS % bound);
  let word;
  do word = (await words.next()).value; while (word >= end);
  return word % bound;
}

function bytes(text) {
  return Uint8Array.from(text.match(/../g), (pair) => parseInt(pair, 16));
}

function hex(buffer) {
  return [...new Uint8Array(buffer)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

// Add a random number to every form with which a player sits down, and remember it together with the
// hash that the server has published for the table, so that the player can check the deal later.
const MOST = 50; // how many numbers and hashes are remembered
const BYTES = 16;

document.addEventListener("formdata", (event) => {
  if (!event.target.matches("form[data-nonce]")) return;
  const drawn = [...crypto.getRandomValues(new Uint8Array(BYTES))]
    .map((byte) => byte.toString(16).padStart(2, "0")).join("");
  event.formData.set("nonce", drawn);
  remember("byzanz-nonces", [...recall("byzanz-nonces"), drawn]);
});

const board = document.querySelector("#board[data-commitment]");
if (board) {
  const { table, commitment } = board.dataset;
  const known = recall("byzanz-commitments");
  if (!known.some(([id]) => id === table)) remember("byzanz-commitments", [...known, [table, commitment]]);
}

// Return the remembered list of this name; empty if the browser stores nothing.
export function recall(name) {
  try { return JSON.parse(localStorage.getItem(name)) || []; } catch { return []; }
}

function remember(name, list) {
  try { localStorage.setItem(name, JSON.stringify(list.slice(-MOST))); } catch { /* nothing is stored */ }
}

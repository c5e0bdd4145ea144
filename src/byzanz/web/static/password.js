// Passwords of tables. A link can carry one after "#", which browsers never send to a server. Whoever has
// typed a password in this tab can copy such a link.
const PENDING = "byzanz-password";
const stored = (table) => `${PENDING}-${table}`;

function put(name, value) {
  try {
    if (value) sessionStorage.setItem(name, value);
    else sessionStorage.removeItem(name);
  } catch { /* nothing is stored */ }
}

function get(name) {
  try { return sessionStorage.getItem(name) || ""; } catch { return ""; }
}

// Return the link to a table with its password; empty if this tab does not know the password.
export function linkWithPassword(board, address) {
  const { table, locked } = board.dataset;
  if (!locked) return "";
  if (locked === "host" && get(PENDING)) {
    put(stored(table), get(PENDING));
    put(PENDING, "");
  }
  const password = get(stored(table));
  return password ? `${address}#password=${encodeURIComponent(password)}` : "";
}

// The lobby: remember the password until the new table's page is open.
const field = document.getElementById("table-password");
field?.form.addEventListener("submit", () => put(PENDING, field.value));

// The page that asks for a password: take it from the link.
const form = document.getElementById("enter");
if (form) {
  const input = form.elements.password;
  form.addEventListener("submit", () => put(stored(form.dataset.table), input.value));
  const given = new URLSearchParams(location.hash.slice(1)).get("password");
  if (given) {
    history.replaceState(null, "", location.pathname);
    input.value = given;
    form.requestSubmit();
  }
}

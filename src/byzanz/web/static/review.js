// The review: another decision without loading the page anew, by links and by keys. The server
// renders every decision; this script fetches the page of the next one and takes over its parts.
const PARTS = ["chances", "moment"];
const KEYS = { ArrowLeft: "previous", ArrowRight: "following", ",": "before", ".": "after" };

const failed = document.getElementById("failed");
let wanted = location.href; // the address that was asked for last

async function show(address, { push = true } = {}) {
  wanted = address;
  let fresh = null;
  try {
    const answer = await fetch(address);
    if (answer.ok) fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  } catch {
    // told below
  }
  if (wanted !== address) return; // another one was chosen meanwhile
  failed.hidden = fresh !== null;
  failed.textContent = fresh ? "" : failed.dataset.failed;
  if (!fresh) return;
  const focused = document.activeElement?.id;
  const open = document.querySelector("#chances details")?.open;
  for (const part of PARTS) document.getElementById(part).replaceWith(fresh.getElementById(part));
  const details = document.querySelector("#chances details");
  if (details) details.open = open;
  for (const link of document.querySelectorAll(".share, .language input[name=back]")) {
    if (link.matches("a")) link.setAttribute("href", address);
    else link.value = new URL(address, location.href).pathname + new URL(address, location.href).search;
  }
  if (push) history.pushState(null, "", address);
  follow();
  const target = (focused && document.getElementById(focused)) || document.getElementById("moment");
  target.focus({ preventScroll: true });
}

// On a narrow screen the curve scrolls: show the current decision.
function follow() {
  const now = document.querySelector("#chances .now");
  const box = document.querySelector("#chances .scroll");
  if (!now) return;
  box.scrollLeft += now.getBoundingClientRect().left - box.getBoundingClientRect().left - box.clientWidth / 2;
}

const here = (link) => {
  const address = new URL(link.getAttribute("href"), location.href);
  const now = new URL(location.href);
  return address.pathname === now.pathname && address.searchParams.get("seat") === seat() && address.searchParams.has("step");
};
const seat = () => document.querySelector("#moment [name=seat]")?.value;

document.addEventListener("click", (event) => {
  const link = event.target.closest("#chances a, #moment .neighbours a");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || !here(link)) return;
  event.preventDefault();
  show(link.getAttribute("href"));
});

document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || !KEYS[event.key]) return;
  if (event.target.matches("select, input, textarea, .wide") || document.querySelector("#menu:popover-open")) return;
  const link = document.getElementById(KEYS[event.key]);
  if (!link) return;
  event.preventDefault();
  show(link.getAttribute("href"));
});

addEventListener("popstate", () => show(location.href, { push: false }));
follow();
document.body.classList.add("ready");

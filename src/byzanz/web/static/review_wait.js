// The page of a review that is being made: ask for the page again until the review is there.
const EVERY = 2000; // milliseconds between two requests

async function refresh() {
  const wait = document.getElementById("wait");
  if (!["waiting", "running"].includes(wait.dataset.state)) return;
  try {
    const answer = await fetch(location.href);
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
    const next = fresh.getElementById("wait");
    if (answer.ok && !next) return location.reload();
    if (next) wait.replaceWith(next);
  } catch {
    // the connection is lost: try again
  }
  setTimeout(refresh, EVERY);
}

setTimeout(refresh, EVERY);
document.body.classList.add("ready");

// Share the link of a finished game: by the device's own dialog, otherwise by copying it. If neither
// works, the link opens the page. A text, such as a
// result, comes before the link.
document.addEventListener("click", (event) => {
  const link = event.target.closest("[data-share]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const address = new URL(link.getAttribute("href"), location.href).href, own = link.dataset.shareText;
  if (navigator.share && matchMedia("(pointer: coarse)").matches) {
    event.preventDefault();
    navigator.share({ title: "Byzanz", text: own || link.dataset.shareTitle, url: address }).catch(() => {});
  } else if (navigator.clipboard) {
    event.preventDefault();
    navigator.clipboard.writeText(own ? `${own}\n${address}` : address).then(
      () => { say(link, link.dataset.share); },
      () => { location.href = address; },
    );
  }
});

function say(link, text) {
  const status = document.createElement("span");
  status.className = "copied";
  status.setAttribute("role", "status");
  link.after(status);
  requestAnimationFrame(() => { status.textContent = text; });
  setTimeout(() => status.remove(), 4000);
}

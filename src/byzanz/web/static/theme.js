// The theme, sound and language controls and the dates of every page, and its service worker. Runs
// before the page is drawn.
"use strict";
(() => {
  const root = document.documentElement;
  const stored = (name) => {
    try { return localStorage.getItem(name); } catch { return null; }
  };
  const store = (name, value) => {
    try { localStorage.setItem(name, value); } catch { /* storage is not available, as in some private windows */ }
  };
  const theme = stored("theme");
  if (theme) root.dataset.theme = theme;
  root.classList.add("scripted");
  store("language", root.lang); // for the offline page

  // The service worker stores pictures and scripts. It is registered last, not to delay the page.
  addEventListener("load", () => navigator.serviceWorker?.register("/service-worker.js").catch(() => {}));

  document.addEventListener("DOMContentLoaded", () => {
    const dark = () =>
      (root.dataset.theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
    const button = document.getElementById("theme");
    button.hidden = false;
    button.addEventListener("click", () => {
      root.dataset.theme = dark() ? "light" : "dark";
      store("theme", root.dataset.theme);
    });

    const sound = document.getElementById("sound");
    if (sound) sound.hidden = false; // some pages have nothing to hear
    const show = () => sound?.setAttribute("aria-pressed", String(stored("sound") === "on"));
    sound?.addEventListener("click", () => {
      store("sound", stored("sound") === "on" ? "off" : "on");
      show();
      document.dispatchEvent(new CustomEvent("byzanz:sound"));
    });
    show();

    const language = document.getElementById("language");
    language.addEventListener("change", () => language.form.requestSubmit());
    for (const button of document.querySelectorAll("[data-scripted-away]")) button.hidden = true;

    const dates = new Intl.DateTimeFormat(root.lang, { dateStyle: "medium" });
    for (const time of document.querySelectorAll("time[datetime]"))
      time.textContent = dates.format(new Date(`${time.dateTime}T12:00`));
  });
})();

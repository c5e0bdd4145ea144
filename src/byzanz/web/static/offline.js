// The offline page: show the reader's language and theme, and try again by itself.
"use strict";
(() => {
  const AGAIN = 10000;
  const stored = (name) => {
    try { return localStorage.getItem(name); } catch { return null; }
  };
  const root = document.documentElement;
  if (stored("theme")) root.dataset.theme = stored("theme");
  root.classList.add("scripted");

  const wanted = [stored("language"), ...navigator.languages.map((code) => code.slice(0, 2))];
  const texts = [...document.querySelectorAll("section[lang]")];
  const chosen = wanted.map((code) => texts.find((text) => text.lang === code)).find(Boolean) || texts[0];
  for (const text of texts) text.hidden = text !== chosen;
  root.lang = chosen.lang;
  document.title = `${chosen.querySelector("h1").textContent} · Byzanz`;

  const again = () => location.reload();
  addEventListener("online", again);
  setInterval(() => {
    fetch("/health", { cache: "no-store" }).then(({ ok }) => { if (ok) again(); }, () => {});
  }, AGAIN);
})();

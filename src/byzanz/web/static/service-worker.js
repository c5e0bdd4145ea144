// Store scripts, style sheets and pictures, and show the offline page if the server cannot be reached.
// The server puts VERSION and FILES before this text. Only these files are ever stored: no personal
// pages, no responses of the API. A new version stores its own files and deletes those of the old one.
"use strict";
const CACHE = `byzanz-${VERSION}`;
const OFFLINE = "/offline";
const KEPT = new Set(FILES);

addEventListener("install", (event) => {
  event.waitUntil((async () => {
    const cache = await caches.open(CACHE);
    await cache.addAll([new Request(OFFLINE, { cache: "reload", credentials: "omit" }), ...FILES]);
    await skipWaiting();
  })());
});

addEventListener("activate", (event) => {
  event.waitUntil((async () => {
    for (const name of await caches.keys()) {
      if (name.startsWith("byzanz-") && name !== CACHE) await caches.delete(name);
    }
    await clients.claim();
  })());
});

addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin) return;
  if (request.mode === "navigate") {
    event.respondWith(fetch(request).catch(async () => (await kept(OFFLINE)) || Response.error()));
  } else if (KEPT.has(url.pathname + url.search)) {
    event.respondWith(kept(request).then((found) => found || fetch(request)));
  }
});

async function kept(request) {
  const cache = await caches.open(CACHE);
  return cache.match(request);
}

// Store scripts, style sheets and pictures, and show the offline page if the server cannot be reached.
// The server puts VERSION and FILES before this text. Only these files are ever stored: no personal
// pages, no responses of the API. A new version stores its own files and deletes those of the old one.
"use strict";
const CACHE = `byzanz-${VERSION}`;
const OFFLINE = "/offline";
const KEPT = new Set(FILES);
const ICON = FILES.find((file) => file.includes("icon-192"));

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

// ---- notifications: the server sends the text, the address of the table, and the path that turns them off

addEventListener("push", (event) => {
  const told = event.data.json();
  event.waitUntil(registration.showNotification(told.title, {
    body: told.text, lang: told.language, tag: told.tag, icon: ICON,
    data: { table: told.table, stop: told.stop },
    actions: [{ action: "stop", title: told.off }],
  }));
});

addEventListener("notificationclick", (event) => {
  const { table, stop } = event.notification.data;
  event.notification.close();
  event.waitUntil(event.action === "stop" ? turnOff(stop) : show(table));
});

async function turnOff(path) {
  const found = await registration.pushManager.getSubscription();
  await Promise.all([fetch(path, { method: "POST" }), found?.unsubscribe()]);
}

async function show(path) {
  const open = await clients.matchAll({ type: "window", includeUncontrolled: true });
  const there = open.find(({ url }) => new URL(url).pathname === path);
  await (there ? there.focus() : clients.openWindow(path));
}

// A push service can replace a subscription: tell the server the new one.
addEventListener("pushsubscriptionchange", (event) => {
  const before = event.oldSubscription;
  if (!before) return;
  event.waitUntil((async () => {
    const found = event.newSubscription || await registration.pushManager.subscribe(before.options);
    const { endpoint, keys: { p256dh, auth } } = found.toJSON();
    await fetch("/api/me/notifications/push", {
      method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ endpoint, p256dh, auth }),
    });
  })());
});

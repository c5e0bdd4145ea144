// The switch for push notifications: it subscribes this browser and tells the server, or undoes both.
const PATH = "/api/me/notifications";
const places = document.querySelectorAll("[data-push-key]");
const able = "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;

if (able) {
  for (const place of places) {
    place.hidden = false;
    prepare(place);
  }
  document.getElementById("no-push")?.remove();
}

async function prepare(place) {
  const box = place.querySelector("input");
  const note = place.querySelector("[role=status]");
  box.checked = Boolean(await known());
  box.addEventListener("change", async () => {
    const wanted = box.checked;
    box.disabled = true;
    note.textContent = "";
    try {
      await (wanted ? turnOn(place.dataset.pushKey) : turnOff());
      if (document.getElementById("push-title")) location.reload(); // this page lists all browsers
    } catch (error) {
      box.checked = !wanted;
      note.textContent = Notification.permission === "denied" ? place.dataset.denied : error.reason || place.dataset.failed;
    }
    box.disabled = false;
    box.focus();
  });
}

// The browser's subscription; null if there is none.
async function subscription() {
  const registration = await navigator.serviceWorker.getRegistration();
  return registration ? registration.pushManager.getSubscription() : null;
}

// The server's id of this browser; undefined if the server does not know it.
async function known() {
  const found = await subscription();
  if (!found) return undefined;
  const { targets } = await ask("GET", PATH);
  return targets.find(({ address }) => address === found.endpoint)?.id;
}

async function turnOn(key) {
  if ((await Notification.requestPermission()) !== "granted") throw new Error("not allowed");
  const { pushManager } = await navigator.serviceWorker.ready;
  const options = { userVisibleOnly: true, applicationServerKey: key };
  let found;
  try {
    found = await pushManager.subscribe(options);
  } catch (error) { // it was subscribed with the key of an earlier database
    const earlier = await pushManager.getSubscription();
    if (!earlier) throw error;
    await earlier.unsubscribe();
    found = await pushManager.subscribe(options);
  }
  const { endpoint, keys: { p256dh, auth } } = found.toJSON();
  try {
    await ask("POST", `${PATH}/push`, { endpoint, p256dh, auth });
  } catch (error) {
    await found.unsubscribe();
    throw error;
  }
}

async function turnOff() {
  const id = await known();
  if (id) await ask("DELETE", `${PATH}/${id}`);
  await (await subscription())?.unsubscribe();
}

async function ask(method, path, body) {
  const answer = await fetch(path, {
    method, body: body && JSON.stringify(body), headers: body ? { "content-type": "application/json" } : {},
  });
  if (answer.status === 204) return null;
  const found = await answer.json();
  if (!answer.ok) throw Object.assign(new Error(found.error.code), { reason: found.error.message });
  return found;
}

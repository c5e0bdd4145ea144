// The table page: it paces pushed frames, animates cards, and labels the buttons.
// The server renders every view; nothing here decides what is legal.
import { travel, positions } from "./travel.js";
import { Selection } from "./selection.js";
import { changes } from "./changes.js";
import { pacing } from "./pacing.js";
import { sending } from "./sending.js";
import { automatic } from "./automatic.js";
import { tips } from "./tips.js";
import { banner, celebrate } from "./moments.js";
import { sound } from "./sounds.js";
import { showClock } from "./clock.js";
import { closeDrawer, isOpen, scrollLog } from "./drawer.js";
import { people } from "./people.js";
import { notify } from "./notices.js";
import { refresh as refreshCloser } from "./closer.js";
import { coach } from "./coach.js";
import { linkWithPassword } from "./password.js";
import { talk } from "./talk.js";
import "./rules.js";

const felt = document.getElementById("felt");
const announcer = document.getElementById("announcer");
const connection = document.getElementById("connection");
const board = () => document.getElementById("board");
const selection = new Selection(board);
const tipBox = tips(() => {
  if (pace.busy()) pace.skip();
  focusStatus();
});
const pace = pacing(tipBox.unread);
const changed = changes(felt);
const seated = people(board, felt.dataset);
const adviser = coach(board);
const talker = talk(board, announce);

// ---- pushed frames: wait, remember the positions of cards, swap the content, animate the cards

let before = null;
let told = lastLine();
let seen = -1;
let undone = Number(board().dataset.version); // the version of the last undo that was announced
let newest = undone; // the version of the newest frame, which may still wait to be shown

felt.addEventListener("htmx:ws:before:message:incoming", (event) => {
  const arrived = parse(event.detail.message.data);
  if (!arrived) return;
  newest = Math.max(newest, arrived.version || 0);
  event.detail.waitUntil(
    pace.wait(arrived).then(() => {
      before = arrived.skipped ? null : positions();
      if (changed.begin(arrived, event.detail)) refuse("");
    }),
  );
});

felt.addEventListener("htmx:ws:after:message:incoming", (event) => {
  const arrived = parse(event.detail.message.data);
  if (!arrived) return;
  drawn();
  const moments = arrived.number > seen && seen >= 0 ? arrived.moments : [];
  if (moments.length && arrived.automatic) notify(arrived.automatic);
  seen = arrived.number;
  if (arrived.undone && arrived.version > undone) {
    undone = arrived.version;
    banner(arrived.undone);
    announce([arrived.undone]);
  }
  if (before && moments.length) {
    travel(before, { actor: moments[0].seat, swept: moments.some(({ what }) => what === "cleared") });
    celebrate(moments, felt.dataset);
  }
  before = null;
});

function parse(data) {
  try { return JSON.parse(data); } catch { return null; }
}

function drawn() {
  selection.restore();
  tell();
  tipBox.show();
  scrollLog();
  showTurn();
  showClock();
  link();
  arrive();
  seated.show();
  refreshCloser();
  adviser.refresh();
  talker.show();
}

// ---- announcements for screen readers: lines are appended, so that none interrupts another

const ANNOUNCED = 30;

function lastLine() {
  const lines = document.querySelectorAll("#log [data-number]");
  return lines.length ? Number(lines[lines.length - 1].dataset.number) : -1;
}

function tell() {
  const last = lastLine();
  const since = last < told ? last - 1 : told;
  const fresh = [...document.querySelectorAll("#log [data-number]")]
    .filter((line) => Number(line.dataset.number) > since)
    .map((line) => line.querySelector(".log-text").textContent.trim());
  told = last;
  const status = document.getElementById("status");
  if (fresh.length) announce([...fresh, status ? status.textContent : ""]);
}

function announce(texts) {
  for (const text of texts) {
    const line = document.createElement("p");
    line.textContent = text;
    announcer.append(line);
  }
  while (announcer.childElementCount > ANNOUNCED) announcer.firstChild.remove();
}

// ---- the turn, visible in the tab's title too

let wasMine = false;

function showTurn() {
  const asked = board().dataset.asked;
  const mine = ["bid", "give", "take", "limit", "sale"].includes(asked);
  document.title = (mine ? `● ${felt.dataset.titleTurn}` : felt.dataset.title) + " · Byzanz";
  if (mine && !wasMine) sound("turn");
  wasMine = mine;
}

function focusStatus() {
  document.getElementById("status")?.focus({ preventScroll: true });
}

// ---- acting

const sender = sending({
  made: () => selection.made,
  accepted(made, keeps) {
    refuse("");
    if (!keeps) selection.answered(made);
    focusStatus();
  },
  untilShown,
  refused(text) {
    refuse(text);
    selection.show();
  },
  waiting() { connectionShown(felt.dataset.unsent); },
  through() { if (!lost) connectionShown(""); },
});

// Wait until the board shows this version or a later one. If its frame does not come, connect again.
const OVERDUE = 5000;
let awaited = null;

function untilShown(version, submitter) {
  if (submitter?.id === "undo") pace.until(version);
  const overdue = setTimeout(() => { if (newest < version) changed.connectAgain(); }, OVERDUE);
  return new Promise((resolve) => {
    awaited = { version, resolve };
    arrive();
  }).finally(() => clearTimeout(overdue));
}

function arrive() {
  if (awaited && awaited.version <= Number(board().dataset.version)) awaited.resolve();
}

function refuse(text) {
  const refused = document.getElementById("refused");
  if (refused) refused.textContent = text;
}

document.addEventListener("submit", (event) => {
  if (!event.target.matches("#act, .dropped")) return;
  event.preventDefault();
  sender.send(event.target, event.submitter);
});

// ---- the connection

const NO_MORE = 1000, SIGNED_OUT = 4001;
let lost = false;

// A page restored from the back/forward cache has no connection and does not open one.
addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });

function connectionShown(text) {
  connection.textContent = text;
  connection.hidden = !text;
}

felt.addEventListener("htmx:ws:close", (event) => {
  if (event.detail.reason !== "closed" || event.detail.code === NO_MORE) return;
  if (event.detail.code === SIGNED_OUT) return location.reload();
  lost = true;
  connectionShown(felt.dataset.offline);
});

felt.addEventListener("htmx:ws:after:connection", () => {
  if (!lost) return;
  lost = false;
  connectionShown(felt.dataset.online);
  setTimeout(() => { if (!lost) connectionShown(""); }, 2000);
});

// ---- keys

const help = document.getElementById("help");
document.getElementById("keys").addEventListener("click", () => {
  document.getElementById("menu").hidePopover();
  help.showModal();
});

// Show the key numbers on the cards once keys are used; hide them when a pointer is used.
document.addEventListener("pointerdown", () => document.body.classList.remove("by-keys"), true);

document.addEventListener("keydown", (event) => {
  if (help.open || event.ctrlKey || event.metaKey || event.altKey) return;
  const typing = event.target.matches("select, textarea, input:not([type=checkbox]):not([type=radio])");
  if (typing) return;
  if (event.repeat && /^(enter|p|s|u|h|o|t)$/i.test(event.key)) {
    event.preventDefault(); // a held key acts once
    return;
  }
  if (/^[1-9psPS]$|^Arrow|^Enter$|^Tab$/.test(event.key)) document.body.classList.add("by-keys");
  if (event.key === "?") help.showModal();
  else if (event.key === "Escape" && isOpen()) closeDrawer();
  else if (event.key === "Escape" && adviser.isOpen()) adviser.close();
  else if (event.key === "Escape") selection.clear();
  else if (event.key === " " && pace.busy()) {
    event.preventDefault();
    skip();
  } else if (/^[1-9]$/.test(event.key)) selection.toggle(Number(event.key) - 1);
  else if (event.key === "Enter" && !event.target.matches("a, button, summary")) {
    event.preventDefault();
    selection.act("do");
  } else if (event.key.toLowerCase() === "p") selection.pass();
  else if (event.key.toLowerCase() === "s") selection.sell();
  else if (event.key.toLowerCase() === "h") adviser.ask();
  else if (event.key.toLowerCase() === "o") adviser.toggle();
  else if (event.key.toLowerCase() === "t") talker.toggle();
  else if (event.key.toLowerCase() === "u") document.getElementById("undo")?.click();
});

document.addEventListener("click", (event) => {
  if (event.target.closest("#skip")) skip();
});

function skip() {
  tipBox.read();
  pace.skip();
}

// ---- the link to send to friends

function link() {
  const shown = document.getElementById("link");
  const copy = document.getElementById("copy");
  if (!shown) return;
  shown.textContent = new URL(shown.dataset.path, location.href).href;
  copy.hidden = !navigator.clipboard;
  const locked = document.getElementById("copy-password");
  if (locked) locked.hidden = !navigator.clipboard || !linkWithPassword(board(), shown.textContent);
}

document.addEventListener("click", (event) => {
  const copy = event.target.closest("#copy, #copy-password");
  if (!copy) return;
  const address = document.getElementById("link").textContent;
  navigator.clipboard.writeText(copy.id === "copy" ? address : linkWithPassword(board(), address))
    .then(() => { copy.textContent = copy.dataset.done; });
});

automatic();
drawn();
document.body.classList.add("ready");

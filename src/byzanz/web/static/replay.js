// The replay player. The server renders every step; this script fetches some at a time, shows
// one after the other, and keeps the address up to date. It needs no socket.
import { travel, positions } from "./travel.js";
import { celebrate } from "./moments.js";
import { closeDrawer, isOpen } from "./drawer.js";
import { refresh as refreshCloser } from "./closer.js";
import "./rules.js";

const SECOND = 1000; // milliseconds between two steps at normal speed
const BUSY = 120; // milliseconds after which a wait for the server is shown

const player = document.getElementById("player");
const slider = document.getElementById("step");
const play = document.getElementById("play");
const pace = document.getElementById("pace");
const eyes = document.getElementById("eyes");
const open = document.getElementById("open");
const announcer = document.getElementById("announcer");
const connection = document.getElementById("connection");
const words = player.dataset;
const last = Number(words.steps);
const size = Number(words.perRequest);

let step = Number(words.step); // the step that is shown
let wanted = step; // the step that was asked for last
let timer = null; // not null while playing

// ---- steps from the server, in blocks that are fetched once

let blocks = new Map();

function block(first) {
  const query = new URLSearchParams({ from: first, seat: eyes.value, ...(open.checked && { open: 1 }) });
  if (!blocks.has(first)) {
    const fetched = fetch(`${words.path}/steps?${query}`).then((answer) => {
      if (!answer.ok) throw new Error(String(answer.status));
      return answer.json();
    });
    fetched.catch(() => { if (blocks.get(first) === fetched) blocks.delete(first); });
    blocks.set(first, fetched);
  }
  return blocks.get(first);
}

const blockOf = (number) => number - (number % size);

async function load(number) {
  const steps = await block(blockOf(number));
  const ahead = blockOf(number) + size; // fetch the next steps before they are needed
  if (number % size > size / 2 && ahead <= last) block(ahead).catch(() => {});
  return steps[number % size];
}

// ---- showing a step

async function go(number) {
  wanted = Math.max(0, Math.min(last, number));
  slider.value = wanted;
  showPlace(wanted);
  const slow = setTimeout(() => document.body.classList.add("loading"), BUSY);
  const sources = blocks;
  let frame = null;
  try {
    frame = await load(wanted);
  } catch {
    pause();
  }
  clearTimeout(slow);
  document.body.classList.remove("loading");
  if (sources !== blocks) return; // another view was chosen meanwhile
  say(frame ? "" : words.failed);
  if (!frame) {
    slider.value = wanted = step;
    showPlace(step);
  } else if (frame.step === wanted) show(frame);
}

function show(frame) {
  const forward = frame.step === step + 1;
  const before = forward ? positions() : null;
  draw(frame.content);
  refreshCloser();
  step = frame.step;
  if (before && frame.moments.length) {
    travel(before, { actor: frame.moments[0].seat, swept: frame.moments.some(({ what }) => what === "cleared") });
    celebrate(frame.moments, words);
  }
  shown();
  tell();
}

// Replace all of the board except the log, which is the same at every step and keeps its place.
function draw(content) {
  const fresh = new DOMParser().parseFromString(content, "text/html").getElementById("board");
  const board = document.getElementById("board");
  for (const { name, value } of fresh.attributes) board.setAttribute(name, value);
  const log = document.getElementById("log-panel");
  for (const part of [...board.children]) if (part !== log) part.remove();
  log.before(...fresh.children);
}

const rounds = [...document.querySelectorAll("#player .rounds text")].map((mark) => Number(mark.textContent));
const starts = JSON.parse(words.starts);
const roundAt = (number) => rounds[starts.findLastIndex((start) => start <= number)] ?? 1;

const sentence = () => document.getElementById("status").textContent;
const place = (number) =>
  words.say.replace("{step}", number).replace("{all}", last).replace("{round}", roundAt(number));

function showPlace(number) {
  document.getElementById("at").textContent = `${number} / ${last}`;
  slider.setAttribute("aria-valuetext", place(number));
}

// What else on the page depends on the step.
function shown() {
  showPlace(step);
  slider.setAttribute("aria-valuetext", `${place(step)}. ${sentence()}`);
  history.replaceState(null, "", address(step));
  for (const [id, to] of [["first", 0], ["prev", step - 1], ["next", step + 1], ["last", last]]) {
    const link = document.getElementById(id);
    link.href = address(Math.max(0, Math.min(last, to)));
    link.classList.toggle("spent", to === step || to < 0 || to > last);
  }
  const whatIf = document.getElementById("what-if");
  whatIf.elements.step.value = step;
  whatIf.elements.seat.value = eyes.value || 0;
  whatIf.hidden = step === last;
  markLine();
}

function address(number) {
  const query = new URLSearchParams({ step: number, seat: eyes.value, ...(open.checked && { open: 1 }) });
  return `${words.path}?${query}`;
}

// Mark the lines of the step in the log, and scroll only the log to them.
function markLine() {
  const log = document.getElementById("log");
  for (const line of log.querySelectorAll("[aria-current]")) line.removeAttribute("aria-current");
  const lines = [...log.querySelectorAll(`.go[data-step="${step}"]`)];
  for (const line of log.querySelectorAll("[data-of]")) line.classList.toggle("mine", line.dataset.of === eyes.value);
  const now = lines[0];
  if (!now) return;
  now.setAttribute("aria-current", "step");
  const details = now.closest("details");
  if (details && !now.closest("summary")) details.open = true;
  const box = now.getBoundingClientRect();
  const view = log.getBoundingClientRect();
  if (box.top < view.top || box.bottom > view.bottom) log.scrollTop += box.top - view.top - view.height / 3;
}

// A screen reader reads the slider's own value while it has the focus.
function tell() {
  if (document.activeElement === slider) return;
  const line = document.createElement("p");
  line.textContent = sentence();
  announcer.append(line);
  while (announcer.childElementCount > 20) announcer.firstChild.remove();
}

function say(text) {
  connection.textContent = text;
  connection.hidden = !text;
}

// ---- playing

const kept = localStorage.getItem("replay-speed");
if ([...pace.options].some((option) => option.value === kept)) pace.value = kept;
pace.addEventListener("change", () => localStorage.setItem("replay-speed", pace.value));

function showPlaying() {
  const label = timer === null ? words.play : words.pause;
  play.title = label;
  play.querySelector(".sr").textContent = label;
  play.querySelector(".icon").className = `icon ${timer === null ? "i-play" : "i-pause"}`;
}

function pause() {
  clearTimeout(timer);
  timer = null;
  showPlaying();
}

async function tick() {
  await go(step + 1);
  if (timer === null) return;
  if (step >= last) pause();
  else timer = setTimeout(tick, SECOND / Number(pace.value));
}

async function toggle() {
  if (timer !== null) return pause();
  timer = 0;
  showPlaying();
  if (step >= last) await go(0);
  if (timer !== null) timer = setTimeout(tick, SECOND / Number(pace.value) / 3);
}

function jump(number) {
  pause();
  go(number);
}

// ---- controls

const TARGETS = { first: () => 0, prev: () => wanted - 1, next: () => wanted + 1, last: () => last };

document.addEventListener("click", (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return; // a new tab
  const press = event.target.closest("[data-go]");
  const line = event.target.closest("#log .go");
  if (!press && !line) return;
  event.preventDefault();
  jump(press ? TARGETS[press.dataset.go]() : Number(line.dataset.step));
});
play.addEventListener("click", toggle);
slider.addEventListener("input", () => jump(Number(slider.value)));

// Show another seat's view of the same step.
for (const choice of [eyes, open]) {
  choice.addEventListener("change", () => {
    blocks = new Map();
    go(wanted);
  });
}
document.getElementById("open-log").addEventListener("click", markLine);
document.getElementById("eyes-form").addEventListener("submit", (event) => event.preventDefault());

const round = (way) => {
  const ahead = starts.filter((start) => (way > 0 ? start > wanted : start < wanted));
  if (!ahead.length) return way > 0 ? last : 0;
  return way > 0 ? ahead[0] : ahead[ahead.length - 1];
};

const KEYS = {
  ArrowLeft: () => jump(wanted - 1),
  ArrowRight: () => jump(wanted + 1),
  PageUp: () => jump(round(-1)),
  PageDown: () => jump(round(1)),
  Home: () => jump(0),
  End: () => jump(last),
  " ": toggle,
};

document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (event.key === "Escape" && isOpen()) return closeDrawer();
  if (!KEYS[event.key] || event.target.matches("select, textarea") || document.querySelector(":is(#menu, #closer):popover-open")) return;
  if (event.key === " " && event.target.matches("button, summary, input:not(#step)")) return;
  if (/^(Page|Home|End)/.test(event.key) && event.target.id === "log") return; // it scrolls
  event.preventDefault();
  KEYS[event.key]();
});

play.hidden = pace.hidden = false;
showPlaying();
shown();
block(blockOf(step)).catch(() => {});
document.body.classList.add("ready");

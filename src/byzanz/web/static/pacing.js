// Show the bots' actions one at a time: each frame waits for a delay, unless the player skips it.
const DELAYS = { slow: 2200, normal: 1100, fast: 450, instant: 0 };
const READING = 1000; // even fast bots leave this time to see who won an offer or took a kind
const TO_READ = ["won", "take", "sell"];

// unread: a function that returns how long a tip still needs to be read
export function pacing(unread) {
  const speed = document.getElementById("speed");
  const kept = localStorage.getItem("speed");
  if (kept in DELAYS) speed.value = kept;
  speed.addEventListener("change", () => localStorage.setItem("speed", speed.value));

  const hurry = document.getElementById("hurry");
  hurry.checked = localStorage.getItem("hurry") !== "off";
  hurry.addEventListener("change", () => localStorage.setItem("hurry", hurry.checked ? "on" : "off"));

  let first = true;
  let shown = -1; // the number of actions in the last frame
  let wanted = 0; // frames up to this version are shown without a delay
  let last = 0;
  let reading = false; // whether the last frame showed something to read
  let waiting = 0;
  let release = null;
  let skipped = false;

  const show = () => {
    const button = document.getElementById("skip");
    // While the player decides, as in the final sale, the button would seem to skip the decision.
    const watching = ["wait", "watch"].includes(document.getElementById("board")?.dataset.asked);
    if (button) button.hidden = !waiting || !watching;
    document.body.classList.toggle("catching-up", waiting > 0);
  };

  // A player with nothing more to decide in this round does not wait long for the others.
  function delay(frame) {
    if (first || frame.mine || frame.skipped || frame.stage !== "playing" || document.hidden) return 0;
    if (frame.version <= wanted || frame.number === shown || frame.undone) return 0;
    const idle = hurry.checked && "idle" in document.getElementById("board").dataset;
    const hurried = reading ? READING : DELAYS.fast;
    return Math.min(DELAYS[speed.value], idle ? hurried : Infinity);
  }

  // When the frame is due. A new tip stays until it can have been read.
  function due(frame) {
    const pause = delay(frame);
    return pause ? Math.max(last + pause, performance.now() + unread()) : 0;
  }

  // Frames are handled in order: the next one waits until this one is drawn.
  async function wait(frame) {
    const until = due(frame) - performance.now();
    first = false;
    shown = frame.number;
    reading = frame.moments.some(({ what }) => TO_READ.includes(what));
    if (until > 0 && !skipped) {
      waiting = 1;
      show();
      await new Promise((resolve) => {
        release = resolve;
        setTimeout(resolve, until);
      });
      release = null;
      waiting = 0;
    }
    last = performance.now();
    requestAnimationFrame(show);
  }

  function skip() {
    skipped = true;
    release?.();
    setTimeout(() => { skipped = false; }, 300);
  }

  // Show everything up to this version at once.
  function until(version) {
    wanted = version;
    release?.();
  }

  return { wait, skip, until, busy: () => waiting > 0 };
}

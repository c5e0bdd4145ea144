// Show the bots' actions one at a time: each frame waits for a delay, unless the player skips it.
const DELAYS = { slow: 2200, normal: 1100, fast: 450, instant: 0 };

export function pacing() {
  const speed = document.getElementById("speed");
  const kept = localStorage.getItem("speed");
  if (kept in DELAYS) speed.value = kept;
  speed.addEventListener("change", () => localStorage.setItem("speed", speed.value));

  let first = true;
  let last = 0;
  let waiting = 0;
  let release = null;
  let skipped = false;

  const show = () => {
    const button = document.getElementById("skip");
    if (button) button.hidden = !waiting;
    document.body.classList.toggle("catching-up", waiting > 0);
  };

  // A player with nothing more to decide in this round does not wait long for the others.
  function delay(frame) {
    if (first || frame.mine || frame.skipped || frame.stage !== "playing" || document.hidden) return 0;
    const idle = "idle" in document.getElementById("board").dataset;
    return Math.min(DELAYS[speed.value], idle ? DELAYS.fast : Infinity);
  }

  // Frames are handled in order: the next one waits until this one is drawn.
  async function wait(frame) {
    const until = last + delay(frame) - performance.now();
    first = false;
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

  return { wait, skip, busy: () => waiting > 0 };
}

// Marks in the trace of a table's page when cards travel, and measures reactions to presses.
{
  const seen = (window.speed = { reactions: [], animated: [] });

  // From a press to the frame that shows its first effect.
  addEventListener("click", (event) => {
    if (!event.isTrusted) return;
    const watcher = new MutationObserver((changes) => {
      const real = changes.some(({ target }) => target !== document.body || target.classList.contains("sending"));
      if (!real) return;
      watcher.disconnect();
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel(); // its message comes after the frame
        port1.onmessage = () => seen.reactions.push(performance.now() - event.timeStamp);
        port2.postMessage(0);
      });
    });
    watcher.observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
  }, true);

  const { animate } = Element.prototype;
  Element.prototype.animate = function (frames, options) {
    performance.mark(`travel ${(options.delay || 0) + options.duration}`);
    seen.animated.push(...frames.flatMap(Object.keys));
    return animate.call(this, frames, options);
  };
}

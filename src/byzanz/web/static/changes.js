// Frames that have only the changes of the board. They are numbered: each one changes the board that
// the frame before it made. If one is missing or cannot be applied, the page connects again, and
// gets whole boards from then on.
export function changes(felt) {
  let connection = null;
  let last = null; // the number of the last frame; null while the page needs a whole board

  // The first frame of a connection has the whole board, and so has a frame without a number.
  const follows = ({ frame }) => !frame || (last !== null && frame === last + 1);

  function connectAgain() {
    if (last === null) return;
    last = null;
    connection.url = connection.url.replace("&changes", "");
    connection.socket?.close();
  }

  function setAttributes(attributes) {
    for (const [id, changed] of Object.entries(attributes)) {
      const element = document.getElementById(id);
      for (const [name, value] of Object.entries(changed)) {
        if (value === null) element.removeAttribute(name);
        else element.setAttribute(name, value);
      }
    }
  }

  // Change the attributes, before htmx swaps the parts. Return false if the frame must be dropped.
  function begin(frame, detail) {
    connection = detail.connection;
    if (!follows(frame)) {
      detail.cancelled = true;
      connectAgain();
      return false;
    }
    last = frame.frame ?? null;
    setAttributes(frame.attributes || {});
    return true;
  }

  // htmx skips a part whose place is not on the page.
  felt.addEventListener("htmx:before:swap", ({ detail }) => {
    if (detail.tasks.some(({ type, target }) => type === "partial" && !target)) connectAgain();
  });

  felt.addEventListener("htmx:ws:error", ({ detail }) => {
    if (detail.error instanceof Error) connectAgain();
  });

  return { begin };
}

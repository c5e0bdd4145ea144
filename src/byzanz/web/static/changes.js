// Frames that have only the changes of the board. They are numbered: each one changes the board that
// the frame before it made. If one is missing or cannot be applied, the page connects again, and
// gets whole boards from then on.
export function changes(felt) {
  let connection = null;
  let last = null; // the number of the last frame; null while the page needs a whole board
  let attributes = {}; // those that the frame changes, by the ids of their elements

  // The first frame of a connection has the whole board, and so has a frame without a number.
  const follows = ({ frame }) => !frame || (last !== null && frame === last + 1);

  function connectAgain() {
    if (last === null) return;
    last = null;
    connection.url = connection.url.replace("&changes", "");
    connection.socket?.close();
  }

  function setAttributes() {
    for (const [id, changed] of Object.entries(attributes)) {
      const element = document.getElementById(id);
      for (const [name, value] of Object.entries(changed)) {
        if (value === null) element.removeAttribute(name);
        else element.setAttribute(name, value);
      }
    }
  }

  // Take a frame. Return false if it must be dropped.
  function begin(frame, detail) {
    connection = detail.connection;
    if (!follows(frame)) {
      detail.cancelled = true;
      connectAgain();
      return false;
    }
    last = frame.frame ?? null;
    attributes = frame.attributes || {};
    return true;
  }

  // Attributes change at the same moment as the parts, so that no key finds only one of them new.
  felt.addEventListener("htmx:before:swap", ({ detail }) => {
    const known = Object.keys(attributes).every((id) => document.getElementById(id));
    // htmx skips a part whose place is not on the page.
    if (!known || detail.tasks.some(({ type, target }) => type === "partial" && !target)) connectAgain();
    else setAttributes();
  });

  felt.addEventListener("htmx:ws:error", ({ detail }) => {
    if (detail.error instanceof Error) connectAgain();
  });

  return { begin, connectAgain };
}

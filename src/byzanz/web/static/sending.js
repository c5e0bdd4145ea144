// An action is sent until it is answered, always with the same key: the server plays it once. It
// is on its way until the page shows what it did: meanwhile the old question is not asked again.
const AGAIN = 1500;
const PATIENCE = 15000;

export function sending({ made, accepted, untilShown, refused, waiting, through }) {
  let busy = false;

  async function send(form, submitter) {
    if (busy) return;
    busy = true;
    document.body.classList.add("sending");
    const body = new URLSearchParams(new FormData(form, submitter));
    body.set("key", key());
    const choice = made();
    try {
      const { status, text } = await answer(form.action, body);
      if (status === 200) {
        accepted(choice);
        await untilShown(Number(text));
      } else refused(text);
    } finally {
      busy = false;
      document.body.classList.remove("sending");
    }
  }

  async function answer(address, body) {
    for (;;) {
      try {
        const response = await fetch(address, {
          method: "POST", body, headers: { Accept: "text/plain" }, signal: AbortSignal.timeout(PATIENCE),
        });
        if (response.status < 500 && response.status !== 429) {
          through();
          return { status: response.status, text: await response.text() };
        }
      } catch { /* the connection is down: the same request is sent again */ }
      waiting();
      await new Promise((resolve) => setTimeout(resolve, AGAIN));
    }
  }

  return { send };
}

const key = () =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

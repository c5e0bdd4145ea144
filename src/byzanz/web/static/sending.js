// Send an action again until the server answers, always with the same key, so that it is played
// only once. The page stays busy until it shows the result, so nobody answers the old question.
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
    const address = submitter?.getAttribute("formaction") || form.action;
    try {
      const { status, text } = await deliver(address, body, { waiting, through });
      if (status === 200) {
        accepted(choice, body.get("do") === "cancel");
        // A prepared answer does not make a new version.
        if (!address.endsWith("/prepare")) await untilShown(Number(text), submitter);
      } else refused(text);
    } finally {
      busy = false;
      document.body.classList.remove("sending");
    }
  }

  return { send };
}

// Post to an address until the server answers.
export async function deliver(address, body, { waiting = () => {}, through = () => {} } = {}) {
  for (;;) {
    try {
      const response = await fetch(address, {
        method: "POST", body, headers: { Accept: "text/plain" }, signal: AbortSignal.timeout(PATIENCE),
      });
      if (response.status < 500 && response.status !== 429) {
        through();
        return { status: response.status, text: await response.text() };
      }
    } catch { /* no connection: send the same request again */ }
    waiting();
    await new Promise((resolve) => setTimeout(resolve, AGAIN));
  }
}

const key = () =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

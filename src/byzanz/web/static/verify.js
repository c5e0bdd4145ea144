// The page "Check this deal": read the record, compute the deal again and say what was found.
import { fault } from "./proof.js";
import { recall } from "./nonce.js";

const page = document.getElementById("verify");
const say = (id, text, state) => {
  const line = document.getElementById(id);
  line.textContent = text;
  line.dataset.state = state;
  line.hidden = false;
};

async function check() {
  if (!globalThis.crypto?.subtle) return say("verdict", page.dataset.insecure, "unknown");
  const response = await fetch(page.dataset.record);
  if (!response.ok) return say("verdict", page.dataset.unread, "unknown");
  const header = JSON.parse((await response.text()).split("\n", 1)[0]);
  const known = recall("byzanz-commitments").find(([table]) => table === page.dataset.table);
  const wrong = await fault(header, { published: known ? known[1] : null });
  say("verdict", page.dataset[wrong ? `fault_${wrong.replaceAll("-", "_")}` : "proven"], wrong ? "wrong" : "right");
  if (wrong) return undefined;
  say("known", known ? page.dataset.known : page.dataset.unknown, known ? "right" : "unknown");
  const mine = recall("byzanz-nonces").some((nonce) => header.proof.nonces.includes(`player:${nonce}`));
  return say("mine", mine ? page.dataset.mine : page.dataset.notMine, mine ? "right" : "unknown");
}

// There is nothing to check before the secret is opened.
if (document.getElementById("verdict")) check().catch(() => say("verdict", page.dataset.unread, "unknown"));

// Announce who sits down, leaves, returns, or is replaced by a bot: compare the seats before and after.
import { notify } from "./notices.js";

export function people(board, words) {
  const away = new Set();
  let before = seats();

  function seats() {
    const codes = (board().dataset.people || "").split(" ");
    return codes.map((code, seat) => ({
      code, name: document.querySelector(`#seat-${seat} .name`)?.textContent.trim() || "",
    }));
  }

  function show() {
    const now = seats();
    const own = document.querySelector("#board .self, #board .mine")?.id;
    now.forEach((seat, number) => {
      const was = before[number];
      if (!was || was.code === seat.code || own === `seat-${number}`) return;
      const text = sentence(was, seat, number);
      if (text) notify(text);
    });
    before = now;
  }

  function sentence(was, now, number) {
    const over = board().dataset.asked === "over";
    const present = ["here", "away"];
    const say = (word, { name }) => words[word].replace("{name}", name);
    if (was.code === "open" && present.includes(now.code)) return say("sits", now);
    if (was.code === "invited" && present.includes(now.code)) return say("accepts", now);
    if (was.code === "invited" && now.code === "open") return say("declines", was);
    if (now.code === "open") return say("leaves", was);
    if (now.code === "left") return say("left", now);
    if (now.code === "replaced") return say("replaced", now);
    if (over) return "";
    if (now.code === "away" && was.code === "here") {
      away.add(number);
      return say("away", now);
    }
    if (was.code === "replaced" || (now.code === "here" && away.delete(number))) return say("back", now);
    return "";
  }

  return { show };
}

// The selected cards, the action that they make up, and the labels of the buttons.
const HELD_BACK = 350; // milliseconds for which a button ignores clicks after its label changed

export class Selection {
  #board;
  #armed = null;
  #changed = 0;
  #sets = 0;

  constructor(board) {
    this.#board = board;
    const confirm = document.getElementById("confirm");
    const kept = localStorage.getItem("confirm");
    confirm.checked = kept === null ? matchMedia("(pointer: coarse)").matches : kept === "on";
    confirm.addEventListener("change", () => localStorage.setItem("confirm", confirm.checked ? "on" : "off"));
    this.confirm = confirm;

    document.addEventListener("change", (event) => {
      if (event.target.matches("#board input")) this.show();
    });
    document.addEventListener("click", (event) => {
      const set = event.target.closest("[data-set], [data-pick]");
      if (set) this.choose((set.dataset.set || set.dataset.pick).split(" "));
      const button = event.target.closest("#act button[name=do]");
      if (button && !this.#sure(button, event)) {
        event.preventDefault();
        event.stopImmediatePropagation();
      }
    }, true);
    this.restore();
  }

  get #form() { return document.getElementById("act"); }
  get #boxes() { return [...document.querySelectorAll("#act .hand input")]; }
  get #chosen() { return this.#boxes.filter((box) => box.checked); }
  get #unsold() { return Boolean(document.querySelector("[data-set]")); }
  get #key() { return `selection ${this.#board().dataset.table}`; }

  // -- keep the selection over pushes, reloads and lost connections

  keep() {
    const radio = document.querySelector("#board input[type=radio]:checked");
    const state = { cards: this.#chosen.map((box) => box.value), radio: radio && [radio.name, radio.value] };
    sessionStorage.setItem(this.#key, JSON.stringify(state));
  }

  restore() {
    const state = JSON.parse(sessionStorage.getItem(this.#key) || "null");
    if (state) {
      this.#mark(state.cards);
      if (state.radio) {
        const [name, value] = state.radio;
        const radio = document.querySelector(`#board input[name="${name}"][value="${CSS.escape(value)}"]`);
        if (radio) radio.checked = true;
      }
    }
    this.show();
  }

  #mark(cards) {
    const wanted = [...cards];
    for (const box of this.#boxes) {
      const place = wanted.indexOf(box.value);
      box.checked = place >= 0 && !box.disabled;
      if (box.checked) wanted.splice(place, 1);
    }
  }

  choose(cards) {
    this.#mark(cards);
    this.show();
  }

  clear() {
    for (const input of document.querySelectorAll("#board input:checked")) input.checked = false;
    this.show();
  }

  toggle(place) {
    const radios = [...document.querySelectorAll("#board input[type=radio]")];
    const input = radios.length ? radios[place] : this.#boxes[place];
    if (!input || input.disabled) return;
    input.checked = input.type === "radio" ? true : !input.checked;
    input.focus();
    this.show();
  }

  // -- button labels

  show() {
    const form = this.#form;
    if (!form) return;
    this.#armed = null;
    const main = document.getElementById("do");
    const pass = document.getElementById("pass");
    const sell = document.getElementById("sell");
    const state = this.#meaning(form);
    this.#label(main, state.does, state.label);
    main.disabled = !state.label || Boolean(state.why);
    main.hidden = !state.label;
    document.getElementById("why").textContent = state.why || "";
    if (pass) pass.hidden = state.does === "pass";
    if (sell) {
      sell.hidden = !state.sale || state.does === "sell";
      if (state.sale) this.#label(sell, "sell", say(form, "sell", { profit: state.sale }));
    }
    this.keep();
  }

  #label(button, does, label) {
    if (button.value !== does || button.textContent.trim() !== label) this.#changed = performance.now();
    button.value = does;
    button.textContent = label || "";
  }

  // Return what the main button would do with the present selection; the server decides.
  #meaning(form) {
    const { asked, highest, own } = this.#board().dataset;
    const chosen = this.#chosen;
    const sale = worthOfSet(chosen);
    const selling = { does: "sell", label: sale && say(form, "sell", { profit: sale }), sale };
    switch (asked) {
      case "bid": {
        if (!chosen.length) return { does: "pass", label: say(form, "pass"), sale };
        const total = Number(own) + sum(chosen);
        const label = say(form, "bid", { total });
        const merchant = chosen.some((box) => box.dataset.kind === "M");
        if (merchant && sale) return selling;
        if (merchant) return { does: "bid", label, why: say(form, "merchant"), sale };
        const low = total <= Number(highest) && say(form, "beat", { total, highest });
        return low && sale ? selling : { does: "bid", label, why: low || "", sale };
      }
      case "give":
      case "take": {
        const radio = document.querySelector(`#board input[name=${asked}]:checked`);
        if (radio) return { does: asked, label: radio.dataset.label, sale };
        return { does: asked, label: say(form, asked === "give" ? "chooseGive" : "chooseTake"), why: " ", sale };
      }
      case "limit":
        if (sale) return selling;
        if (chosen.length === 1)
          return { does: "discard", label: say(form, "discard", { card: chosen[0].dataset.name }), sale };
        return { does: "discard", label: say(form, "chooseDiscard"), why: " ", sale };
      case "sale":
        return sale ? selling : { does: "done", label: say(form, "done"), sale };
      default:
        return selling;
    }
  }

  // -- acting

  act(id) {
    const button = document.getElementById(id);
    if (button && !button.hidden && !button.disabled) button.click();
  }

  pass() {
    if (this.#board().dataset.asked !== "bid") return;
    if (this.#chosen.length) this.clear();
    this.act("do");
  }

  sell() {
    const sets = [...document.querySelectorAll("[data-set]")];
    const ready = [document.getElementById("sell"), document.getElementById("do")]
      .find((button) => button && button.value === "sell" && !button.hidden);
    if (ready && worthOfSet(this.#chosen)) ready.click();
    else if (sets.length) this.choose(sets[this.#sets++ % sets.length].dataset.set.split(" "));
  }

  // Guard against accidental clicks: ignore a button whose label has just changed, and ask for
  // confirmation before actions that are easy to regret.
  #sure(button, event) {
    if (event.isTrusted && event.detail && performance.now() - this.#changed < HELD_BACK) return false;
    if (this.#armed === button) {
      this.show(); // confirmed
      return true;
    }
    if (!this.#asksAgain(button)) return true;
    this.#armed = button;
    const unsold = button.value === "done" && this.#unsold;
    button.textContent = unsold
      ? say(this.#form, "unsold")
      : say(this.#form, "sure", { action: button.textContent.trim() });
    return false;
  }

  #asksAgain(button) {
    if (this.confirm.checked) return true;
    const asked = this.#board().dataset.asked;
    if (button.value === "sell") return !["sale", "limit"].includes(asked);
    if (button.value === "done") return this.#unsold;
    return button.value === "discard" && this.#chosen.some((box) => box.closest(".in-set"));
  }
}

function say(form, what, values = {}) {
  const text = form.dataset["say" + what[0].toUpperCase() + what.slice(1)];
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? values[name] : whole));
}

const sum = (boxes) => boxes.reduce((total, box) => total + Number(box.dataset.worth), 0);

function worthOfSet(boxes) {
  const goods = new Set(boxes.map((box) => box.dataset.kind).filter((kind) => kind !== "M"));
  if (boxes.length !== 3 || goods.size > 1) return 0;
  return goods.size ? Math.max(...boxes.map((box) => Number(box.dataset.worth))) : 5;
}

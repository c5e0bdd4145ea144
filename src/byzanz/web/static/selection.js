// The selected cards, the action that they make, and the labels of the buttons.
//
// The selection is kept here and not in the page: every push replaces the page's content, and the
// selection is put back into it. It is dropped only when the player changes it, when the action
// made of it was accepted, or when its cards are gone.
const HELD_BACK = 350; // milliseconds for which a button ignores clicks after a push changed it

export class Selection {
  #board;
  #cards = []; // the selected hand cards
  #pick = null; // the choice from offer or market: { decision, name, value }
  #chip = false; // whether the cards were selected by the button of a set
  #made = 0; // counts the player's changes: an accepted action clears only its own selection
  #armed = null; // the button that waits for confirmation
  #said = null; // the buttons as they were last shown
  #changed = 0; // when a push last changed a button
  #sets = 0; // which set the S key selects next

  constructor(board) {
    this.#board = board;
    this.#load();
    const kept = localStorage.getItem("confirm");
    this.confirm.checked = kept === null ? matchMedia("(pointer: coarse)").matches : kept === "on";
    this.confirm.addEventListener("change", () => localStorage.setItem("confirm", this.confirm.checked ? "on" : "off"));
    document.addEventListener("change", (event) => {
      if (event.target.matches("#board input")) this.#read(event.target);
    });
    document.addEventListener("click", (event) => this.#clicked(event), true);
    this.restore();
  }

  get #form() { return document.getElementById("act"); }
  get #boxes() { return [...document.querySelectorAll("#act .hand input")]; }
  get #chosen() { return this.#boxes.filter((box) => box.checked); }
  get #radios() { return [...document.querySelectorAll("#board input[type=radio]")]; }
  get #unsold() { return Boolean(document.querySelector("[data-set]")); }
  get #key() { return `selection ${this.#board().dataset.table}`; }
  get confirm() { return document.getElementById("confirm"); }

  // -- keep the selection after pushes, reloads and lost connections

  #load() {
    const kept = JSON.parse(sessionStorage.getItem(this.#key) || "null");
    this.#cards = kept?.cards || [];
    this.#pick = kept?.pick || null;
    this.#chip = Boolean(kept?.chip);
  }

  #keep() {
    const kept = { cards: this.#cards, pick: this.#pick, chip: this.#chip };
    sessionStorage.setItem(this.#key, JSON.stringify(kept));
  }

  #read(input) {
    const { decision } = this.#board().dataset;
    if (input.type === "radio") {
      if (this.#pick?.decision === decision && this.#pick.value === input.value) return;
      this.#pick = { decision, name: input.name, value: input.value };
    } else {
      this.#cards = this.#chosen.map((box) => box.value);
      this.#chip = false;
    }
    this.#touched();
  }

  #touched() {
    this.#made += 1;
    this.#keep();
    this.show();
  }

  // Put the selection back after a push.
  restore() {
    const before = this.#said;
    this.#mark();
    this.show();
    if (before !== null && before !== this.#said) this.#changed = performance.now();
  }

  #mark() {
    const wanted = [...this.#cards];
    for (const box of this.#boxes) {
      const place = wanted.indexOf(box.value);
      box.checked = place >= 0 && !box.disabled;
      if (place >= 0) wanted.splice(place, 1);
    }
    const pick = this.#pick;
    for (const radio of this.#radios) {
      radio.checked = pick?.decision === this.#board().dataset.decision && pick.name === radio.name && pick.value === radio.value;
    }
  }

  #choose(cards, chip) {
    this.#cards = cards;
    this.#chip = chip;
    this.#mark();
    this.#touched();
  }

  clear() {
    this.#cards = [];
    this.#pick = null;
    this.#chip = false;
    this.#mark();
    this.#touched();
  }

  // Identify the current selection; when an action is accepted, only its own selection is dropped.
  get made() { return this.#made; }

  answered(made) {
    if (made === this.#made) this.clear();
  }

  toggle(place) {
    const radios = this.#radios;
    const waits = this.#board().dataset.asked === "wait"; // the keys are for the hand then
    const input = radios.length && !waits ? radios[place] : this.#boxes[place];
    if (!input || input.disabled) return;
    input.checked = input.type === "radio" ? true : !input.checked;
    input.focus({ preventScroll: true });
    this.#read(input);
  }

  // -- button labels

  show() {
    const form = this.#form;
    if (!form) return;
    this.#armed?.classList.remove("sure");
    this.#armed = null;
    const state = this.#meaning(form);
    const main = document.getElementById("do");
    main.value = state.does;
    main.textContent = state.label || "";
    main.disabled = !state.label || Boolean(state.why);
    main.hidden = !state.label;
    this.#address(form, main);
    const second = document.getElementById("sell");
    second.hidden = !state.second;
    if (state.second) {
      second.value = state.second.does;
      second.textContent = state.second.label;
      this.#address(form, second);
    }
    this.#showPass(form, document.getElementById("pass"));
    document.getElementById("why").textContent = (state.why || "").trim();
    this.#said = [main, second, document.getElementById("pass")]
      .map((button) => [button.value, button.textContent, button.hidden, button.disabled].join()).join("|");
  }

  // Prepared answers go to another address, and their buttons look different.
  #address(form, button) {
    const { value } = button;
    if (prepares(value)) button.setAttribute("formaction", form.dataset.prepare);
    else button.removeAttribute("formaction");
    button.classList.toggle("prepare", prepares(value));
    button.classList.toggle("set-up", value === "cancel");
    button.title = value === "cancel" ? say(form, "details") : "";
  }

  #showPass(form, pass) {
    const { preparing, prepared } = this.#board().dataset;
    if (preparing !== "bid") pass.textContent = say(form, "pass");
    else pass.textContent = say(form, prepared === "pass" ? "prepared" : "preparePass");
  }

  // Return what the buttons would do with the current selection; the server decides.
  #meaning(form) {
    const { asked, decision } = this.#board().dataset;
    const chosen = this.#chosen;
    const sale = worthOfSet(chosen);
    const selling = { does: "sell", label: sale && say(form, "sell", { profit: sale }) };
    switch (asked) {
      case "bid":
        return this.#bidding(form, chosen, sale && selling);
      case "give":
      case "take": {
        const pick = this.#pick;
        const radio = pick?.decision === decision && this.#radios.find((one) => one.value === pick.value);
        const label = radio ? radio.dataset.label : say(form, asked === "give" ? "chooseGive" : "chooseTake");
        return { does: asked, label, why: radio ? "" : " ", second: sale && selling };
      }
      case "limit":
        if (sale) return selling;
        if (chosen.length === 1) return { does: "discard", label: say(form, "discard", { card: chosen[0].dataset.name }) };
        return { does: "discard", label: say(form, "chooseDiscard"), why: " " };
      case "sale":
        return sale ? selling : { does: "done", label: say(form, "done") };
      default:
        return this.#preparing(form, chosen, sale && selling) || selling;
    }
  }

  // While others act: prepare an answer, or cancel the one that is prepared.
  #preparing(form, chosen, selling) {
    const { preparing, prepared, decision } = this.#board().dataset;
    const cancel = { does: "cancel", label: say(form, "prepared") };
    if (preparing === "bid") {
      if (chosen.length) return this.#bidding(form, chosen, selling, ["prepare-bid", "prepareBid"]);
      return prepared === "bid" ? cancel : { does: "prepare-bid", label: say(form, "prepareChoose"), why: " " };
    }
    if (selling) return selling;
    const pick = preparing === "take" && this.#pick;
    const radio = pick?.decision === decision && this.#radios.find((one) => one.value === pick.value);
    if (radio) return { does: "prepare-take", label: radio.dataset.prepare };
    return prepared && prepared !== "pass" ? cancel : null;
  }

  #bidding(form, chosen, selling, [does, label] = ["bid", "bid"]) {
    const { highest, own } = this.#board().dataset;
    const total = Number(own) + sum(chosen);
    const bid = { does, label: say(form, label, { total }) };
    if (!chosen.length) return { does: "bid", label: say(form, "chooseBid"), why: " " };
    if (chosen.some((box) => box.dataset.kind === "M")) bid.why = say(form, "merchant");
    else if (total <= Number(highest)) bid.why = say(form, "beat", { total, highest });
    if (!selling) return bid;
    if (bid.why) return selling;
    return this.#chip ? { ...selling, second: bid } : { ...bid, second: selling };
  }

  // -- acting

  #clicked(event) {
    const chip = event.target.closest?.("[data-set], [data-pick]");
    if (chip) this.#choose((chip.dataset.set || chip.dataset.pick).split(" "), true);
    const button = event.target.closest?.("#act button[name=do]");
    if (button && !this.#sure(button, event)) {
      event.preventDefault();
      event.stopImmediatePropagation();
    }
  }

  act(id) {
    const button = document.getElementById(id);
    if (button && button.value !== "cancel" && !button.hidden && !button.disabled) button.click();
  }

  pass() {
    if (this.#board().dataset.asked === "bid") this.act("pass");
  }

  sell() {
    const sets = [...document.querySelectorAll("[data-set]")];
    const ready = ["sell", "do"].map((id) => document.getElementById(id)).find((button) => button?.value === "sell" && !button.hidden);
    if (ready && worthOfSet(this.#chosen)) ready.click();
    else if (sets.length) this.#choose(sets[this.#sets++ % sets.length].dataset.set.split(" "), true);
  }

  // Guard against accidental clicks: ignore a button that a push has just changed, and ask for
  // confirmation before actions that are easy to regret.
  #sure(button, event) {
    if (event.isTrusted && event.detail && this.#early()) {
      this.#hold(button);
      return false;
    }
    if (this.#armed === button) {
      this.show(); // confirmed
      return true;
    }
    if (!this.#asksAgain(button)) return true;
    this.show();
    this.#armed = button;
    button.classList.add("sure");
    const unsold = button.value === "done" && this.#unsold;
    button.textContent = unsold
      ? say(this.#form, "unsold")
      : say(this.#form, "sure", { action: button.textContent.trim() });
    return false;
  }

  #early() { return performance.now() - this.#changed < HELD_BACK; }

  #hold(element) {
    element.classList.add("held");
    element.addEventListener("animationend", () => element.classList.remove("held"), { once: true });
    document.getElementById("why").textContent = say(this.#form, "held");
  }

  #asksAgain(button) {
    if (prepares(button.value)) return false;
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

const prepares = (value) => value === "cancel" || value.startsWith("prepare-");

const sum = (boxes) => boxes.reduce((total, box) => total + Number(box.dataset.worth), 0);

function worthOfSet(boxes) {
  const goods = new Set(boxes.map((box) => box.dataset.kind).filter((kind) => kind !== "M"));
  if (boxes.length !== 3 || goods.size > 1) return 0;
  return goods.size ? Math.max(...boxes.map((box) => Number(box.dataset.worth))) : 5;
}

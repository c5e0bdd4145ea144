// What is wrong with how a table's page is laid out, and where its fixed areas are; the tests ask.
({
  faults(given) {
    const faults = [];
    const box = (element) => element.getBoundingClientRect();
    const seen = (element) => {
      const { width, height } = box(element);
      const style = getComputedStyle(element);
      return width > 1 && height > 1 && style.visibility === "visible" && style.display !== "none"
        && !element.closest(".sr, [hidden], #announcer, #menu:not(:popover-open), dialog:not([open])");
    };
    const all = (selector) => [...document.querySelectorAll(selector)].filter(seen);
    const name = (element) => (element.id && !element.id.startsWith("hand") ? "#" + element.id : "." + element.classList[0])
      + " " + element.textContent.trim().replace(/\s+/g, " ").slice(0, 24);
    const say = (text, ...elements) => faults.push(text + ": " + elements.map(name).join(" / "));

    // nothing scrolls
    const root = document.documentElement;
    if (root.scrollWidth > given.width || root.scrollHeight > given.height || innerWidth !== given.width || scrollX || scrollY)
      faults.push(`the page is ${root.scrollWidth}x${root.scrollHeight}, seen ${innerWidth}x${innerHeight}`);

    // nothing is outside of the screen
    const inside = (element, outer, slack = 1) => {
      const a = box(element), b = outer === null ? { left: 0, top: 0, right: given.width, bottom: given.height } : box(outer);
      return a.left >= b.left - slack && a.top >= b.top - slack && a.right <= b.right + slack && a.bottom <= b.bottom + slack;
    };
    for (const element of all(".panel, .pill, .offer, .market, .lot, .hand, .hand .card, .lot .card, .group, .count, #do, #pass, #sell, .set, .say, .self, .total, .facts > li, .tool, .deck"))
      if (!inside(element, null)) say("outside of the screen", element);

    // what has a place does not lie over another's
    const over = (a, b) => {
      const p = box(a), q = box(b);
      return Math.min(p.right, q.right) - Math.max(p.left, q.left) > 2 && Math.min(p.bottom, q.bottom) - Math.max(p.top, q.top) > 2;
    };
    const apart = (elements) => elements.forEach((a, place) => {
      for (const b of elements.slice(place + 1)) if (!a.contains(b) && !b.contains(a) && over(a, b)) say("overlap", a, b);
    });
    apart(all(".panel, .lot .card, .lot > .plaque, .come, #offer-title, #market-title, .group, .hand .card:not(:has(:checked)), .own-bid, .status, .why:not(:empty), #do, #pass, #sell, .set, .self, #skip, .deck, .facts li, .tool, .brand img"));
    for (const panel of all(".panel")) {
      const parts = [".name", ".marks .mark", ".earned", ".known", ".bid", ".stand > .plaque", ".out"]
        .flatMap((one) => [...panel.querySelectorAll(one)]).filter(seen);
      apart(parts.filter((part) => !part.matches(".known")));
      const low = parts.filter((part) => part.matches(".bid .laid, .stand > .plaque, .out, .bid"));
      for (const kin of [...panel.querySelectorAll(".kin")].filter(seen)) {
        if (!inside(kin, panel, 2)) say("a known kind is cut", panel, kin);
        for (const part of low) if (!part.matches(".bid") && over(kin, part)) say("a known kind is covered", panel, part);
      }
      for (const card of [...panel.querySelectorAll(".stand .card, .stand .total")].filter(seen)) {
        if (!inside(card, panel, 3)) say("a bid is cut", panel, card);
        for (const kin of [...panel.querySelectorAll(".kin")].filter(seen)) if (over(card, kin)) say("a bid covers a known kind", panel, kin);
      }
      // the value of every known card can be read: as a number, or in the corner of its picture
      for (const card of [...panel.querySelectorAll(".kin:not(.k-back) .card")]) {
        const value = card.querySelector("b"), at = box(card);
        const chip = seen(value) || (card.closest(".k-M") && at.width < 30);
        const [x, y] = chip ? [at.left + at.width / 2, at.top + at.height / 2] : [at.left + at.width * 0.2, at.top + at.height * 0.15];
        const top = document.elementFromPoint(x, y);
        if (!at.width || !(top && (card.contains(top) || top.contains(card)) || top?.closest(".tip, .banner, .log"))) say("a known card is hidden", panel, card);
        if (!chip && at.width < 28) say("a known card is too small to read", panel, card);
      }
    }
    for (const card of all(".lot .card, .groups .card, .hand .card")) {
      const at = box(card);
      const top = document.elementFromPoint(at.left + at.width * 0.2, at.top + at.height * 0.15);
      if (!(top && (card.contains(top) || top.closest(".choice, .group") === card.closest(".choice, .group") && card.closest(".choice, .group"))
        || top?.closest(".tip, .banner, .log"))) faults.push(`a card is covered: ${card.className} by ${top?.className}`);
      if (at.width < 20) say("a card is too small", card);
    }

    // texts are whole, and large enough to read
    for (const element of all("#do, #pass, #sell, .set, .name, .mark, .status, .round span, .board h2, .why"))
      if (element.matches(".name") && box(element.closest(".panel") || document.body).width < 150) continue; // shortened
      else if (element.scrollWidth > element.clientWidth + 1 && getComputedStyle(element).display !== "inline") say("a text is cut", element);
    for (const status of all(".status")) if (box(status).height > box(status.parentElement).height + 2) say("the sentence is cut", status);
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const parent = walker.currentNode.parentElement;
      if (walker.currentNode.data.trim() && seen(parent) && !parent.closest(".sr, .rule") && parseFloat(getComputedStyle(parent).fontSize) < 13.99)
        say(`a text of ${getComputedStyle(parent).fontSize}`, parent);
    }

    // a thumb hits what it aims at
    if (given.touch) for (const element of all("#board button, .thin button, .thin a, #board .choice input")) {
      const at = box(element);
      if (element.matches(".log *")) continue;
      if (at.width < 43.5 || at.height < 43.5) say(`a target of ${Math.round(at.width)}x${Math.round(at.height)}`, element.closest(".choice") || element);
    }
    return faults;
  },

  places() {
    const places = {};
    // A hand grows upwards and beside a bid, the market downwards, a sentence to the right.
    const edges = { ".hand": ["bottom"], ".market": ["left", "top"], ".say": ["left", "top"] };
    const fixed = [".opponents", ".panel", ".offer", ".market", "#deck", ".self", ".say", ".hand", "#do", "#pass", ".top"];
    for (const selector of fixed) document.querySelectorAll(selector).forEach((element, number) => {
      const at = element.getBoundingClientRect();
      if (at.width && getComputedStyle(element).visibility === "visible")
        places[selector + number] = (edges[selector] || ["left", "top", "width", "height"])
          .map((edge) => Math.round(at[edge] * 10) / 10);
    });
    return places;
  },
})

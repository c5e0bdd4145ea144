// A small auction game with the sizes of Byzanz: 112 cards, hidden hands, offers and a market.
// Four players bid a card or pass in turn; who has bid most takes the offer, the bids go to the market.
const CARDS = 112, HAND = 4, OFFER = 5, MARKET = 24;

function turnUp(G) {
  if (G.deck.length < OFFER) G.deck.push(...G.market.splice(0));
  G.offer = G.deck.splice(0, OFFER);
}

function settle(G) {
  const best = Math.max(...G.bids.map((bid) => (bid === null ? -1 : bid)));
  const winner = best < 0 ? 0 : G.bids.indexOf(best);
  G.hands[winner].push(...G.offer);
  G.market.push(...G.bids.filter((bid) => bid !== null));
  G.market.push(...G.hands[winner].splice(HAND));
  if (G.market.length > MARKET) G.deck.push(...G.market.splice(0, G.market.length - MARKET));
  G.bids = [null, null, null, null];
  G.asked = 0;
  turnUp(G);
}

function answered({ G, events }, playerID, card) {
  if (card !== null) {
    const place = G.hands[playerID].indexOf(card);
    if (place < 0) return "INVALID_MOVE";
    G.hands[playerID].splice(place, 1);
    G.bids[playerID] = card;
  }
  G.asked += 1;
  if (G.asked === 4) settle(G);
  events.endTurn();
  return undefined;
}

module.exports = {
  name: "auction",
  setup: ({ random }) => {
    const deck = random.Shuffle([...Array(CARDS).keys()]);
    const G = {
      deck, hands: [0, 1, 2, 3].map(() => deck.splice(0, HAND)),
      offer: [], market: [], bids: [null, null, null, null], asked: 0,
    };
    turnUp(G);
    return G;
  },
  // What a player may see: the deck and the other hands are only counted.
  playerView: ({ G, playerID }) => ({
    ...G,
    deck: G.deck.length,
    hands: G.hands.map((hand, seat) => (String(seat) === playerID ? hand : hand.length)),
  }),
  moves: {
    bid: (context, card) => answered(context, context.playerID, card),
    pass: (context) => answered(context, context.playerID, null),
  },
};

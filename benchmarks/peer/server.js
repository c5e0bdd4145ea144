// boardgame.io's server with its FlatFile storage: node server.js PORT FOLDER
const { Server, Origins, FlatFile } = require("boardgame.io/server");
const game = require("./game.js");

const [port, dir] = process.argv.slice(2);
const server = Server({ games: [game], db: new FlatFile({ dir }), origins: [Origins.LOCALHOST] });
server.run(Number(port));

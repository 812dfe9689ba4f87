// Plays a whole game against a bot over a WebSocket, with random moves. Node 22 (20 with --experimental-websocket), no packages.
//
//   node play.mjs [http://127.0.0.1:8080] [zamma]

if (process.argv.includes('--help')) {
  console.log('node play.mjs [http://127.0.0.1:8080] [zamma]');
  process.exit(0);
}
const [server = 'http://127.0.0.1:8080', preset = 'zamma'] = process.argv.slice(2);

const answer = await fetch(`${server}/api/sessions`, {
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify({
    game: { preset },
    white: { kind: 'human', name: 'JavaScript' },
    black: { kind: 'bot', bot: preset, level: 3 },
  }),
});
if (!answer.ok) throw new Error((await answer.json()).detail);
const { session, tokens } = await answer.json();

const socket = new WebSocket(`${server.replace('http', 'ws')}/api/sessions/${session.id}/socket?token=${tokens.white}`);
socket.onmessage = async ({ data }) => {
  const message = JSON.parse(data);
  if (message.type === 'error') throw new Error(message.problem.detail);
  const { status, thinking, ply, turns, view, outcome } = message.session;
  if (turns.length) console.log(turns.at(-1));
  if (status === 'over') {
    console.log(outcome);
    console.log(await (await fetch(`${server}/api/sessions/${session.id}/pdn`)).text());
    socket.close();
  } else if (!thinking) {
    const { action } = view.actions[Math.floor(Math.random() * view.actions.length)];
    socket.send(JSON.stringify({ type: 'move', ply, move: action }));
  }
};
socket.onerror = () => { throw new Error(`no socket at ${server}`); };

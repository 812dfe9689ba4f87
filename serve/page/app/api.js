// The server's interface (docs/api.md): one function an address. Knows no rules and no elements.

import { read } from './settings.js';

const TRIES = 5;
const LONGEST_WAIT = 30;

/** An answer that is an error, with the fields of RFC 9457. */
export class Problem extends Error {
  constructor({ type = 'unknown', title = '', status = 0, detail = '', field = null } = {}) {
    super(detail || title || type);
    Object.assign(this, { type, title, status, detail, field });
  }
}

/** What the page wants to hear of: a server that is busy, a token that is missing. */
export const hooks = { busy: () => {}, unauthorized: async () => false };

const pause = (seconds, signal) => new Promise((done, fail) => {
  const timer = setTimeout(done, seconds * 1000);
  signal?.addEventListener('abort', () => { clearTimeout(timer); fail(signal.reason); }, { once: true });
});

async function problemOf(answer) {
  const body = await answer.json().catch(() => ({}));
  return new Problem({ title: answer.statusText, ...body, status: answer.status, type: body.type ?? `status-${answer.status}` });
}

/** One request, again where the server is busy or asks for a token. */
async function request(path, { body, signal, type = 'application/json' } = {}) {
  for (let attempt = 1; ; attempt += 1) {
    const headers = {};
    const bearer = read('bearer');
    if (bearer) headers.Authorization = `Bearer ${bearer}`;
    if (body !== undefined) headers['Content-Type'] = type;
    let answer;
    try {
      answer = await fetch(path, { method: body === undefined ? 'GET' : 'POST', headers, body, signal });
    } catch (error) {
      if (error.name === 'AbortError') throw error;
      throw new Problem({ type: 'network', detail: String(error.message ?? error) });
    }
    if (answer.ok) return answer;
    if (answer.status === 401 && await hooks.unauthorized(bearer)) continue;
    const problem = await problemOf(answer);
    const isBusy = answer.status === 429 || answer.status === 503;
    if (!isBusy || attempt === TRIES) throw problem;
    const seconds = Math.min(LONGEST_WAIT, Math.max(0.2, Number(answer.headers.get('Retry-After')) || 1));
    hooks.busy(seconds);
    await pause(seconds, signal);
  }
}

const get = async (path, signal) => (await request(path, { signal })).json();
const post = async (path, body, signal) => (await request(path, { body: JSON.stringify(body), signal })).json();
const at = (id) => `/api/sessions/${encodeURIComponent(id)}`;

const kept = new Map();

/** Asks once, and remembers: games, options, bots and boards do not change while a page is open. */
function once(key, ask) {
  if (!kept.has(key)) kept.set(key, ask().catch((problem) => { kept.delete(key); throw problem; }));
  return kept.get(key);
}

export const games = () => once('games', () => get('/api/games'));
export const options = () => once('options', () => get('/api/options'));
export const bots = () => once('bots', () => get('/api/bots'));
export const board = (game) => once(`board ${JSON.stringify(game)}`, () => post('/api/boards', { game }));
export const positions = (game, position, moves, signal) =>
  post('/api/positions', { game, position: position ?? null, moves }, signal);

export const createSession = (wish) => post('/api/sessions', wish);
export const join = (id, side, name) => post(`${at(id)}/join`, { side, name });
export const session = (id, after, signal) => get(after === undefined ? at(id) : `${at(id)}?after=${after}`, signal);
export const command = (id, wish) => post(`${at(id)}/commands`, wish);
export const file = async (id, kind) => (await request(`${at(id)}/${kind}`)).text();

/** Where a session's changes come from. The page only listens there, and sends commands as requests. */
export function socketAddress(id) {
  const address = new URL(`${at(id)}/socket`, location.href);
  address.protocol = location.protocol === 'https:' ? 'wss:' : 'ws:';
  const bearer = read('bearer');
  if (bearer) address.searchParams.set('access_token', bearer);
  return address.href;
}

/** Analyses as they come: every update, then the final one. Ending the loop ends the search. */
export async function* analyze(query, signal) {
  const answer = await request('/api/analyze/stream', { body: `${JSON.stringify(query)}\n`, signal, type: 'application/x-ndjson' });
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  try {
    for (;;) {
      const { value, done } = await reader.read();
      rest += value ?? '';
      const lines = rest.split('\n');
      rest = done ? '' : lines.pop();
      for (const line of lines.filter((one) => one.trim())) {
        const found = JSON.parse(line);
        if (found.problem) throw new Problem(found.problem);
        yield found;
      }
      if (done) return;
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

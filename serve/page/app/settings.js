// What this device remembers: choices, the server's token, the seats that it holds, recent games.
// Where the browser keeps nothing (private windows), the page works and forgets.

const PREFIX = 'damma.';
const RECENT = 24;

export function read(key, fallback = null) {
  try {
    const text = localStorage.getItem(PREFIX + key);
    return text === null ? fallback : JSON.parse(text);
  } catch {
    return fallback;
  }
}

export function write(key, value) {
  try {
    if (value === null) localStorage.removeItem(PREFIX + key);
    else localStorage.setItem(PREFIX + key, JSON.stringify(value));
  } catch {
    // Nothing is kept then.
  }
}

/** The seats held in a session: `{white: token, black: token, swapped}`, as `series.swapped` was when they were held. */
export const seats = (id) => read(`seats.${id}`, {});

export function holdSeats(id, held) {
  write(`seats.${id}`, held);
}

/** Games seen on this device, newest first. */
export const recent = () => read('recent', []);

/** Notes how a session stands; one that moved on comes to the front. The oldest are dropped, but for games that go on
    and are played here: their seats are nowhere else. */
export function note(entry) {
  const all = [entry, ...recent().filter((one) => one.id !== entry.id)];
  const isKept = ({ status, sides }, place) => place < RECENT || (status !== 'over' && sides.length > 0);
  for (const old of all.filter((one, place) => !isKept(one, place))) write(`seats.${old.id}`, null);
  write('recent', all.filter(isKept));
}

export function forget(id) {
  write(`seats.${id}`, null);
  write('recent', recent().filter((one) => one.id !== id));
}

// How turns and positions are written. Knows the writing only; what is legal, the server says.

/** Whose decision it is in a position's text. */
export const sideOf = (text) => (text.trim().split(/\s+/)[1] === 'b' ? 'black' : 'white');

export const other = (side) => (side === 'white' ? 'black' : 'white');
export const ownerOf = (letter) => (letter === '.' ? null : letter.toLowerCase() === 'w' ? 'white' : 'black');

/** The letters of a board, a place each, from the ranks of a position's text (`bbbb1/…`). */
export function lettersOf(text, board) {
  const rows = text.trim().split(/\s+/)[0].split('/').map((row) => row.replace(/\d+/g, (run) => '.'.repeat(Number(run))));
  return board.points.map(({ file, rank }) => rows[board.size - 1 - rank]?.[file] ?? '.').join('');
}

/** The text of a position in which nothing is under way. */
export function compose(letters, side, board) {
  const rows = Array.from({ length: board.size }, () => Array(board.size).fill('.'));
  board.points.forEach(({ file, rank }, place) => { rows[board.size - 1 - rank][file] = letters[place]; });
  const ranks = rows.map((row) => row.join('').replace(/\.+/g, (run) => String(run.length)));
  return `${ranks.join('/')} ${side === 'white' ? 'w' : 'b'} - - - 0`;
}

/** The places of a turn: what it huffs, and where its piece goes. */
export function trailOf(turn, board) {
  const place = (name) => board.points.findIndex((point) => point.name === name);
  const huff = /^~([a-z]\d+),?/.exec(turn);
  const rest = huff ? turn.slice(huff[0].length) : turn;
  const names = rest.match(/[a-z]\d+/g) ?? [];
  return { huffed: huff ? place(huff[1]) : null, trail: names.map(place).filter((one) => one >= 0) };
}

/** Turns as rows of a score sheet: `{number, white, black}` with the turns' indices, null where there is none. */
export function rowsOf(turns, first, starter) {
  const rows = [];
  turns.forEach((_, index) => {
    const side = index % 2 === 0 ? first : other(first);
    if (side === starter || rows.length === 0) rows.push({ number: rows.length + 1, white: null, black: null });
    rows.at(-1)[side] = index;
  });
  return rows;
}

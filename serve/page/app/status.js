// Whose turn it is and what it asks for, in words.

import { trailOf, other } from './notation.js';
import { ltr, sideName, t } from './words.js';

/** `{title, detail, tone}` for what the table shows. */
export function statusOf(source, table) {
  if (!table.isLive) return { title: t('status.earlier', { count: table.shown }), detail: earlier(source, table), tone: 'quiet' };
  if (source.outcome) return over(source);
  if (source.state?.status === 'waiting') return { title: t('status.waiting'), detail: t('status.waitingDetail'), tone: 'quiet' };
  const { side } = source.view;
  const isMine = source.kind === 'session' && source.sides.size === 1 && source.sides.has(side);
  const isHere = source.kind === 'study' || source.sides.has(side);
  const seat = source.state?.[side];
  if (isMine) return { title: t('status.yours'), detail: advice(source, table), tone: 'active' };
  if (!isHere && seat?.kind === 'bot') return { title: t('status.thinking', { name: seatName(seat, side) }), detail: chainOf(source), tone: 'busy' };
  return { title: t(`status.${side}`), detail: isHere ? advice(source, table) : '', tone: isHere ? 'active' : 'quiet' };
}

const earlier = (source, table) => (source.kind === 'study' && table.mayAct ? t('status.earlierStudy') : t('status.earlierDetail'));

const chainOf = ({ view, last }) => (view.chain !== null && last ? t('status.theirChain') : '');

/** What the rules ask of who decides, read from the actions that the server gives. */
function advice(source, { board }) {
  const { view } = source;
  const kinds = new Set(view.actions.map(({ kind }) => kind));
  const name = (place) => ltr(board.board.points[place].name);
  if (view.chain !== null) {
    return t(kinds.has('stop') ? 'advice.chainOrStop' : 'advice.chain', { name: name(view.chain) });
  }
  if (kinds.has('huff')) {
    return t('advice.huff', { side: sideName(other(view.side)), count: view.faults.length, names: view.faults.map(name).join(t('comma')) });
  }
  if (kinds.has('hop')) return t(kinds.has('step') ? 'advice.mayCapture' : 'advice.mustCapture');
  return '';
}

function over(source) {
  const { winner, cause } = source.outcome;
  const mine = source.kind === 'session' && source.sides.size === 1 ? [...source.sides][0] : null;
  const detail = t(`cause.${cause}`, { loser: winner ? sideName(other(winner)) : '', winner: winner ? sideName(winner) : '' });
  if (winner === null) return { title: t(cause === 'max_turns' ? 'result.unfinished' : 'result.draw'), detail, tone: 'draw' };
  if (mine) return { title: t(winner === mine ? 'result.won' : 'result.lost'), detail, tone: winner === mine ? 'won' : 'lost' };
  return { title: t(`result.${winner}`), detail, tone: 'won' };
}

/** A seat's name: who plays, or what. */
export function seatName(seat, side) {
  if (!seat) return sideName(side);
  if (seat.kind === 'bot') {
    if (/^ab-\d+$/.test(seat.bot)) return t('seat.baseline', { depth: Number(seat.bot.slice(3)) });
    return seat.level ? t('seat.level', { level: seat.level }) : t('seat.bot');
  }
  if (seat.kind === 'open') return t('seat.open');
  return seat.name || t('seat.human');
}

/** A turn read aloud. */
export function sayTurn(last, board) {
  const said = [t('say.turn', { side: sideName(last.side), turn: spell(last.turn, board) })];
  if (last.captured.length) said.push(t('say.captured', { count: last.captured.length }));
  return said.join(' ');
}

function spell(turn, board) {
  const { huffed, trail } = trailOf(turn, board);
  const name = (place) => ltr(board.points[place].name);
  const parts = [];
  if (huffed !== null) parts.push(t('say.huff', { name: name(huffed) }));
  if (trail.length > 1) parts.push(trail.map(name).join(` ${t('say.to')} `));
  return parts.join(t('comma'));
}

// The plates above and below the board: who plays, how many pieces, what the clock says.

import { byId, element, svgElement, reveal } from './dom.js';
import { other } from './notation.js';
import { seatName } from './status.js';
import { number, sideName, t } from './words.js';

const URGENT = 15_000;

export class Players {
  constructor(board) {
    this.board = board;
    this.timer = null;
  }

  /** Fills the plates; the side that decides has a light. */
  show(source, decider) {
    const bottom = this.board.isFlipped ? 'black' : 'white';
    this.source = source;
    this.plate(byId('plate-bottom'), bottom, decider);
    this.plate(byId('plate-top'), other(bottom), decider);
    const isTimed = source.kind === 'session' && source.state.clock && source.state.clock.running;
    if (isTimed && !this.timer) this.timer = setInterval(() => this.tick(), 100);
    if (!isTimed) this.stop();
  }

  stop() {
    clearInterval(this.timer);
    this.timer = null;
  }

  plate(plate, side, decider) {
    const { state, sides, kind } = this.source;
    const seat = state?.[side];
    const isYou = kind === 'session' && sides.size === 1 && sides.has(side);
    const score = state?.series?.length > 1 ? state.series.scores[side] : null;
    plate.classList.toggle('deciding', side === decider);
    plate.dataset.side = side;
    plate.replaceChildren(
      svgElement('svg', { class: 'disc', viewBox: '-26 -26 52 52', 'aria-hidden': 'true' },
        svgElement('circle', { class: `stone ${side[0]}`, r: 23 }), svgElement('circle', { class: `ring ${side[0]}`, r: 15 })),
      element('span', { class: 'who' },
        element('strong', {}, isYou && !seat.name ? t('seat.you') : seatName(seat, side)),
        element('span', { class: 'fine' }, seat ? sideName(side) : '')),
      element('span', { class: 'count' }, t('plate.pieces', { count: this.board.count(side) })),
      ...(score === null ? [] : [element('span', { class: 'score', title: t('plate.score') }, number(score))]),
      ...(state?.clock ? [element('span', { class: 'clock', role: 'timer', 'aria-live': 'off', 'aria-label': t('plate.clock', { side: sideName(side) }), dir: 'ltr' }, '')] : []));
    reveal(plate, true);
    if (state?.clock) this.write(plate);
  }

  tick() {
    for (const id of ['plate-top', 'plate-bottom']) this.write(byId(id));
  }

  write(plate) {
    const clock = plate.querySelector('.clock');
    if (!clock) return;
    const { side } = plate.dataset;
    const left = this.source.timeLeft(side);
    const isRunning = this.source.state.clock.running === side;
    clock.textContent = face(left);
    clock.classList.toggle('running', isRunning);
    clock.classList.toggle('urgent', isRunning && left < URGENT);
  }
}

function face(milliseconds) {
  const seconds = milliseconds < 10_000 ? Math.ceil(milliseconds / 100) / 10 : Math.ceil(milliseconds / 1000);
  const minutes = Math.floor(seconds / 60);
  const rest = seconds - minutes * 60;
  const hours = Math.floor(minutes / 60);
  const two = (count) => String(count).padStart(2, '0');
  if (milliseconds < 10_000) return `0:0${rest.toFixed(1)}`.replace('0:010.0', '0:10');
  return hours ? `${hours}:${two(minutes - hours * 60)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

// The turns as a score sheet, and which of them the board shows.

import { byId, element } from './dom.js';
import { rowsOf, sideOf } from './notation.js';
import { number, t } from './words.js';

export class History {
  /** `go(count)` shows the position after so many turns. */
  constructor(go) {
    Object.assign(this, { go, turns: [], shown: 0, listed: '' });
    this.list = byId('moves');
    const steps = { first: () => 0, back: () => this.shown - 1, forward: () => this.shown + 1, last: () => this.turns.length };
    for (const [name, target] of Object.entries(steps)) {
      byId(`history-${name}`).addEventListener('click', () => this.step(target()));
    }
    this.steps = steps;
    document.addEventListener('keydown', (event) => this.key(event));
  }

  step(count) {
    const wanted = Math.max(0, Math.min(this.turns.length, count));
    if (wanted !== this.shown) this.go(wanted);
  }

  /** Arrow keys go through the game where nothing else listens to them. */
  key(event) {
    const isElsewhere = event.target.closest?.('input, select, textarea, dialog, .point, [role=radiogroup]');
    if (isElsewhere || event.altKey || event.ctrlKey || event.metaKey || byId('history').closest('[hidden]')) return;
    const isMirrored = document.documentElement.dir === 'rtl';
    const keys = { ArrowLeft: isMirrored ? 'forward' : 'back', ArrowRight: isMirrored ? 'back' : 'forward', Home: 'first', End: 'last' };
    if (!(event.key in keys)) return;
    event.preventDefault();
    this.step(this.steps[keys[event.key]]());
  }

  show(turns, start, starter, shown) {
    this.turns = turns;
    const key = `${start}|${turns.join(' ')}|${document.documentElement.lang}`;
    if (key !== this.listed) {
      this.listed = key;
      this.list.replaceChildren(...rowsOf(turns, sideOf(start), starter).map((row) => element('li', {},
        element('span', { class: 'row-number' }, `${number(row.number)}.`), ...this.cells(row, starter))));
    }
    this.mark(shown);
    byId('moves-empty').hidden = turns.length > 0;
  }

  cells(row, starter) {
    const order = starter === 'white' ? ['white', 'black'] : ['black', 'white'];
    return order.map((side) => (row[side] === null ? element('span', { class: 'turn none' }, row.number === 1 && side === starter ? '…' : '')
      : element('button', {
        type: 'button', class: 'turn', 'data-turn': row[side] + 1, dir: 'ltr',
        'aria-label': `${t(`side.${side}`)}${t('comma')}${this.turns[row[side]]}`, onclick: () => this.step(row[side] + 1),
      }, this.turns[row[side]])));
  }

  mark(shown) {
    this.shown = shown;
    for (const button of this.list.querySelectorAll('.turn[data-turn]')) {
      const isShown = Number(button.dataset.turn) === shown;
      if (isShown) button.setAttribute('aria-current', 'step');
      else button.removeAttribute('aria-current');
      if (isShown) this.keepInSight(button);
    }
    if (shown === 0) this.list.scrollTop = 0;
    byId('history-first').disabled = shown === 0;
    byId('history-back').disabled = shown === 0;
    byId('history-forward').disabled = shown >= this.turns.length;
    byId('history-last').disabled = shown >= this.turns.length;
  }

  /** Scrolls the list and not the page, as `scrollIntoView` would. */
  keepInSight(button) {
    const [list, own] = [this.list.getBoundingClientRect(), button.getBoundingClientRect()];
    if (own.top < list.top) this.list.scrollTop -= list.top - own.top + 8;
    else if (own.bottom > list.bottom) this.list.scrollTop += own.bottom - list.bottom + 8;
  }
}

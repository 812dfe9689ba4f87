// A board to try things on: no opponent, no server game, both sides move. Kept over a reload.

import * as api from './api.js';
import { complain } from './notices.js';
import * as settings from './settings.js';

export class Study {
  constructor({ game, position = null, moves = [] }) {
    Object.assign(this, { kind: 'study', game, position, moves, answer: null, isBusy: false, link: 'open' });
    this.listeners = new Set();
  }

  static kept() {
    const kept = settings.read('study');
    return kept ? new Study(kept) : null;
  }

  onChange(listener) { this.listeners.add(listener); }
  tell() { for (const listener of this.listeners) listener(this); }

  async open() {
    this.take(await api.positions(this.game, this.position, this.moves), this.moves);
  }

  close() { this.listeners.clear(); }

  take(answer, moves) {
    this.answer = answer;
    this.moves = moves;
    settings.write('study', { game: this.game, position: this.position, moves });
    this.tell();
  }

  get sides() { return new Set(['white', 'black']); }
  get start() { return this.answer.start; }
  get turns() { return this.answer.turns; }
  get view() { return this.answer.view; }
  get last() { return this.answer.last; }
  get outcome() { return this.answer.view.outcome; }
  get isOver() { return this.outcome !== null; }
  get mayAct() { return !this.isBusy && !this.isOver; }

  /** Plays an action after the first `count` turns; what came after them is dropped. */
  async act({ action }, count = this.turns.length) {
    const moves = [...this.turns.slice(0, count), action];
    this.isBusy = true;
    try {
      this.take(await api.positions(this.game, this.position, moves), moves);
    } catch (problem) {
      complain(problem);
    } finally {
      this.isBusy = false;
      this.tell();
    }
  }

  async undo() {
    const moves = this.turns.slice(0, -1);
    this.take(await api.positions(this.game, this.position, moves), moves);
  }
}

// The board with the game or study that lies on it: which position is shown, who may move, what is announced.

import * as api from './api.js';
import { Analysis } from './analysis.js';
import { Board } from './board.js';
import { Controls } from './controls.js';
import { byId, reveal } from './dom.js';
import { Hand } from './hand.js';
import { History } from './history.js';
import { complain, announce } from './notices.js';
import { trailOf } from './notation.js';
import { Players } from './players.js';
import { sayTurn, statusOf } from './status.js';
import { ltr, onLanguage, t } from './words.js';

export class Table {
  constructor() {
    this.board = new Board(byId('board'));
    this.hand = new Hand(this.board, (action, dropped) => this.act(action, dropped));
    this.history = new History((count) => this.show(count));
    this.players = new Players(this.board);
    this.analysis = new Analysis(this.board, () => this.query());
    this.controls = new Controls(this);
    this.earlier = new Map();
    this.clear();
    byId('flip').addEventListener('click', () => this.flip());
    onLanguage(() => this.source && this.refresh(false));
  }

  clear() {
    Object.assign(this, { source: null, shown: 0, isLive: true, answer: null, isTurned: false, dropped: null, said: '', drawn: null, offered: null });
    this.turn = (this.turn ?? 0) + 1; // answers under way are for nobody now
    this.earlier.clear();
  }

  flip() {
    this.isTurned = !this.isTurned;
    this.orient();
  }

  /** White at the bottom, or who plays here alone; turned round by the button. */
  orient() {
    const isBlack = this.source?.kind === 'session' && this.source.sides.size === 1 && this.source.sides.has('black');
    this.board.flip(isBlack !== this.isTurned);
    if (this.source) this.players.show(this.source, this.shownSide());
  }

  /** Takes a session or a study that is open already. */
  async sit(source) {
    this.leave();
    this.board.use(await api.board(source.game));
    this.hand.pick = null;
    Object.assign(this, { source, said: `${source.turns.length}|${source.last?.turn}|${source.outcome?.cause}` });
    source.onChange(() => this.source === source && this.refresh(true));
    this.refresh(false);
  }

  leave() {
    this.source?.close();
    this.clear();
    this.hand.offer([]);
    this.analysis.stop();
    this.players.stop();
  }

  /** Shows an empty table with a position to look at, as the start panel and the editor do. */
  lay(board, letters) {
    this.board.use(board);
    this.board.show({ letters });
    this.orient();
  }

  /** Draws what the source tells now; an earlier position stays where somebody looks at one. */
  refresh(moves) {
    const { source } = this;
    if (this.shown > source.turns.length) this.isLive = true;
    if (this.isLive) {
      this.shown = source.turns.length;
      this.answer = { view: source.view, last: source.last };
      this.draw(moves);
    } else {
      this.history.show(source.turns, source.start, this.board.board.first, this.shown);
    }
    this.status();
    if (moves) this.speak();
  }

  draw(moves) {
    const { view, last } = this.answer;
    const key = `${view.position}|${last?.turn}|${this.source.turns.length}`;
    // What is on the board stays there where nothing moved: somebody may hold a piece.
    if (key !== this.drawn || !moves) {
      Object.assign(this, { drawn: key, offered: null });
      this.board.show({ letters: view.board, chain: view.chain, faults: view.faults, captured: view.captured, last },
        { moves, dropped: this.dropped });
      this.dropped = null;
    }
    this.orient();
    this.history.show(this.source.turns, this.source.start, this.board.board.first, this.shown);
    this.offer();
    this.analysis.look();
  }

  /** Whether somebody here may decide in the position on show. */
  get mayAct() {
    const { source } = this;
    if (source.kind === 'study') return !source.isBusy && this.answer.view.outcome === null;
    return this.isLive && source.mayAct;
  }

  /** Puts the actions in hand, once a position. */
  offer() {
    const { view } = this.answer;
    const key = `${view.position}|${this.mayAct}`;
    if (key === this.offered) return;
    this.offered = key;
    this.hand.offer(this.mayAct ? view.actions : [], view.chain);
  }

  shownSide() {
    const isIdle = this.source.isOver || this.source.state?.status === 'waiting' || this.answer?.view.outcome;
    return isIdle ? null : this.answer?.view.side ?? null;
  }

  status() {
    const { title, detail, tone } = statusOf(this.source, this);
    byId('status').textContent = title;
    byId('status-detail').textContent = detail;
    byId('status-box').dataset.tone = tone;
    reveal(byId('status-detail'), Boolean(detail));
    document.title = `${title} · Damma`;
    this.controls.show();
  }

  /** Says the last turn and the end to readers of screens. */
  speak() {
    const { last, turns, outcome } = this.source;
    const key = `${turns.length}|${last?.turn}|${outcome?.cause}`;
    if (key === this.said) return;
    this.said = key;
    const { title, detail } = statusOf(this.source, this);
    announce([last ? sayTurn(last, this.board.board) : '', title, detail].filter(Boolean).join(' '));
  }

  /** Shows the position after so many turns. */
  async show(count) {
    const { source } = this;
    const turn = ++this.turn;
    const end = source.turns.length;
    this.isLive = count === end;
    if (this.isLive) return this.refresh(false);
    try {
      const answer = await this.ask(count);
      if (turn !== this.turn || source !== this.source) return;
      Object.assign(this, { shown: count, answer });
      this.draw(false);
      this.status();
      announce(answer.last ? sayTurn(answer.last, this.board.board) : t('history.first'));
    } catch (problem) {
      complain(problem);
    }
  }

  ask(count) {
    const { game, start, turns } = this.source;
    const moves = turns.slice(0, count);
    const key = moves.join(' ');
    if (!this.earlier.has(key)) {
      this.earlier.set(key, api.positions(game, start, moves).catch((problem) => { this.earlier.delete(key); throw problem; }));
    }
    return this.earlier.get(key);
  }

  act(action, dropped) {
    Object.assign(this, { dropped, drawn: null, offered: null });
    this.hand.offer([]);
    const count = this.shown;
    if (this.source.kind === 'study' && !this.isLive) {
      this.isLive = true;
      return this.source.act(action, count);
    }
    return this.source.act(action);
  }

  /** What the analysis is to look at, null where there is nothing. */
  query() {
    if (!this.source || !this.answer) return null;
    const { game, start, turns } = this.source;
    return { game, start, moves: turns.slice(0, this.shown), view: this.answer.view, board: this.board.board };
  }

  /** Takes the keys to the board: to a piece that can move, if there is one. */
  focus() {
    const [movable] = this.hand.movable();
    this.hand.rove(movable ?? Math.max(0, this.board.points.findIndex((point) => point.getAttribute('tabindex') === '0')));
    this.board.points.find((point) => point.getAttribute('tabindex') === '0')?.focus({ preventScroll: true });
  }

  /** Shows a hint as an arrow, until the position changes. */
  hint(found) {
    this.board.point([{ ...trailOf(found.turn, this.board.board), kind: 'hint', weight: 1 }]);
    announce(t('say.hint', { turn: ltr(found.turn) }));
  }
}

// A game on the server: its state as the server tells it, and the commands of who holds seats in it.

import * as api from './api.js';
import { complain } from './notices.js';
import { other } from './notation.js';
import * as settings from './settings.js';

const FIRST_WAIT = 0.5;
const LAST_WAIT = 8;

export class Session {
  constructor(id, first = null) {
    Object.assign(this, { id, kind: 'session', state: null, received: 0, link: 'connecting', isClosed: false, isBusy: false });
    this.listeners = new Set();
    this.held = settings.seats(id);
    if (first) this.take(first);
  }

  onChange(listener) { this.listeners.add(listener); }
  tell() { for (const listener of this.listeners) listener(this); }

  /** Gets the state once, so that a game that is not there is known, then listens. */
  async open() {
    this.take(await api.session(this.id));
    this.listen(FIRST_WAIT);
  }

  close() {
    this.isClosed = true;
    clearTimeout(this.timer);
    this.socket?.close();
  }

  listen(wait) {
    const socket = new WebSocket(api.socketAddress(this.id));
    this.socket = socket;
    let next = wait;
    socket.addEventListener('message', ({ data }) => {
      const message = JSON.parse(data);
      if (message.type !== 'state') return;
      next = FIRST_WAIT;
      this.setLink('open');
      this.take(message.session);
    });
    socket.addEventListener('close', () => {
      if (this.isClosed) return;
      this.setLink('lost');
      this.timer = setTimeout(() => this.reconnect(next), next * 1000 * (0.75 + Math.random() / 2));
    });
  }

  /** Asks for the state as a request too: where sockets do not pass, the game goes on, slower. */
  async reconnect(wait) {
    await api.session(this.id).then((state) => this.take(state), () => {});
    if (!this.isClosed) this.listen(Math.min(LAST_WAIT, wait * 2));
  }

  setLink(link) {
    if (this.link === link) return;
    this.link = link;
    this.tell();
  }

  /** Takes a state, unless a newer one came before. */
  take(state) {
    if (this.isClosed || (this.state && state.version < this.state.version)) return;
    this.state = state;
    this.received = performance.now();
    this.reseat();
    this.note();
    this.tell();
  }

  /** Persons may change sides from game to game of a series, and their tokens with them. */
  reseat() {
    const { held } = this;
    const { swapped } = this.state.series;
    if ((!held.white && !held.black) || held.swapped === swapped) return;
    this.hold({ white: held.black, black: held.white, swapped });
  }

  hold(held) {
    this.held = held;
    settings.holdSeats(this.id, held);
  }

  note() {
    const { game, white, black, status, outcome } = this.state;
    const seat = ({ kind, name, bot, level }) => ({ kind, name, bot, level });
    settings.note({
      id: this.id, preset: game.preset, white: seat(white), black: seat(black),
      sides: [...this.sides], status, winner: outcome ? outcome.winner : undefined, at: Date.now(),
    });
  }

  /** The sides that play from this device. */
  get sides() { return new Set(['white', 'black'].filter((side) => this.held[side])); }
  get game() { return this.state.game; }
  get start() { return this.state.start; }
  get turns() { return this.state.turns; }
  get view() { return this.state.view; }
  get last() { return this.state.last; }
  get outcome() { return this.state.outcome; }
  get isOver() { return this.state.status === 'over'; }

  /** Whether somebody here decides now. */
  get mayAct() {
    return this.state.status === 'playing' && !this.isBusy && this.sides.has(this.view.side);
  }

  /** Milliseconds that a side has left by now. */
  timeLeft(side) {
    const { clock } = this.state;
    const gone = clock.running === side ? performance.now() - this.received : 0;
    return Math.max(0, clock[side] - gone);
  }

  /** Sends one action. What the board shows is right again afterwards, whatever came of it. */
  async act({ action }) {
    this.isBusy = true;
    try {
      await this.command({ type: 'move', ply: this.state.ply, move: action }, this.view.side);
    } catch (problem) {
      complain(problem);
      await this.refresh();
    } finally {
      this.isBusy = false;
      this.tell();
    }
  }

  /** A command by the seat of a side; the answer's state is taken. */
  async command(wish, side) {
    const answer = await api.command(this.id, { token: this.held[side], number: this.state.series.number, ...wish });
    const state = answer.session ?? answer;
    if (state.version !== undefined) this.take(state);
    return answer;
  }

  refresh() {
    return api.session(this.id).then((state) => this.take(state), () => {});
  }

  /** The side that speaks for this device: the one to decide if it sits here, else the one that does. */
  get speaker() {
    const { sides } = this;
    return sides.has(this.view.side) ? this.view.side : [...sides][0] ?? null;
  }

  /** Takes back the last decision made here; two persons on one device agree at once. */
  async undo() {
    const { ply } = this.state;
    const isShared = this.sides.size === 2;
    const asker = isShared && this.last ? this.last.side : this.speaker;
    await this.command({ type: 'undo' }, asker);
    if (isShared && this.state.ply === ply) await this.command({ type: 'undo' }, other(asker));
  }

  async draw(answer) {
    const { speaker } = this;
    await this.command({ type: 'draw', answer }, speaker);
    if (this.sides.size === 2 && answer === 'offer' && !this.isOver) {
      await this.command({ type: 'draw', answer: 'accept' }, other(speaker));
    }
  }

  resign() { return this.command({ type: 'resign' }, this.speaker); }
  next() { return this.command({ type: 'next' }, this.speaker); }
  async hint() { return (await this.command({ type: 'hint' }, this.speaker)).hint; }
}

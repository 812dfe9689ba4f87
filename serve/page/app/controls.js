// The buttons of a game: what can be chosen now, taking back, offers, the end, and what to take away.

import * as api from './api.js';
import { byId, download, element, icon, reveal } from './dom.js';
import { complain, notice } from './notices.js';
import { other } from './notation.js';
import { picture } from './picture.js';
import * as settings from './settings.js';
import { ltr, sideName, t } from './words.js';

export class Controls {
  constructor(table) {
    this.table = table;
    const on = (id, act) => byId(id).addEventListener('click', () => this.run(act));
    on('hint', () => this.hint());
    on('undo', () => this.undo());
    on('draw', () => this.draw());
    on('resign', () => this.resign());
    on('save-pdn', () => this.pdn());
    on('save-svg', () => this.svg());
    on('copy-position', () => this.copy(this.table.answer.view.position));
    on('copy-link', () => this.copy(this.address('session')));
    on('invite-copy', () => this.copy(byId('invite-link').value));
    on('to-study', () => this.study());
    on('to-editor', () => this.editor());
  }

  get source() { return this.table.source; }

  async run(act) {
    try {
      await act();
    } catch (problem) {
      complain(problem);
    }
  }

  address(kind) { return new URL(`#${kind}=${this.source.id}`, location.href).href; }

  /** Shows what can be done now, and hides what cannot. */
  show() {
    const { source, table } = this;
    const isSession = source.kind === 'session';
    const isPlaying = isSession ? source.state.status === 'playing' : !source.isOver;
    const isSeated = source.sides.size > 0;
    const waits = isSession && source.state.status === 'waiting';
    reveal(byId('actions'), isSeated && !waits);
    reveal(byId('hint'), isSession);
    reveal(byId('draw'), isSession);
    reveal(byId('resign'), isSession);
    byId('hint').disabled = !(isPlaying && table.isLive && source.mayAct) || this.isAsking;
    byId('undo').disabled = isSession ? source.state.undo_ply === null : source.turns.length === 0;
    byId('draw').disabled = !isPlaying || source.state?.draw_offer !== null;
    byId('resign').disabled = !isPlaying;
    reveal(byId('copy-link'), isSession);
    reveal(byId('invitation'), waits);
    if (waits) byId('invite-link').value = this.address('join');
    const isLost = source.link === 'lost';
    reveal(byId('link-badge'), isLost);
    byId('link-badge').textContent = isLost ? t('link.lost') : '';
    byId('choices').replaceChildren(...this.choices());
  }

  choices() {
    const { source, table } = this;
    const button = (words, act, look = '', sign = null) => element('button', { type: 'button', class: look, onclick: () => this.run(act) },
      ...(sign ? [icon(sign)] : []), element('span', {}, words));
    if (!table.isLive) return [button(t('status.toLive'), () => table.show(source.turns.length), 'primary')];
    const made = [];
    const { points } = table.board.board;
    if (table.mayAct) {
      for (const action of source.view.actions) {
        if (action.kind === 'stop') made.push(button(t('act.stop'), () => table.act(action, null), 'primary stop', 'stop'));
        if (action.kind === 'huff') made.push(button(t('act.huff', { name: ltr(points[action.from].name) }), () => table.act(action, null), 'warn huff'));
      }
    }
    return source.kind === 'session' ? [...made, ...this.offers(button), ...this.ends(button)] : made;
  }

  offers(button) {
    const { sides, state } = this.source;
    if (state.status !== 'playing' || sides.size !== 1) return [];
    const mine = [...sides][0];
    const note = (key) => element('p', { class: 'fine' }, t(key, { side: sideName(other(mine)) }));
    if (state.draw_offer === mine) return [note('offer.sent')];
    if (state.draw_offer === other(mine)) {
      return [note('offer.draw'), button(t('offer.accept'), () => this.source.draw('accept'), 'primary'),
        button(t('offer.decline'), () => this.source.draw('decline'))];
    }
    if (state.undo_offer === other(mine)) return [note('offer.undo'), button(t('offer.accept'), () => this.source.undo(), 'primary')];
    return state.undo_offer === mine ? [note('offer.undoSent')] : [];
  }

  ends(button) {
    const { state, sides } = this.source;
    if (state.status !== 'over') return [];
    const { series } = state;
    const hasNext = series && series.number < series.length;
    const made = [element('a', { class: `button${hasNext ? '' : ' primary'}`, href: '#new' }, t('nav.new'))];
    if (hasNext && sides.size) {
      made.unshift(button(t('act.next', { number: series.number + 1, length: series.length }), () => this.source.next(), 'primary next'));
    }
    return made;
  }

  async hint() {
    const { table } = this;
    const { position } = table.answer.view;
    this.isAsking = true;
    byId('hint').setAttribute('aria-busy', 'true');
    this.show();
    try {
      const found = await this.source.hint();
      if (table.answer?.view.position === position) table.hint(found);
      if (/^~/.test(found.turn)) notice(t('hint.huff', { turn: ltr(found.turn) }));
    } finally {
      this.isAsking = false;
      byId('hint').removeAttribute('aria-busy');
      this.show();
    }
  }

  async undo() {
    this.table.isLive = true;
    await this.source.undo();
  }

  async draw() {
    const { source } = this;
    const rival = source.state[other(source.speaker)];
    if (source.sides.size === 2 && !await ask(t('confirm.draw'), t('act.agreeDraw'))) return;
    await source.draw('offer');
    if (rival.kind === 'bot' && !source.isOver) notice(t('offer.refused'));
  }

  async resign() {
    if (await ask(t('confirm.resign'), t('act.resign'))) await this.source.resign();
  }

  fileName(ending) {
    return `damma-${this.source.game.preset}${this.source.id ? `-${this.source.id.slice(0, 8)}` : ''}.${ending}`;
  }

  async pdn() {
    const { source } = this;
    const text = source.kind === 'session' ? await api.file(source.id, 'pdn') : source.answer.pdn;
    download(text, this.fileName('pdn'), 'application/vnd.pdn');
  }

  /** The server's picture of the game as it stands, our own of any other position. */
  async svg() {
    const { source, table } = this;
    const text = source.kind === 'session' && table.isLive ? await api.file(source.id, 'svg') : picture(table.board.svg);
    download(text, this.fileName('svg'), 'image/svg+xml');
  }

  async copy(text) {
    try {
      await navigator.clipboard.writeText(text);
      notice(t('copied'));
    } catch {
      notice(text); // no clipboard without https: the text is there to be marked
    }
  }

  study() {
    const { game, start, turns } = this.source;
    settings.write('study', { game, position: start, moves: turns.slice(0, this.table.shown) });
    if (location.hash === '#study') window.dispatchEvent(new HashChangeEvent('hashchange'));
    else location.hash = '#study';
  }

  editor() {
    settings.write('editor', { game: this.source.game, position: this.table.answer.view.position });
    location.hash = '#editor';
  }
}

/** Asks before something that cannot be taken back. */
export function ask(words, yes) {
  const dialog = byId('confirm');
  byId('confirm-text').textContent = words;
  byId('confirm-yes').textContent = yes;
  dialog.returnValue = 'no';
  dialog.showModal();
  return new Promise((done) => {
    dialog.addEventListener('close', () => done(dialog.returnValue === 'yes'), { once: true });
  });
}

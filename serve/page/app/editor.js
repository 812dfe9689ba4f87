// Setting up a position: pieces on points, the side to move, text; the server says whether it can be.

import * as api from './api.js';
import { byId, element, svgElement, icon } from './dom.js';
import { complain } from './notices.js';
import { compose, lettersOf, sideOf } from './notation.js';
import { pieceShape } from './pieces.js';
import * as settings from './settings.js';
import { gameTitle, ltr, onLanguage, t } from './words.js';
import { announce } from './notices.js';

const BRUSHES = ['w', 'W', 'b', 'B', '.'];
const PAUSE = 200;

export class Editor {
  /** `play(game, position)` goes to the start panel. */
  constructor(table, play) {
    Object.assign(this, { table, brush: 'w', letters: [], side: 'white', exact: null, isOpen: false, asked: 0 });
    byId('editor-clear').addEventListener('click', () => this.put('.'.repeat(this.board.points.length), this.side));
    byId('editor-start').addEventListener('click', () => this.put(lettersOf(this.board.start, this.board), sideOf(this.board.start)));
    byId('editor-form').addEventListener('submit', (event) => { event.preventDefault(); this.read(byId('editor-text').value); });
    byId('editor-game').addEventListener('change', (event) => this.open({ game: { preset: event.target.value } }).catch(complain));
    byId('editor-play').addEventListener('click', () => play(this.game, this.text()));
    byId('editor-study').addEventListener('click', () => {
      settings.write('study', { game: this.game, position: this.text(), moves: [] });
      location.hash = '#study';
    });
    for (const radio of document.getElementsByName('editor-side')) {
      radio.addEventListener('change', () => this.put(this.letters, radio.value));
    }
    onLanguage(() => this.isOpen && this.words());
  }

  async open({ game = { preset: 'zamma' }, position = null, isHere = () => true } = {}) {
    const [list, board] = await Promise.all([api.games(), api.board(game)]);
    if (!isHere()) return;
    Object.assign(this, { list, board, game, isOpen: true });
    this.words();
    this.table.hand.lend((place) => this.paint(place));
    if (position) await this.read(position);
    else this.put(lettersOf(this.board.start, this.board), sideOf(this.board.start));
  }

  close() {
    this.isOpen = false;
    this.table.hand.lend(null);
  }

  words() {
    byId('editor-game').replaceChildren(...this.list.map(({ preset, title }) =>
      element('option', { value: preset, selected: preset === this.game.preset }, gameTitle(preset, title))));
    byId('brushes').replaceChildren(...BRUSHES.map((letter) => element('label', { title: t(`brush.${letter}`) },
      element('input', { type: 'radio', name: 'brush', value: letter, checked: letter === this.brush, onchange: () => { this.brush = letter; } }),
      element('span', {}, letter === '.' ? icon('erase')
        : svgElement('svg', { viewBox: '-27 -27 54 56', 'aria-hidden': 'true' }, pieceShape(letter, 'translate(0 0)')),
      element('span', { class: 'sr' }, t(`brush.${letter}`))))));
    this.check();
  }

  /** Puts the chosen piece on a point; where it stands already, takes it off. */
  paint(place) {
    const letters = [...this.letters];
    letters[place] = letters[place] === this.brush ? '.' : this.brush;
    this.put(letters.join(''), this.side);
    announce(`${ltr(this.board.points[place].name)}${t('comma')}${t(`piece.${letters[place]}`)}`);
  }

  /** Takes a position; `exact` is its text where it says more than pieces and side. */
  put(letters, side, exact = null) {
    Object.assign(this, { letters, side, exact });
    for (const radio of document.getElementsByName('editor-side')) radio.checked = radio.value === side;
    byId('editor-text').value = this.text();
    this.table.lay(this.board, letters);
    this.check();
  }

  text() { return this.exact ?? compose(this.letters, this.side, this.board); }

  async read(text) {
    try {
      const { view } = await api.positions(this.game, text.trim(), []);
      this.put(view.board, view.side, view.position);
    } catch (problem) {
      byId('editor-text').value = text;
      if (!this.letters.length) this.table.lay(this.board, '.'.repeat(this.board.points.length));
      this.judge(problem.detail ?? String(problem), 'bad');
    }
  }

  /** Asks the server about the position, a moment after the last change. */
  check() {
    const asked = ++this.asked;
    this.rate('pending');
    setTimeout(async () => {
      if (asked !== this.asked || !this.isOpen) return;
      try {
        const { view } = await api.positions(this.game, this.text(), []);
        if (asked !== this.asked) return;
        if (view.outcome) this.judge(t('editor.over'), 'bad');
        else this.judge(t('editor.fine', { count: view.actions.length }), 'good');
      } catch (problem) {
        if (asked === this.asked) this.judge(problem.detail ?? String(problem), 'bad');
      }
    }, PAUSE);
  }

  judge(words, verdict) {
    this.asked += 1; // a check under way is about something else now
    byId('editor-verdict').textContent = words;
    this.rate(verdict);
  }

  /** `good`, `bad`, or `pending` while the words are still about the position before. */
  rate(verdict) {
    byId('editor-verdict').dataset.verdict = verdict;
    byId('editor-play').disabled = verdict !== 'good';
    byId('editor-study').disabled = verdict !== 'good';
  }
}

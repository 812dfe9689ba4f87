// The board on the page: pieces, marks and arrows over the ground, and a button for each point.
// It draws what it is told; which points can be chosen comes from who uses it.

import { set, svgElement } from './dom.js';
import { definitions, ground, layoutOf } from './ground.js';
import { arrowShapes } from './arrows.js';
import { glide } from './motion.js';
import { ownerOf } from './notation.js';
import { pieceShape } from './pieces.js';
import { ltr, onLanguage, t } from './words.js';

const NOTHING = { letters: '', chain: null, faults: [], captured: [], last: null };
const NO_CHOICE = { movable: new Set(), huffable: new Set(), chosen: null, targets: new Map() };

export class Board {
  constructor(svg) {
    this.svg = svg;
    this.layers = Object.fromEntries(['ground', 'trail', 'below', 'pieces', 'above', 'arrows', 'points']
      .map((name) => [name, svgElement('g', { class: name })]));
    svg.append(definitions(), ...Object.values(this.layers));
    for (const name of ['trail', 'below', 'pieces', 'above', 'arrows']) this.layers[name].setAttribute('aria-hidden', 'true');
    Object.assign(this, { board: null, isFlipped: false, position: NOTHING, choice: NO_CHOICE, pieces: new Map(), points: [], shown: [] });
    onLanguage(() => this.board && this.refresh());
  }

  /** Takes another game's board; what stood on the one before is gone. */
  use(board) {
    if (this.board === board) return;
    this.board = board;
    set(this.svg, 'data-small', board.size < 7);
    this.position = { ...NOTHING, letters: '.'.repeat(board.points.length) };
    this.choice = NO_CHOICE;
    this.shown = [];
    this.points = board.points.map(({ name }, place) => svgElement('g', {
      class: 'point', role: 'button', tabindex: place === 0 ? 0 : -1, 'data-place': place, 'data-name': name,
    }, svgElement('circle', { class: 'hit', r: 29 }), svgElement('circle', { class: 'focus', r: 28 })));
    this.layers.points.replaceChildren(...this.points);
    this.layOut();
  }

  flip(isFlipped) {
    if (this.isFlipped === isFlipped) return;
    this.isFlipped = isFlipped;
    if (this.board) this.layOut();
  }

  layOut() {
    this.layout = layoutOf(this.board, this.isFlipped);
    this.svg.setAttribute('viewBox', `0 0 ${this.layout.width} ${this.layout.width}`);
    this.layers.ground.replaceChildren(ground(this.board, this.layout));
    this.points.forEach((point, place) => point.setAttribute('transform', this.translate(place)));
    this.redraw();
  }

  translate(place) {
    const { x, y } = this.layout.spots[place];
    return `translate(${x} ${y})`;
  }

  /** Shows a position. With `moves` the piece of the last turn glides there from where it stood. */
  show(position, { moves = false, dropped = null } = {}) {
    const before = this.position;
    this.position = { ...NOTHING, ...position };
    this.choice = NO_CHOICE;
    this.shown = [];
    this.redraw();
    if (moves) glide(this, before, dropped);
  }

  /** What may be chosen now, what is, and where it may go. */
  offer(choice) {
    this.choice = { ...NO_CHOICE, ...choice };
    this.refresh();
  }

  point(arrows) {
    this.shown = arrows;
    if (this.layout) this.layers.arrows.replaceChildren(...arrowShapes(arrows, this.layout));
  }

  redraw() {
    const made = [...this.position.letters].map((letter, place) => [place, letter]).filter(([, letter]) => letter !== '.')
      .map(([place, letter]) => [place, pieceShape(letter, this.translate(place))]);
    this.pieces = new Map(made);
    this.layers.pieces.replaceChildren(...this.pieces.values());
    this.refresh();
    this.point(this.shown);
  }

  /** Draws marks and names of points anew. */
  refresh() {
    const { chain, faults, captured, last } = this.position;
    const { movable, chosen, targets } = this.choice;
    const at = (place, name, attributes) => svgElement(name, { ...attributes, transform: this.translate(place) });
    this.layers.trail.replaceChildren(...this.trail(last));
    this.layers.below.replaceChildren(
      ...[...movable].map((place) => at(place, 'circle', { class: 'movable', r: 26 })),
      ...(chosen === null ? [] : [at(chosen, 'circle', { class: 'chosen', r: 29 })]));
    this.layers.above.replaceChildren(
      ...(chain === null ? [] : [at(chain, 'circle', { class: 'chaining', r: 27 })]),
      ...faults.map((place) => at(place, 'circle', { class: 'fault', r: 27 })),
      ...captured.map((place) => at(place, 'path', { class: 'taken', d: 'M-13 -13L13 13M-13 13L13 -13' })),
      ...[...targets.values()].filter(({ over }) => over !== null).map(({ over }) => at(over, 'circle', { class: 'victim', r: 26 })),
      ...[...targets.keys()].map((place) => at(place, 'circle', { class: 'target', r: targets.get(place).over === null ? 10 : 13 })));
    for (const [place, piece] of this.pieces) piece.classList.toggle('faded', captured.includes(place));
    this.points.forEach((point, place) => this.name(point, place));
  }

  trail(last) {
    if (!last) return [];
    const spots = last.trail.map((place) => this.layout.spots[place]);
    const drawn = last.trail.map((place) => svgElement('circle', { class: 'step-mark', r: 28, transform: this.translate(place) }));
    if (spots.length > 1) drawn.unshift(svgElement('path', { class: 'step-line', d: `M${spots.map(({ x, y }) => `${x} ${y}`).join('L')}` }));
    const gone = [...last.captured, ...(last.huffed === null || last.huffed === undefined ? [] : [last.huffed])];
    const empty = gone.filter((place) => this.position.letters[place] === '.');
    return [...drawn, ...empty.map((place) =>
      svgElement('path', { class: 'gone-mark', d: 'M-9 -9L9 9M-9 9L9 -9', transform: this.translate(place) }))];
  }

  name(point, place) {
    const letter = this.position.letters[place];
    const { movable, huffable, chosen, targets } = this.choice;
    const target = targets.get(place);
    const said = [t(`piece.${letter}`)];
    if (place === chosen) said.push(t('point.chosen'));
    else if (movable.has(place)) said.push(t('point.movable'));
    if (target) said.push(target.over === null ? t('point.target') : t('point.capture', { name: ltr(this.board.points[target.over].name) }));
    if (huffable.has(place)) said.push(t('point.huff'));
    else if (this.position.faults.includes(place)) said.push(t('point.fault'));
    if (this.position.captured.includes(place)) said.push(t('point.captured'));
    set(point, 'aria-label', `${ltr(this.board.points[place].name)}${t('comma')}${said.join(t('comma'))}`);
    set(point, 'aria-pressed', movable.has(place) ? String(place === chosen) : null);
    set(point, 'data-piece', letter);
    set(point, 'data-movable', movable.has(place));
    set(point, 'data-target', Boolean(target));
    set(point, 'data-huff', huffable.has(place));
  }

  count(side) {
    return [...this.position.letters].filter((letter, place) =>
      ownerOf(letter) === side && !this.position.captured.includes(place)).length;
  }
}

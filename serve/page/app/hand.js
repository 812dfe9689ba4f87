// Choosing and moving pieces, by finger, mouse and keys. What may be done is a list of actions from the server.

import { announce } from './notices.js';
import { ltr, t } from './words.js';

const FAR = 6; // pixels from which a press is a drag
const KEYS = { ArrowUp: [0, 1], ArrowDown: [0, -1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

export class Hand {
  /** `act(action, dropped)` plays; `dropped` is the place where a finger let go, or null. */
  constructor(board, act) {
    Object.assign(this, { board, act, actions: [], chosen: null, drag: null, pick: null });
    const { svg } = board;
    svg.addEventListener('click', (event) => this.click(event));
    svg.addEventListener('pointerdown', (event) => this.press(event));
    svg.addEventListener('pointermove', (event) => this.move(event));
    svg.addEventListener('pointerup', (event) => this.release(event));
    svg.addEventListener('pointercancel', () => this.drop(null));
    // `touch-action` on parts of an SVG does not hold everywhere: a dragged piece must not scroll the page.
    svg.addEventListener('touchmove', (event) => { if (this.drag) event.preventDefault(); }, { passive: false });
    svg.addEventListener('keydown', (event) => this.key(event));
    svg.addEventListener('focusin', (event) => this.rove(placeOf(event)));
  }

  /** Offers actions; none where it is not for this person to decide. `chain` is taken in hand at once. */
  offer(actions, chain = null) {
    this.actions = actions;
    this.drag = null;
    this.choose(chain !== null && actions.some(({ from }) => from === chain) ? chain : null);
  }

  /** Gives the points to somebody else, as the editor of positions: a press is then `pick(place)`. */
  lend(pick) {
    this.pick = pick;
    this.offer([]);
  }

  movable() {
    return new Set(this.actions.filter(({ kind }) => kind === 'step' || kind === 'hop').map(({ from }) => from));
  }

  huffable() {
    return new Set(this.actions.filter(({ kind }) => kind === 'huff').map(({ from }) => from));
  }

  targets(place) {
    return new Map(this.actions.filter(({ from, to }) => from === place && to !== null).map((action) => [action.to, action]));
  }

  choose(place) {
    this.chosen = place;
    this.board.offer({
      movable: this.movable(), huffable: this.huffable(), chosen: place, targets: place === null ? new Map() : this.targets(place),
    });
  }

  /** What a press on a point means: go there, huff it, take it in hand, or let go. */
  activate(place) {
    if (this.pick) return void this.pick(place);
    const target = this.chosen === null ? undefined : this.targets(this.chosen).get(place);
    const huff = this.actions.find(({ kind, from }) => kind === 'huff' && from === place);
    if (target) this.act(target, null);
    else if (huff) this.act(huff, null);
    else if (this.movable().has(place) && place !== this.chosen) this.take(place);
    else this.choose(null);
  }

  take(place) {
    this.choose(place);
    const names = [...this.targets(place).keys()].map((to) => ltr(this.board.board.points[to].name));
    announce(t('say.chosen', { name: ltr(this.board.board.points[place].name), targets: names.join(t('comma')) }));
  }

  click(event) {
    const place = placeOf(event);
    if (this.wasDragged) this.wasDragged = false;
    else if (place !== null) this.activate(place);
    else this.choose(null);
  }

  press(event) {
    this.wasDragged = false;
    const place = placeOf(event);
    if (place === null || this.pick || !event.isPrimary || event.button !== 0 || !this.movable().has(place)) return;
    this.drag = { place, pointer: event.pointerId, x: event.clientX, y: event.clientY, isFar: false };
  }

  move(event) {
    const { drag } = this;
    if (!drag || event.pointerId !== drag.pointer) return;
    const [right, down] = [event.clientX - drag.x, event.clientY - drag.y];
    if (!drag.isFar) {
      if (Math.hypot(right, down) < FAR) return;
      drag.isFar = true;
      this.board.svg.setPointerCapture(drag.pointer);
      this.choose(drag.place);
      const piece = this.board.pieces.get(drag.place);
      piece.parentNode.append(piece);
      piece.classList.add('lifted');
    }
    const { x, y } = this.where(event);
    this.board.pieces.get(drag.place)?.setAttribute('transform', `translate(${x} ${y})`);
  }

  release(event) {
    const { drag } = this;
    if (!drag || event.pointerId !== drag.pointer) return;
    if (!drag.isFar) {
      this.drag = null;
      return; // the click that follows does it
    }
    this.wasDragged = true;
    setTimeout(() => { this.wasDragged = false; }); // the click of this press comes before
    this.drop(this.nearest(this.where(event)));
  }

  /** Puts the dragged piece down: on a target that is a move, else it goes back. */
  drop(place) {
    const { drag } = this;
    this.drag = null;
    if (!drag?.isFar) return;
    const piece = this.board.pieces.get(drag.place);
    piece?.classList.remove('lifted');
    const target = place === null ? undefined : this.targets(drag.place).get(place);
    piece?.setAttribute('transform', this.board.translate(target ? place : drag.place));
    if (target) this.act(target, place);
  }

  /** A pointer's place in units of the picture. */
  where(event) {
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.board.svg.getScreenCTM().inverse());
    return { x, y };
  }

  nearest({ x, y }) {
    const distances = this.board.layout.spots.map((spot) => Math.hypot(spot.x - x, spot.y - y));
    const least = Math.min(...distances);
    return least < 36 ? distances.indexOf(least) : null;
  }

  key(event) {
    const place = placeOf(event);
    if (place === null || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key in KEYS) this.focus(this.neighbour(place, KEYS[event.key]));
    else if (event.key === 'Enter' || event.key === ' ') this.activate(place);
    else if (event.key === 'Escape') this.choose(null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** The next point in a direction of the screen; on squares the nearest one of the next row. */
  neighbour(place, [right, up]) {
    const { points } = this.board.board;
    const turn = this.board.isFlipped ? -1 : 1;
    const { file, rank } = points[place];
    const lean = rank % 2 === 0 ? 1 : -1;
    const cost = (point) => {
      const [x, y] = [(point.file - file) * turn, (point.rank - rank) * turn];
      const [along, across] = right ? [x * right, y] : [y * up, x];
      if (along <= 0 || (right && across !== 0)) return Infinity;
      return along * 100 + Math.abs(across) * 10 - (Math.sign(point.file - file) === lean ? 1 : 0);
    };
    const costs = points.map(cost);
    const least = Math.min(...costs);
    return least === Infinity ? place : costs.indexOf(least);
  }

  focus(place) {
    this.rove(place);
    this.board.points[place].focus();
  }

  /** One point at a time is reached by Tab. */
  rove(place) {
    if (place !== null) this.board.points.forEach((point, at) => point.setAttribute('tabindex', at === place ? 0 : -1));
  }
}

function placeOf(event) {
  const point = event.target.closest?.('.point');
  return point ? Number(point.dataset.place) : null;
}

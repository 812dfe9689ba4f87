// What of the board does not move: wood or sand, lines or squares, names. Also the small boards of lists.

import { svgElement } from './dom.js';
import { lettersOf } from './notation.js';

export const PITCH = 60;
// Names stand at the left and below; the other edges need less room.
const NAMED = 50;
const PLAIN = 36;

/** Where places lie in the picture, seen from White's or from Black's side. */
export function layoutOf(board, isFlipped) {
  const last = board.size - 1;
  const spot = ({ file, rank }) => ({
    x: NAMED + PITCH * (isFlipped ? last - file : file),
    y: PLAIN + PITCH * (isFlipped ? rank : last - rank),
  });
  return {
    width: NAMED + PLAIN + PITCH * last, left: NAMED - PITCH / 2, top: PLAIN - PITCH / 2, side: PITCH * board.size,
    spots: board.points.map(spot),
  };
}

/** Gradients and shapes that pieces use; a piece is drawn around 0, 0. */
export function definitions() {
  const shade = (id, from, to) => svgElement('radialGradient', { id, cx: '.38', cy: '.32', r: '.8' },
    svgElement('stop', { offset: '0', 'stop-color': from }), svgElement('stop', { offset: '1', 'stop-color': to }));
  return svgElement('defs', {},
    shade('shade-white', '#ffffff', '#e2d6bf'),
    shade('shade-black', '#5d5049', '#231c19'),
    svgElement('linearGradient', { id: 'shade-sand', x1: '0', y1: '0', x2: '1', y2: '1' },
      svgElement('stop', { offset: '0', 'stop-color': '#ecd8ad' }), svgElement('stop', { offset: '1', 'stop-color': '#dcc08b' })),
    svgElement('path', { id: 'crown', d: 'M-12 9 L-15 -7 L-7 0 L0 -12 L7 0 L15 -7 L12 9 Z' }));
}

export function ground(board, layout) {
  const { left, top, side, spots } = layout;
  const drawn = svgElement('g', { 'aria-hidden': 'true' });
  if (board.style === 'squares') {
    drawn.append(svgElement('rect', { class: 'light-squares', x: left, y: top, width: side, height: side }));
    for (const { x, y } of spots) {
      drawn.append(svgElement('rect', { class: 'dark-square', x: x - PITCH / 2, y: y - PITCH / 2, width: PITCH, height: PITCH }));
    }
    drawn.append(svgElement('rect', { class: 'frame', x: left, y: top, width: side, height: side }));
  } else {
    drawn.append(svgElement('rect', { class: 'sand', fill: 'url(#shade-sand)', x: left, y: top, width: side, height: side, rx: 12 }));
    drawn.append(svgElement('path', { class: 'line', d: path(board.lines, spots) }));
    for (const { x, y } of spots) drawn.append(svgElement('circle', { class: 'dot', cx: x, cy: y, r: 3.2 }));
  }
  drawn.append(...names(board, layout));
  return drawn;
}

const path = (lines, spots) =>
  lines.map(([from, to]) => `M${spots[from].x} ${spots[from].y}L${spots[to].x} ${spots[to].y}`).join('');

/** Files below and ranks at the left, as the points are called. */
function names(board, { left, top, side, spots }) {
  const made = new Map();
  board.points.forEach(({ name, file, rank }, place) => {
    const { x, y } = spots[place];
    made.set(`f${file}`, svgElement('text', { class: 'name', x, y: top + side + left / 2 + 1 }, name.replace(/\d+$/, '')));
    made.set(`r${rank}`, svgElement('text', { class: 'name', x: left / 2, y }, name.replace(/^\D+/, '')));
  });
  return made.values();
}

/** A board of the size of a stamp, with the pieces of a position. */
export function stamp(board, text) {
  const { left, top, side, spots } = layoutOf(board, false);
  const drawn = svgElement('svg', { class: 'stamp', viewBox: `${left} ${top} ${side} ${side}`, 'aria-hidden': 'true' });
  if (board.style === 'squares') {
    drawn.append(svgElement('rect', { class: 'light-squares', x: left, y: top, width: side, height: side }));
    drawn.append(...spots.map(({ x, y }) =>
      svgElement('rect', { class: 'dark-square', x: x - PITCH / 2, y: y - PITCH / 2, width: PITCH, height: PITCH })));
  } else {
    drawn.append(svgElement('rect', { class: 'sand plain', x: left, y: top, width: side, height: side, rx: 24 }));
    drawn.append(svgElement('path', { class: 'line', d: path(board.lines, spots) }));
  }
  [...lettersOf(text, board)].forEach((letter, place) => {
    if (letter === '.') return;
    drawn.append(svgElement('circle', { class: `stone ${letter.toLowerCase()}`, cx: spots[place].x, cy: spots[place].y, r: 22 }));
  });
  return drawn;
}

// Arrows over the board: best moves and hints, along all the points of a turn.

import { svgElement } from './dom.js';

const HEAD = 17;

/** The shapes of arrows `{trail, huffed, kind, weight}`; weight from 0 to 1 is how strongly it is drawn. */
export function arrowShapes(arrows, { spots }) {
  return arrows.map(({ trail, huffed = null, kind, weight = 1 }) => svgElement('g',
    { class: `arrow ${kind}`, opacity: (0.35 + 0.6 * weight).toFixed(2) },
    ...(huffed === null ? [] : [svgElement('circle', { class: 'huffed', cx: spots[huffed].x, cy: spots[huffed].y, r: 27 })]),
    ...(trail.length > 1 ? arrow(trail.map((place) => spots[place]), weight) : [])));
}

function arrow(points, weight) {
  const [before, end] = points.slice(-2);
  const angle = Math.atan2(end.y - before.y, end.x - before.x);
  const away = (distance, turn = 0) =>
    ({ x: end.x - distance * Math.cos(angle + turn), y: end.y - distance * Math.sin(angle + turn) });
  const line = (list) => list.map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`).join('L');
  const tip = [end, away(HEAD * 1.5, 0.5), away(HEAD * 1.5, -0.5)];
  return [
    svgElement('path', { class: 'stem', d: `M${line([...points.slice(0, -1), away(HEAD)])}`, 'stroke-width': (5 + 6 * weight).toFixed(1) }),
    svgElement('path', { class: 'tip', d: `M${line(tip)}Z` }),
  ];
}

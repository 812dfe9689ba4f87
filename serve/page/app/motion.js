// Pieces that glide to where they went, and captured ones that fade.

import { ownerOf } from './notation.js';
import { pieceShape } from './pieces.js';

const HOP = 230;

const isCalm = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

/** Moves the piece of the last turn on from where it stood `before`; not where a finger put it there already. */
export function glide(board, before, dropped) {
  const { last, letters } = board.position;
  if (!last || isCalm() || before.letters.length !== letters.length || before.letters === letters) return;
  const trail = last.trail;
  const end = trail.at(-1);
  const begin = trail.findLastIndex((place, index) =>
    index < trail.length - 1 && ownerOf(before.letters[place]) === last.side && letters[place] === '.');
  const isMoved = begin >= 0 && dropped !== end && board.pieces.has(end);
  const hops = isMoved ? trail.length - 1 - begin : 1;
  fade(board, before, [...last.captured, last.huffed], hops * HOP);
  if (!isMoved) return;
  const spots = trail.slice(begin).map((place) => board.layout.spots[place]);
  const piece = board.pieces.get(end);
  piece.parentNode.append(piece); // over the others while it moves
  piece.animate(spots.map(({ x, y }) => ({ transform: `translate(${x}px, ${y}px)` })),
    { duration: HOP * hops, easing: hops === 1 ? 'cubic-bezier(.3,.7,.3,1)' : 'linear' });
}

function fade(board, before, places, duration) {
  for (const place of places) {
    if (place === null || place === undefined || board.position.letters[place] !== '.') continue;
    const letter = before.letters[place];
    if (!letter || letter === '.') continue;
    const ghost = pieceShape(letter, board.translate(place));
    board.layers.pieces.prepend(ghost);
    const done = () => ghost.remove();
    ghost.animate([{ opacity: 1 }, { opacity: 1, offset: 0.6 }, { opacity: 0 }], { duration: duration + 120, fill: 'forwards' })
      .finished.then(done, done);
  }
}

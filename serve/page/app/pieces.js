// The shape of a piece, drawn around 0, 0: a disc with a ring, a king with a crown.

import { svgElement } from './dom.js';

export function pieceShape(letter, transform) {
  const side = letter.toLowerCase();
  const shade = side === 'w' ? 'url(#shade-white)' : 'url(#shade-black)';
  return svgElement('g', { class: 'piece', transform },
    svgElement('circle', { class: 'shadow', cy: 2.5, r: 23 }),
    svgElement('circle', { class: `body ${side}`, fill: shade, r: 23 }),
    letter === side ? svgElement('circle', { class: `ring ${side}`, r: 15 })
      : svgElement('use', { href: '#crown', class: `king ${side}` }));
}

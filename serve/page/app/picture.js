// The board on the page as a file of its own: the look that the stylesheet gives is written into it.

const LOOK = ['fill', 'stroke', 'stroke-width', 'stroke-linecap', 'stroke-linejoin', 'stroke-dasharray', 'opacity',
  'font-family', 'font-size', 'text-anchor', 'dominant-baseline'];
const UNSEEN = '.points, .below, .arrows, .target, .victim';

export function picture(svg) {
  const copy = svg.cloneNode(true);
  const [shown, copied] = [svg, copy].map((root) => [...root.querySelectorAll('*')]);
  shown.forEach((element, index) => {
    const look = getComputedStyle(element);
    // A gradient is named by the attribute already; the computed one would name this page too.
    for (const name of LOOK) if (!look[name].startsWith('url')) copied[index].setAttribute(name, look.getPropertyValue(name));
  });
  for (const element of copy.querySelectorAll(UNSEEN)) element.remove();
  for (const name of ['id', 'class', 'tabindex', 'role', 'data-word-aria-label']) copy.removeAttribute(name);
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  const ground = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
  ground.setAttribute('width', '100%');
  ground.setAttribute('height', '100%');
  ground.setAttribute('fill', '#f6eedd');
  copy.prepend(ground);
  return new XMLSerializer().serializeToString(copy);
}

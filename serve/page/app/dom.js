// Short ways to make elements. No inline style anywhere: the Content-Security-Policy forbids it.

const SVG = 'http://www.w3.org/2000/svg';

export const byId = (id) => document.getElementById(id);

/** Makes an element; `on…` keys are listeners, `true` is an empty attribute, null and false leave it out. */
export function element(name, attributes = {}, ...children) {
  return fill(document.createElement(name), attributes, children);
}

export function svgElement(name, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, name), attributes, children);
}

function fill(made, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith('on')) made.addEventListener(key.slice(2), value);
    else set(made, key, value);
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return made;
}

/** Sets an attribute, or takes it off where the value is null or false. */
export function set(target, key, value) {
  if (value === null || value === undefined || value === false) target.removeAttribute(key);
  else target.setAttribute(key, value === true ? '' : value);
}

export const icon = (name, className = '') =>
  svgElement('svg', { class: `icon ${className}`, 'aria-hidden': 'true', viewBox: '0 0 24 24' },
    svgElement('use', { href: `#icon-${name}` }));

/** Shows or hides by the attribute that readers of screens know too. */
export const reveal = (target, shown) => { target.hidden = !shown; };

/** A text as a file of this name. */
export function download(text, name, type) {
  const address = URL.createObjectURL(new Blob([text], { type }));
  element('a', { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

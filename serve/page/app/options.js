// The rules' options as fields, for games that differ from a preset. Names and values come from the server.

import * as api from './api.js';
import { byId, element } from './dom.js';
import { has, t } from './words.js';

export class Options {
  constructor(changed) {
    Object.assign(this, { changed, own: {}, values: {}, known: [] });
    byId('rules-reset').addEventListener('click', () => this.use(this.own));
  }

  /** Shows the options of a game as that game has them. */
  async use(own) {
    this.known = await api.options();
    // Options are words, as in files of rules: numbers and yes or no too.
    this.own = Object.fromEntries(Object.entries(own).map(([name, value]) => [name, String(value)]));
    this.values = { ...this.own };
    this.draw();
    this.changed();
  }

  /** What differs from the game's own rules. */
  get different() {
    return Object.fromEntries(Object.entries(this.values).filter(([name, value]) => value !== this.own[name]));
  }

  draw() {
    byId('options').replaceChildren(...this.known.filter(({ name }) => name in this.own).map((option) => this.field(option)));
  }

  field({ name, values, about }) {
    const own = this.own[name];
    const input = /^\d+$/.test(own) ? this.numberInput(name) : this.select(name, values.split(/,\s*/));
    const id = `about-${name}`;
    input.setAttribute('aria-describedby', id);
    return element('div', { class: 'field' },
      element('label', { for: input.id }, has(`option.${name}`) ? t(`option.${name}`) : name), input,
      element('p', { class: 'fine', id }, has(`about.${name}`) ? t(`about.${name}`) : about));
  }

  numberInput(name) {
    return element('input', {
      type: 'number', id: `option-${name}`, value: this.values[name], min: 0, step: 1, required: true,
      onchange: (event) => { if (event.target.value !== '') this.put(name, event.target.value); },
    });
  }

  select(name, values) {
    return element('select', { id: `option-${name}`, onchange: (event) => this.put(name, event.target.value) },
      ...values.map((value) => element('option', { value, selected: value === this.values[name] },
        has(`value.${value}`) ? t(`value.${value}`) : value)));
  }

  put(name, value) {
    this.values[name] = String(value);
    this.changed();
  }
}

// The analysis of the position on show: streamed values, best lines, all actions, arrows, the bar at the board.

import * as api from './api.js';
import { byId, element, reveal } from './dom.js';
import { explain } from './notices.js';
import { trailOf } from './notation.js';
import { number, onLanguage, percent, t } from './words.js';

const TIMES = [1, 5, 20, 60];
const BASELINES = [2, 4, 6, 8];
const LINES = 3;
const EVERY = 250;
const TURNS = 12; // of a line; what comes later was hardly looked at
const ARROW = 0.02; // the share of visits that makes an arrow

export class Analysis {
  /** `query()` gives what is on show: `{game, start, moves, view, board}` or null. */
  constructor(board, query) {
    Object.assign(this, { board, query, isOn: false, key: '', found: null, abort: null, bot: null, seconds: 5 });
    this.body = byId('analysis-body');
    byId('analysis-on').addEventListener('change', (event) => this.turn(event.target.checked));
    onLanguage(() => { this.build = null; if (this.isOn) this.look(); });
  }

  turn(isOn) {
    this.isOn = isOn;
    byId('analysis-on').checked = isOn;
    reveal(this.body, isOn);
    if (isOn) this.look();
    else this.stop();
  }

  /** Ends the search and takes everything off the board. */
  stop() {
    this.abort?.abort();
    Object.assign(this, { abort: null, key: '', found: null });
    this.board.point([]);
    reveal(byId('evaluation'), false);
  }

  /** Analyses what is on show now, unless it does so already. */
  async look() {
    const asked = this.isOn ? this.query() : null;
    if (!asked) return;
    await this.prepare(asked.game);
    if (asked !== null && JSON.stringify(this.query()?.moves) !== JSON.stringify(asked.moves)) return;
    const key = JSON.stringify([asked.game, asked.start, asked.moves, this.bot, this.seconds]);
    if (key === this.key) return this.draw();
    this.stop();
    this.key = key;
    this.board.svg.classList.toggle('analysed', true);
    if (asked.view.outcome) return this.say(t('analysis.over'));
    this.say(t('analysis.begins'));
    await this.search(asked, key);
  }

  async search({ game, start, moves, board }, key) {
    const abort = new AbortController();
    this.abort = abort;
    const limit = this.bot.startsWith('ab-') ? {} : { milliseconds: this.seconds * 1000, report_every: EVERY };
    try {
      const wish = { id: 'page', bot: this.bot, game, position: start, moves, lines: LINES, side: 'white', ...limit };
      for await (const found of api.analyze(wish, abort.signal)) {
        if (this.key !== key) return;
        this.found = { ...found, board };
        this.draw();
      }
    } catch (problem) {
      if (this.key === key && !abort.signal.aborted) this.say(explain(problem));
    }
  }

  /** The choice of who analyses and for how long; built anew for another game. */
  async prepare(game) {
    const list = await api.games();
    const isOwn = !Object.keys(game.options ?? {}).length;
    const trained = isOwn ? list.find(({ preset }) => preset === game.preset)?.bots ?? [] : [];
    const names = [...trained, ...BASELINES.map((depth) => `ab-${depth}`)];
    const build = `${document.documentElement.lang} ${names}`;
    if (build === this.build) return;
    this.build = build;
    if (!names.includes(this.bot)) this.bot = trained[0] ?? 'ab-4';
    const select = (word, values, chosen, label, choose) => element('label', { class: 'field' }, element('span', {}, t(word)),
      element('select', { onchange: (event) => { choose(event.target.value); this.look(); } },
        ...values.map((value) => element('option', { value, selected: value === chosen }, label(value)))));
    const isTrained = (name) => trained.includes(name);
    this.parts = {
      note: element('p', { class: 'fine', id: 'analysis-note' }),
      shares: element('div', { class: 'shares', id: 'analysis-shares', role: 'img' }),
      lines: element('ol', { class: 'lines', id: 'analysis-lines' }),
      table: element('tbody', {}),
    };
    const head = ['move', 'prior', 'visits', 'value'].map((name) => element('th', { scope: 'col' }, t(`analysis.${name}`)));
    this.body.replaceChildren(
      element('div', { class: 'grid' },
        select('analysis.by', names, this.bot, (name) => (isTrained(name) ? `${t('analysis.trained')}${trained.length > 1 ? ` (${name})` : ''}` : t('seat.baseline', { depth: Number(name.slice(3)) })), (name) => { this.bot = name; }),
        select('analysis.time', TIMES, this.seconds, (count) => t('analysis.seconds', { count }), (count) => { this.seconds = Number(count); })),
      this.parts.shares, this.parts.note, this.parts.lines,
      element('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': t('analysis.actions') },
        element('table', { id: 'analysis-actions' }, element('caption', { class: 'sr' }, t('analysis.actions')),
          element('thead', {}, element('tr', {}, ...head)), this.parts.table)));
  }

  say(words) {
    const { note, shares, lines, table } = this.parts;
    note.textContent = words;
    shares.replaceChildren();
    reveal(shares, false);
    lines.replaceChildren();
    table.replaceChildren();
    reveal(table.closest('.scroll'), false);
  }

  draw() {
    const { found } = this;
    if (!found) return;
    const { note, lines, table } = this.parts;
    note.textContent = this.summary(found);
    lines.replaceChildren(...(found.lines ?? []).map((line) => element('li', {},
      element('span', { class: 'chip', 'data-sign': Math.sign(Math.round((line.value ?? 0) * 100)), dir: 'ltr' }, worth(line)),
      element('bdi', { class: 'turns', dir: 'ltr' }, ...sequence(line.turns ?? [])))));
    const actions = found.actions ?? [];
    table.replaceChildren(...actions.map((action) => element('tr', {},
      element('th', { scope: 'row', dir: 'ltr' }, action.action),
      element('td', {}, action.prior === undefined || action.prior === null ? '–' : percent(action.prior)),
      element('td', {}, number(action.visits ?? 0)),
      element('td', { dir: 'ltr' }, worth(action)))));
    reveal(table.closest('.scroll'), actions.length > 0);
    this.shares(found);
    this.bar(found);
    this.arrows(found);
  }

  summary({ visits, milliseconds, final }) {
    const done = final ? 'analysis.done' : 'analysis.goes';
    return visits ? t(done, { visits, seconds: (milliseconds ?? 0) / 1000 }) : t('analysis.short');
  }

  /** Won, drawn and lost, as White sees it. */
  shares({ win, draw, loss }) {
    const { shares } = this.parts;
    const isKnown = win !== undefined && win !== null;
    reveal(shares, isKnown);
    if (!isKnown) return;
    const parts = [['win', win], ['draw', draw], ['loss', loss]];
    shares.setAttribute('aria-label', t('analysis.shares', { win: percent(win), draw: percent(draw), loss: percent(loss) }));
    shares.replaceChildren(...parts.map(([name, share]) => {
      const part = element('span', { class: name }, share >= 0.12 ? percent(share) : '');
      part.style.setProperty('flex-grow', String(Math.max(share, 0.001)));
      return part;
    }));
  }

  bar({ value }) {
    const bar = byId('evaluation');
    if (value === undefined || value === null) return reveal(bar, false);
    byId('evaluation-white').style.setProperty('height', `${((value + 1) / 2) * 100}%`);
    bar.classList.toggle('flipped', this.board.isFlipped);
    byId('evaluation-text').textContent = signed(value, 1);
    bar.setAttribute('aria-label', t('analysis.bar', { value: signed(value) }));
    reveal(bar, true);
  }

  arrows({ lines = [], turn, board, visits = 0 }) {
    const turns = lines.length ? lines.map((line) => [line.turns?.[0] ?? line.action, visits ? line.visits / visits : 1]) : [[turn, 1]];
    const drawn = turns.filter(([one, share], index) => one && (index === 0 || share >= ARROW));
    this.board.point(drawn.map(([one, share], index) => ({
      ...trailOf(one, board), kind: index === 0 ? 'best' : 'other', weight: index === 0 ? 1 : Math.min(0.7, share || 0),
    })).reverse());
  }
}

const sequence = (turns) => [...turns.slice(0, TURNS), ...(turns.length > TURNS ? ['…'] : [])].flatMap((turn) => [element('span', {}, turn), '  ']);

function signed(value, digits = 2) {
  const text = Math.abs(value).toFixed(digits);
  return Number(text) === 0 ? text : `${value < 0 ? '−' : '+'}${text}`;
}

/** A value as White sees it, in signs or, where it is proved, in a word. */
function worth({ value, proved }) {
  if (proved) return t(`proved.${proved}`);
  return value === null || value === undefined ? '–' : signed(value);
}

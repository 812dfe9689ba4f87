// The panel that begins games: which game, against whom, on which side, by which clock.

import * as api from './api.js';
import { byId, element, reveal } from './dom.js';
import { stamp } from './ground.js';
import { complain } from './notices.js';
import { lettersOf } from './notation.js';
import { Options } from './options.js';
import * as settings from './settings.js';
import { gameTitle, has, number, onLanguage, t } from './words.js';

const DEFAULTS = { preset: 'zamma', level: 3, depth: 3 };
const BASELINE = 'baseline';

export class Start {
  constructor(table) {
    Object.assign(this, { table, preset: DEFAULTS.preset, position: null, isOpen: false, level: DEFAULTS.level, depth: DEFAULTS.depth });
    this.form = byId('start');
    this.options = new Options(() => this.changed());
    this.form.addEventListener('change', () => this.fit());
    this.form.addEventListener('submit', (event) => { event.preventDefault(); this.play(); });
    byId('level').addEventListener('input', () => this.levelled());
    byId('start-clear').addEventListener('click', () => { this.position = null; this.changed(); });
    byId('name').value = settings.read('name') ?? '';
    onLanguage(() => this.list && this.words());
  }

  /** Opens the panel; with a position and its game, to play on from there. */
  async open({ game = null, position = null } = {}) {
    this.isOpen = true;
    [this.list, this.bots] = await Promise.all([api.games(), api.bots()]);
    if (game) this.preset = game.preset;
    if (!this.list.some(({ preset }) => preset === this.preset)) this.preset = this.list[0].preset;
    this.position = position;
    this.words();
    await this.options.use(this.own().options ?? {});
    for (const [name, value] of Object.entries(game?.options ?? {})) this.options.put(name, value);
    if (game?.options) this.options.draw();
  }

  close() { this.isOpen = false; }
  own() { return this.list?.find(({ preset }) => preset === this.preset) ?? {}; }
  value(name) { return this.form.elements[name].value; }

  /** The game as chosen; options only where they differ. */
  get game() {
    const { different } = this.options;
    return Object.keys(different).length ? { preset: this.preset, options: different } : { preset: this.preset };
  }

  words() {
    const cards = this.list.map(({ preset, title, size, options }) => {
      const picture = element('span', { class: 'picture' });
      // Boards come one by one and late; the list does not wait for them.
      api.board({ preset }).then((board) => picture.append(stamp(board, board.start)), () => {});
      return element('label', { class: 'game' },
        element('input', { type: 'radio', name: 'preset', value: preset, checked: preset === this.preset, onchange: () => this.choose(preset) }),
        picture, element('span', { class: 'game-words' }, element('strong', {}, gameTitle(preset, title)),
          element('span', { class: 'fine' }, this.brief(size, options))));
    });
    byId('games').replaceChildren(...cards);
    for (const option of byId('clock').options) {
      const [minutes, increment] = option.value.split('+').map(Number);
      if (increment) option.textContent = t('clock.pair', { minutes, increment });
    }
    this.options.draw();
    this.fit();
  }

  brief(size, options) {
    const board = `${number(size)} × ${number(size)}`;
    const capture = has(`brief.${options?.capture}`) ? `${t('comma')}${t(`brief.${options.capture}`)}` : '';
    return board + capture;
  }

  async choose(preset) {
    this.preset = preset;
    this.position = null;
    await this.options.use(this.own().options ?? {}).catch(complain);
  }

  /** Shows what the choices make: the board, and who can play on it. */
  async changed() {
    this.fit();
    const { game } = this;
    try {
      const board = await api.board(game);
      if (!this.isOpen || JSON.stringify(game) !== JSON.stringify(this.game)) return;
      this.table.lay(board, lettersOf(this.position ?? board.start, board));
      byId('rules-note').textContent = t('start.rulesNote');
      byId('play').disabled = false;
    } catch (problem) {
      byId('rules-note').textContent = problem.detail ?? '';
      byId('play').disabled = true;
    }
  }

  /** Shows the fields that the choices need. */
  fit() {
    const { title, preset } = this.own();
    byId('game-about').textContent = has(`about.game.${preset}`) ? t(`about.game.${preset}`) : title ?? '';
    reveal(byId('start-position'), this.position !== null);
    const opponent = this.value('opponent');
    reveal(byId('bot-choice'), opponent === 'bot');
    reveal(byId('side-choice'), opponent !== 'here');
    reveal(byId('link-note'), opponent === 'link');
    const isOwnClock = byId('clock').value === 'own';
    for (const name of ['minutes', 'increment']) {
      reveal(byId(`${name}-field`), isOwnClock);
      byId(name).disabled = !isOwnClock;
    }
    this.fitBots();
  }

  /** A trained bot knows its own rules only; the baseline plays every game. */
  fitBots() {
    const isOwn = !this.game.options;
    const trained = isOwn ? this.own().bots ?? [] : [];
    const names = [...trained, BASELINE];
    const select = byId('bot');
    const key = `${names} ${document.documentElement.lang}`;
    if (select.dataset.key !== key) {
      const chosen = select.value;
      select.dataset.key = key;
      select.replaceChildren(...names.map((name) => element('option', { value: name },
        name === BASELINE ? t('start.baseline') : `${t('start.trained')}${trained.length > 1 ? ` (${name})` : ''}`)));
      select.value = names.includes(chosen) && chosen !== BASELINE ? chosen : names[0];
    }
    this.isBaseline = select.value === BASELINE;
    const range = byId('level');
    range.max = this.isBaseline ? 8 : this.levels().length || 10;
    range.value = this.isBaseline ? this.depth : this.level;
    this.levelled();
  }

  levels() { return this.bots.find(({ name }) => name === byId('bot').value)?.levels ?? []; }

  levelled() {
    const chosen = Number(byId('level').value);
    if (this.isBaseline) this.depth = chosen;
    else this.level = chosen;
    byId('level-name').textContent = t(this.isBaseline ? 'start.depth' : 'start.level');
    byId('level-value').textContent = number(chosen);
    const elo = this.isBaseline ? null : this.levels().find(({ level }) => level === chosen)?.elo ?? null;
    byId('level-note').textContent = this.isBaseline ? t('start.baselineNote') : elo === null ? t('start.levelNote')
      : t(elo < 0 ? 'start.weaker' : 'start.stronger', { elo: Math.abs(Math.round(elo)) });
  }

  clock() {
    const chosen = byId('clock').value;
    if (!chosen) return null;
    const [minutes, increment] = chosen === 'own' ? [Number(byId('minutes').value), Number(byId('increment').value)]
      : chosen.split('+').map(Number);
    return { seconds: Math.round(minutes * 60), increment };
  }

  async play() {
    const name = byId('name').value.trim();
    settings.write('name', name || null);
    const opponent = this.value('opponent');
    const human = name ? { kind: 'human', name } : { kind: 'human' };
    const rival = opponent === 'bot' ? this.botSeat() : { kind: opponent === 'link' ? 'open' : 'human' };
    const wanted = opponent === 'here' ? 'white' : this.value('side');
    const side = wanted === 'random' ? ['white', 'black'][Math.floor(Math.random() * 2)] : wanted;
    const [white, black] = side === 'white' ? [human, rival] : [rival, human];
    const button = byId('play');
    button.disabled = true;
    try {
      const made = await api.createSession({
        game: this.game, white, black, position: this.position, clock: this.clock(), series: Number(byId('series').value),
      });
      const { id, series } = made.session;
      const held = Object.fromEntries(Object.entries(made.tokens).filter(([, token]) => token));
      settings.holdSeats(id, { ...held, swapped: series.swapped });
      location.hash = `#session=${id}`;
    } catch (problem) {
      complain(problem);
    } finally {
      button.disabled = false;
    }
  }

  botSeat() {
    return this.isBaseline ? { kind: 'bot', bot: `ab-${this.depth}` } : { kind: 'bot', bot: byId('bot').value, level: this.level };
  }
}


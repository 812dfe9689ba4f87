// The page: which panel is open for which address, language and theme, the server's token.

import { hooks } from './api.js';
import { byId, element, icon, reveal } from './dom.js';
import { Editor } from './editor.js';
import { openJoin } from './join.js';
import { complain, notice } from './notices.js';
import { showRecent } from './recent.js';
import { Session } from './session.js';
import * as settings from './settings.js';
import { Start } from './start.js';
import { Study } from './study.js';
import { Table } from './table.js';
import { LANGUAGES, language, onLanguage, preferred, speak, t } from './words.js';

const PANELS = { start: 'panel-start', join: 'panel-join', session: 'panel-game', study: 'panel-game', editor: 'panel-editor' };

let table;
let start;
let editor;
let visits = 0;
let from = {}; // the position that the editor hands to the start panel

/** What an address asks for: `#session=ID`, `#join=ID`, `#study`, `#editor`, and a new game otherwise. */
function route() {
  const [name, id = ''] = location.hash.slice(1).split('=');
  return { mode: name in PANELS && name !== 'start' ? name : 'start', id };
}

function show(mode) {
  byId('main').dataset.mode = mode;
  for (const id of new Set(Object.values(PANELS))) reveal(byId(id), PANELS[mode] === id);
  for (const name of ['new', 'study', 'editor']) {
    const isHere = name === mode || (name === 'new' && mode === 'start');
    if (isHere) byId(`nav-${name}`).setAttribute('aria-current', 'page');
    else byId(`nav-${name}`).removeAttribute('aria-current');
  }
  const isGame = mode === 'session' || mode === 'study';
  if (!isGame) for (const id of ['plate-top', 'plate-bottom']) reveal(byId(id), false);
  if (!isGame) document.title = 'Damma';
}

async function go() {
  const { mode, id } = route();
  const visit = ++visits;
  table.leave();
  start.close();
  editor.close();
  show(mode);
  if (visit > 1) window.scrollTo(0, 0); // on a phone the board stands above what was pressed
  try {
    // Somebody may have gone elsewhere before the server answers.
    await open[mode](id, () => visit === visits);
    if (visit > 1 && visit === visits && document.activeElement === document.body) table.focus();
  } catch (problem) {
    if (visit !== visits) return;
    complain(problem);
    if (mode === 'study') settings.write('study', null);
    if (mode === 'session' && problem.status === 404) settings.forget(id);
    if (mode !== 'start') location.replace('#new');
  }
}

const open = {
  async start() {
    showRecent();
    const position = from;
    from = {};
    await start.open(position);
  },
  async join(id, isHere) { await openJoin(id, table, isHere); },
  async session(id, isHere) {
    const session = new Session(id);
    await session.open();
    if (!isHere()) return session.close();
    table.analysis.turn(false);
    await table.sit(session);
  },
  async study(_, isHere) {
    const study = Study.kept() ?? new Study({ game: { preset: 'zamma' } });
    await study.open();
    if (!isHere()) return;
    await table.sit(study);
    table.analysis.turn(true);
  },
  async editor(_, isHere) { await editor.open({ ...settings.read('editor'), isHere }); },
};

function languages() {
  const select = byId('language');
  select.append(...Object.entries(LANGUAGES).map(([code, name]) => element('option', { value: code, lang: code }, name)));
  select.value = language();
  select.addEventListener('change', () => speak(select.value, true).catch(complain));
}

/** The button turns to the other theme; the one that the system has needs no note. */
function theme() {
  const button = byId('theme');
  const root = document.documentElement;
  const draw = () => button.replaceChildren(icon(root.dataset.theme === 'dark' ? 'sun' : 'moon'));
  button.addEventListener('click', () => {
    const wanted = root.dataset.theme === 'dark' ? 'light' : 'dark';
    const system = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
    settings.write('theme', wanted === system ? null : wanted);
    window.dispatchEvent(new Event('damma-theme'));
  });
  new MutationObserver(draw).observe(root, { attributes: true, attributeFilter: ['data-theme'] });
  draw();
}

let asking = null;

/** Asks for the server's bearer token once, however many requests wait for it. */
function askForToken(used) {
  if (settings.read('bearer') !== used) return true;
  asking ??= new Promise((done) => {
    const dialog = byId('token');
    byId('token-value').value = '';
    dialog.returnValue = 'no';
    dialog.showModal();
    dialog.addEventListener('close', () => {
      asking = null;
      const given = byId('token-value').value.trim();
      const isGiven = dialog.returnValue === 'yes' && given !== '';
      if (isGiven) settings.write('bearer', given);
      done(isGiven);
    }, { once: true });
  });
  return asking;
}

async function begin() {
  hooks.busy = (seconds) => notice(t('problem.busy', { count: Math.ceil(seconds) }));
  hooks.unauthorized = askForToken;
  await speak(preferred());
  languages();
  theme();
  onLanguage(() => { if (route().mode === 'start') showRecent(); });
  table = new Table();
  start = new Start(table);
  editor = new Editor(table, (game, position) => {
    from = { game, position };
    settings.write('editor', { game, position });
    location.hash = '#new';
  });
  // An address of its own would leave the game.
  document.querySelector('.skip').addEventListener('click', (event) => {
    event.preventDefault();
    table.focus();
  });
  window.addEventListener('hashchange', go);
  await go();
}

begin().catch((problem) => {
  console.error(problem);
  notice(String(problem.message ?? problem), 'error');
});

// Messages that block nothing: a strip at the edge for errors, a live region for readers of screens.

import { byId, element, icon } from './dom.js';
import { has, t } from './words.js';

const STAYS = 8000;

/** Shows a message for some seconds; the same one is not shown twice at once. */
export function notice(text, kind = 'info') {
  const strip = byId('notices');
  for (const shown of strip.children) if (shown.dataset.text === text) return;
  const close = element('button', { type: 'button', class: 'bare', 'aria-label': t('close') }, icon('close'));
  const shown = element('div', { class: `notice ${kind}`, 'data-text': text },
    icon(kind === 'error' ? 'alert' : 'info'), element('p', {}, text), close);
  let timer = setTimeout(() => shown.remove(), STAYS);
  close.addEventListener('click', () => shown.remove());
  shown.addEventListener('pointerenter', () => clearTimeout(timer));
  shown.addEventListener('pointerleave', () => { timer = setTimeout(() => shown.remove(), STAYS / 2); });
  strip.append(shown);
}

/** What a problem says to people: our words for its type or status, else the server's detail. */
export function explain(problem) {
  if (problem?.name === 'AbortError') return '';
  if (!problem?.type) return t('problem.bug');
  const key = [`problem.${problem.type}`, `problem.status-${problem.status}`].find(has);
  if (!key) return problem.detail || problem.title || t('problem.bug');
  return t(key, { detail: problem.detail ?? '' }).trim();
}

export function complain(problem) {
  if (problem?.name === 'AbortError') return;
  if (!problem?.type) console.error(problem);
  notice(explain(problem), 'error');
}

let last = '';

/** Has a reader of screens say this. */
export function announce(text) {
  if (!text || text === last) return;
  last = text;
  byId('live').textContent = text;
}

// The page's words in the chosen language. English stands in for what a language lacks.

import { read, write } from './settings.js';

export const LANGUAGES = { en: 'English', fr: 'Français', ar: 'العربية' };

const state = { language: 'en', words: {}, english: {}, plurals: null, numbers: null };
const listeners = new Set();

async function load(language) {
  const answer = await fetch(`/lang/${language}.json`);
  if (!answer.ok) throw new Error(`no words for ${language}`);
  return answer.json();
}

/** The language to begin with: the one chosen here, else the browser's. */
export function preferred() {
  const wanted = [read('language'), ...(navigator.languages ?? [navigator.language])];
  return wanted.map((tag) => String(tag ?? '').slice(0, 2).toLowerCase()).find((tag) => tag in LANGUAGES) ?? 'en';
}

/** Speaks this language from now on. */
export async function speak(language, isChoice = false) {
  const [english, words] = await Promise.all([
    Object.keys(state.english).length ? state.english : load('en'),
    language === 'en' ? {} : load(language),
  ]);
  Object.assign(state, {
    language, english, words,
    plurals: new Intl.PluralRules(language),
    // Latin digits in Arabic too, as in the Maghreb: they stand beside names of points such as c3.
    numbers: new Intl.NumberFormat(language === 'ar' ? 'ar-u-nu-latn' : language, { maximumFractionDigits: 2 }),
  });
  if (isChoice) write('language', language);
  document.documentElement.lang = language;
  document.documentElement.dir = direction();
  translate(document.documentElement);
  for (const listener of listeners) listener();
}

export const language = () => state.language;
export const direction = () => (state.language === 'ar' ? 'rtl' : 'ltr');
export const onLanguage = (listener) => listeners.add(listener);

const lookUp = (key) => state.words[key] ?? state.english[key];

export const has = (key) => lookUp(key) !== undefined;

/** The words of a key; `{name}` is filled in, `{count}` chooses among plurals (`key.one`, `key.other` …). */
export function t(key, values = {}) {
  let text = lookUp(key);
  if ('count' in values) {
    const form = state.plurals?.select(values.count) ?? 'other';
    const none = values.count === 0 ? state.words[`${key}.zero`] ?? state.english[`${key}.zero`] : undefined;
    text = none ?? state.words[`${key}.${form}`] ?? state.words[`${key}.other`]
      ?? state.english[`${key}.${form}`] ?? state.english[`${key}.other`] ?? text;
  }
  return (text ?? key).replace(/\{(\w+)\}/g, (whole, name) => {
    const value = values[name];
    if (value === undefined) return whole;
    return typeof value === 'number' ? number(value) : value;
  });
}

export const number = (value) => (state.numbers ? state.numbers.format(value) : String(value));
export const percent = (share) => new Intl.NumberFormat(
  state.language === 'ar' ? 'ar-u-nu-latn' : state.language, { style: 'percent', maximumFractionDigits: 0 }).format(share);

/** Keeps a turn or the name of a point in its own direction within Arabic words. */
export const ltr = (text) => (direction() === 'rtl' ? `\u2066${text}\u2069` : text);

/** Fills in `data-word` (text) and `data-word-ATTRIBUTE` (attributes) in a part of the page. */
export function translate(root) {
  for (const target of root.querySelectorAll('[data-word]')) target.textContent = t(target.dataset.word);
  for (const attribute of ['aria-label', 'title', 'placeholder']) {
    const mark = `data-word-${attribute}`;
    for (const target of root.querySelectorAll(`[${mark}]`)) target.setAttribute(attribute, t(target.getAttribute(mark)));
  }
}

export const gameTitle = (preset, fallback) => (has(`game.${preset}`) ? t(`game.${preset}`) : fallback ?? preset);
export const sideName = (side) => t(`side.${side}`);

// The games that were played or watched on this device.

import { byId, element, icon, reveal } from './dom.js';
import * as settings from './settings.js';
import { seatName } from './status.js';
import { gameTitle, language, t } from './words.js';

export function showRecent() {
  const games = settings.recent();
  reveal(byId('recent'), games.length > 0);
  byId('recent-list').replaceChildren(...games.map((game) => element('li', {},
    element('a', { href: `#session=${game.id}` },
      element('strong', {}, gameTitle(game.preset)),
      element('span', { class: 'fine' }, `${seatName(game.white, 'white')} – ${seatName(game.black, 'black')}`),
      element('span', { class: 'fine' }, `${result(game)}${t('comma')}${day(game.at)}`)),
    element('button', {
      type: 'button', class: 'bare', 'aria-label': t('recent.forget', { game: gameTitle(game.preset) }),
      onclick: () => { settings.forget(game.id); showRecent(); },
    }, icon('close')))));
}

function result({ status, winner, sides }) {
  if (status === 'waiting') return t('status.waiting');
  if (status !== 'over') return t('recent.playing');
  if (winner === null) return t('result.draw');
  if (sides.length === 1) return t(sides[0] === winner ? 'result.won' : 'result.lost');
  return t(`result.${winner}`);
}

const day = (at) => new Intl.DateTimeFormat(language() === 'ar' ? 'ar-u-nu-latn' : language(), { dateStyle: 'medium', timeStyle: 'short' }).format(at);

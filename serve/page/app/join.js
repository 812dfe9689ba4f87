// Taking an open seat in somebody's game.

import * as api from './api.js';
import { byId, element } from './dom.js';
import { complain } from './notices.js';
import * as settings from './settings.js';
import { seatName } from './status.js';
import { gameTitle, sideName, t } from './words.js';

/** Shows who waits and which seats are free; one that is taken or held here leads to the game. */
export async function openJoin(id, table, isHere) {
  const session = await api.session(id);
  const open = ['white', 'black'].filter((side) => session[side].kind === 'open');
  const held = settings.seats(id);
  if (!open.length || held.white || held.black) return location.replace(`#session=${id}`);
  const board = await api.board(session.game);
  if (!isHere()) return;
  table.lay(board, session.view.board);
  const host = session[open[0] === 'white' ? 'black' : 'white'];
  byId('join-about').textContent = t('join.about', { name: seatName(host, 'white'), game: gameTitle(session.game.preset) });
  byId('join-name').value = settings.read('name') ?? '';
  byId('join-watch').href = `#session=${id}`;
  byId('join-sides').replaceChildren(...open.map((side) => element('button',
    { type: 'submit', class: 'primary', value: side, name: 'side' }, t('join.as', { side: sideName(side) }))));
  byId('join').onsubmit = (event) => {
    event.preventDefault();
    sit(id, event.submitter?.value ?? open[0]).catch(complain);
  };
}

async function sit(id, side) {
  const name = byId('join-name').value.trim();
  settings.write('name', name || null);
  const { session, token } = await api.join(id, side, name || undefined);
  settings.holdSeats(id, { ...settings.seats(id), [side]: token, swapped: session.series.swapped });
  location.replace(`#session=${id}`);
}

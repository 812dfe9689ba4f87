'use strict';
// Shows the frames of a game. What is on the board after each turn was worked out by the engine;
// nothing here knows a rule.
(() => {
  const games = JSON.parse(document.getElementById('games').textContent);
  const board = document.getElementById('board');
  const points = JSON.parse(board.dataset.points);
  const pieces = document.getElementById('pieces');
  const trail = document.getElementById('trail');
  const choice = document.getElementById('choice');
  const moves = document.getElementById('moves');
  const status = document.getElementById('status');
  const players = document.getElementById('players');
  const names = { w: 'White', b: 'Black' };
  let game = games[0];
  let at = 0;

  const svg = (name, attributes) => {
    const element = document.createElementNS('http://www.w3.org/2000/svg', name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    return element;
  };

  const describe = (frame) =>
    at === 0 ? 'Start of the game' : `Turn ${at} of ${game.frames.length - 1}: ${names[frame.side]} ${frame.turn}`;

  const show = (place) => {
    at = Math.max(0, Math.min(game.frames.length - 1, place));
    const frame = game.frames[at];
    pieces.replaceChildren();
    trail.replaceChildren();
    if (frame.trail.length > 1) {
      const way = frame.trail.map((index) => points[index].join(','));
      trail.append(svg('polyline', { class: 'way', points: way.join(' ') }));
      const [x, y] = points[frame.trail[0]];
      trail.append(svg('circle', { class: 'origin', cx: x, cy: y, r: 10 }));
    }
    [...frame.board].forEach((letter, index) => {
      if (letter === '.') return;
      const [x, y] = points[index];
      pieces.append(svg('use', { href: `#piece-${letter}`, x, y }));
      if (frame.faults.includes(index)) pieces.append(svg('circle', { class: 'fault', cx: x, cy: y, r: 27 }));
    });
    const end = at === game.frames.length - 1 ? `. ${game.result}` : '';
    const opening = at > 0 && at <= game.opening ? ' (random opening)' : '';
    status.textContent = `${describe(frame)}${opening}${end}`;
    const count = (letters) => [...frame.board].filter((letter) => letters.includes(letter)).length;
    board.setAttribute('aria-label', `Board. ${describe(frame)}. White ${count('wW')} pieces, Black ${count('bB')}.`);
    for (const button of moves.querySelectorAll('[aria-current]')) button.removeAttribute('aria-current');
    const current = moves.querySelector(`[data-at="${at}"]`);
    if (current) {
      current.setAttribute('aria-current', 'true');
      // Scrolls the list alone, never the page.
      moves.scrollTop = current.offsetTop - moves.clientHeight / 2;
    } else {
      moves.scrollTop = 0;
    }
    document.getElementById('first').disabled = document.getElementById('previous').disabled = at === 0;
    document.getElementById('last').disabled = document.getElementById('next').disabled =
      at === game.frames.length - 1;
  };

  const open = (index) => {
    game = games[index];
    players.textContent = `White: ${game.white}. Black: ${game.black}. ${game.result}.`;
    moves.replaceChildren();
    game.frames.slice(1).forEach((frame, index) => {
      const item = document.createElement('li');
      const button = document.createElement('button');
      button.type = 'button';
      button.dataset.at = index + 1;
      button.className = `${frame.side === 'w' ? 'by-white' : 'by-black'}${index < game.opening ? ' opening' : ''}`;
      button.textContent = frame.turn;
      button.setAttribute('aria-label', `Turn ${index + 1}, ${names[frame.side]} ${frame.turn}`);
      button.addEventListener('click', () => show(index + 1));
      item.append(button);
      moves.append(item);
    });
    show(game.opening);
  };

  games.forEach((entry, index) => choice.append(new Option(entry.title, index)));
  choice.addEventListener('change', () => open(Number(choice.value)));
  const steps = {
    first: () => show(0),
    previous: () => show(at - 1),
    next: () => show(at + 1),
    last: () => show(game.frames.length - 1),
  };
  for (const [id, step] of Object.entries(steps)) document.getElementById(id).addEventListener('click', step);
  const keys = { Home: 'first', ArrowLeft: 'previous', ArrowRight: 'next', End: 'last' };
  document.addEventListener('keydown', (event) => {
    const step = steps[keys[event.key]];
    const inViewer = document.activeElement === document.body || document.getElementById('viewer').contains(document.activeElement);
    if (!step || !inViewer || event.target === choice || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    step();
  });
  open(0);
})();

// A browser for the checks: pages that note every fault, and hands that play on them.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { chromium } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const OVER = ['won', 'lost', 'draw'];

export class Browser {
  static async launch(url, shots) {
    const made = new Browser();
    made.url = url;
    made.shots = shots;
    made.browser = await chromium.launch({
      executablePath: '/usr/bin/chromium',
      args: [
        '--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
        '--disable-background-networking', '--disable-component-update', '--disable-sync',
      ],
    });
    return made;
  }

  /** Opens the page as somebody new; `allowed` are patterns of console lines that belong to the check. */
  async open({ at = '', allowed = [], prepare = null, ...options } = {}) {
    const context = await this.browser.newContext({
      viewport: { width: 1280, height: 900 }, locale: 'en-GB', reducedMotion: 'reduce', acceptDownloads: true, ...options,
    });
    context.setDefaultTimeout(15_000);
    const page = await context.newPage();
    page.faults = [];
    const fault = (text) => { if (!allowed.some((pattern) => pattern.test(text))) page.faults.push(text); };
    page.on('console', (message) => { if (['error', 'warning'].includes(message.type())) fault(message.text()); });
    page.on('pageerror', (error) => fault(String(error.stack ?? error)));
    page.on('request', (request) => {
      const isOwn = request.url().startsWith(this.url) || /^(data|blob):/.test(request.url());
      if (!isOwn) fault(`request of ${request.url()}`);
    });
    if (prepare) await prepare(page);
    await page.goto(`${this.url}/${at}`);
    return page;
  }

  async close(...pages) {
    for (const page of pages) {
      assert.deepEqual(page.faults, [], 'the console is quiet');
      await page.context().close();
    }
  }

  shot(page, name) {
    return page.screenshot({ path: path.join(this.shots, `${name}.png`), fullPage: true });
  }
}

/** What axe finds serious or critical. By evaluation: the page's policy lets no script in. */
export async function assertAccessible(page, where) {
  await page.evaluate(axe);
  const found = await page.evaluate(async () => (await globalThis.axe.run(document, { resultTypes: ['violations'] })).violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map((node) => `${node.html.slice(0, 120)} ${node.any[0]?.message ?? ''}`).join(' | ')}`));
  assert.deepEqual(found, [], where);
}

export async function assertNoOverflow(page, where) {
  const [wide, room] = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
  assert.ok(wide <= room, `${where} is ${wide} wide on a screen of ${room}`);
}

/** Begins a game from the start panel. */
export async function begin(page, { preset = 'zamma', opponent = 'bot', level = 1, side = 'white' } = {}) {
  await page.waitForSelector('#games [name=preset]', { state: 'attached' });
  await page.locator(`label:has([name=preset][value="${preset}"])`).click();
  await page.locator(`label:has([name=opponent][value="${opponent}"])`).click();
  if (opponent === 'bot') await page.locator('#level').fill(String(level));
  if (opponent !== 'here') await page.locator(`label:has([name=side][value="${side}"])`).click();
  await page.waitForFunction(() => !document.getElementById('play').disabled);
  await page.click('#play');
  await page.waitForSelector('#panel-game:not([hidden])');
}

export const visible = (page, selector) => page.waitForSelector(`${selector}:not([hidden])`);
export const point = (name) => `.point[data-name="${name}"]`;
export const turns = (page) => page.locator('#moves .turn[data-turn]').allInnerTexts();

/** Waits until somebody here may decide, or the game is over. */
export async function settle(page) {
  await page.waitForFunction((over) => over.includes(document.getElementById('status-box').dataset.tone)
    || document.querySelector('#board .point:is([data-movable], [data-target], [data-huff])'), OVER, { timeout: 60_000 });
}

const look = (page) => page.evaluate((over) => {
  const named = (mark) => [...document.querySelectorAll(`#board .point[data-${mark}]`)].map((one) => one.dataset.name);
  return { isOver: over.includes(document.getElementById('status-box').dataset.tone), movable: named('movable'), targets: named('target'), huffs: named('huff') };
}, OVER);

/** Numbers that are the same in every run. */
export function dice(seed) {
  let state = seed;
  return (count) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * count);
  };
}

export const byClick = (page, name) => page.locator(point(name)).click();

/** Goes to a point with the arrow keys and presses it. */
export async function byKeys(page, name) {
  const at = () => page.evaluate(() => document.activeElement?.dataset?.name ?? '');
  if (!await at()) await page.locator('#board .point[tabindex="0"]').focus();
  const spot = (text) => [text.charCodeAt(0), Number(text.slice(1))];
  const goal = spot(name);
  for (let presses = 0; ; presses += 1) {
    const own = spot(await at());
    const [right, up] = [goal[0] - own[0], goal[1] - own[1]];
    if (!right && !up) break;
    assert.ok(presses < 40, `the arrow keys lead to ${name}`);
    await page.keyboard.press(up > 0 ? 'ArrowUp' : up < 0 ? 'ArrowDown' : right > 0 ? 'ArrowRight' : 'ArrowLeft');
  }
  await page.keyboard.press('Enter');
}

/** One action of whoever may act: a piece in hand goes on, else one is taken in hand. True when the game is over. */
export async function act(page, roll, press = byClick) {
  await settle(page);
  let seen = await look(page);
  if (seen.isOver) return true;
  if (!seen.targets.length && !seen.movable.length) {
    // Nothing of one's own can move, but a piece of the other player's can be taken.
    await press(page, seen.huffs[roll(seen.huffs.length)]);
    return false;
  }
  if (!seen.targets.length) {
    await press(page, seen.movable[roll(seen.movable.length)]);
    seen = await look(page);
    assert.ok(seen.targets.length > 0, 'a piece in hand shows where it can go');
  }
  await press(page, seen.targets[roll(seen.targets.length)]);
  return false;
}

/** Plays until the game is over. */
export async function playOut(page, roll, press = byClick, limit = 800) {
  for (let actions = 0; actions < limit; actions += 1) if (await act(page, roll, press)) return actions;
  throw new Error(`the game goes on after ${limit} actions`);
}

/** Reads a position into the editor. */
export async function setUp(page, preset, text) {
  await page.goto(`${new URL(page.url()).origin}/#editor`);
  await page.waitForSelector('#panel-editor:not([hidden])');
  await page.waitForSelector('#editor-game option', { state: 'attached' });
  await page.selectOption('#editor-game', preset);
  await page.waitForFunction(() => document.getElementById('editor-verdict').dataset.verdict === 'good');
  await page.fill('#editor-text', text);
  await page.locator('#editor-form button').click();
}

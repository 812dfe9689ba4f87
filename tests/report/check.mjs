// Looks at a report in a browser: node check.mjs PAGE FOLDER_FOR_SCREENSHOTS NAME
import assert from 'node:assert/strict';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const [page_file, shots, name] = process.argv.slice(2);
const url = pathToFileURL(path.resolve(page_file)).href;

const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: [
    '--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
    '--disable-background-networking', '--disable-component-update', '--disable-sync',
  ],
});

/** Opens the page and notes everything that a good page does not do. */
async function open(options) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const faults = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) faults.push(message.text());
  });
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('request', (request) => {
    if (request.url() !== url) faults.push(`request of ${request.url()}`);
  });
  await page.goto(url);
  return { context, page, faults };
}

const board = (page) => page.locator('#pieces').evaluate((pieces) => pieces.innerHTML);
const status = (page) => page.locator('#status').innerText();
const shot = (page, what) => page.screenshot({ path: path.join(shots, `${name}-${what}.png`), fullPage: true });

try {
  for (const colorScheme of ['light', 'dark']) {
    const { context, page, faults } = await open({ viewport: { width: 1280, height: 900 }, colorScheme });
    const titles = await page.locator('figcaption').allInnerTexts();
    for (const title of ['Elo by CPU time', 'Elo by games', 'Elo by iterations', 'Score against each opponent', 'Draws',
      'Length of rated games', 'Agreement with a deep search']) {
      assert.ok(titles.some((found) => found.startsWith(title)), `no plot ${title} among ${titles}`);
    }
    for (const plot of await page.locator('svg.plot').all()) {
      const box = await plot.boundingBox();
      assert.ok(box.width > 200 && box.height > 120, 'a plot has room');
      assert.ok((await plot.locator('circle.dot').count()) > 0, 'a plot has dots');
      assert.ok((await plot.locator('circle.dot title').first().textContent()).includes('checkpoint'));
      assert.ok((await plot.locator('text').count()) > 5, 'axes have labels');
    }
    const ink = await page.locator('svg.plot text').first().evaluate((text) => getComputedStyle(text).fill);
    const paper = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = (colour) => colour.match(/\d+/g).slice(0, 3).map(Number).reduce((sum, part) => sum + part) / 3;
    assert.ok(Math.abs(light(ink) - light(paper)) > 120, `labels ${ink} are seen on ${paper}`);
    assert.equal(light(paper) > 128, colorScheme === 'light');
    assert.ok((await page.locator('tbody tr').count()) >= 3, 'the checkpoints are listed');
    await shot(page, colorScheme);
    assert.deepEqual(faults, []);
    await context.close();
  }

  const { context, page, faults } = await open({ viewport: { width: 390, height: 844 }, deviceScaleFactor: 2 });
  const width = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
  assert.ok(width[0] <= width[1], `the page is ${width[0]} wide on a phone of ${width[1]}`);
  const text = await page.locator('svg.plot').first().evaluate((plot) =>
    Math.min(...[...plot.querySelectorAll('text')].map((label) => label.getBoundingClientRect().height)));
  assert.ok(text >= 9, `labels of ${text} pixels can be read`);
  await shot(page, 'phone');

  // By buttons, and the board follows.
  await page.click('#first');
  const start = await board(page);
  assert.match(await status(page), /^Start of the game/);
  assert.ok(await page.locator('#previous').isDisabled());
  await page.click('#next');
  const first = await board(page);
  assert.notEqual(first, start);
  assert.match(await status(page), /^Turn 1 of /);
  await page.click('#previous');
  assert.equal(await board(page), start);
  await page.click('#last');
  assert.match(await status(page), /(won|Drawn)/);
  assert.ok(await page.locator('#next').isDisabled());
  const end = await board(page);
  assert.notEqual(end, start);

  // By keys, whatever was clicked last.
  await page.keyboard.press('Home');
  assert.equal(await board(page), start);
  await page.keyboard.press('ArrowRight');
  assert.equal(await board(page), first);
  await page.keyboard.press('ArrowRight');
  assert.notEqual(await board(page), first);
  await page.keyboard.press('ArrowLeft');
  assert.equal(await board(page), first);
  await page.keyboard.press('End');
  assert.equal(await board(page), end);

  // The turn is in sight in the list.
  const seen = await page.locator('#moves [aria-current]').evaluate((turn) => {
    const [list, own] = [document.getElementById('moves').getBoundingClientRect(), turn.getBoundingClientRect()];
    return own.top >= list.top && own.bottom <= list.bottom;
  });
  assert.ok(seen, 'the last turn is in sight');

  // By the list of turns, which marks where one is.
  await page.locator('#moves button').nth(0).click();
  assert.equal(await board(page), first);
  assert.equal(await page.locator('#moves [aria-current]').count(), 1);
  assert.match(await page.locator('#board').getAttribute('aria-label'), /Turn 1 of .*White \d+ pieces/);

  // Another game is another game.
  const players = await page.locator('#players').innerText();
  await page.selectOption('#choice', { index: (await page.locator('#choice option').count()) - 1 });
  assert.notEqual(await page.locator('#players').innerText(), players);
  // Arrow keys in the list of games choose games.
  await page.locator('#choice').focus();
  const before = await status(page);
  await page.keyboard.press('ArrowRight');
  assert.equal(await status(page), before);
  const unnamed = await page.locator('button, select').evaluateAll((all) =>
    all.filter((one) => !(one.getAttribute('aria-label') || one.labels?.length)).length);
  assert.equal(unnamed, 0, 'every control has a name');
  await page.locator('#viewer').screenshot({ path: path.join(shots, `${name}-viewer.png`) });
  assert.deepEqual(faults, []);
  await context.close();
  console.log(`${name}: the report is fine`);
} finally {
  await browser.close();
}

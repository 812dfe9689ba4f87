// What stands around a game: its history, the editor, the analysis, files, rules, a server that refuses.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { act, assertAccessible, begin, byClick, dice, point, setUp, settle, turns } from './browser.mjs';

export async function tools({ check, browser, url }) {
  await check('earlier positions are shown by list, buttons and keys', async () => {
    const page = await browser.open();
    await begin(page, { preset: 'khreibga', opponent: 'here' });
    const pieces = () => page.locator('.point').evaluateAll((all) => all.map((one) => one.dataset.piece).join(''));
    const start = await pieces();
    for (let times = 0; times < 6; times += 1) await act(page, dice(times + 2));
    await settle(page);
    const end = await pieces();
    await page.click('#history-first');
    await page.waitForFunction(() => document.querySelector('#history-first').disabled);
    assert.equal(await pieces(), start);
    assert.equal(await page.locator('.point[data-movable]').count(), 0, 'nothing moves in the past');
    await page.locator('#status').click();
    await page.keyboard.press('ArrowRight');
    await page.waitForSelector('#moves .turn[data-turn="1"][aria-current]');
    assert.notEqual(await pieces(), start);
    await page.keyboard.press('End');
    await page.waitForFunction(() => document.querySelector('#history-last').disabled);
    assert.equal(await pieces(), end);
    await page.locator('#moves .turn').first().click();
    await page.waitForSelector('#moves .turn[data-turn="1"][aria-current]');
    await page.locator('#choices button').first().click();
    await settle(page);
    assert.equal(await pieces(), end);
    await browser.close(page);
  });

  await check('a position that cannot be is refused with the reason, a good one is played and analysed', async () => {
    const page = await browser.open({ allowed: [/status of 422/] });
    await setUp(page, 'damma8', 'nonsense');
    await page.waitForSelector('#editor-verdict[data-verdict=bad]');
    assert.ok((await page.innerText('#editor-verdict')).length > 10);
    assert.ok(await page.locator('#editor-play').isDisabled());
    const nonsense = await page.innerText('#editor-verdict');
    await page.click('#editor-clear');
    await page.waitForSelector('#editor-verdict[data-verdict=bad]');
    assert.notEqual(await page.innerText('#editor-verdict'), nonsense, 'the reason is the new one');
    await browser.shot(page, 'editor-bad');
    await byClick(page, 'c3');
    await page.locator('label:has([name=brush][value=B])').click();
    await byClick(page, 'f6');
    await page.locator('label:has([name=editor-side][value=black])').click();
    await page.waitForSelector('#editor-verdict[data-verdict=good]');
    assert.equal(await page.getAttribute(point('f6'), 'data-piece'), 'B');
    await browser.shot(page, 'editor-good');
    await assertAccessible(page, 'the editor');
    await page.click('#editor-study');
    await page.waitForSelector('#analysis-lines li');
    assert.equal(await page.getAttribute(point('f6'), 'data-piece'), 'B');
    await act(page, dice(1));
    await page.waitForSelector('#moves .turn');
    await page.goto(`${url}/#editor`);
    await page.waitForSelector('#editor-verdict[data-verdict=good]');
    await browser.close(page);
  });

  await check('the analysis shows lines, values, arrows and the bar', async () => {
    const page = await browser.open();
    await begin(page, { preset: 'zamma' });
    await act(page, dice(4));
    await settle(page);
    assert.ok(!await page.locator('#analysis-body').isVisible(), 'off by default');
    await page.locator('label.switch').click();
    await page.waitForSelector('#analysis-lines li');
    await page.selectOption('#analysis-body select >> nth=1', '1');
    await page.waitForFunction(() => document.getElementById('analysis-note').textContent.startsWith('Done'));
    assert.ok((await page.locator('#analysis-actions tbody tr').count()) >= 1);
    assert.ok((await page.locator('.arrow.best :is(.stem, .huffed)').count()) >= 1);
    assert.match(await page.getAttribute('#evaluation', 'aria-label'), /Evaluation for White: /);
    await browser.shot(page, 'analysis');
    await assertAccessible(page, 'the game with its analysis');
    await page.click('#history-first');
    await page.waitForFunction(() => document.querySelectorAll('#analysis-actions tbody tr').length === 3);
    await page.locator('label.switch').click();
    assert.equal(await page.locator('.arrow').count(), 0);
    assert.ok(!await page.locator('#evaluation').isVisible());
    await browser.close(page);
  });

  await check('a hint is an arrow', async () => {
    const page = await browser.open();
    await begin(page, { preset: 'kharberg' });
    await settle(page);
    await page.click('#hint');
    await page.waitForSelector('.arrow.hint .stem', { state: 'attached' });
    await browser.close(page);
  });

  await check('the game is exported as PDN and SVG', async () => {
    const page = await browser.open();
    await begin(page, { preset: 'damma8', side: 'black' });
    await act(page, dice(9));
    await settle(page);
    await page.locator('#share > summary').click();
    const save = async (button) => {
      const [download] = await Promise.all([page.waitForEvent('download'), page.click(button)]);
      return [download.suggestedFilename(), await readFile(await download.path(), 'utf8')];
    };
    const [pdnName, pdn] = await save('#save-pdn');
    assert.match(pdnName, /^damma-damma8-.*\.pdn$/);
    assert.match(pdn, /\[GameType "/);
    const [, svg] = await save('#save-svg');
    assert.match(svg, /<svg/);
    await page.click('#history-first');
    await page.waitForFunction(() => document.querySelector('#history-first').disabled);
    const [svgName, earlier] = await save('#save-svg');
    assert.match(svgName, /\.svg$/);
    assert.match(earlier, /^<svg[^>]*xmlns="http:\/\/www.w3.org\/2000\/svg"/);
    await browser.close(page);
  });

  await check('other rules make another board, which the baseline plays', async () => {
    const page = await browser.open({ allowed: [/status of 422/] });
    await page.waitForSelector('.game .stamp');
    await page.locator('#rules > summary').click();
    await page.waitForSelector('#option-size');
    await page.fill('#option-home_rows', '2');
    await page.fill('#option-size', '6');
    await page.locator('#option-size').blur();
    await page.waitForFunction(() => document.querySelectorAll('#board .point').length === 36);
    assert.equal(await page.locator('#bot option').count(), 1, 'the trained bot does not know these rules');
    await page.click('#play');
    await settle(page);
    await act(page, dice(2));
    await settle(page);
    assert.ok((await turns(page)).length >= 2);
    await browser.close(page);
  });

  await check('a server that is busy is asked again, one with a token gets it', async () => {
    let refusals = 0;
    const page = await browser.open({
      allowed: [/status of (503|401)/],
      prepare: (made) => made.route('**/api/**', (route) => {
        if (refusals === 0) {
          refusals += 1;
          return route.fulfill({ status: 503, headers: { 'Retry-After': '1' }, contentType: 'application/problem+json', body: '{"type": "busy", "title": "Busy"}' });
        }
        if (route.request().headers().authorization !== 'Bearer open sesame') {
          return route.fulfill({ status: 401, contentType: 'application/problem+json', body: '{"type": "unauthorized", "title": "No token"}' });
        }
        return route.continue({ headers: { ...route.request().headers(), authorization: '' } });
      }),
    });
    await page.waitForSelector('#token[open]');
    await page.fill('#token-value', 'open sesame');
    await page.locator('#token button.primary').click();
    await page.waitForSelector('.game .stamp');
    assert.equal(refusals, 1);
    await browser.close(page);
  });
}

// How it looks and speaks: languages, themes, phones, keys.
import assert from 'node:assert/strict';
import { act, assertAccessible, assertNoOverflow, begin, dice, point, settle, turns } from './browser.mjs';

const PHONE = { viewport: { width: 360, height: 740 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true };

export async function looks({ check, browser, url }) {
  await check('Arabic is mirrored, and the board is not', async () => {
    const page = await browser.open({ locale: 'ar-MR' });
    await page.waitForSelector('.game .stamp');
    assert.equal(await page.getAttribute('html', 'dir'), 'rtl');
    assert.equal(await page.getAttribute('html', 'lang'), 'ar');
    await browser.shot(page, 'start-arabic');
    await assertAccessible(page, 'the start panel in Arabic');
    await begin(page, { preset: 'zamma' });
    await act(page, dice(6));
    await settle(page);
    const box = (selector) => page.locator(selector).boundingBox();
    assert.ok((await box('#panel-game')).x < (await box('#board')).x, 'the panel stands at the left');
    assert.ok((await box(point('a1'))).x < (await box(point('i1'))).x, 'a is at the left');
    assert.equal(await page.innerText('#status'), 'دورك');
    await browser.shot(page, 'game-arabic');
    await assertAccessible(page, 'a game in Arabic');
    await page.selectOption('#language', 'fr');
    await page.waitForFunction(() => document.documentElement.lang === 'fr');
    assert.equal(await page.innerText('#status'), 'À vous de jouer');
    await page.reload();
    await settle(page);
    assert.equal(await page.getAttribute('html', 'lang'), 'fr', 'the language is kept');
    await browser.close(page);
  });

  await check('dark follows the system, and the button turns it', async () => {
    const page = await browser.open({ colorScheme: 'dark' });
    await page.waitForSelector('.game .stamp');
    const light = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor.match(/\d+/g).map(Number).reduce((sum, one) => sum + one) / 3);
    assert.ok(await light() < 80);
    await browser.shot(page, 'start-dark');
    await assertAccessible(page, 'the start panel in the dark');
    await begin(page, { preset: 'damma' });
    await act(page, dice(6));
    await settle(page);
    await page.locator('label.switch').click();
    await page.waitForSelector('#analysis-lines li');
    await browser.shot(page, 'game-dark');
    await assertAccessible(page, 'a game in the dark');
    await page.click('#theme');
    assert.ok(await light() > 180);
    await page.reload();
    await settle(page);
    assert.ok(await light() > 180, 'the choice is kept');
    await browser.close(page);
  });

  await check('a phone shows the board as wide as its screen, and a finger drags without scrolling', async () => {
    for (const locale of ['en-GB', 'fr-FR', 'ar']) {
      const page = await browser.open({ ...PHONE, locale });
      await page.waitForSelector('.game .stamp');
      await assertNoOverflow(page, `the start panel in ${locale}`);
      assert.ok(await page.locator('#play').isVisible());
      if (locale === 'en-GB') await assertAccessible(page, 'the start panel on a phone');
      await browser.shot(page, `phone-start-${locale}`);
      await begin(page, { preset: 'zamma' });
      await settle(page);
      assert.equal(await page.evaluate(() => window.scrollY), 0, 'a new game begins at its board');
      await page.locator('label.switch').click();
      await page.waitForSelector('#analysis-lines li');
      await assertNoOverflow(page, `a game in ${locale}`);
      await page.locator('label.switch').click();
      const board = await page.locator('#board').boundingBox();
      assert.ok(board.width >= 340, `the board is ${board.width} wide`);
      await browser.shot(page, `phone-game-${locale}`);
      if (locale === 'en-GB') {
        await page.evaluate(() => window.scrollTo(0, 40));
        const middle = async (name) => {
          const box = await page.locator(`${point(name)} .hit`).boundingBox();
          return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
        };
        const [from, to] = [await middle('d4'), await middle('e5')];
        const touch = await page.context().newCDPSession(page);
        await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [from] });
        for (let step = 1; step <= 8; step += 1) {
          const part = step / 8;
          await touch.send('Input.dispatchTouchEvent', {
            type: 'touchMove', touchPoints: [{ x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part }],
          });
        }
        await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
        await page.waitForSelector('#moves .turn');
        assert.equal((await turns(page))[0], 'd4-e5');
        assert.equal(await page.evaluate(() => window.scrollY), 40, 'the page did not scroll');
        await assertAccessible(page, 'a game on a phone');
      }
      await page.goto(`${url}/#editor`);
      await page.waitForSelector('#editor-verdict[data-verdict=good]');
      await assertNoOverflow(page, `the editor in ${locale}`);
      await browser.close(page);
    }
  });

  await check('every language has all the words', async () => {
    const words = async (language) => Object.keys(await (await fetch(`${url}/lang/${language}.json`)).json());
    const plain = (keys) => new Set(keys.map((key) => key.replace(/\.(zero|one|two|few|many|other)$/, '')));
    const english = plain(await words('en'));
    for (const language of ['fr', 'ar']) assert.deepEqual(plain(await words(language)), english, language);
  });

  await check('points have names, and one of them is reached by Tab', async () => {
    const page = await browser.open();
    await begin(page, { preset: 'damma8', side: 'black' });
    await settle(page);
    assert.match(await page.getAttribute(point('b6'), 'aria-label'), /^b6, black man, can move$/);
    assert.match(await page.getAttribute(point('d4'), 'aria-label'), /^d4, empty$/);
    assert.equal(await page.locator('.point[tabindex="0"]').count(), 1);
    const address = page.url();
    await page.locator('.skip').focus();
    await page.keyboard.press('Enter');
    assert.ok(await page.evaluate(() => document.activeElement.matches('.point')), 'the link skips to the board');
    assert.equal(page.url(), address);
    await page.locator(point('d6')).focus();
    const reached = new Set();
    for (const key of ['ArrowUp', 'ArrowRight', 'ArrowDown', 'ArrowLeft']) {
      await page.keyboard.press(key);
      reached.add(await page.evaluate(() => document.activeElement.dataset.name));
    }
    assert.equal(reached.size, 4, `four points on the way: ${[...reached]}`);
    await page.locator(point('b6')).focus();
    await page.keyboard.press('Enter');
    if (!await page.locator('.point[data-target]').count()) await page.keyboard.press('Enter');
    assert.equal(await page.getAttribute(point('b6'), 'aria-pressed'), 'true');
    await page.keyboard.press('Escape');
    assert.equal(await page.locator('.point[data-target]').count(), 0);
    await browser.close(page);
  });
}

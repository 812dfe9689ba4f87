// Games from the first move to the last: alone, together, over a link, over a lost connection.
import assert from 'node:assert/strict';
import {
  act, assertAccessible, begin, byClick, byKeys, dice, playOut, point, setUp, settle, turns, visible,
} from './browser.mjs';

export async function games({ check, browser, url }) {
  await check('the page opens on a game of Zamma against level 3, one click away', async () => {
    const page = await browser.open();
    await page.waitForSelector('.game .stamp');
    assert.ok(await page.locator('[name=preset][value=zamma]').isChecked());
    assert.equal(await page.inputValue('#level'), '3');
    await browser.shot(page, 'start-light');
    await assertAccessible(page, 'the start panel');
    await page.click('#play');
    await page.waitForSelector('.point[data-movable]');
    assert.equal(await page.locator('#board .point').count(), 81);
    assert.match(page.url(), /#session=/);
    await browser.close(page);
  });

  for (const [index, preset] of ['damma', 'dhamet', 'zamma', 'srand', 'kharberg', 'khreibga', 'damma8'].entries()) {
    const press = preset === 'kharberg' ? byKeys : byClick;
    await check(`a whole game of ${preset} ${press === byKeys ? 'by keys' : 'by clicks'}`, async () => {
      const page = await browser.open();
      await begin(page, { preset, level: 1, side: index % 2 ? 'black' : 'white' });
      const actions = await playOut(page, dice(index + 1), press);
      const title = await page.innerText('#status');
      assert.ok(actions > 3, `${actions} actions`);
      assert.match(title, /You won|You lost|Draw|Cut off/);
      assert.ok((await page.innerText('#status-detail')).length > 5, 'the result says why');
      assert.ok((await turns(page)).length >= actions / 4);
      assert.ok(await page.locator('#resign').isDisabled());
      assert.match(await page.innerText('#live'), /won|lost|Draw|Cut off/, 'the result is announced');
      await browser.shot(page, `end-${preset}`);
      await browser.close(page);
    });
  }

  await check('a piece that did not capture is huffed', async () => {
    const page = await browser.open();
    for (const way of ['point', 'button']) {
      await page.goto(`${url}/#new`);
      await begin(page, { preset: 'kharberg', opponent: 'here' });
      for (const name of ['c2', 'c3', 'b3', 'c2']) {
        await settle(page);
        await byClick(page, name);
      }
      await page.waitForSelector('.huff');
      assert.match(await page.innerText('#status-detail'), /could capture and did not/);
      assert.equal(await page.locator('.huff').count(), 2);
      assert.match(await page.getAttribute(point('c4'), 'aria-label'), /did not capture, can be taken/);
      if (way === 'point') await browser.shot(page, 'huff');
      if (way === 'point') await byClick(page, 'c4');
      else await page.locator('.huff').first().click();
      await page.waitForSelector(`${point('c4')}[data-piece="."]`);
      assert.ok((await turns(page)).at(-1).startsWith('~c4'));
      assert.equal(await page.locator('.huff').count(), 0);
      assert.match(await page.innerText('#status'), /White to move/, 'the turn goes on');
    }
    await browser.close(page);
  });

  await check('a chain is played hop by hop, with a choice and a stop', async () => {
    const page = await browser.open();
    const fork = '5/1b1b1/5/2b2/2w2 w - - - 0';
    for (const way of ['go on', 'stop']) {
      await setUp(page, 'kharberg', fork);
      await page.waitForFunction(() => document.getElementById('editor-verdict').dataset.verdict === 'good');
      await page.click('#editor-play');
      await visible(page, '#panel-start');
      assert.ok(await page.locator('#start-position').isVisible());
      await page.locator('label:has([value="here"])').click();
      await page.click('#play');
      await settle(page);
      await byClick(page, 'c1');
      await byClick(page, 'c3');
      await page.waitForSelector(`${point('a5')}[data-target]`);
      assert.equal(await page.locator('.point[data-target]').count(), 2, 'two ways to go on');
      const stop = page.locator('#choices .stop');
      if (way === 'go on') {
        await browser.shot(page, 'chain');
        await byClick(page, 'a5');
        await page.waitForSelector(`${point('a5')}[data-piece="w"], ${point('a5')}[data-piece="W"]`);
        assert.deepEqual(await turns(page), ['c1xc3xa5']);
      } else {
        await stop.click();
        await page.waitForFunction(() => document.querySelector('#moves .turn')?.textContent.endsWith('.'));
        assert.deepEqual(await turns(page), ['c1xc3.']);
      }
    }
    await browser.close(page);
  });

  await check('undo takes back to one\'s last decision', async () => {
    const page = await browser.open();
    await begin(page, { preset: 'zamma' });
    await act(page, dice(3));
    await settle(page);
    assert.ok((await turns(page)).length >= 2);
    await page.click('#undo');
    await page.waitForFunction(() => !document.querySelector('#moves .turn[data-turn]'));
    await settle(page);
    assert.match(await page.innerText('#status'), /Your turn/);
    await browser.close(page);
  });

  await check('a reload in the middle of a game goes on with it', async () => {
    const page = await browser.open();
    await begin(page, { preset: 'srand', side: 'black' });
    for (let times = 0; times < 3; times += 1) await act(page, dice(times));
    await settle(page);
    const before = await turns(page);
    await page.reload();
    await settle(page);
    assert.deepEqual(await turns(page), before);
    assert.match(await page.innerText('#status'), /Your turn/);
    const [a9, i1] = await Promise.all(['a9', 'i1'].map((name) => page.locator(point(name)).boundingBox()));
    assert.ok(a9.y > i1.y && a9.x > i1.x, 'Black still sits at the bottom');
    await page.click('#flip');
    const turned = await page.locator(point('a9')).boundingBox();
    assert.ok(turned.y < a9.y, 'the board turns');
    await page.goto(`${url}/#new`);
    await visible(page, '#recent');
    await page.locator('#recent-list a').first().click();
    await settle(page);
    assert.deepEqual(await turns(page), before);
    await browser.close(page);
  });

  await check('a lost connection is shown and comes back', async () => {
    let connections = 0;
    const page = await browser.open({
      allowed: [/WebSocket/],
      prepare: (made) => made.routeWebSocket(/\/socket/, (socket) => {
        connections += 1;
        const server = socket.connectToServer();
        if (connections === 1) setTimeout(() => { socket.close(); server.close(); }, 600);
      }),
    });
    await begin(page, { preset: 'kharberg' });
    await visible(page, '#link-badge');
    assert.match(await page.innerText('#link-badge'), /connecting again/);
    await page.waitForSelector('#link-badge', { state: 'hidden' });
    await act(page, dice(5));
    await settle(page);
    assert.ok((await turns(page)).length >= 2);
    await browser.close(page);
  });

  await check('pieces are dragged, and go back from where they may not go', async () => {
    const page = await browser.open({ reducedMotion: 'no-preference' });
    await begin(page, { preset: 'zamma', opponent: 'here' });
    await settle(page);
    const middle = async (name) => {
      const box = await page.locator(`${point(name)} .hit`).boundingBox();
      return [box.x + box.width / 2, box.y + box.height / 2];
    };
    const drag = async (from, to) => {
      await page.mouse.move(...await middle(from));
      await page.mouse.down();
      await page.mouse.move(...await middle('e4'), { steps: 4 });
      await page.mouse.move(...await middle(to), { steps: 6 });
      await page.mouse.up();
    };
    await drag('d4', 'a9');
    assert.equal(await page.getAttribute(point('d4'), 'data-piece'), 'w');
    assert.deepEqual(await turns(page), []);
    await drag('d4', 'e5');
    await page.waitForSelector('#moves .turn');
    assert.deepEqual(await turns(page), ['d4-e5']);
    await browser.close(page);
  });

  await check('two persons play by a link, agree on a draw, and play the next game', async () => {
    const [host, guest] = [await browser.open(), await browser.open()];
    await host.waitForSelector('#games [name=preset]', { state: 'attached' });
    await host.locator('#start details.more > summary').first().click();
    await host.selectOption('#clock', '5+3');
    await host.fill('#series', '2');
    await host.fill('#name', 'Amal');
    await begin(host, { preset: 'khreibga', opponent: 'link' });
    await visible(host, '#invitation');
    await guest.goto(await host.inputValue('#invite-link'));
    await guest.waitForSelector('#join-sides button');
    assert.match(await guest.innerText('#join-about'), /Amal/);
    await guest.fill('#join-name', 'Bilal');
    await guest.locator('#join-sides button').click();
    await settle(host);
    await act(host, dice(1));
    await settle(guest);
    assert.match(await guest.innerText('#plate-top'), /Amal/);
    assert.match(await guest.innerText('#plate-bottom .clock'), /^\d+:\d\d$/);
    await guest.click('#draw');
    await host.locator('#choices button.primary').click();
    await host.waitForSelector('#status-box[data-tone=draw]');
    await guest.waitForSelector('#status-box[data-tone=draw]');
    await browser.shot(host, 'series');
    await host.locator('#choices .next').click();
    await host.waitForFunction(() => !document.querySelector('#moves .turn[data-turn]'));
    // After a draw the sides change: the guest begins.
    await settle(guest);
    assert.match(await guest.innerText('#plate-bottom'), /Bilal/);
    await act(guest, dice(2));
    await settle(host);
    const watcher = await browser.open({ at: new URL(host.url()).hash });
    await watcher.waitForSelector('#moves .turn');
    assert.ok(!await watcher.locator('#actions').isVisible(), 'who watches has no buttons of a player');
    await host.click('#resign');
    await host.click('#confirm-yes');
    await watcher.waitForSelector('#status-box[data-tone=won]');
    await browser.close(host, guest, watcher);
  });
}

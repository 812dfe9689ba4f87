// Plays on the page and looks at it: node check.mjs URL FOLDER_FOR_SCREENSHOTS [PART_OF_A_NAME]
import { Browser } from './browser.mjs';
import { games } from './games.mjs';
import { looks } from './looks.mjs';
import { tools } from './tools.mjs';

const [url, shots, only = ''] = process.argv.slice(2);
const browser = await Browser.launch(url, shots);
const count = { passed: 0, failed: 0 };

/** Runs one check; what it left open is closed, and the next one runs whatever came of it. */
async function check(name, run) {
  if (!name.includes(only)) return;
  const began = Date.now();
  try {
    await run();
    count.passed += 1;
    console.log(`passed  ${name} (${((Date.now() - began) / 1000).toFixed(1)} s)`);
  } catch (error) {
    count.failed += 1;
    console.log(`FAILED  ${name}\n${String(error.stack ?? error).replace(/^/gm, '        ')}`);
  } finally {
    for (const context of browser.browser.contexts()) await context.close();
  }
}

for (const part of [games, tools, looks]) await part({ check, browser, url });
await browser.browser.close();
console.log(`${count.passed} passed, ${count.failed} failed`);
process.exitCode = count.failed || !count.passed ? 1 : 0;

/**
 * Screenshots of a few states, wide and light, narrow and dark, in few colours, for people to look at; no test compares
 * them. Made on request, as the rest of the time they would change with each change of the window:
 *
 *     SPILLWAY_STATES=test/e2e/screenshots/states npx playwright test --config test/e2e/playwright.config.ts states
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from '../fixtures/inspector.ts';
import { logFolder, logLine, writeLines } from '../fixtures/logs.ts';
import { smallPng } from '../fixtures/small-png.ts';
import { drawn, states } from '../fixtures/states.ts';

const folder = process.env.SPILLWAY_STATES;

const PICTURED = [
  'the text',
  'a search with results',
  'filters',
  'the summary',
  'the palette',
  'two outputs compared',
];

for (const [width, colorScheme] of [
  [1280, 'light'],
  [420, 'dark'],
] as const)
  test(`a few states are kept as pictures, ${width} pixels wide`, async ({ inspector, page }) => {
    test.skip(!folder, 'SPILLWAY_STATES names no folder');
    mkdirSync(folder!, { recursive: true });
    test.setTimeout(PICTURED.length * 45_000);
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 560 });
    await page.addInitScript(() => {
      // An empty page has no storage, and says so as an error.
      if (location.protocol === 'about:') return;
      localStorage.clear();
      sessionStorage.clear();
    });
    const log = writeLines(inspector.folder, 'app.log', 20_000, logLine);
    const text = await inspector.open([log, logFolder(inspector.folder, 'logs', ['a.log', 'b.log'])]);
    for (const name of PICTURED) {
      await page.goto('about:blank');
      await page.goto(inspector.url);
      await text.counted(20_000);
      await text.scroller.focus();
      await states[name]!(page);
      await drawn(page);
      const path = join(folder!, `${name.replaceAll(/[ ,]+/g, '-')}-${width}-${colorScheme}.png`);
      writeFileSync(path, smallPng(await page.screenshot()));
    }
  });

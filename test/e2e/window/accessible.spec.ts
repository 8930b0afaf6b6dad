/**
 * No state of the window has a problem that axe finds: wide and narrow, light and dark. Each run looks at every
 * second state, in one of the looks; `npm test -- --full` at all of them, in all looks.
 */
import type { Page } from '@playwright/test';
import { isOnTurn } from '../../fixtures/sizes.ts';
import { problems } from '../fixtures/axe.ts';
import { expect, test } from '../fixtures/inspector.ts';
import { jsonLogLine } from '../fixtures/json-log.ts';
import { logFolder, logLine, writeLines } from '../fixtures/logs.ts';
import { states } from '../fixtures/states.ts';

/** CSS pixels; the last is a window of 1280 by 800 at 200 % zoom. */
const SIZES = [
  { name: '1280 pixels', width: 1280, height: 800 },
  { name: '420 pixels', width: 420, height: 800 },
  { name: '200 % zoom', width: 640, height: 400 },
];

const LOOKS = (['light', 'dark'] as const).flatMap((colorScheme) =>
  SIZES.map((size) => ({ colorScheme, size: size.name, ...size })),
);

/** For one state, on a busy machine. */
const STATE_MS = 45_000;

/** Pixels that the page is wider than the window. */
const overflow = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

// One test for each look, so that they run side by side, and one by one with `-g "dark at 420"`.
for (const [look, { colorScheme, size, width, height }] of LOOKS.entries())
  test(`axe finds nothing, ${colorScheme} at ${size}`, async ({ inspector, page }) => {
    const due = Object.entries(states).filter((_, state) => isOnTurn(look + state, 2 * LOOKS.length));
    test.skip(due.length === 0, 'no state is on its turn');
    test.setTimeout(due.length * STATE_MS);
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height });
    await page.addInitScript(() => {
      // An empty page has no storage.
      if (location.protocol === 'about:') return;
      localStorage.clear();
      sessionStorage.clear();
    });
    const log = writeLines(inspector.folder, 'app.log', 20_000, logLine);
    await inspector.start([log, logFolder(inspector.folder, 'logs', ['a.log', 'b.log'])]);
    for (const [name, reach] of due) {
      await page.goto(inspector.url);
      await inspector.text.counted(20_000);
      await inspector.text.scroller.focus();
      await reach(page);
      expect.soft(await problems(page), name).toEqual([]);
      expect.soft(await overflow(page), `${name}: nothing beyond the window`).toBe(0);
    }
  });

test('axe finds nothing on the welcome screen', async ({ inspector, page }) => {
  await inspector.open([]);
  await expect(page.getByText('Read all of what commands print')).toBeVisible();
  expect(await problems(page)).toEqual([]);
});

for (const { colorScheme, size, width, height } of LOOKS.filter((_, look) => isOnTurn(look, LOOKS.length)))
  test(`axe finds nothing in JSON lines, ${colorScheme} at ${size}`, async ({ inspector, page }) => {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme });
    const text = await inspector.open([writeLines(inspector.folder, 'app.json.log', 2000, jsonLogLine)]);
    await text.counted(2000);
    await text.scroller.focus();
    expect(await problems(page), 'folded').toEqual([]);
    await text.row(3).locator('[data-gutter]').click();
    await page.keyboard.press('U');
    await expect(text.row(3).locator('[data-unfolded]')).toBeVisible();
    expect(await problems(page), 'unfolded').toEqual([]);
    expect(await overflow(page)).toBe(0);
  });

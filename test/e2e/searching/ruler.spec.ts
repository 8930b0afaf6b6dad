/** The ruler beside the scrollbar: what it marks, and that a click goes there. */
import { appendFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { expect, test } from '../fixtures/inspector.ts';
import { ListPage } from '../fixtures/list-page.ts';
import { grepCount, LONG_LOG_LINES, logLine, writeLines } from '../fixtures/logs.ts';
import { SearchPage } from '../fixtures/search-page.ts';

/** Clicks the ruler at a part of its height. */
async function clickRuler(page: Page, kind: 'errors' | 'matches' | 'view', part: number): Promise<void> {
  const box = await page.locator('[data-ruler]').boundingBox();
  const lane = kind === 'view' ? null : await page.locator(`[data-mark="${kind}"]`).first().boundingBox();
  const x = lane ? lane.x + lane.width / 2 : box!.x + box!.width - 2;
  await page.mouse.click(x, box!.y + box!.height * part);
}

/** Boxes drawn in a column. */
const drawn = (page: Page, kind: string) =>
  page
    .locator(`[data-mark="${kind}"] path`)
    .first()
    .evaluate((path) => (path.getAttribute('d') ?? '').split('M').length - 1);

test('errors, matches and the visible part are marked in a long log, and a click goes to them', async ({
  inspector,
  page,
  longLog,
}) => {
  const text = await inspector.open([longLog]);
  await text.counted(LONG_LOG_LINES);
  const errors = grepCount(longLog, ' ERROR ');
  // As many marks as errors, or fewer where two fall on one pixel; never a mark for each line.
  await expect.poll(() => drawn(page, 'errors')).toBeGreaterThan(errors / 2);
  expect(await drawn(page, 'errors')).toBeLessThanOrEqual(errors);

  await clickRuler(page, 'errors', 0.5);
  await expect(text.scroller.locator('[data-selected]')).toHaveCount(1);
  const [line] = await text.scroller
    .locator('[data-selected]')
    .evaluateAll((rows) => rows.map((row) => Number((row as HTMLElement).dataset.line)));
  expect(line! % 9973).toBe(0);
  expect(Math.abs(line! - LONG_LOG_LINES / 2)).toBeLessThan(2 * 9973);
  await expect(text.row(line!)).toContainText(' ERROR ');

  await text.scroller.focus();
  const search = new SearchPage(page);
  const matching = LONG_LOG_LINES * 0.75;
  await search.search(`request ${matching} `);
  await search.found(1);
  await expect.poll(() => drawn(page, 'matches')).toBe(1);
  await clickRuler(page, 'matches', 0.75);
  await expect(text.row(matching)).toBeVisible();
  await expect(text.row(matching)).toHaveAttribute('data-current', '');

  await clickRuler(page, 'view', 0.25);
  const quarter = LONG_LOG_LINES / 4;
  await expect
    .poll(async () => Math.abs(((await text.firstWholeLine()) ?? 0) - quarter))
    .toBeLessThan(LONG_LOG_LINES / 500);
  const [view, ruler] = await Promise.all([
    page.locator('[data-mark="view"]').boundingBox(),
    page.locator('[data-ruler]').boundingBox(),
  ]);
  expect(Math.abs((view!.y - ruler!.y) / ruler!.height - 0.25)).toBeLessThan(0.02);
});

test('what comes later is marked', async ({ inspector, page }) => {
  const path = writeLines(inspector.folder, 'a.log', 500, (number) => `no error: ${number}, 0 errors`);
  const text = await inspector.open([path]);
  await text.counted(500);

  await test.step('lines that are appended are marked as they come, by the level they tell', async () => {
    await expect(page.locator('[data-mark="errors"]')).toHaveCount(1);
    expect(await drawn(page, 'errors')).toBe(0);
    appendFileSync(path, `${logLine(9973)}\n`);
    await text.counted(501);
    await expect.poll(() => drawn(page, 'errors')).toBe(1);
  });

  await test.step('the lines that explain a failure are marked', async () => {
    const script =
      'for (i = 0; i < 3000; i++) console.log("step " + i); console.log("npm ERR! code 7"); for (i = 0; i < 500; i++) console.log("after " + i); process.exit(3)';
    expect(await inspector.spillway('run', '--', process.execPath, '-e', script)).toBe(3);
    await new ListPage(page).items.filter({ hasNotText: 'a.log' }).click();
    await expect(text.scroller).toBeVisible();
    await expect.poll(() => page.locator('[data-mark="errors"]').count()).toBe(2);
  });
});

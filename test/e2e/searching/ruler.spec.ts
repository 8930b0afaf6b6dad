/** The ruler beside the scrollbar: what it marks, and that a click goes there. */
import { appendFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { expect, test } from '../fixtures/inspector.ts';
import { BIG_LOG_LINES, grepCount, logLine, writeLines } from '../fixtures/logs.ts';
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

test('errors, matches and the visible part are marked in a big log, and a click goes to them', async ({
  inspector,
  page,
  bigLog,
}) => {
  const text = await inspector.open([bigLog]);
  await text.counted(BIG_LOG_LINES);
  const errors = grepCount(bigLog, ' ERROR ');
  expect(errors).toBe(200);
  // As many marks as errors, or fewer where two fall on one pixel; never a mark for each line.
  await expect.poll(() => drawn(page, 'errors')).toBeGreaterThan(100);
  expect(await drawn(page, 'errors')).toBeLessThanOrEqual(200);

  await clickRuler(page, 'errors', 0.5);
  await expect(text.scroller.locator('[data-selected]')).toHaveCount(1);
  const [line] = await text.scroller
    .locator('[data-selected]')
    .evaluateAll((rows) => rows.map((row) => Number((row as HTMLElement).dataset.line)));
  expect(line! % 9973).toBe(0);
  expect(Math.abs(line! - BIG_LOG_LINES / 2)).toBeLessThan(2 * 9973);
  await expect(text.row(line!)).toContainText(' ERROR ');

  await text.scroller.focus();
  const search = new SearchPage(page);
  await search.search('request 1500000 ');
  await search.found(1);
  await expect.poll(() => drawn(page, 'matches')).toBe(1);
  await clickRuler(page, 'matches', 0.75);
  await expect(text.row(1_500_000)).toBeVisible();
  await expect(text.row(1_500_000)).toHaveAttribute('data-current', '');

  await clickRuler(page, 'view', 0.25);
  await expect.poll(async () => Math.abs(((await text.firstWholeLine()) ?? 0) - 500_000)).toBeLessThan(4000);
  const [view, ruler] = await Promise.all([
    page.locator('[data-mark="view"]').boundingBox(),
    page.locator('[data-ruler]').boundingBox(),
  ]);
  expect(Math.abs((view!.y - ruler!.y) / ruler!.height - 0.25)).toBeLessThan(0.02);
});

test('lines that are appended are marked as they come, by the level they tell', async ({
  inspector,
  page,
}) => {
  const path = writeLines(inspector.folder, 'a.log', 500, (number) => `no error: ${number}, 0 errors`);
  const text = await inspector.open([path]);
  await text.counted(500);
  await expect(page.locator('[data-mark="errors"]')).toHaveCount(1);
  expect(await drawn(page, 'errors')).toBe(0);
  appendFileSync(path, `${logLine(9973)}\n`);
  await text.counted(501);
  await expect.poll(() => drawn(page, 'errors')).toBe(1);
});

test('the lines that explain a failure are marked', async ({ inspector, page }) => {
  const text = await inspector.open([]);
  const script =
    'for (i = 0; i < 3000; i++) console.log("step " + i); console.log("npm ERR! code 7"); for (i = 0; i < 500; i++) console.log("after " + i); process.exit(3)';
  expect(await inspector.spillway('run', '--', process.execPath, '-e', script)).toBe(3);
  await page.getByRole('treeitem').first().click();
  await expect(text.scroller).toBeVisible();
  await expect.poll(() => page.locator('[data-mark="errors"]').count()).toBe(2);
});

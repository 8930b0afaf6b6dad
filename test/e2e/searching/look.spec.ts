import { appendFileSync } from 'node:fs';
import { expect, test } from '../fixtures/inspector.ts';
import { keep } from '../fixtures/keep.ts';
import { logLine, writeLines } from '../fixtures/logs.ts';
import { SearchPage } from '../fixtures/search-page.ts';

test('takes any pattern, shows any match, and keeps what it found', async ({ inspector, page }) => {
  const path = writeLines(inspector.folder, 'a.log', 3000, logLine);
  appendFileSync(path, `${'x'.repeat(1500)} needle\n`);
  const text = await inspector.open([path]);
  await text.counted(3001);
  const search = new SearchPage(page);

  await test.step('brings a match far to the right into view', async () => {
    await search.search('x{40} needle');
    await search.found(1);
    await page.keyboard.press('Enter');
    await expect(text.row(3001).locator('mark')).toBeInViewport();
    const mark = (await text.row(3001).locator('mark').boundingBox())!;
    const view = (await text.scroller.boundingBox())!;
    expect(mark.x + mark.width).toBeLessThanOrEqual(view.x + view.width);
  });

  await test.step('says what is wrong with a pattern, and disturbs nothing else', async () => {
    await search.search('WARN');
    await search.found(3);
    await search.field.fill('WARN(');
    const alert = page.getByRole('search').getByRole('alert');
    await expect(alert).toHaveText(
      /^Not a valid regular expression: .*\. Alt\+R searches for it as plain text\.$/,
    );
    // Enter does not say it again.
    await search.field.press('Enter');
    await expect(page.getByText(/valid (pattern|regular expression)/)).toHaveCount(1);
    await expect(search.row(997)).toBeVisible();
    await search.field.fill('WARN( )');
    await search.found(3);
    await expect(page.getByRole('search').getByRole('alert')).toHaveCount(0);
  });

  await test.step('keeps its results while the host is gone, whatever context is chosen', async () => {
    // Results can only be kept once they are fetched.
    await expect.poll(async () => (await search.rows()).map(([line]) => line)).toEqual([997, 1994, 2991]);
    await page.keyboard.press('Escape');
    await page.keyboard.press('m');
    await inspector.stop();
    await expect(page.getByRole('alert').filter({ hasText: 'Offline' })).toBeVisible();
    const rows = await search.rows();
    expect(rows.map(([line]) => line)).toEqual([997, 1994, 2991]);
    const around = (lines: number) => page.getByRole('button', { name: `Lines around each match: ${lines}` });
    await expect(around(2)).toBeDisabled();
    for (const key of ['1', '2', '3', '0', '2']) {
      await page.keyboard.press(key);
      expect(await search.rows()).toEqual(rows);
    }
    await expect(around(0)).toHaveAttribute('aria-pressed', 'true');
  });
});

test('is a line that nothing falls out of in a narrow window', async ({ inspector, page }) => {
  const { text } = await inspector.openLog(3000);
  const search = new SearchPage(page);
  for (const width of [420, 700]) {
    await page.setViewportSize({ width, height: 800 });
    await search.search('WARN');
    await search.found(3);
    for (const button of await page.getByRole('search').getByRole('button').all()) {
      const box = (await button.boundingBox())!;
      expect(box.x + box.width).toBeLessThanOrEqual(width);
      expect(box.y).toBeGreaterThanOrEqual(0);
    }
    // Narrow, the button that ends the search is in the line of the pattern, above the count.
    const count = (await search.count.boundingBox())!;
    const end = (await page
      .getByRole('search')
      .getByRole('button', { name: 'End the search' })
      .boundingBox())!;
    expect(count.x + count.width).toBeLessThanOrEqual(end.y + end.height > count.y ? end.x : width);
    expect(await search.count.evaluate((count) => count.scrollWidth - count.clientWidth)).toBeLessThanOrEqual(
      0,
    );
    const rows = (await text.scroller.boundingBox())!;
    const results = (await search.results.boundingBox())!;
    expect(results.y).toBeGreaterThanOrEqual(rows.y + rows.height);
    expect(rows.height).toBeGreaterThan(150);
  }
  // It has its last height.
  const splitter = page.getByRole('separator', { name: 'Height of the results' });
  await splitter.focus();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  await expect(splitter).toHaveAttribute('aria-valuenow', '272');
  await page.reload();
  await expect(splitter).toHaveAttribute('aria-valuenow', '272');
  await splitter.focus();
  await page.keyboard.press('Enter');
  await expect(search.list).toHaveCount(0);
  await page.getByRole('button', { name: 'Unfold the results' }).click();
  await expect(search.list).toBeVisible();

  await test.step('and shows without backgrounds of its own what is pressed, selected, found and marked', async () => {
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.emulateMedia({ forcedColors: 'active' });
    await search.search('worker');
    await page.keyboard.press('Enter');
    await expect(text.scroller.locator('[data-current] mark')).toBeVisible();
    await text.scroller.focus();
    await page.keyboard.press('M');
    await expect(text.scroller.locator('[data-current][data-marked][data-selected]')).toBeVisible();
    await expect(text.scroller.locator('mark').nth(3)).toBeVisible();
    await keep(page, 'forced-colours');
    const seen = await page.evaluate(() => {
      const style = (found: string, pseudo?: string) =>
        getComputedStyle(document.querySelector(`[data-viewer] ${found}`)!, pseudo);
      const button = (pressed: boolean) =>
        getComputedStyle(document.querySelector(`search [aria-pressed="${pressed}"]`)!);
      const gutter = '[data-gutter]';
      return {
        pressed: button(true).backgroundColor !== button(false).backgroundColor,
        selected: style(`[data-selected] ${gutter}`).borderLeftWidth,
        other: style(`[data-line]:not([data-selected]) ${gutter}`).borderLeftWidth,
        found: style('mark').backgroundColor !== style('[data-line]').backgroundColor,
        current: style('[data-current] mark').outlineStyle,
        otherMatch: style('[data-line]:not([data-current]) mark').outlineStyle,
        marked: style(`[data-marked] ${gutter}`, '::after').backgroundColor !== 'rgba(0, 0, 0, 0)',
      };
    });
    expect(seen).toEqual({
      ...{ pressed: true, selected: '4px', other: '0px', found: true, marked: true },
      ...{ current: 'solid', otherMatch: 'none' },
    });
    await page.emulateMedia({ forcedColors: 'none' });
  });
});

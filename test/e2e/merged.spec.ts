/** Several artifacts as one text, in the order of their lines' times. */
import type { Locator, Page } from '@playwright/test';
import { expect, type Inspector, test } from './fixtures/inspector.ts';
import { keep } from './fixtures/keep.ts';
import { ListPage } from './fixtures/list-page.ts';
import { writeLines } from './fixtures/logs.ts';

test('artifacts chosen in the list are merged by time, read, searched, copied and reloaded', async ({
  inspector,
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const start = Date.UTC(2026, 0, 13, 10);
  const log = (name: string, every: number, count: number) =>
    writeLines(
      inspector.folder,
      `${name}.log`,
      count,
      (n) => `${new Date(start + n * every * 1000).toISOString()} ${name} says ${n}`,
    );
  const text = await inspector.open([log('api', 2, 15_000), log('db', 3, 10_000), log('other', 5, 10)]);
  const list = new ListPage(page);
  await list.item('api.log').click();
  await text.counted(15_000);
  await list.item('api.log').click({ modifiers: ['Shift'] });
  const chosen = page.getByRole('region', { name: 'Chosen' });
  await expect(chosen).toContainText('1 chosen');
  await expect(chosen.getByRole('button', { name: 'Merge by time' })).toBeDisabled();
  // By keys: the list's Shift+Enter.
  await page.keyboard.press('l');
  // With the extension: the folder of the test has a random name, which may hold `db`.
  await page.keyboard.type('db.log');
  await list.shows(['db.log']);
  await page.keyboard.press('Shift+Enter');
  await expect(chosen).toContainText('2 chosen');
  await keep(page, 'merge-chosen');
  await chosen.getByRole('button', { name: 'Merge by time' }).click();
  await text.counted(25_000);
  const legend = page.getByRole('list', { name: 'Merged by time' });
  await expect(legend).toContainText('api.log');
  await expect(legend).toContainText('db.log');
  const rows = await text.wholeRows();
  expect(rows.slice(0, 5).map((row) => row.text?.replace(/^\S+ /, ''))).toEqual([
    'api says 1',
    'db says 1',
    'api says 2',
    'api says 3',
    'db says 2',
  ]);
  // Lines are numbered as everywhere; beside that each says its artifact and its number there.
  await expect(text.row(5)).toHaveAttribute('data-part', '1');
  await expect(text.row(5).locator('[data-gutter]')).toHaveText('5');
  await expect(text.row(5).locator('[data-origin]')).toHaveText('db.log:2');
  await keep(page, 'merged');

  await text.scroller.focus();
  await page.keyboard.press('/');
  await page.keyboard.type('db says 7000');
  await expect(page.getByRole('region', { name: 'Results' })).toContainText('1 matching line');
  await page.keyboard.press('Enter');
  const found = text.scroller.locator('[data-current]');
  await expect(found).toContainText('db says 7000');
  await expect(found.locator('[data-gutter]')).toHaveText('17500');
  await expect(found.locator('[data-origin]')).toHaveText('db.log:7000');
  await expect(text.status).toHaveText('Line 17,500 of 25,000: db.log, line 7,000');

  await text.goTo('3');
  await expect(text.row(3)).toHaveAttribute('data-selected', '');
  await expect(text.row(3).locator('[data-gutter]')).toHaveText('3');
  await expect(text.status).toHaveText('Line 3 of 25,000: api.log, line 2');
  await page.keyboard.press('M');
  await expect(page.getByRole('region', { name: 'Status' })).toContainText('Marked line 3');
  await page.keyboard.press('Control+c');
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain('api says 2');
  // A view without room for it leaves the line to the status line.
  await page.setViewportSize({ width: 420, height: 800 });
  await expect(text.row(3).locator('[data-origin]')).toBeHidden();
  await expect(text.status).toContainText('api.log, line 2');
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.reload();
  await text.counted(25_000);
  await expect(legend).toContainText('db.log');
});

/** Two logs whose lines take turns: line n of one came at 2 n seconds, of the other at 3 n. */
async function mergeTwo(inspector: Inspector, page: Page) {
  const start = Date.UTC(2026, 0, 13, 10);
  const log = (name: string, every: number, count: number) =>
    writeLines(
      inspector.folder,
      `${name}.log`,
      count,
      (n) => `${new Date(start + n * every * 1000).toISOString()} ${name} says ${n}`,
    );
  const text = await inspector.open([log('api', 2, 3000), log('web', 3, 2000)]);
  const list = new ListPage(page);
  await list.item('api.log').click();
  await text.counted(3000);
  // The open one is chosen with the first that is added.
  await list.item('web.log').click({ modifiers: ['Shift'] });
  await expect(page.getByRole('region', { name: 'Chosen' })).toContainText('2 chosen');
  await page.getByRole('button', { name: 'Merge by time' }).click();
  await text.counted(5000);
  return { text, list };
}

test('merged lines are gone to, filtered, and found again in the list', async ({ inspector, page }) => {
  const { text, list } = await mergeTwo(inspector, page);

  await test.step('a typed time leads to what came then in a merged text', async () => {
    const time = new Date(Date.UTC(2026, 0, 13, 11));
    await text.scroller.focus();
    await page.keyboard.press('Control+k');
    await page.keyboard.type(`${time.getHours()}:${String(time.getMinutes()).padStart(2, '0')}`);
    await expect(page.getByRole('option').first()).toContainText('Go to what came at');
    await page.keyboard.press('Enter');
    const selected = text.scroller.locator('[data-selected]');
    await expect(selected).toContainText('11:00:00.000Z api says 1800');
  });

  await test.step('filtered and in the results, merged lines keep their colours and say where they are from', async () => {
    await page.keyboard.press('Home');
    await text.scroller.focus();
    await page.keyboard.press('F');
    await page.keyboard.type('says \\d*7$');
    await page.keyboard.press('Enter');
    await expect(page.locator('[data-filter="count"]')).toHaveText('500 of 5,000 lines');
    const told = async (rows: Locator) => {
      for (const row of await rows.all()) {
        const [, name, number] = /(api|web) says (\d+)/.exec((await row.textContent())!)!;
        await expect(row).toHaveAttribute('data-part', name === 'api' ? '0' : '1');
        await expect(row.locator('[data-origin]')).toHaveText(`${name}.log:${number}`);
      }
    };
    await expect(text.scroller.locator('[data-fetched]').first()).toContainText('says 7');
    await told(text.scroller.locator('[data-fetched]'));
    await page.keyboard.press('/');
    await page.keyboard.type('web says 1');
    const results = page.getByRole('grid', { name: 'Matching lines' });
    await expect(results.locator('[data-fetched]').first()).toContainText('web says 17');
    await told(results.locator('[data-fetched]'));
    // The histogram counts what passes.
    await text.scroller.focus();
    await page.keyboard.press('D');
    await page.getByRole('slider', { name: 'Time' }).focus();
    await page.keyboard.press('End');
    await page.keyboard.press('Shift+Home');
    await expect(page.locator('[data-histogram-words]')).toContainText(': 500 lines');
    for (const name of ['Close the histogram', 'End the search', 'Remove all filters'])
      await page.getByRole('button', { name, exact: true }).first().click();
  });

  await test.step('a merged text has a row in the list, which leads back to it until it is removed', async () => {
    const name = 'api.log + web.log';
    await expect(list.item(name)).toHaveAttribute('aria-selected', 'true');
    await expect(list.item(name)).toContainText('merged');
    await text.goTo('4000');
    await list.item('web.log').click();
    await text.counted(2000);
    await list.item(name).click();
    await text.counted(5000);
    await expect(text.row(4000)).toBeVisible();
    // In a new tab, and in another window.
    await list.item('web.log').click();
    await text.counted(2000);
    await list.item(name).click({ modifiers: ['ControlOrMeta'] });
    await expect(page.getByRole('navigation', { name: 'Tabs' })).toContainText(name);
    await text.counted(5000);
    await page.goto(inspector.url);
    await list.item(name).click();
    await text.counted(5000);
    await page.getByRole('button', { name: 'Remove the merged text from the list' }).click();
    await text.counted(3000);
    await expect(list.item(name)).toHaveCount(0);
    await page.reload();
    await text.counted(3000);
    await expect(list.item(name)).toHaveCount(0);
  });
});

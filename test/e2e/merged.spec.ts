/** Several artifacts as one text, in the order of their lines' times. */
import { expect, test } from './fixtures/inspector.ts';
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
  const text = await inspector.open([log('api', 2, 150_000), log('db', 3, 100_000), log('other', 5, 10)]);
  const list = new ListPage(page);
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
  await expect(chosen).toContainText('2 items chosen');
  await keep(page, 'merge-chosen');
  await chosen.getByRole('button', { name: 'Merge by time' }).click();
  await text.counted(250_000);
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
  // Each line has its own number and its artifact's colour.
  await expect(text.row(5)).toHaveAttribute('data-part', '1');
  await expect(text.row(5).locator('[data-gutter]')).toHaveText('2');
  await keep(page, 'merged');

  await text.scroller.focus();
  await page.keyboard.press('/');
  await page.keyboard.type('db says 70000');
  await expect(page.getByRole('region', { name: 'Results' })).toContainText('1 matching line');
  await page.keyboard.press('Enter');
  const found = text.scroller.locator('[data-current]');
  await expect(found).toContainText('db says 70000');
  await expect(found.locator('[data-gutter]')).toHaveText('70,000');

  await text.goTo('3');
  await expect(text.row(3)).toHaveAttribute('data-selected', '');
  await page.keyboard.press('Control+c');
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain('api says 2');
  await page.reload();
  await text.counted(250_000);
  await expect(legend).toContainText('db.log');
});

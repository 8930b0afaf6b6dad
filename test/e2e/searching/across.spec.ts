/** One search through everything that is listed. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '../fixtures/inspector.ts';
import { grepCount, LONG_LOG_LINES, writeLines } from '../fixtures/logs.ts';
import { SearchPage } from '../fixtures/search-page.ts';

test('every artifact with matches is listed with what grep counts, and opens with the search', async ({
  inspector,
  page,
  longLog,
}) => {
  const folder = join(inspector.folder, 'logs');
  mkdirSync(folder);
  for (let file = 1; file <= 60; file += 1)
    writeLines(folder, `small-${file}.log`, 200, (line) =>
      line % file === 0 ? `ERROR ${line}` : `fine ${line}`,
    );
  const text = await inspector.open([folder, longLog]);
  await expect(page.getByText('61 items')).toBeVisible();
  await page.keyboard.press('Control+Shift+F');
  const field = page.getByRole('searchbox', { name: 'Pattern to search for everywhere' });
  await expect(field).toBeFocused();
  await field.fill('ERROR ');
  const state = page.locator('[data-across="state"]');
  const small = Array.from({ length: 60 }, (_, i) => Math.floor(200 / (i + 1))).reduce((a, b) => a + b);
  const errors = grepCount(longLog, 'ERROR ');
  const total = small + errors;
  await expect(state).toHaveText(`${total.toLocaleString('en-US')} matching lines in 61 of 61 items`);
  const found = page.getByRole('list', { name: 'Artifacts with matches' });
  await expect(found.getByRole('button', { name: 'small-60.log 3 matching lines' })).toBeVisible();

  await page.getByRole('searchbox', { name: 'Filter the list' }).fill('small-1');
  const some = [1, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19].map((file) => Math.floor(200 / file));
  const fewer = some.reduce((a, b) => a + b);
  await expect(state).toHaveText(`${fewer} matching lines in 11 of 11 items`);
  await page.getByRole('searchbox', { name: 'Filter the list' }).fill('');
  await expect(state).toContainText('61 of 61 items');

  await found.getByRole('button', { name: 'long.log' }).click();
  await text.counted(LONG_LOG_LINES);
  const search = new SearchPage(page);
  await expect(search.field).toHaveValue('ERROR ');
  await search.found(errors);
  await expect(text.scroller).toBeFocused();
  await page.keyboard.press('n');
  await expect(text.row(9973)).toHaveAttribute('data-current', '');

  // The counts are still there for the next one; Escape leads back to the list.
  await found.getByRole('button', { name: 'small-60.log' }).click();
  await search.found(3);
  await page.keyboard.press('Control+Shift+F');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('tree')).toBeVisible();
});

test('everything is searched by keys, and says what is wrong', async ({ inspector, page }) => {
  const folder = join(inspector.folder, 'logs');
  mkdirSync(folder);
  for (const name of ['one.log', 'two.log']) writeLines(folder, name, 300, (line) => `${name} ${line}`);
  const text = await inspector.open([folder]);
  const filter = page.getByRole('searchbox', { name: 'Filter the list' });
  const field = page.getByRole('searchbox', { name: 'Pattern to search for everywhere' });
  await expect(page.getByText('2 items')).toBeVisible();

  await test.step('keys lead from the field to the artifacts, and from there to the text', async () => {
    await filter.focus();
    await page.keyboard.press('Control+Shift+F');
    await field.fill('log 7');
    const found = page.getByRole('list', { name: 'Artifacts with matches' }).getByRole('button');
    await expect(found).toHaveCount(2);
    await page.keyboard.press('Enter');
    await expect(found.nth(0)).toBeFocused();
    await page.keyboard.press('ArrowDown');
    await expect(found.nth(1)).toBeFocused();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    await expect(field).toBeFocused();
    await page.keyboard.press('ArrowDown');
    const name = (await found.nth(0).textContent())!.slice(0, 'one.log'.length);
    await page.keyboard.press('Enter');
    await expect(text.row(1)).toContainText(name);
    await expect(text.scroller).toBeFocused();

    // Open the palette from the list's filter as well.
    await filter.focus();
    const other = name === 'one.log' ? 'two.log' : 'one.log';
    await page.keyboard.press('Control+k');
    await page.keyboard.type(other);
    await page.keyboard.press('Enter');
    await expect(text.row(1)).toContainText(other);
    await expect(text.scroller).toBeFocused();
  });

  await test.step('a pattern that is none is said so, and a list without artifacts too', async () => {
    await page.keyboard.press('Control+Shift+F');
    await field.fill('(');
    const state = page.locator('[data-across="state"]');
    await expect(state).toContainText('not a valid pattern');
    await page.getByRole('button', { name: 'Regular expression everywhere' }).click();
    await expect(state).toHaveText('0 matching lines in 0 of 2 items');
    await filter.fill('nothing like it');
    await expect(state).toHaveText('Nothing is listed');
  });
});

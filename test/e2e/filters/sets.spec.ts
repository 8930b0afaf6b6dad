/** Sets of filters, searches and highlighters are kept under a name, used in another text, and shared as a file. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '../fixtures/inspector.ts';
import { keep } from '../fixtures/keep.ts';
import { writeLines } from '../fixtures/logs.ts';
import { SearchPage } from '../fixtures/search-page.ts';

test('a set is kept, used in another text, saved and taken from a file', async ({ inspector, page }) => {
  const line = (n: number) => `${n % 3 === 0 ? 'retry' : 'request'} ${n}`;
  const [one, two] = ['one.log', 'two.log'].map((name, at) =>
    writeLines(inspector.folder, name, 30 * (at + 1), line),
  );
  const text = await inspector.open([one!, two!]);
  const tree = page.getByRole('tree', { name: 'Captured output' });
  await tree.getByText('one.log').click();
  await text.counted(30);
  const search = new SearchPage(page);
  await search.search('retry');
  await search.found(10);
  await page.keyboard.press('Control+Enter');
  await expect(text.row(1)).toHaveCount(0);
  await expect(text.row(3)).toBeVisible();

  const dialog = page.getByRole('dialog', { name: 'Sets' });
  const sets = dialog.getByRole('list', { name: 'Sets' }).getByRole('listitem');
  await expect(text.scroller).toBeFocused();
  await page
    .getByRole('region', { name: 'Filters' })
    .getByRole('button', { name: /^Sets of filters/ })
    .click();
  await expect(dialog.getByRole('textbox', { name: 'Name of a new set' })).toBeFocused();
  await page.keyboard.type('Retries');
  await page.keyboard.press('Enter');
  await expect(sets).toContainText(['Retries1 filter, 1 search']);
  await keep(page, 'sets');
  const download = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Save as a file: Retries' }).click();
  const file = await (await download).path();
  await dialog.getByRole('button', { name: 'Remove Retries' }).click();
  await expect(sets).toHaveCount(0);
  const shared = join(inspector.folder, 'shared.json');
  writeFileSync(shared, readFileSync(file));
  await dialog.getByLabel('Files of sets').setInputFiles(one!);
  await expect(dialog.getByText('one.log is no file of sets')).toBeVisible();
  await dialog.getByLabel('Files of sets').setInputFiles(shared);
  await expect(sets).toHaveCount(1);
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);

  await tree.getByText('two.log').click();
  await text.counted(60);
  await text.scroller.focus();
  await page.keyboard.press('Alt+s');
  await dialog.getByRole('button', { name: 'Use Retries' }).click();
  await expect(text.row(1)).toHaveCount(0);
  await expect(text.row(3)).toBeVisible();
  await expect(search.results).toContainText('20 matching lines');
  await page.keyboard.press('Control+z');
  await expect(text.row(1)).toBeVisible();
  await expect(search.results).toHaveCount(0);
});

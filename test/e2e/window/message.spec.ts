/** The message that is shown instead of a text: of an empty or a binary file. */
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '../fixtures/inspector.ts';
import { ListPage } from '../fixtures/list-page.ts';
import { logLine, writeLines } from '../fixtures/logs.ts';

test('a message instead of a text takes the focus', async ({ inspector, page }) => {
  const binary = join(inspector.folder, 'data.bin');
  writeFileSync(binary, Buffer.from([...'ELF'].map((c) => c.charCodeAt(0)).concat(Array(400).fill(0))));
  const empty = join(inspector.folder, 'empty.log');
  writeFileSync(empty, '');
  const first = writeLines(inspector.folder, 'first.log', 50, logLine);
  const text = await inspector.open([first, binary, empty]);
  await text.counted(50);
  const list = new ListPage(page);
  const openByKeys = async (name: string) => {
    await list.filter.fill(name);
    await list.shows([name]);
    await page.keyboard.press('Enter');
  };
  await openByKeys('empty.log');
  await expect(page.locator('[data-message]')).toContainText('The file is empty');
  await expect(page.locator('[data-message]')).toBeFocused();
  appendFileSync(empty, 'no longer\n');
  await expect(text.scroller).toBeFocused();
  await openByKeys('data.bin');
  await expect(page.getByRole('button', { name: 'Show as text' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(text.row(1)).toContainText('ELF');
  await expect(text.scroller).toBeFocused();
});

/** Escape leaves every field for the text: the next key acts on that. */
import { join } from 'node:path';
import { expect, test } from '../fixtures/inspector.ts';
import { ListPage } from '../fixtures/list-page.ts';
import { logLine, writeLines } from '../fixtures/logs.ts';
import type { TextPage } from '../fixtures/text-page.ts';

test('Escape', async ({ inspector, page }) => {
  const text = await inspector.open([writeLines(inspector.folder, 'a.log', 300, logLine)]);
  await text.counted(300);
  await test.step('leaves the path field, also behind a path that could not be opened', () =>
    leavesThePath(text, inspector.folder));
  await test.step('clears the filter of the list, and then leaves it', async () => {
    const list = new ListPage(page);
    await page.keyboard.press('l');
    await page.keyboard.type('nothing');
    await expect(list.items).toHaveCount(0);
    await page.keyboard.press('Escape');
    await expect(list.items).toHaveCount(1);
    await expect(list.filter).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(text.scroller).toBeFocused();
  });
  await test.step('in a note of the second pane leads back to its text', async () => {
    await page.keyboard.press('|');
    const second = page.locator('[data-pane]').nth(1);
    await expect(second.locator('[data-viewer]')).toBeFocused();
    await expect(second.locator('[data-status="where"]')).toHaveText(/of 300$/);
    await page.keyboard.press('Control+m');
    await expect(second.getByRole('textbox', { name: /^Note on line/ })).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(second.locator('[data-viewer]')).toBeFocused();
  });
  await page.keyboard.press('|');
  await expect(page.locator('[data-pane]')).toHaveCount(1);
  await test.step('leaves every other field', () => leavesEveryField(text));
});

async function leavesThePath(text: TextPage, folder: string): Promise<void> {
  const { page } = text;
  const path = page.getByRole('combobox', { name: 'Path of a file' });
  await page.keyboard.press('o');
  await page.keyboard.type('abc');
  await page.keyboard.press('Escape');
  await expect(path).toHaveCount(0);
  await expect(text.scroller).toBeFocused();
  await page.keyboard.press('End');
  await expect(text.row(300)).toBeInViewport();

  await page.keyboard.press('o');
  await page.keyboard.type(join(folder, 'missing'));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('alert')).toHaveCount(0);
  await expect(path).toHaveCount(0);
  await expect(text.scroller).toBeFocused();
}

async function leavesEveryField(text: TextPage): Promise<void> {
  const { page } = text;
  await text.scroller.focus();
  for (const [key, typed] of [
    ['/', 'ERROR'],
    ['g', '12'],
    ['r', '3'],
    ['F', 'INFO'],
    ['Control+k', 'a.log'],
    ['Control+Shift+F', 'ERROR'],
    ['Control+m', 'a note'],
  ] as const) {
    await page.keyboard.press(key);
    const field = page.locator('input:focus, textarea:focus');
    await expect(field, key).toHaveCount(1);
    await page.keyboard.type(typed);
    await page.keyboard.press('Escape');
    await expect(text.scroller, key).toBeFocused();
  }
  await page.keyboard.press('Control+Shift+H');
  await page.getByRole('dialog').getByRole('textbox').first().fill('retry');
  await page.keyboard.press('Escape');
  await expect(text.scroller).toBeFocused();
}

test('Escape leaves the fields of the list where nothing is shown', async ({ inspector, page }) => {
  await inspector.open([]);
  for (const key of ['o', 'l']) {
    await page.keyboard.press(key);
    await expect(page.locator('input:focus')).toHaveCount(1);
    await page.keyboard.press('Escape');
    await expect(page.locator('input:focus')).toHaveCount(0);
  }
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keys' })).toBeVisible();
});

/** Lines that are gone to but not shown, and how long the status line speaks of a line. */
import type { Page } from '@playwright/test';
import { expect, type Inspector, test } from '../fixtures/inspector.ts';
import { keep } from '../fixtures/keep.ts';
import { writeLines } from '../fixtures/logs.ts';

/** Opens 300 lines of which each ninth is kept by a filter. */
async function opened(inspector: Inspector, page: Page) {
  const path = writeLines(inspector.folder, 'a.log', 300, (n) => `line ${n} ${n % 9 ? 'skip' : 'keep'}`);
  const text = await inspector.open([path]);
  await text.counted(300);
  const said = page.getByRole('region', { name: 'Status' }).getByRole('status');
  const note = async (line: number, words: string) => {
    await text.goTo(String(line));
    await expect(text.row(line)).toHaveAttribute('data-selected', '');
    await page.keyboard.press('Control+m');
    await page.keyboard.type(words);
    await page.keyboard.press('Escape');
  };
  return { text, said, note };
}

test('a message says that filters hide every line, and switches them off', async ({ inspector, page }) => {
  const { text } = await opened(inspector, page);
  await text.goTo('100');
  const top = await text.firstWholeLine();
  await page.keyboard.press('F');
  const form = page.getByRole('dialog', { name: 'Filter the lines' });
  await form.getByRole('textbox', { name: 'Lines with' }).fill('nowhere');
  await expect(page.getByRole('heading', { name: 'No line passes the filter' })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(form).toHaveCount(0);
  await keep(page, 'none-pass');
  const off = page.getByRole('button', { name: 'Switch the filter off' });
  await expect(off).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(off).toHaveCount(0);
  await expect(text.scroller).toBeFocused();
  expect(await text.firstWholeLine()).toBe(top);
  await page.keyboard.press('v');
  await expect(off).toBeVisible();
  await page.keyboard.press('v');
  await page.keyboard.press('r');
  await page.getByLabel('From line').fill('1');
  await page.getByLabel('To line').fill('5');
  await page.keyboard.press('Enter');
  await expect(text.row(5)).toBeVisible();
  await page.keyboard.press('v');
  await expect(page.getByRole('heading', { name: 'None of the lines 1–5 pass the filter' })).toBeVisible();
});

test('the status line names lines that are not shown', async ({ inspector, page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const { text, said, note } = await opened(inspector, page);

  await test.step('a line past the end is named', async () => {
    await text.goTo('99999');
    await expect(said).toHaveText('There is no line 99,999; went to the last one');
    await expect(text.row(300)).toHaveAttribute('data-selected', '');
    await text.goTo('100');
    await expect(text.row(100)).toHaveAttribute('data-selected', '');
    await expect(said).toHaveText('');
  });

  await test.step('a message goes when another line is selected, but not while it can be undone', async () => {
    await note(200, 'odd');
    await page.keyboard.press('h');
    await text.row(5).getByRole('rowheader').click();
    await page.keyboard.press('.');
    await expect(text.row(200)).toHaveAttribute('data-selected', '');
    await expect(said).toHaveText('odd');
    await page.keyboard.press('Control+c');
    await expect(said).toHaveText('Copied 1 line');
    await page.keyboard.press('Shift+ArrowDown');
    // By itself it would go after five seconds.
    await expect(said).toHaveText('', { timeout: 3000 });
    await text.row(200).getByRole('rowheader').click();
    await page.keyboard.press('M');
    await expect(said).toHaveText('Mark on line 200 removed, with its note');
    await text.row(201).getByRole('rowheader').click();
    await expect(text.row(201)).toHaveAttribute('data-selected', '');
    await expect(said).toHaveText('Mark on line 200 removed, with its note');
  });

  await test.step('a marked line that filters hide is named, with the line shown instead', async () => {
    await note(100, 'odd');
    await page.keyboard.press('F');
    const form = page.getByRole('dialog', { name: 'Filter the lines' });
    await form.getByRole('textbox', { name: 'Lines with' }).fill('keep');
    await form.getByRole('button', { name: 'Show', exact: true }).click();
    await page.keyboard.press('Escape');
    await expect(page.locator('[data-filter="count"]')).toHaveText('33 of 300 lines');
    await expect(text.row(100)).toHaveCount(0);
    const hidden = 'Line 100 is hidden by the filters: line 108 follows it';
    const chooseAnother = async () => {
      await text.row(117).getByRole('rowheader').click();
      await expect(said).toHaveText('');
    };
    for (const go of [
      () => page.keyboard.press(','),
      () => text.goTo('100'),
      () => page.getByRole('complementary', { name: 'Marks' }).getByRole('button', { name: /^100/ }).click(),
    ]) {
      await go();
      await expect(said).toHaveText(hidden);
      await expect(text.row(108)).toHaveAttribute('data-selected', '');
      await chooseAnother();
    }
    await text.goTo('300');
    await expect(said).toHaveText('Line 300 is hidden by the filters: line 297 is the last one shown');
    await text.goTo('301');
    await expect(said).toHaveText('There is no line 301; went to line 297, the last one shown');
  });
});

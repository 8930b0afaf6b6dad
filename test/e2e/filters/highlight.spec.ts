/** Ten highlighters, each a colour with a text or an expression and a name. */
import { expect, test } from '../fixtures/inspector.ts';
import { logLine, writeLines } from '../fixtures/logs.ts';

test('highlighters mark the text and the results of every artifact, and are kept', async ({ inspector }) => {
  const a = writeLines(inspector.folder, 'a.log', 300, logLine);
  const b = writeLines(inspector.folder, 'b.log', 20, logLine);
  const text = await inspector.open([a, b]);
  const { page } = text;
  await page.getByRole('treeitem', { name: /a\.log/ }).click();
  await text.counted(300);
  const marks = (line: number) => text.row(line).locator('mark');
  await text
    .row(3)
    .getByText('worker')
    .dblclick({ position: { x: 235, y: 8 } });
  await expect(page.locator('[data-status="selected"]')).toContainText('characters');
  await page.keyboard.press('H');
  // The selected text shows the selection's colour.
  const chosen = 'worker';
  await expect(marks(4)).toHaveText(chosen);

  await page.keyboard.press('Control+Shift+H');
  const dialog = page.getByRole('dialog', { name: 'Highlighters' });
  await expect(dialog.getByRole('textbox', { name: 'yellow: text' })).toHaveValue(chosen);
  await dialog.getByRole('textbox', { name: 'green: text' }).fill('took \\d+');
  await dialog.getByRole('textbox', { name: 'green: name' }).fill('duration');
  await expect(marks(5)).toHaveText([chosen]);
  await dialog.getByRole('button', { name: 'green: regular expression' }).click();
  await expect(marks(5)).toHaveText([chosen, 'took 35']);
  await dialog.getByRole('textbox', { name: 'blue: text' }).fill('(');
  await dialog.getByRole('button', { name: 'blue: regular expression' }).click();
  await expect(dialog.getByRole('alert')).toContainText('not a valid pattern');
  await dialog.getByRole('button', { name: 'Free blue' }).click();
  await page.keyboard.press('Escape');

  // In the results, and beside what the search found.
  await text.scroller.focus();
  await page.keyboard.press('/');
  await page.keyboard.type('request 1\\d ');
  const results = page.getByRole('grid', { name: 'Matching lines' });
  await expect(results.locator('[data-line="11"] mark')).toHaveText([chosen, 'request 11 ', 'took 77']);

  // In another artifact, and for a window that is opened later.
  await page.getByRole('treeitem', { name: /b\.log/ }).click();
  await text.counted(20);
  await expect(marks(5)).toHaveText([chosen, 'took 35']);
  await inspector.stop();
  await inspector.start([a, b]);
  await page.goto(inspector.url);
  await expect(page.getByRole('treeitem', { name: /b\.log/ })).toBeVisible();
  await page.getByRole('treeitem', { name: /b\.log/ }).click();
  await expect(marks(5)).toHaveText([chosen, 'took 35']);
  await text.scroller.focus();
  await page.keyboard.press('Control+Shift+H');
  await dialog.getByRole('button', { name: 'green: on' }).click();
  await page.keyboard.press('Escape');
  await expect(marks(5)).toHaveText([chosen]);
});

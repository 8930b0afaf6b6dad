import { expect, test } from './fixtures/inspector.ts';
import { logLine, sed, writeLines } from './fixtures/logs.ts';

test.describe('selected lines', () => {
  test.use({ permissions: ['clipboard-read', 'clipboard-write'] });
  const clipboard = () => navigator.clipboard.readText();

  test('are chosen in the gutter, stay when they leave the screen, and are copied whole', async ({
    inspector,
    page,
  }) => {
    const path = writeLines(inspector.folder, 'a.log', 20_000, logLine);
    const text = await inspector.open([path]);
    await text.counted(20_000);
    await text.row(3).getByRole('rowheader').click();
    await expect(text.status).toHaveText('Line 3 of 20,000');
    await text.goTo('9000');
    await text.row(9000).getByRole('rowheader').click();
    await text.goTo('3');
    await text.row(5).getByRole('rowheader').click();
    await text.goTo('5');
    await page.keyboard.down('Shift');
    await text.wheel(18 * 3000);
    await page.keyboard.up('Shift');
    await text.scroller.evaluate((scroller) => scroller.scrollTo({ top: 18 * 4000 }));
    await expect(text.row(4010)).toBeVisible();
    await text
      .row(4010)
      .getByRole('rowheader')
      .click({ modifiers: ['Shift'] });
    await expect(text.selected).toContainText('5–4,010 ');
    await expect(text.row(5)).toHaveCount(0);
    await page.keyboard.press('Control+c');
    await expect(page.getByText('Copied 4,006 lines')).toBeVisible();
    expect(await page.evaluate(clipboard)).toBe(sed(path, 5, 4010).join('\n'));
    await page.keyboard.press('Escape');
    await expect(text.selected).toHaveCount(0);
  });

  test('are chosen by dragging and by key', async ({ inspector, page }) => {
    const path = writeLines(inspector.folder, 'a.log', 2000, logLine);
    const text = await inspector.open([path]);
    await text.counted(2000);
    const from = (await text.row(4).getByRole('rowheader').boundingBox())!;
    const to = (await text.row(11).getByRole('rowheader').boundingBox())!;
    await page.mouse.move(from.x + 10, from.y + 5);
    await page.mouse.down();
    await page.mouse.move(to.x + 10, to.y + 5, { steps: 4 });
    await expect(text.selected).toContainText('4–11 ');
    // Beyond the edge the text moves on under the pointer.
    const view = (await text.scroller.boundingBox())!;
    await page.mouse.move(to.x + 10, view.y + view.height + 40, { steps: 4 });
    // A row by itself may come and go between two looks.
    await expect.poll(() => text.firstWholeLine()).toBeGreaterThan(100);
    await page.mouse.up();
    await page.keyboard.press('Escape');
    await text.goTo('100');
    for (let turn = 0; turn < 3; turn += 1) await page.keyboard.press('Shift+ArrowDown');
    await expect(text.selected).toContainText('100–103 ');
    await page.keyboard.press('Shift+End');
    await expect(text.selected).toContainText('100–2,000 ');
    await page.keyboard.press('Control+a');
    await expect(text.selected).toContainText('1–2,000 ');
  });

  test('ask first when they are very many', async ({ inspector, bigLog, page }) => {
    const text = await inspector.open([bigLog]);
    await text.counted(2_000_000);
    await text.scroller.focus();
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Control+c');
    const dialog = page.getByRole('dialog', { name: 'Copy 2,000,000 lines?' });
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(dialog).toHaveCount(0);
  });
});

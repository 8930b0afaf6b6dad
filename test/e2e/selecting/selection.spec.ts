import type { Page } from '@playwright/test';
import { expect, type Inspector, test } from '../fixtures/inspector.ts';
import { LONG_LOG_LINES, sed, writeLines } from '../fixtures/logs.ts';

test.describe('selected lines', () => {
  test.use({ permissions: ['clipboard-read', 'clipboard-write'] });
  const clipboard = () => navigator.clipboard.readText();

  test('are chosen by mouse and by key', async ({ inspector, page }) => {
    const { text } = await inspector.openLog(2000);

    await test.step('are asked for by keys that need them', async () => {
      await text.scroller.focus();
      const said = page.getByRole('region', { name: 'Status' }).getByRole('status');
      for (const [key, words] of [
        ['#', /^Select lines first/],
        ['+', /^Select a text/],
        ['Y', /^Select lines first/],
        ['H', /^Select a text/],
        ['C', /^Select lines first/],
        ['u', /^Line 1 is not JSON/],
      ] as const) {
        await page.keyboard.press(key);
        await expect(said).toHaveText(words);
      }
    });

    await test.step('are chosen by dragging and by key', async () => {
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
      await page.keyboard.press('Escape');
      await page.keyboard.press('h');
    });

    await test.step('begin at the line whose text was clicked, and at the last line after `t`', async () => {
      await text.row(9).locator('[data-text]').click();
      await expect(text.status).toHaveText('Line 9 of 2,000');
      await page.keyboard.press('Shift+ArrowDown');
      await expect(text.selected).toContainText('9–10 ');
      await page.keyboard.press('Escape');
      await page.keyboard.press('t');
      await expect(text.row(2000)).toBeVisible();
      await page.keyboard.press('M');
      await expect(text.row(2000)).toHaveAttribute('data-marked', '');
      await page.keyboard.press('Shift+ArrowUp');
      await expect(text.selected).toContainText('1,999–2,000 ');
    });
  });

  test('stay when they leave the screen, and are copied', async ({ inspector, page, longLog }) => {
    const text = await inspector.open([longLog]);
    await text.counted(LONG_LOG_LINES);
    const total = LONG_LOG_LINES.toLocaleString('en-US');

    await test.step('are chosen in the gutter, stay when they leave the screen, and are copied whole', async () => {
      await text.row(3).getByRole('rowheader').click();
      await expect(text.status).toHaveText(`Line 3 of ${total}`);
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
      expect(await page.evaluate(clipboard)).toBe(sed(longLog, 5, 4010).join('\n'));
      await page.keyboard.press('Escape');
      await expect(text.selected).toHaveCount(0);
    });

    await test.step('ask first when they are very many', async () => {
      await text.scroller.focus();
      await page.keyboard.press('Control+a');
      await page.keyboard.press('Control+c');
      const dialog = page.getByRole('dialog', { name: `Copy ${total} lines?` });
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await expect(dialog).toHaveCount(0);
    });
  });
});

test.describe('text selected by character', () => {
  test.use({ permissions: ['clipboard-read', 'clipboard-write'] });
  const clipboard = () => navigator.clipboard.readText();
  const line = (number: number) => `line ${number} of the text`;

  async function opened(inspector: Inspector, page: Page) {
    const text = await inspector.open([writeLines(inspector.folder, 'a.log', 5000, line)]);
    await text.counted(5000);
    const at = async (number: number, column: number) => {
      const box = (await text.row(number).locator('[data-text]').boundingBox())!;
      return { x: box.x + (box.width / line(number).length) * column, y: box.y + 9 };
    };
    const copied = async (words: string) => {
      await page.keyboard.press('Control+c');
      await expect(page.getByText(words, { exact: true })).toBeVisible();
      return page.evaluate(clipboard);
    };
    return { text, at, copied };
  }

  test('is as much as the mouse covered', async ({ inspector, page }) => {
    const { text, at, copied } = await opened(inspector, page);

    await test.step('is copied whole when the drag scrolled on beyond the edge', async () => {
      const from = await at(4, 5);
      await page.mouse.move(from.x, from.y);
      await page.mouse.down();
      const view = (await text.scroller.boundingBox())!;
      await page.mouse.move(from.x + 20, view.y + view.height + 60, { steps: 4 });
      await expect.poll(() => text.firstWholeLine()).toBeGreaterThan(100);
      await page.mouse.move(from.x + 20, view.y + view.height / 2);
      await page.mouse.up();
      const last = Number(/–([\d,]+)/.exec((await text.selected.textContent()) ?? '')?.[1]?.replace(',', ''));
      expect(last).toBeGreaterThan(100);
      const lines = (await copied(`Copied ${(last - 3).toLocaleString('en-US')} lines`)).split('\n');
      expect(lines[0]).toBe('4 of the text');
      expect(lines.slice(1, -1)).toEqual(Array.from({ length: last - 5 }, (_, index) => line(index + 5)));
      expect(line(last).startsWith(lines.at(-1)!)).toBe(true);
      for (const key of ['Escape', 'Home']) await page.keyboard.press(key);
    });

    await test.step('follows the wheel while the button is held', async () => {
      const from = await at(3, 0);
      await page.mouse.move(from.x, from.y);
      await page.mouse.down();
      await page.mouse.move(from.x, from.y + 36, { steps: 3 });
      await page.mouse.wheel(0, 18 * 1000);
      await expect(text.row(1005)).toBeVisible();
      await expect(text.selected).toContainText('3–1,005 ');
      await page.mouse.up();
      const copy = await copied('Copied 1,003 lines');
      expect(copy.split('\n').slice(0, -1)).toEqual(
        Array.from({ length: 1002 }, (_, index) => line(index + 3)),
      );
      for (const key of ['Escape', 'Home']) await page.keyboard.press(key);
    });

    await test.step('stays when it is scrolled away, and is copied from there', async () => {
      const [from, to] = [await at(2, 5), await at(5, 6)];
      await page.mouse.move(from.x, from.y);
      await page.mouse.down();
      await page.mouse.move(to.x, to.y, { steps: 3 });
      await page.mouse.up();
      await text.wheel(18 * 3000);
      await expect(text.row(5)).toHaveCount(0);
      expect(await copied('Copied 4 lines')).toBe(`2 of the text\n${line(3)}\n${line(4)}\nline 5`);
      await page.keyboard.press('Home');
      await expect(text.row(5).getByText('line 5', { exact: true })).toHaveCSS('color', 'rgb(255, 255, 255)');
      await page.keyboard.press('Escape');
      await expect(text.selected).toHaveCount(0);
    });

    await test.step('is a word by double click, a line by triple click, and more with Shift', async () => {
      const word = await at(7, 12.5);
      await page.mouse.dblclick(word.x, word.y);
      expect(await copied('Copied 3 characters')).toBe('the');
      await page.keyboard.press('Shift+ArrowRight');
      expect(await copied('Copied 4 characters')).toBe('the ');
      const further = await at(8, 4);
      await page.keyboard.down('Shift');
      await page.mouse.click(further.x, further.y);
      await page.keyboard.up('Shift');
      expect(await copied('Copied 2 lines')).toBe('the text\nline');
      await page.mouse.click(word.x, word.y, { clickCount: 3 });
      expect(await copied('Copied 1 line')).toBe(line(7));
      await expect(text.status).toHaveText('Line 7 of 5,000');
    });
  });
});

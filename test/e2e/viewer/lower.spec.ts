/** A selected line that is in view stays in view when the text gets less room. */
import type { Page } from '@playwright/test';
import { dress } from '../fixtures/dressed.ts';
import { expect, type Inspector, test } from '../fixtures/inspector.ts';

const shownRow = (page: Page, line: number) =>
  page.locator(`[data-pane="focused"] [data-viewer] [data-line="${line}"]`);

/** Selects the last line that is wholly in view. */
async function selectedAtBottom({ inspector, page }: { inspector: Inspector; page: Page }, wrap: boolean) {
  const { text } = await inspector.openLog(3000);
  await text.scroller.focus();
  if (wrap) await page.keyboard.press('w');
  if (wrap) await expect(text.scroller).toHaveAttribute('data-wrapped', '');
  const { line } = (await text.wholeRows()).at(-1)!;
  await text.row(line!).click();
  await expect(text.row(line!)).toHaveAttribute('data-selected', '');
  return line!;
}

for (const wrap of [false, true]) {
  const how = wrap ? 'wrapped' : 'unwrapped';
  test(`in a second tab and a second pane, ${how}`, async ({ inspector, page }) => {
    const line = await selectedAtBottom({ inspector, page }, wrap);
    await page.keyboard.press('d');
    await expect(page.getByRole('navigation', { name: 'Tabs' })).toBeVisible();
    await expect(shownRow(page, line)).toBeInViewport({ ratio: wrap ? 0.9 : 0.4 });
    await page.keyboard.press('|');
    await expect(page.locator('[data-pane]')).toHaveCount(2);
    await expect(shownRow(page, line)).toBeInViewport({ ratio: wrap ? 0.9 : 0.2 });
    await page.keyboard.press('p');
    await expect(shownRow(page, line)).toBeInViewport({ ratio: wrap ? 0.9 : 0.2 });
  });
}

test('beside a panel, wrapped', async ({ inspector, page }) => {
  const line = await selectedAtBottom({ inspector, page }, true);
  await page.keyboard.press('i');
  await expect(page.getByRole('complementary', { name: 'Details' })).toBeVisible();
  await expect(shownRow(page, line)).toBeInViewport({ ratio: 0.9 });
});

test('in a pane that is wrapped anew before its lines are there', async ({ inspector, page }) => {
  let due: Promise<void> | null = null;
  await dress(page, { late: (name) => (name === 'rows' ? due : null) });
  const line = await selectedAtBottom({ inspector, page }, true);
  let bringLines = () => {};
  due = new Promise((resolve) => {
    bringLines = resolve;
  });
  await page.keyboard.press('d');
  await expect(page.getByRole('navigation', { name: 'Tabs' })).toBeVisible();
  await inspector.text.counted(3000);
  await expect(shownRow(page, line)).toBeInViewport();
  await page.keyboard.press('|');
  await expect(page.locator('[data-pane]')).toHaveCount(2);
  await expect(page.locator('[data-pane] [data-wrapped]')).toHaveCount(2);
  due = null;
  bringLines();
  // Each line takes two lines of the screen now.
  const tall = page.locator('[data-pane] [data-viewer] [data-line="20"]');
  await expect.poll(async () => (await tall.first().boundingBox())?.height).toBe(36);
  await expect.poll(async () => (await tall.last().boundingBox())?.height).toBe(36);
  for (let pane = 0; pane < 2; pane += 1) {
    await expect(shownRow(page, line)).toBeInViewport({ ratio: 0.9 });
    await page.keyboard.press('p');
  }
});

/** Filters that choose entries, folded entries, an entry that is selected, and steps through pauses. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '../fixtures/inspector.ts';
import { keep } from '../fixtures/keep.ts';

/** An entry each second, but for a pause of a minute behind the 40th; each tenth is an error with frames. */
const ENTRIES = Array.from({ length: 80 }, (_, i) => {
  const time = new Date(Date.UTC(2026, 2, 1, 10, 0, i + (i > 40 ? 60 : 0))).toISOString();
  const frames = ['java.lang.IllegalStateException: no', '\tat a.B.c(B.java:1)', '\tat a.B.d(B.java:2)'];
  return i % 10 === 9 ? [`${time} ERROR no ${i}`, ...frames] : [`${time} INFO ok ${i}`];
});
const LINES = ENTRIES.flat();

test('an error keeps its frames, and folds to its first line', async ({ inspector, page }) => {
  const path = join(inspector.folder, 'spring.log');
  writeFileSync(path, `${LINES.join('\n')}\n`);
  const text = await inspector.open([path]);
  await text.counted(LINES.length);
  const count = page.locator('[data-filter="count"]');
  const choose = async (button: string, item: RegExp) => {
    await page.getByRole('button', { name: button, exact: true }).click();
    await page.getByRole('menuitemradio', { name: item }).click();
  };

  await test.step('a filter of errors shows whole entries', async () => {
    await page.keyboard.press('F');
    await page.keyboard.type('ERROR');
    await page.keyboard.press('Enter');
    await expect(count).toHaveText('8 of 104 lines');
    await choose('Lines', /^Entries/);
    await expect(count).toHaveText('32 of 104 lines');
    await expect(text.row(13)).toContainText('B.java:2');
    await keep(page, 'entries');
    await choose('Entries', /^First lines/);
    await expect(count).toHaveText('8 of 104 lines');
  });

  await test.step('without a filter, every entry is folded to its first line, also after a reload', async () => {
    await page.getByRole('button', { name: /^Remove: / }).click();
    await expect(count).toHaveText('80 of 104 lines');
    await page.reload();
    await expect(count).toHaveText('80 of 104 lines');
    await keep(page, 'folded');
    await choose('First lines', /^Lines/);
    await expect(count).toHaveCount(0);
  });

  await test.step('the entry around a line is selected', async () => {
    await text.goTo('12');
    await expect(text.row(12)).toHaveAttribute('data-selected', '');
    await page.keyboard.press('=');
    await expect(page.locator('[data-status="selected"]')).toHaveText('10–13 (4 lines) selected');
  });

  await test.step('the longest pauses are stepped through', async () => {
    await text.goTo('50');
    await expect(text.row(50)).toHaveAttribute('data-selected', '');
    await page.keyboard.press(')');
    await expect(
      page.getByText('A pause of 1 min 1 s before the next line, 10 of the 10 longest'),
    ).toBeVisible();
    await expect(text.scroller.locator('[data-selected]')).toContainText('ok 40');
    await page.keyboard.press('(');
    await expect(page.getByText('A pause of 1 s before the next line, 9 of the 10 longest')).toBeVisible();
  });
});

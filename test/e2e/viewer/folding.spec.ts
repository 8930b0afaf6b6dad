/** Sections folded in the text: shown and folded lines are all lines, and what one goes to unfolds. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { problems } from '../fixtures/axe.ts';
import { expect, test } from '../fixtures/inspector.ts';
import { keep } from '../fixtures/keep.ts';

const at = (second: number) => new Date(Date.UTC(2026, 2, 1, 10, 0, second)).toISOString();
const STEPS = ['checkout', 'install', 'test', 'report'];
/** A job of 25 lines a step, whose third step fails. */
const LINES = STEPS.flatMap((step, i) => [
  `${at(i * 10)} ##[group]Run ${step}`,
  ...Array.from({ length: 22 }, (_, line) => `${at(i * 10 + 1)} output ${line} of ${step}`),
  `${at(i * 10 + 2)} ##[endgroup]`,
  i === 2 ? `${at(i * 10 + 3)} ##[error]Process completed with exit code 1.` : `${at(i * 10 + 3)} done`,
]);

test('sections fold in the text, and unfold', async ({ inspector, page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const path = join(inspector.folder, 'ci.log');
  writeFileSync(path, `${LINES.join('\n')}\n`);
  const text = await inspector.open([path]);
  await text.counted(100);
  const folded = text.scroller.getByRole('button', { name: /folded$/ });

  await test.step('all but the one that failed', async () => {
    await page.keyboard.press('*');
    await expect(folded).toHaveCount(3);
    await expect(text.row(51)).toContainText('Run test');
    await expect(text.row(60)).toContainText('output 8 of test');
    await expect(text.row(10)).toHaveCount(0);
    await keep(page, 'folded-sections');
    expect(await problems(page)).toEqual([]);
    const words = await folded.allTextContents();
    const hidden = words.map((each) => Number(/^\d+/.exec(each)![0])).reduce((sum, count) => sum + count);
    await page.keyboard.press('End');
    await expect(text.row(100)).toHaveCount(0);
    const shown = await text.scroller.getAttribute('aria-rowcount');
    expect(Number(shown) + hidden).toBe(100);
  });

  await test.step('the selected line stays where it is, or its heading does; each fold is undone', async () => {
    await page.keyboard.press('*');
    await text.goTo('90');
    const top = async (line: number) =>
      (await text.row(line).boundingBox())!.y - (await text.scroller.boundingBox())!.y;
    await page.keyboard.press('*');
    await expect(text.row(76)).toHaveAttribute('data-selected', '');
    await expect(folded).toHaveCount(3);
    await expect(text.status).toHaveText('Line 76 of 100');
    const before = await top(76);
    await page.keyboard.press('*');
    await expect(folded).toHaveCount(0);
    await expect.poll(() => top(76)).toBe(before);
    // The section around the line, not one that was in view before.
    await text.goTo('30');
    await page.keyboard.press('_');
    await expect(text.row(26)).toHaveAttribute('data-selected', '');
    await expect(folded).toHaveCount(1);
    await page.keyboard.press('Escape');
    await expect(text.status).toContainText(/^Lines \d+–\d+ of 100, 24 folded$/);
    for (const left of [0, 3, 0, 3]) {
      await page.keyboard.press('Control+z');
      await expect(folded).toHaveCount(left);
    }
    const mark = page.locator('[data-ruler] [data-mark="view"]');
    await page.keyboard.press('h');
    await expect.poll(() => mark.evaluate((one) => one.style.getPropertyValue('--size'))).toBe('1');
  });

  await test.step('a search finds folded lines, and going to one unfolds its section', async () => {
    await page.keyboard.press('/');
    await page.keyboard.insertText('output 5 of install');
    await page.keyboard.press('Enter');
    await expect(text.row(32)).toBeInViewport();
    // The other two are folded.
    await expect(text.scroller).toHaveAttribute('aria-rowcount', '52');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await text.scroller.focus();
    await page.keyboard.press('h');
  });

  await test.step('copied as a whole', async () => {
    await text.row(1).locator('[data-gutter]').click();
    await text
      .row(26)
      .locator('[data-gutter]')
      .click({ modifiers: ['Shift'] });
    await page.keyboard.press('Control+c');
    await expect
      .poll(() => page.evaluate(() => navigator.clipboard.readText()))
      .toBe(LINES.slice(0, 26).join('\n'));
  });

  await test.step('by its chevron, by a key, and after a reload', async () => {
    await text.row(1).getByRole('button', { name: 'Section at line 1' }).click();
    await expect(text.row(10)).toContainText('output 8 of checkout');
    await text.row(10).locator('[data-gutter]').click();
    await page.keyboard.press('_');
    await expect(text.row(10)).toHaveCount(0);
    await page.reload();
    await expect(folded).toHaveCount(2);
    await page.keyboard.press('*');
    await expect(folded).toHaveCount(0);
    await expect(text.row(10)).toBeVisible();
  });

  await test.step('lines that a filter chooses are shown, also of folded sections', async () => {
    await page.keyboard.press('*');
    await expect(folded).toHaveCount(3);
    await page.keyboard.press('Shift+F');
    await page.getByRole('textbox', { name: 'Lines with' }).fill('output 8 of');
    await page.keyboard.press('Enter');
    await expect(text.scroller).toHaveAttribute('aria-rowcount', '4');
    await page.keyboard.press('*');
    await expect(page.getByText(/^Sections do not fold while filters choose lines/)).toBeVisible();
  });
});

test('a log of 100,000 lines folds to its 400 steps, and opens at the one that failed', async ({
  inspector,
  page,
}) => {
  const path = join(inspector.folder, 'long.log');
  const lines = Array.from({ length: 400 }, (_, step) => [
    `${at(step)} ##[group]Run step ${step}`,
    ...Array.from({ length: 248 }, (_, line) => `${at(step)} output ${line} of step ${step}`),
    step === 398 ? `${at(step)} ##[error]Process completed with exit code 1.` : `${at(step)} ##[endgroup]`,
  ]);
  writeFileSync(path, `${lines.flat().join('\n')}\n`);
  const text = await inspector.open([path]);
  await text.counted(100_000);
  await page.keyboard.press('*');
  await expect(text.scroller).toHaveAttribute('aria-rowcount', String(399 + 250));
  await expect(text.row(251)).toContainText('Run step 1');
  await text.goTo('99750');
  await expect(text.row(99_750)).toContainText('##[error]');
  await text.goTo('5');
  await expect(text.row(5)).toContainText('output 3 of step 0');
  await expect(text.scroller).toHaveAttribute('aria-rowcount', String(398 + 500));
});

test('repeats fold into one line each, but no error, and unfold', async ({ inspector, page }) => {
  const path = join(inspector.folder, 'repeats.log');
  const lines = Array.from({ length: 300 }, (_, i) => {
    if (i % 100 === 50) return `${at(i)} ERROR poll ${i} failed`;
    return i % 100 === 99 ? `${at(i)} round ${i} done` : `${at(i)} poll ${i} took ${i} ms`;
  });
  writeFileSync(path, `${lines.join('\n')}\n`);
  const text = await inspector.open([path]);
  await text.counted(300);
  const folded = text.scroller.getByRole('button', { name: /^×/ });

  await page.keyboard.press('&');
  // Each hundred: 50 polls, an error, 48 polls, the round.
  await expect(text.scroller).toHaveAttribute('aria-rowcount', '12');
  await expect(folded).toHaveText(['×50', '×48', '×50', '×48', '×50', '×48']);
  await expect(text.row(51)).toContainText('ERROR poll 50');
  await keep(page, 'folded-repeats');
  expect(await problems(page)).toEqual([]);

  await test.step('by a press, and by its chevron again', async () => {
    await folded.nth(1).click();
    await expect(text.scroller).toHaveAttribute('aria-rowcount', '59');
    await expect(text.row(60)).toContainText('poll 59');
    await text.row(52).getByRole('button', { name: 'Repeats at line 52' }).click();
    await expect(text.scroller).toHaveAttribute('aria-rowcount', '12');
  });

  await test.step('a search finds folded lines, and going to one unfolds it', async () => {
    await page.keyboard.press('/');
    await page.keyboard.insertText('poll 222 ');
    await page.keyboard.press('Enter');
    await expect(text.row(223)).toBeInViewport();
    await expect(text.scroller).toHaveAttribute('aria-rowcount', '61');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await text.scroller.focus();
  });

  await test.step('again after a reload, until they are shown', async () => {
    await page.reload();
    await expect(text.scroller).toHaveAttribute('aria-rowcount', '61');
    await page.keyboard.press('&');
    await expect(text.scroller).toHaveAttribute('aria-rowcount', '300');
    await expect(folded).toHaveCount(0);
  });
});

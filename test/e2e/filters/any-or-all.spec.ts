/** Filters that show: lines match any of them, or all. A filter added while lines are filtered leaves fewer lines. */
import type { Page } from '@playwright/test';
import { expect, test } from '../fixtures/inspector.ts';

const bar = (page: Page) => page.getByRole('region', { name: 'Filters' });
const count = (page: Page) => page.locator('[data-filter="count"]');

/** In the form of a filter. */
async function combine(page: Page, pattern: string, how: 'And' | 'Or' | 'Hide'): Promise<void> {
  await bar(page)
    .getByRole('button', { name: `Edit: Show lines with ${pattern}` })
    .click();
  await page.getByRole('dialog').getByRole('button', { name: how, exact: true }).click();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
}

/** The word before each filter, and its text. */
const chips = async (page: Page) =>
  (await bar(page).locator('[data-chip] > button:first-child').allInnerTexts()).map((text) =>
    text.split('\n').slice(0, 2).join(' ').trim(),
  );

async function filter(page: Page, pattern: string): Promise<void> {
  await page.locator('[data-viewer]').focus();
  await page.keyboard.press('F');
  await page.getByRole('textbox', { name: 'Lines with' }).fill(pattern);
  await page.keyboard.press('Enter');
}

test('what was found is kept as filters', async ({ inspector, page }) => {
  const { text } = await inspector.openLog(4000);

  await test.step('a search within others is kept as a filter for each, and shows what it found', async () => {
    const found = page.locator('[data-search="count"]');
    const narrow = async (pattern: string, lines: string) => {
      await page.keyboard.type(pattern);
      await expect(found).toHaveText(`${lines} matching lines`);
      await page.keyboard.press('Alt+w');
    };
    await page.keyboard.press('/');
    await narrow('worker-3 ', '500');
    await page.keyboard.press('Alt+i');
    await narrow('request \\d*3 ', '400');
    await page.keyboard.type('took 7 ms');
    await expect(found).toHaveText('2 matching lines');
    await page.keyboard.press('Control+Enter');
    await expect(text.scroller).toBeFocused();
    await expect(count(page)).toHaveText('2 of 4,000 lines');
    expect(await chips(page)).toEqual(['Show worker-3', 'and took 7 ms', 'Hide request \\d*3']);

    // While nothing is typed, the lines found so far are shown, and kept.
    await page.keyboard.press('/');
    await page.getByRole('button', { name: 'End the search', exact: true }).first().click();
    await page.getByRole('button', { name: 'Remove all filters' }).click();
    await page.keyboard.press('/');
    await narrow('worker-5 ', '500');
    await expect(page.getByRole('textbox', { name: 'Pattern' })).toHaveValue('');
    await page.keyboard.press('Control+Enter');
    await expect(count(page)).toHaveText('500 of 4,000 lines');

    await page.keyboard.press('/');
    await page.getByRole('button', { name: 'End the search', exact: true }).first().click();
    await bar(page).getByRole('button', { name: 'Remove all filters' }).click();
    await expect(bar(page)).toHaveCount(0);
    await page.keyboard.press('Home');
  });

  await test.step('a search and a selection kept as filters leave fewer of the lines that are shown', async () => {
    await filter(page, 'worker-3\\b');
    await filter(page, 'worker-5\\b');
    // A second filter leaves fewer lines, until either may match.
    await expect(count(page)).toHaveText('0 of 4,000 lines');
    await combine(page, 'worker-5', 'Or');
    await expect(count(page)).toHaveText('1,000 of 4,000 lines');
    await page.keyboard.press('/');
    await page.keyboard.type('request \\d*3 ');
    await expect(page.locator('[data-search="count"]')).toHaveText('200 matching lines');
    await page.keyboard.press('Control+Enter');
    await expect(count(page)).toHaveText('200 of 4,000 lines');
    const words = async () => (await chips(page)).map((chip) => chip.split(' ')[0]);
    expect(await words()).toEqual(['Show', 'or', 'and']);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    // The line's own number, which no other line has.
    const shown = text.row(43).locator('[data-text]');
    const chars = (await shown.textContent())!;
    const { width } = (await shown.boundingBox())!;
    await shown.dblclick({
      position: { x: ((chars.indexOf('request 43') + 9) / chars.length) * width, y: 8 },
    });
    const selected = page.locator('[data-status="selected"]');
    await expect(selected).toContainText('characters');
    await page.keyboard.press('+');
    await expect.poll(words).toEqual(['Show', 'or', 'and', 'and']);
    const left = async () => Number((await count(page).textContent())!.split(' ')[0]);
    await expect.poll(left).toBeLessThan(200);
    expect(await left()).toBeGreaterThan(0);
  });
});

test('filters are mixed, removed, and brought back', async ({ inspector, page }) => {
  const { text } = await inspector.openLog(4000);

  await test.step('a further filter leaves fewer lines, or more if lines may match it instead', async () => {
    await filter(page, 'worker-3\\b');
    await expect(bar(page).getByRole('button', { name: 'Lines', exact: true })).toBeVisible();
    await filter(page, 'request \\d*3 ');
    await expect(count(page)).toHaveText('100 of 4,000 lines');
    expect(await chips(page)).toEqual(['Show worker-3\\b', 'and request \\d*3']);
    await combine(page, 'request', 'Or');
    await expect(count(page)).toHaveText('800 of 4,000 lines');
    expect(await chips(page)).toEqual(['Show worker-3\\b', 'or request \\d*3']);
    await page.reload();
    await expect(count(page)).toHaveText('800 of 4,000 lines');
    await combine(page, 'request', 'And');
    await expect(count(page)).toHaveText('100 of 4,000 lines');
    // The first one shows lines or hides them: there is nothing before it.
    await bar(page).getByRole('button', { name: 'Edit: Show lines with worker-3' }).click();
    const form = page.getByRole('dialog');
    await expect(form.getByRole('button', { name: /^(Show|And|Or|Hide)$/ })).toHaveText(['Show', 'Hide']);
    await form.getByRole('button', { name: 'Hide', exact: true }).click();
    await expect(count(page)).toHaveText('300 of 4,000 lines');
    expect(await chips(page)).toEqual(['Show request \\d*3', 'Hide worker-3\\b']);
    await form.getByRole('button', { name: 'Show', exact: true }).click();
    await expect(count(page)).toHaveText('100 of 4,000 lines');
    await page.keyboard.press('Escape');

    await bar(page).getByRole('button', { name: 'Remove all filters' }).click();
    await expect(bar(page)).toHaveCount(0);
  });

  await test.step('a mixture of filters comes back by Undo, and so do filters that were removed, one or all', async () => {
    for (const pattern of ['worker-3\\b', 'worker-5\\b', 'request \\d*3 ']) await filter(page, pattern);
    await combine(page, 'worker-5', 'Or');
    const mixed = ['Show worker-3\\b', 'or worker-5\\b', 'and request \\d*3'];
    expect(await chips(page)).toEqual(mixed);
    const status = page.getByRole('region', { name: 'Status' });
    await expect(count(page)).toHaveText('200 of 4,000 lines');
    await bar(page).getByRole('button', { name: 'Remove: Show lines with worker-5' }).click();
    await expect(status).toContainText('Removed the filter “Show lines with worker-5\\b”');
    await expect(count(page)).toHaveText('100 of 4,000 lines');
    await status.getByRole('button', { name: 'Undo' }).click();
    await expect(count(page)).toHaveText('200 of 4,000 lines');
    expect(await chips(page)).toEqual(mixed);

    await bar(page).getByRole('button', { name: 'Remove all filters' }).click();
    await expect(bar(page)).toHaveCount(0);
    await expect(status).toContainText('Removed 3 filters');
    await expect(text.scroller).toBeFocused();
    await page.keyboard.press('Control+z');
    await expect(count(page)).toHaveText('200 of 4,000 lines');
    expect(await chips(page)).toEqual(mixed);
    // And what was done before: how they combine, the filters one by one.
    for (const [left, lines] of [
      [3, '0 of 4,000 lines'],
      [2, '0 of 4,000 lines'],
      [1, '500 of 4,000 lines'],
    ] as const) {
      await page.keyboard.press('Control+z');
      await expect(bar(page).locator('[data-chip]')).toHaveCount(left);
      await expect(count(page)).toHaveText(lines);
    }
  });
});

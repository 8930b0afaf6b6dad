/** Filters that show: lines match any of them, or all. A filter added while lines are filtered leaves fewer lines. */
import type { Page } from '@playwright/test';
import { expect, test } from '../fixtures/inspector.ts';

const bar = (page: Page) => page.getByRole('region', { name: 'Filters' });
const count = (page: Page) => page.locator('[data-filter="count"]');

/** By the menu that says how filters combine. */
async function matchBy(page: Page, which: 'Any' | 'All'): Promise<void> {
  await bar(page)
    .getByRole('button', { name: /^(Match|Any Show)/ })
    .click();
  await page.getByRole('menuitemradio', { name: new RegExp(`^${which} of`) }).click();
}

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
    for (const name of [
      'Show lines with worker-3 ',
      'Hide lines with request \\d*3 ',
      'Only lines with took 7 ms',
    ])
      await expect(bar(page).getByRole('button', { name, exact: false }).first()).toBeVisible();

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
    await matchBy(page, 'Any');
    await expect(count(page)).toHaveText('1,000 of 4,000 lines');
    await page.keyboard.press('/');
    await page.keyboard.type('request \\d*3 ');
    await expect(page.locator('[data-search="count"]')).toHaveText('200 matching lines');
    await page.keyboard.press('Control+Enter');
    await expect(count(page)).toHaveText('200 of 4,000 lines');
    await expect(bar(page)).toContainText('Any Show, all Only');
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
    await expect(bar(page)).toContainText('Any Show, all Only');
    const left = async () => Number((await count(page).textContent())!.split(' ')[0]);
    await expect.poll(left).toBeLessThan(200);
    expect(await left()).toBeGreaterThan(0);
  });
});

test('filters are mixed, removed, and brought back', async ({ inspector, page }) => {
  const { text } = await inspector.openLog(4000);

  await test.step('lines match any of the filters or all of them, as the switch says', async () => {
    await filter(page, 'worker-3\\b');
    await expect(bar(page).getByRole('button', { name: 'Lines', exact: true })).toBeVisible();
    await filter(page, 'request \\d*3 ');
    const both = bar(page).getByRole('button', { name: 'Match all' });
    await expect(both).toBeVisible();
    await expect(count(page)).toHaveText('100 of 4,000 lines');
    await matchBy(page, 'Any');
    await expect(count(page)).toHaveText('800 of 4,000 lines');
    await matchBy(page, 'All');
    await expect(both).toBeVisible();
    await expect(count(page)).toHaveText('100 of 4,000 lines');
    await page.reload();
    await expect(count(page)).toHaveText('100 of 4,000 lines');
    await matchBy(page, 'Any');
    await expect(count(page)).toHaveText('800 of 4,000 lines');
    // One filter alone, by its form.
    await bar(page).getByRole('button', { name: 'Edit: Show lines with worker-3\\b' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Only', exact: true }).click();
    await expect(page.getByRole('dialog')).toContainText('only lines with this');
    await page.keyboard.press('Escape');
    await expect(bar(page).getByRole('button', { name: /^Only lines with worker-3/ })).toBeVisible();
    await expect(count(page)).toHaveText('100 of 4,000 lines');

    await bar(page).getByRole('button', { name: 'Remove all filters' }).click();
    await expect(bar(page)).toHaveCount(0);
  });

  await test.step('a mixture of filters comes back by Undo, and so do filters that were removed, one or all', async () => {
    for (const pattern of ['worker-3\\b', 'worker-5\\b', 'request \\d*3 ']) await filter(page, pattern);
    await matchBy(page, 'Any');
    // Else the chips may move under the click.
    await expect(count(page)).toHaveText('1,200 of 4,000 lines');
    await bar(page).getByRole('button', { name: 'Edit: Show lines with request' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Only', exact: true }).click();
    await page.keyboard.press('Escape');
    const mixed = 'Any Show, all Only';
    await expect(bar(page)).toContainText(mixed);
    await matchBy(page, 'Any');
    await expect(bar(page)).not.toContainText('Only');
    const status = page.getByRole('region', { name: 'Status' });
    await expect(status).toContainText('Lines match any of the filters');
    await status.getByRole('button', { name: 'Undo' }).click();
    await expect(bar(page)).toContainText(mixed);

    const chips = () => bar(page).locator('[data-chip]').allInnerTexts();
    await expect(count(page)).toHaveText('200 of 4,000 lines');
    const before = await chips();
    await bar(page).getByRole('button', { name: 'Remove: Show lines with worker-5' }).click();
    await expect(status).toContainText('Removed the filter “Show lines with worker-5\\b”');
    await expect(count(page)).toHaveText('100 of 4,000 lines');
    await status.getByRole('button', { name: 'Undo' }).click();
    await expect(count(page)).toHaveText('200 of 4,000 lines');
    expect(await chips()).toEqual(before);

    await bar(page).getByRole('button', { name: 'Remove all filters' }).click();
    await expect(bar(page)).toHaveCount(0);
    await expect(status).toContainText('Removed 3 filters');
    await expect(text.scroller).toBeFocused();
    await page.keyboard.press('Control+z');
    await expect(bar(page)).toContainText(mixed);
    await expect(count(page)).toHaveText('200 of 4,000 lines');
    // And what was done before: the verb, the match, the filters one by one.
    for (const [chips, lines] of [
      [3, '1,200 of 4,000 lines'],
      [3, '0 of 4,000 lines'],
      [2, '0 of 4,000 lines'],
      [1, '500 of 4,000 lines'],
    ] as const) {
      await page.keyboard.press('Control+z');
      await expect(bar(page).locator('[data-chip]')).toHaveCount(chips);
      await expect(count(page)).toHaveText(lines);
    }
  });
});

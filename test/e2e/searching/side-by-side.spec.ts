/** Several searches of one text, and searches within one another. */
import { expect, test } from '../fixtures/inspector.ts';
import { keep } from '../fixtures/keep.ts';
import { grepCount, LONG_LOG_LINES } from '../fixtures/logs.ts';
import { SearchPage } from '../fixtures/search-page.ts';

test('several searches of a long log are kept', async ({ inspector, page, longLog }) => {
  const text = await inspector.open([longLog]);
  await text.counted(LONG_LOG_LINES);
  const search = new SearchPage(page);
  const eighth = LONG_LOG_LINES / 8;

  await test.step('several searches are kept side by side, each with its colour and count', async () => {
    await search.search(' WARN ');
    await search.found(grepCount(longLog, ' WARN '));
    const errors = grepCount(longLog, ' ERROR ');
    await page.keyboard.press('Alt+k');
    await expect(search.field).toHaveValue('');
    await expect(search.field).toBeFocused();
    await page.keyboard.type(' ERROR ');
    await search.found(errors);
    await page.keyboard.press('Alt+k');
    await page.keyboard.type('worker-3 ');
    await search.found(eighth);

    const tabs = page.getByRole('navigation', { name: 'Searches' });
    const tab = (index: number) => tabs.locator(`[data-search-tab="${index}"]`);
    const warnings = grepCount(longLog, ' WARN ').toLocaleString('en-US');
    await expect(tab(0)).toContainText(` WARN ${warnings}`);
    await expect(tab(1)).toContainText(` ERROR ${errors}`);
    await expect(tab(2)).toContainText(`worker-3 ${eighth.toLocaleString('en-US')}`);
    // One column of the ruler for each, in its colour.
    await expect(page.locator('[data-mark="matches"]')).toHaveCount(3);
    const colours = await page
      .locator('[data-search-tab] [aria-hidden="true"]:not(svg)')
      .evaluateAll((dots) => dots.map((dot) => getComputedStyle(dot).backgroundColor));
    expect(new Set(colours).size).toBe(3);

    await tab(1).getByRole('button').first().click();
    await search.found(errors);
    await expect(search.field).toHaveValue(' ERROR ');
    await page.keyboard.press('Alt+n');
    await search.found(eighth);
    await page.getByRole('button', { name: 'Close the search worker-3' }).click();
    await expect(tabs.locator('[data-search-tab]')).toHaveCount(2);
    await search.found(errors);
  });

  await test.step('a search goes on within what another found, as grep piped into grep', async () => {
    await page.getByRole('button', { name: 'Close the search  WARN ', exact: true }).click();
    await search.search('worker-3 ');
    await search.found(eighth);
    await page.keyboard.press('Alt+w');
    await expect(search.field).toHaveValue('');
    await search.found(eighth);
    await page.keyboard.type('took 7 ms');
    const both = grepCount(longLog, 'worker-3 .*took 7 ms');
    await search.found(both);
    await page.keyboard.press('Alt+w');
    await page.keyboard.type('request 1');
    const three = grepCount(longLog, 'worker-3 request 1.*took 7 ms');
    await search.found(three);
    // The first line has the pattern, and is not within.
    await expect(search.row(10_643).locator('mark')).toHaveText('request 1');
    await expect(text.row(1)).toContainText('request 1 ');
    await expect(text.row(1).locator('mark')).toHaveCount(0);

    await page.keyboard.press('Escape');
    await page.reload();
    await expect(search.results).toContainText(`${three.toLocaleString('en-US')} matching lines`);
    await page.keyboard.press('/');
    await page.getByRole('button', { name: 'Search not only within worker-3' }).click();
    await search.found(grepCount(longLog, 'request 1.*took 7 ms'));
  });
});

test('all searches come back after a reload, with what they are within, and each tab has its own', async ({
  inspector,
  page,
}) => {
  const { text } = await inspector.openLog(3000);
  const search = new SearchPage(page);
  const tabs = page.getByRole('navigation', { name: 'Searches' }).locator('[data-search-tab]');
  const colours = () =>
    tabs
      .locator('[aria-hidden="true"]:not(svg)')
      .evaluateAll((dots) => dots.map((dot) => getComputedStyle(dot).backgroundColor));
  await search.search(' WARN ');
  await search.found(3);
  await page.keyboard.press('Alt+k');
  await page.keyboard.type('worker-3 ');
  await search.found(375);
  await page.keyboard.press('Alt+w');
  await page.keyboard.type('took 21 ms');
  await search.found(2);
  await page.keyboard.press('Alt+k');
  await page.keyboard.type('request');
  await search.found(3000);
  await page.keyboard.press('Alt+n');
  await search.found(3);
  await page.keyboard.press('Escape');
  const before = await colours();
  const all = [' WARN 3', 'worker-3  › took 21 ms2', 'request3,000'];
  const areShown = async (at: number) => {
    await expect(tabs).toHaveText(all);
    await expect(tabs.locator('[aria-current="true"]')).toHaveText(all[at]!);
  };
  await areShown(0);

  await page.reload();
  await areShown(0);
  expect(await colours()).toEqual(before);
  await text.scroller.focus();
  await page.keyboard.press('Alt+n');
  await expect(search.results).toContainText('2 matching lines');
  await page.keyboard.press('/');
  await expect(page.getByRole('button', { name: 'Search not only within worker-3' })).toBeVisible();
  await page.keyboard.press('Escape');

  // Another tab begins with the same searches. Those closed there stay in the first.
  await text.scroller.focus();
  await page.keyboard.press('d');
  await areShown(1);
  for (const name of [' WARN ', 'request'])
    await page.getByRole('button', { name: `Close the search ${name}`, exact: true }).click();
  await expect(tabs).toHaveCount(0);
  await page.reload();
  await expect(search.results).toContainText('2 matching lines');
  await expect(tabs).toHaveCount(0);
  await page.keyboard.press('[');
  await areShown(1);
});

test('a search that is kept counts only lines that a filter shows, and has its colour in the text', async ({
  inspector,
  page,
}) => {
  const { text } = await inspector.openLog(3000);
  const search = new SearchPage(page);
  await search.search('request');
  await search.found(3000);
  const mark = text.row(3).locator('mark').first();
  const look = () =>
    mark.evaluate((each) => {
      const { backgroundColor, boxShadow } = getComputedStyle(each);
      return { backgroundColor, boxShadow };
    });
  await expect(mark).toHaveText('request');
  const first = await look();
  await page.keyboard.press('Alt+k');
  await page.keyboard.type('took');
  await search.found(3000);
  const tabs = page.getByRole('navigation', { name: 'Searches' });
  await expect(tabs.locator('[data-search-tab="0"]')).toContainText('request3,000');
  await expect(mark).toHaveText('took');
  const second = await look();
  expect(second.backgroundColor).not.toBe(first.backgroundColor);
  const colour = await tabs
    .locator('[data-search-tab="1"] [aria-hidden="true"]:not(svg)')
    .evaluate((dot) => getComputedStyle(dot).backgroundColor);
  expect(second.boxShadow).toContain(colour);
  await keep(page, 'search-colours');

  await text.scroller.focus();
  await page.keyboard.press('F');
  await page.keyboard.type('worker-3 ');
  await page.keyboard.press('Escape');
  await search.found(375);
  await expect(tabs.locator('[data-search-tab="0"]')).toContainText('request375');
});

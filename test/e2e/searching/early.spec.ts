/** A search that is looked at, or used, before it has found everything. */
import { appendFileSync } from 'node:fs';
import { lines } from '../fixtures/followed.ts';
import { expect, test } from '../fixtures/inspector.ts';
import { SearchPage } from '../fixtures/search-page.ts';

test('each key begins a search, and Enter uses it before it begins', async ({ inspector, page }) => {
  const begun: string[] = [];
  let lateMs = 0;
  await page.routeWebSocket(/./, (socket) => {
    const host = socket.connectToServer();
    socket.onMessage((message) => {
      const pattern = /"subscribe".*"search".*"pattern":"(r[^"]*)"/.exec(String(message))?.[1];
      if (pattern !== undefined) begun.push(pattern);
      setTimeout(() => host.send(message), lateMs);
    });
    host.onMessage((message) => socket.send(message));
  });
  const { text } = await inspector.openLog(3000);
  const search = new SearchPage(page);

  await test.step('each key begins one search, which draws the rows in view before those around them', async () => {
    await search.search('');
    await page.evaluate(() => {
      const drawn: number[] = [];
      Object.assign(window, { drawn });
      new MutationObserver(() => {
        const rows = document.querySelectorAll('[aria-label="Matching lines"] [data-fetched]').length;
        if (rows > 0 && rows !== drawn.at(-1)) drawn.push(rows);
      }).observe(document.body, { subtree: true, childList: true });
    });
    await page.keyboard.type('req');
    await search.found(3000);
    await expect.poll(() => page.evaluate('drawn.at(-1) > drawn[0] + 8')).toBe(true);
    expect(begun).toEqual(['r', 're', 'req']);
  });

  await test.step('Enter goes to a match although the search begins late', async () => {
    await search.search('');
    lateMs = 2500;
    await page.keyboard.insertText('request 12 ');
    await page.keyboard.press('Enter');
    await expect(text.row(12)).toHaveAttribute('data-current', '');
    lateMs = 0;
  });
});

test('marks in the text stay, and come with new lines', async ({ inspector, page }) => {
  const { path, text } = await inspector.openLog(3000);
  const search = new SearchPage(page);

  await test.step('marks in the text stay while a pattern is typed, until those of the longer one are known', async () => {
    await search.search('re');
    await expect(text.row(3).locator('mark')).toHaveText('re');
    await page.evaluate(() => {
      const seen = ['re'];
      Object.assign(window, { seen });
      new MutationObserver(() => {
        const marks = document.querySelectorAll('[data-viewer] [data-line="3"] mark');
        const now = marks[0]?.textContent ?? 'none';
        if (now !== seen.at(-1)) seen.push(now);
      }).observe(document.body, { subtree: true, childList: true, characterData: true });
    });
    for (const pattern of ['req', 'requ']) {
      await page.keyboard.type(pattern.at(-1)!);
      await expect(text.row(3).locator('mark')).toHaveText(pattern);
    }
    expect(await page.evaluate('seen')).toEqual(['re', 'req', 'requ']);
  });

  await search.search('request');
  await search.found(3000);
  await page.keyboard.press('Escape');
  let total = 3000;
  const grow = async () => {
    await page.keyboard.press('f');
    await expect(text.row(total)).toBeInViewport();
    for (const count of [3, 200, 1, 700, 2, 40]) {
      appendFileSync(path, lines(total + 1, count));
      total += count;
      await expect(text.row(total)).toBeInViewport();
      await expect(text.row(total).locator('mark')).toHaveText('request');
      await expect(text.row(total)).toHaveAttribute('data-hit', '');
    }
  };
  await test.step('every line that comes is marked while the end is followed', grow);
  await test.step('every line that comes is marked while the end is followed, filtered', async () => {
    // No longer followed, and not at the end.
    await page.keyboard.press('f');
    await page.keyboard.press('Home');
    await page.keyboard.press('F');
    await page.keyboard.type('worker');
    await page.keyboard.press('Escape');
    await expect(page.locator('[data-filter="count"]')).toHaveText(/^3,946 of 3,946 lines$/);
    await expect(search.results).toContainText('3,946 matching lines');
    await grow();
  });
});

import { appendFileSync, writeFileSync } from 'node:fs';
import type { ClientMessage } from '../../../shared/api/wire.ts';
import { expect, test } from '../fixtures/inspector.ts';
import { BIG_LOG_LINES, grepCount, writeLines } from '../fixtures/logs.ts';
import { SearchPage } from '../fixtures/search-page.ts';

test('searches a big log', async ({ inspector, bigLog, page }) => {
  const sent: ClientMessage[] = [];
  page.on('websocket', (socket) =>
    socket.on('framesent', ({ payload }) => sent.push(JSON.parse(String(payload)))),
  );
  const text = await inspector.open([bigLog]);
  await text.counted(BIG_LOG_LINES);
  const search = new SearchPage(page);

  await test.step('results stay at the first match while a big log is searched', async () => {
    // Two matches at once, and a million more as they are found.
    await search.search('request (5|7|1\\d{6}) ');
    await search.found(1_000_000 - 1 + 3);
    expect((await search.rows()).slice(0, 2).map(([line]) => line)).toEqual([5, 7]);
  });

  await test.step('finds the last typed pattern, however quickly it was typed', async () => {
    await search.search('');
    await search.field.pressSequentially('worker-3 request 1.*9 ms');
    const count = grepCount(bigLog, '-E', 'worker-3 request 1.*9 ms');
    await search.found(count);
    const [first] = await search.rows();
    expect(first?.[1]).toMatch(/worker-3 request 1.*9 ms/);
    // A slow search, left at once for a known one. It must not come back when it would have finished.
    const errors = grepCount(bigLog, 'ERROR');
    await search.field.fill('ERROR');
    await search.found(errors);
    await search.field.evaluate(async (field) => {
      const type = (text: string) => {
        Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, text);
        field.dispatchEvent(new Event('input', { bubbles: true }));
      };
      type('(?=.*.*[zq]\\d$)\\d');
      while (!window.location.hash.includes('zq')) await new Promise(requestAnimationFrame);
      type('ERROR');
    });
    await search.found(errors);
    // It is ended, and then something else was asked and answered: nothing of it comes any more.
    const slow = sent.find(
      (message) => message.type === 'subscribe' && JSON.stringify(message.params).includes('zq'),
    );
    await expect
      .poll(() => sent.some(({ type, id }) => type === 'unsubscribe' && id === slow?.id))
      .toBe(true);
    await text.goTo('1500000');
    await expect(text.row(1_500_000)).toHaveAttribute('data-fetched', '');
    await search.found(errors);
    await expect(search.row(9973)).toBeVisible();
    await search.field.fill('');
    await expect(search.results).toHaveCount(0);
    await expect(search.count).toHaveText('');
  });

  await test.step('tells how far a long search is, and can be stopped and gone on with', async () => {
    await text.scroller.focus();
    await page.keyboard.press('Home');
    // A look-ahead takes the slow engine: slow on every line, but never stuck.
    await search.search('^2026.*9973 |(?=[35].*.*[zq]\\d$)\\d');
    await expect(page.locator('[data-search="progress"]')).toHaveText(/^\d+ %$/);
    await expect(search.count).toHaveText(/^[\d,]+ matching lines? so far$/);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await expect(search.results).toContainText('Cancelled at');
    await expect(page.locator('[data-search="progress"]')).toHaveCount(0);
    // The matches found so far stay.
    await expect(search.row(9973)).toBeVisible();
    await search.field.press('Enter');
    await expect(text.status).toHaveText('Line 9,973 of 2,000,000');
    await page.getByRole('button', { name: 'Search the rest' }).click();
    await expect(search.results).not.toContainText('Cancelled');
    await search.field.fill('worker-7 request 1999999');
    await search.found(1);
  });
});

test('searches what is hard to search, and what changes', async ({ inspector, page }) => {
  const path = writeLines(inspector.folder, 'a.log', 2000, (number) =>
    number % 2 ? `${'a'.repeat(40)}${number}!` : `line ${number}`,
  );
  const text = await inspector.open([path]);
  await text.counted(2000);
  const search = new SearchPage(page);

  await test.step('lets a hopeless pattern go, and goes on with the next', async () => {
    await search.search('(a+)+(b|\\1)$');
    // The window is alive meanwhile.
    await page.keyboard.press('Escape');
    await text.goTo('1500');
    await expect(text.status).toHaveText('Line 1,500 of 2,000');
    await expect(search.results).toContainText('Timed out');
    await search.search('line 1\\d\\d\\d');
    await search.found(500);
    await expect(search.results).not.toContainText('Timed out');
  });

  await test.step('goes on in what is appended, and begins anew in what replaces the text', async () => {
    await search.search('needle');
    await search.found(0);
    appendFileSync(path, 'a nee');
    appendFileSync(path, 'dle\nanother needle\n');
    await search.found(2);
    await expect(search.row(2002)).toBeVisible();
    await page.keyboard.press('Shift+Enter');
    await expect(text.row(2002).locator('mark')).toHaveText('needle');
    await expect(text.row(2001)).toHaveAttribute('data-hit', '');
    await expect(page.locator('[data-mark="matches"] path')).toHaveAttribute('d', /M0/);
    writeFileSync(path, 'one needle\nand no more\n');
    await search.found(1);
    await expect(search.row(1)).toBeVisible();
    await expect(search.row(2002)).toHaveCount(0);
  });
});

test('comes back with a reload, and remembers the patterns of before', async ({ inspector, page }) => {
  const { path, text } = await inspector.openLog(30_000);
  const search = new SearchPage(page);
  await search.search('warn');
  // An Enter that comes before the matches goes to the first one of the next pattern.
  await search.found(grepCount(path, '-i', 'warn'));
  await page.keyboard.press('Enter');
  await search.flip('Match case');
  await search.field.fill('ERROR .*[12] ms');
  const count = grepCount(path, '-E', 'ERROR .*[12] ms');
  await search.found(count);
  await page.keyboard.press('Enter');
  // At once: a reload that follows the key returns to it.
  expect(await page.evaluate(() => window.location.hash)).toContain('ERROR');
  await page.reload();
  await search.found(count);
  await expect(search.field).toHaveValue('ERROR .*[12] ms');
  await expect(page.getByRole('button', { name: 'Match case' })).toHaveAttribute('aria-pressed', 'true');
  await search.search('');
  await page.keyboard.press('ArrowUp');
  await expect(search.field).toHaveValue('ERROR .*[12] ms');
  await page.keyboard.press('ArrowUp');
  await expect(search.field).toHaveValue('warn');
  await page.keyboard.press('ArrowDown');
  await expect(search.field).toHaveValue('ERROR .*[12] ms');
  await page.getByRole('search').getByRole('button', { name: 'End the search' }).click();
  await page.reload();
  await text.counted(30_000);
  await expect(search.field).toHaveCount(0);
});

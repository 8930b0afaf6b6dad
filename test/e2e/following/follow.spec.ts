import {
  appendFileSync,
  closeSync,
  openSync,
  renameSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { type Dresses, dress } from '../fixtures/dressed.ts';
import { followed, isAtEnd, lines, scrolledUp } from '../fixtures/followed.ts';
import { expect, test } from '../fixtures/inspector.ts';
import { keep } from '../fixtures/keep.ts';
import { ListPage } from '../fixtures/list-page.ts';
import { logLine, writeLines } from '../fixtures/logs.ts';
import type { TextPage } from '../fixtures/text-page.ts';

test('following', async ({ inspector, page }) => {
  const { path, text } = await followed(inspector);
  await test.step('shows a full screen, pauses on scrolling up, counts what waits, and goes on at the end', () =>
    pausesAndGoesOn(text, path));

  await page.setViewportSize({ width: 1000, height: 500 });
  await page.keyboard.press('f');
  await isAtEnd(text, path, 4351);
  await test.step('is not paused by a view that becomes higher', async () => {
    await page.setViewportSize({ width: 1000, height: 900 });
    await isAtEnd(text, path, 4351);
    appendFileSync(path, lines(4352, 5));
    await isAtEnd(text, path, 4356);
    // As the search line does when it goes.
    await page.keyboard.press('/');
    appendFileSync(path, lines(4357, 5));
    await isAtEnd(text, path, 4361);
    await page.keyboard.press('Escape');
    await isAtEnd(text, path, 4361);
    appendFileSync(path, lines(4362, 5));
    await isAtEnd(text, path, 4366);
  });

  await test.step('counts new lines in the whole text, even when a range is shown', () =>
    countsBehindARange(text, path));

  await page.locator('[data-status="paused"]').click();
  await isAtEnd(text, path, 4371);
  await test.step('goes on in the text that is there after a truncation and a rotation', async () => {
    truncateSync(path, 0);
    appendFileSync(path, lines(1, 3));
    await expect(text.row(3)).toContainText(logLine(3));
    for (let from = 4; from < 400; from += 99) appendFileSync(path, lines(from, 99));
    await text.counted(399);
    await isAtEnd(text, path, 399);

    renameSync(path, `${path}.1`);
    writeFileSync(path, lines(1, 20));
    await text.counted(20);
    appendFileSync(path, lines(21, 480));
    await text.counted(500);
    await isAtEnd(text, path, 500);
    await expect(page.getByText('Following', { exact: true })).toBeVisible();
  });
});

async function pausesAndGoesOn(text: TextPage, path: string): Promise<void> {
  const { page } = text;
  appendFileSync(path, lines(3001, 10));
  await isAtEnd(text, path, 3010);

  const paused = await scrolledUp(text);
  const top = await text.firstWholeLine();
  appendFileSync(path, lines(3011, 1234));
  await expect(paused).toContainText('1,234 new lines');
  expect(await text.firstWholeLine()).toBe(top);
  // It covers nothing.
  const [button, rows] = [(await paused.boundingBox())!, (await text.scroller.boundingBox())!];
  expect(button.y).toBeGreaterThanOrEqual(rows.y + rows.height);
  await keep(page, 'follow-paused');

  // By click, by key, by scrolling there.
  await paused.click();
  await isAtEnd(text, path, 4244);
  await expect(paused).toHaveCount(0);
  appendFileSync(path, lines(4245, 5));
  await isAtEnd(text, path, 4249);
  // To be there already changes nothing.
  await page.keyboard.press('End');
  await text.wheel(-200);
  await expect(paused).toBeVisible();
  await page.keyboard.press('End');
  await expect(paused).toHaveCount(0);
  await text.wheel(-200);
  await expect(paused).toBeVisible();
  appendFileSync(path, lines(4250, 1));
  await expect(paused).toContainText('1 new line');
  await text.wheel(4000);
  await expect(paused).toHaveCount(0);
  appendFileSync(path, lines(4251, 1));
  await isAtEnd(text, path, 4251);
  await text.scroller.focus();
  await page.keyboard.press('f');
  await expect(page.getByText('Following', { exact: true })).toHaveCount(0);
  appendFileSync(path, lines(4252, 100));
  await text.counted(4351);
  await expect(text.row(4251)).toBeInViewport();
}

async function countsBehindARange(text: TextPage, path: string): Promise<void> {
  const { page } = text;
  const only = page.getByText('Only lines 100–900');
  const paused = await scrolledUp(text);
  await page.keyboard.press('r');
  await page.getByLabel('From line').fill('100');
  await page.getByLabel('To line').fill('900');
  await page.keyboard.press('Enter');
  await expect(only).toBeVisible();
  await expect(text.row(100)).toBeInViewport();
  await expect(paused).toContainText('nothing new');
  // Following also pauses while only a range is shown.
  await text.scroller.focus();
  await page.keyboard.press('End');
  await expect(text.row(900)).toBeInViewport();
  await expect(paused).toHaveCount(0);
  await text.wheel(-400);
  await expect(paused).toContainText('nothing new');
  appendFileSync(path, lines(4367, 5));
  await expect(paused).toContainText('5 new lines');
  await page.keyboard.press('Escape');
  await expect(only).toHaveCount(0);
  await expect(paused).toContainText('Paused, 5 new lines');
}

/** Ways to leave the end of a followed text. */
const GONE_TO: { what: string; go: (text: TextPage) => Promise<void>; counting?: boolean }[] = [
  { what: 'a line', go: (text) => text.goTo('5000') },
  // While lines come faster than they are counted, the followed end has no line numbers.
  { what: 'a line while they are counted', go: (text) => text.goTo('5000'), counting: true },
  {
    what: 'a match',
    go: async ({ page }) => {
      await page.keyboard.press('/');
      await page.keyboard.insertText(logLine(5000));
      await page.keyboard.press('Enter');
    },
  },
  {
    what: 'some lines',
    go: async ({ page }) => {
      await page.keyboard.press('r');
      await page.getByLabel('From line').fill('5000');
      await page.getByLabel('To line').fill('9000');
      await page.keyboard.press('Enter');
    },
  },
];

test('following, while the host is late,', async ({ inspector, page }) => {
  const dresses: Dresses = {};
  await dress(page, {
    document: (state) => dresses.document?.(state) ?? state,
    late: (name, params) => dresses.late?.(name, params) ?? null,
  });
  const file = (what: string) => `${what}.log`;
  const path = writeLines(inspector.folder, 'growing.log', 3000, logLine);
  const others = GONE_TO.map(({ what }) => writeLines(inspector.folder, file(what), 12_000, logLine));
  const text = await inspector.open([path, ...others]);
  await text.counted(3000);
  await test.step('does not lose the line numbers while the count is a moment behind', async () => {
    // A file that never stops growing is never counted to its end. Tell the window that of a file that stands still.
    dresses.document = (state) => ({ ...state, total_bytes: state.total_bytes + 1000 });
    appendFileSync(path, lines(3001, 1));
    await text.counted(3001);
    await text.scroller.focus();
    await page.keyboard.press('End');
    await isAtEnd(text, path, 3001);
    await page.keyboard.press('Home');
    await page.keyboard.press('f');
    await isAtEnd(text, path, 3001);
    await expect(text.status).toContainText('–3,001 of 3,001');
  });

  for (const [index, { what, go, counting = false }] of GONE_TO.entries()) {
    await test.step(`stays at ${what} that is gone to, even before the end was in view`, async () => {
      // Rows of the end come late: where much is written and the machine is busy, they always do.
      let release = (): void => {};
      const released = new Promise<void>((resolve) => {
        release = resolve;
      });
      let asked = false;
      dresses.late = (name, params) => {
        const ofTheEnd = name === 'rows' && Number(params.start_line) > 8000;
        asked ||= ofTheEnd;
        return ofTheEnd ? released : null;
      };
      dresses.document = (state) =>
        counting ? { ...state, total_bytes: state.total_bytes + 10_000_000 } : state;
      await new ListPage(page).item(file(what)).click();
      await expect(text.status).toContainText('of 12,000');
      await text.scroller.focus();
      await page.keyboard.press('f');
      if (counting) await expect(text.status).toContainText('The last 1,024 lines');
      else await expect.poll(() => asked).toBe(true);
      await go(text);
      await expect(text.row(5000)).toBeInViewport();
      const paused = page.locator('[data-status="paused"]');
      await expect(paused).toBeVisible();
      const top = await text.firstWholeLine();
      release();
      appendFileSync(others[index]!, lines(12_001, 1));
      await expect(text.status).toContainText('of 12,001');
      await expect(paused).toContainText(counting ? 'new' : '1 new line');
      expect(await text.firstWholeLine()).toBe(top);
    });
  }
});

test('following keeps up with ten thousand lines a second, and shows the lines of the file only', {
  tag: '@measured',
}, async ({ inspector, page }) => {
  const path = writeLines(inspector.folder, 'fast.log', 2000, logLine);
  const text = await inspector.open([path]);
  await text.counted(2000);
  await page.keyboard.press('f');
  const file = openSync(path, 'a');
  let total = 2000;
  const until = Date.now() + 3000;
  const seen: Array<{ line: number; text: string }> = [];
  // On a slow machine it takes longer to have looked often enough.
  for (const different = new Set<number>(); Date.now() < until || different.size <= 200; ) {
    writeSync(file, lines(total + 1, 200));
    total += 200;
    // The pace of the writer: 200 lines every 20 ms.
    await wait(20);
    for (const { line, text: said } of await text.rows()) {
      if (line === null || said === null) continue;
      seen.push({ line, text: said });
      different.add(line);
    }
  }
  closeSync(file);
  await isAtEnd(text, path, total);
  expect(seen.filter((row) => row.text !== logLine(row.line))).toEqual([]);
  await expect(page.getByText('Following', { exact: true })).toBeVisible();
});

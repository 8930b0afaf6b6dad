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
import type { Locator } from '@playwright/test';
import { dress } from './fixtures/dressed.ts';
import { expect, type Inspector, test } from './fixtures/inspector.ts';
import { keep } from './fixtures/keep.ts';
import { logLine, sed, writeLines } from './fixtures/logs.ts';
import type { TextPage } from './fixtures/text-page.ts';

function lines(from: number, count: number): string {
  return `${Array.from({ length: count }, (_, index) => logLine(from + index)).join('\n')}\n`;
}

/** The last line of the file is the last row of a view that is full. */
async function isAtEnd(text: TextPage, path: string, total: number): Promise<void> {
  await expect(text.row(total)).toBeInViewport({ ratio: 1 });
  await expect
    .poll(async () => {
      const rows = await text.wholeRows();
      const height = await text.scroller.evaluate((scroller) => scroller.clientHeight);
      return { last: rows.at(-1)?.line, full: rows.length === Math.floor(height / 18) };
    })
    .toEqual({ last: total, full: true });
  const rows = await text.wholeRows();
  expect(rows.map((row) => row.text)).toEqual(sed(path, rows[0]!.line!, total));
}

/** A file of so many lines that is open, counted, and followed. */
async function followed(inspector: Inspector, count = 3000): Promise<{ path: string; text: TextPage }> {
  const path = writeLines(inspector.folder, 'growing.log', count, logLine);
  const text = await inspector.open([path]);
  await text.counted(count);
  await text.scroller.focus();
  await text.page.keyboard.press('f');
  await isAtEnd(text, path, count);
  return { path, text };
}

/** Scrolls up, which pauses; what says so. */
async function scrolledUp(text: TextPage): Promise<Locator> {
  const paused = text.page.locator('[data-status="paused"]');
  await text.wheel(-400);
  await expect(paused).toContainText('nothing new');
  return paused;
}

test.describe('following', () => {
  test('shows a full screen, pauses on scrolling up, counts what waits, and goes on at the end', async ({
    inspector,
    page,
  }) => {
    const { path, text } = await followed(inspector);
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
  });

  test('does not lose the line numbers while the count is a moment behind', async ({ inspector, page }) => {
    // A file that never stops growing is never counted to its end: the window is told so of one that stands still.
    let growing = false;
    await dress(page, {
      document: (state) => (growing ? { ...state, total_bytes: state.total_bytes + 1000 } : state),
    });
    const path = writeLines(inspector.folder, 'growing.log', 3000, logLine);
    const text = await inspector.open([path]);
    await text.counted(3000);
    growing = true;
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

  for (const { what, go, counting = false } of [
    { what: 'a line', go: (text: TextPage) => text.goTo('5000') },
    // While lines come faster than they are counted, the followed end has no line numbers.
    { what: 'a line while they are counted', go: (text: TextPage) => text.goTo('5000'), counting: true },
    {
      what: 'a match',
      go: async ({ page }: TextPage) => {
        await page.keyboard.press('/');
        await page.keyboard.type(logLine(5000));
        await page.keyboard.press('Enter');
      },
    },
    {
      what: 'some lines',
      go: async ({ page }: TextPage) => {
        await page.keyboard.press('r');
        await page.getByLabel('From line').fill('5000');
        await page.getByLabel('To line').fill('9000');
        await page.keyboard.press('Enter');
      },
    },
  ]) {
    test(`lets whoever goes to ${what} stay there, though the end was not in view yet`, async ({
      inspector,
      page,
    }) => {
      // Rows of the end come late: where much is written and the machine is busy, they always do.
      let release = (): void => {};
      const released = new Promise<void>((resolve) => {
        release = resolve;
      });
      let asked = false;
      await dress(page, {
        late(name, params) {
          const ofTheEnd = name === 'rows' && Number(params.start_line) > 8000;
          asked ||= ofTheEnd;
          return ofTheEnd ? released : null;
        },
        document: (state) => (counting ? { ...state, total_bytes: state.total_bytes + 10_000_000 } : state),
      });
      const path = writeLines(inspector.folder, 'long.log', 30_000, logLine);
      const text = await inspector.open([path]);
      await expect(text.status).toContainText('of 30,000');
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
      appendFileSync(path, lines(30_001, 1));
      await expect(text.status).toContainText('of 30,001');
      await expect(paused).toContainText(counting ? 'new' : '1 new line');
      expect(await text.firstWholeLine()).toBe(top);
    });
  }

  test('is not paused by a view that becomes higher', async ({ inspector, page }) => {
    await page.setViewportSize({ width: 1000, height: 500 });
    const { path, text } = await followed(inspector);
    await page.setViewportSize({ width: 1000, height: 900 });
    await isAtEnd(text, path, 3000);
    appendFileSync(path, lines(3001, 5));
    await isAtEnd(text, path, 3005);
    // As the search line does when it goes.
    await page.keyboard.press('/');
    appendFileSync(path, lines(3006, 5));
    await isAtEnd(text, path, 3010);
    await page.keyboard.press('Escape');
    await isAtEnd(text, path, 3010);
    appendFileSync(path, lines(3011, 5));
    await isAtEnd(text, path, 3015);
  });

  test('goes on in the text that is there after a truncation and a rotation', async ({ inspector, page }) => {
    const { path, text } = await followed(inspector, 5000);

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

  test('counts what waits in the whole text, however few of its lines are shown', async ({
    inspector,
    page,
  }) => {
    const { path, text } = await followed(inspector);
    const only = page.getByText('Only lines 100–900');
    const paused = await scrolledUp(text);
    await page.keyboard.press('r');
    await page.getByLabel('From line').fill('100');
    await page.getByLabel('To line').fill('900');
    await page.keyboard.press('Enter');
    await expect(only).toBeVisible();
    await expect(text.row(100)).toBeInViewport();
    await expect(paused).toContainText('nothing new');
    // Paused while only they are shown, too.
    await text.scroller.focus();
    await page.keyboard.press('End');
    await expect(text.row(900)).toBeInViewport();
    await expect(paused).toHaveCount(0);
    await text.wheel(-400);
    await expect(paused).toContainText('nothing new');
    appendFileSync(path, lines(3001, 5));
    await expect(paused).toContainText('5 new lines');
    await page.keyboard.press('Escape');
    await expect(only).toHaveCount(0);
    await expect(paused).toContainText('Paused, 5 new lines');
  });

  test('counts what came while the host could not be reached', async ({ inspector, page }) => {
    let drop = async (): Promise<void> => {};
    let connections = 0;
    let reachable = true;
    await page.routeWebSocket(/\/api$/, (socket) => {
      if (!reachable) return void socket.close();
      // Each connection numbers texts in its own way, as if another host had opened them.
      const later = 10 * connections;
      connections += 1;
      const host = socket.connectToServer();
      socket.onMessage((message) => host.send(message));
      host.onMessage((message) =>
        socket.send(
          String(message).replace(
            /"generation":(\d+)/g,
            (_, generation) => `"generation":${Number(generation) + later}`,
          ),
        ),
      );
      drop = async () => {
        await host.close();
        await socket.close();
      };
    });
    const { path, text } = await followed(inspector);
    const paused = await scrolledUp(text);
    reachable = false;
    await drop();
    await expect(page.getByRole('alert').filter({ hasText: 'Offline' })).toBeVisible();
    appendFileSync(path, lines(3001, 7));
    reachable = true;
    await text.counted(3007);
    await expect(paused).toContainText('Paused, 7 new lines');
  });

  test('says in bytes how much waits while lines are counted, and leaves alone who scrolled up', async ({
    inspector,
    page,
  }) => {
    let counting = true;
    await dress(page, {
      document: (state) => (counting ? { ...state, indexed_bytes: 0, total_lines: 0 } : state),
    });
    const path = writeLines(inspector.folder, 'growing.log', 3000, logLine);
    const text = await inspector.open([path]);
    await expect(text.row(1)).toBeVisible();
    await text.scroller.focus();
    await page.keyboard.press('f');
    await expect(text.status).toContainText('The last 1,024 lines');
    await expect.poll(async () => (await text.wholeRows()).at(-1)?.text).toBe(logLine(3000));
    const paused = await scrolledUp(text);
    const [top] = await text.wholeRows();
    appendFileSync(path, lines(3001, 100));
    await expect(paused).toContainText(/Paused, [\d.]+ KiB new/);
    expect((await text.wholeRows())[0]).toEqual(top);
    counting = false;
    appendFileSync(path, lines(3101, 1));
    await text.counted(3101);
    await expect(paused).toContainText(/Paused, [\d.]+ KiB new/);
    expect((await text.wholeRows())[0]?.text).toBe(top?.text);
  });

  test('stays paused when the text is truncated, and says so', async ({ inspector, page }) => {
    const { path, text } = await followed(inspector);
    const paused = await scrolledUp(text);

    truncateSync(path, 0);
    appendFileSync(path, lines(1, 3));
    await expect(page.getByText('The file was truncated')).toBeVisible();
    await expect(paused).toContainText('3 new lines');
    appendFileSync(path, lines(4, 3996));
    await expect(paused).toContainText('3,999 new lines');
    expect(await text.firstWholeLine()).toBe(1);

    await paused.click();
    await isAtEnd(text, path, 3999);
    await expect(page.getByText('Following', { exact: true })).toBeVisible();
    // The same when the whole text is in view.
    await text.wheel(-400);
    await expect(paused).toBeVisible();
    truncateSync(path, 0);
    appendFileSync(path, lines(1, 5));
    await expect(paused).toContainText('5 new lines');
    await text.scroller.focus();
    await page.keyboard.press('End');
    await expect(page.getByText('Following', { exact: true })).toBeVisible();
    appendFileSync(path, lines(6, 400));
    await isAtEnd(text, path, 405);
  });

  test('keeps up with ten thousand lines a second, and never shows a line that is not the file’s', async ({
    inspector,
    page,
  }) => {
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
});

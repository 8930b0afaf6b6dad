/** Long lines wrapped in the text, on a long log and on a line of 200 MB. */
import { appendFileSync, closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { test as base, expect } from '../fixtures/inspector.ts';
import { LONG_LOG_LINES, sed, writeLines } from '../fixtures/logs.ts';
import { SearchPage } from '../fixtures/search-page.ts';
import { sharedFile } from '../fixtures/shared-file.ts';
import type { TextPage } from '../fixtures/text-page.ts';
import { type DrawnRow, LINE_PX, rowsOf } from './drawn-rows.ts';

const LINES = LONG_LOG_LINES;

const WORDS = Array.from({ length: 89 }, (_, index) => `word${index} `);
const TEXTS = WORDS.map((_, count) => WORDS.slice(0, count).join(''));

/** Lines of 20 to 700 characters, a third of them with up to 88 different words. */
function wordyLine(number: number): string {
  return `${number} ${number % 3 === 0 ? TEXTS[number % 89] : 'short '}end${number}`;
}

const test = base.extend<{ wordyLog: string }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern what a fixture needs
  wordyLog: async ({}, use) => {
    await use(await sharedFile('wordy.log', (folder) => writeLines(folder, 'wordy.log', LINES, wordyLine)));
  },
});

/** Every row in view is the file's, follows the one above it, and is as high as its lines. */
async function isExact(text: TextPage, path: string): Promise<DrawnRow[]> {
  const rows = await rowsOf(text);
  expect(rows.map((row) => row.text)).toEqual(sed(path, rows[0]!.line, rows.at(-1)!.line));
  for (const [index, row] of rows.entries()) {
    expect(row.height).toBe(row.lines * LINE_PX);
    const next = rows[index + 1];
    if (next) expect([next.line, next.top]).toEqual([row.line + 1, row.top + row.height]);
  }
  const overflow = await text.scroller.evaluate((each) => each.scrollWidth - each.clientWidth);
  expect(overflow).toBe(0);
  return rows;
}

const firstRow = async (text: TextPage) => (await rowsOf(text))[0]!;

test.describe('a long log, some lines of which are long', () => {
  test('wraps, and is exact at its start, in its depth and at its end', async ({
    inspector,
    wordyLog,
    page,
  }) => {
    const text = await inspector.open([wordyLog]);
    await text.counted(LINES);
    await text.scroller.focus();
    await page.keyboard.press('w');
    await expect(text.scroller).toHaveAttribute('data-wrapped', '');
    expect((await isExact(text, wordyLog))[0]).toMatchObject({ line: 1, top: 0 });

    for (const line of [LINES / 2, 123_456, LINES - 10, 4000, 37]) {
      await text.goTo(String(line));
      await expect(text.status).toContainText(`Line ${line.toLocaleString('en-US')} of`);
      await isExact(text, wordyLog);
      await expect(text.row(line)).toBeInViewport({ ratio: 1 });
    }

    await page.keyboard.press('Control+End');
    await expect(text.row(LINES)).toBeInViewport({ ratio: 1 });
    const height = await text.scroller.evaluate((each) => each.clientHeight);
    const last = (await isExact(text, wordyLog)).at(-1)!;
    expect([last.line, last.top + last.height]).toEqual([LINES, height]);

    // In a narrow window panels are below: the chosen last line stays in view as they come and go.
    await page.setViewportSize({ width: 420, height: 720 });
    await text.goTo('end');
    const atEnd = async () => {
      const bottom = await text.scroller.evaluate((each) => each.clientHeight);
      const shown = (await rowsOf(text)).at(-1)!;
      return shown.line === LINES && shown.top + shown.height === bottom;
    };
    await expect.poll(atEnd).toBe(true);
    for (const key of ['i', 'i', 's', 'i', 'i', 'D', 's', 's', 'D']) {
      await page.keyboard.press(key);
      await expect.poll(atEnd, key).toBe(true);
    }
    await page.setViewportSize({ width: 1280, height: 800 });

    await text.scroller.focus();
    await page.keyboard.press('Control+Home');
    await expect.poll(() => firstRow(text)).toMatchObject({ line: 1, top: 0 });
    await page.keyboard.press('w');
    await expect(text.scroller).not.toHaveAttribute('data-wrapped', '');
  });

  test('stays wrapped after a reload, at the same line', async ({ inspector, wordyLog, page }) => {
    const text = await inspector.open([wordyLog]);
    await text.counted(LINES);
    await text.scroller.focus();
    await page.keyboard.press('w');
    await text.goTo(String(LINES * 0.8));
    await expect(text.row(LINES * 0.8)).toBeInViewport({ ratio: 1 });
    const { line } = await firstRow(text);
    await expect.poll(() => page.url()).toContain(`l=${line}`);
    await page.reload();
    await text.counted(LINES);
    await expect(text.scroller).toHaveAttribute('data-wrapped', '');
    await expect.poll(async () => (await firstRow(text)).line).toBe(line);
    await isExact(text, wordyLog);
  });

  test('is scrolled, selected and searched while it wraps', async ({
    inspector,
    wordyLog,
    page,
    context,
  }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const text = await inspector.open([wordyLog]);
    await text.counted(LINES);
    await text.scroller.focus();
    await page.keyboard.press('w');

    await test.step('scrolls by exactly the pixels of the wheel and one line for a key, deep in the text', async () => {
      for (const line of [LINES * 0.8, 4010, 40]) {
        await text.goTo(String(line));
        await expect(text.row(line)).toBeInViewport({ ratio: 1 });
        await isExact(text, wordyLog);
        let where = (await rowsOf(text)).find((row) => row.line === line)!.top;
        const at = () =>
          text.row(line).evaluate((row) => {
            const view = row.closest('[data-viewer]')!.getBoundingClientRect();
            return Math.round(row.getBoundingClientRect().top - view.top);
          });
        for (const px of [18, 54, -90, 36]) {
          await text.wheel(px);
          where -= px;
          await expect.poll(at).toBe(where);
        }
        for (const [key, px] of [
          ['Control+ArrowDown', 18],
          ['Control+ArrowUp', -18],
        ] as const) {
          await page.keyboard.press(key);
          where -= px;
          await expect.poll(at).toBe(where);
        }
        await isExact(text, wordyLog);
      }
    });

    await test.step('is selected by character over wrapped lines, and copied as it is in the file', async () => {
      // 88 words of 8 characters.
      await text.goTo('139818');
      await expect(text.row(139_818)).toBeInViewport({ ratio: 1 });
      const box = (await text.row(139_818).locator('[data-text]').boundingBox())!;
      const right = box.x + box.width + 10;
      await page.mouse.move(box.x - 2, box.y + LINE_PX * 1.5);
      await page.mouse.down();
      await page.mouse.move(right, box.y + LINE_PX * 1.5, { steps: 3 });
      await page.mouse.up();
      await page.keyboard.press('Control+C');
      await expect(page.getByText(/^Copied \d+ characters$/)).toBeVisible();
      const copied = await page.evaluate(() => navigator.clipboard.readText());
      const [raw] = sed(wordyLog, 139_818, 139_818);
      expect(raw).toContain(copied);
      expect(raw!.indexOf(copied)).toBeGreaterThan(60);
      expect(copied).toMatch(/^(word\d+ ){10,}$/);
    });

    await test.step('shows the match one goes to, however far down its line', async () => {
      const search = new SearchPage(page);
      await page.setViewportSize({ width: 420, height: 500 });
      // Its line has 88 words; this is its last.
      await search.search('end139818$');
      await search.found(1);
      await page.keyboard.press('Enter');
      const mark = text.row(139_818).locator('mark').first();
      await expect(mark).toHaveText('end139818');
      await expect(mark).toBeInViewport({ ratio: 1 });
    });
  });
});

test('a line of 200 MB takes a few lines of the screen, and says how to read on', async ({
  inspector,
  page,
}) => {
  const path = join(inspector.folder, 'one.json');
  const file = openSync(path, 'w');
  const part = '0123456789'.repeat(100_000);
  for (let each = 0; each < 200; each += 1) writeSync(file, part);
  writeSync(file, '\nthe second line\n');
  closeSync(file);
  const text = await inspector.open([path]);
  await text.counted(2);
  await text.scroller.focus();
  await page.keyboard.press('w');
  const [first, second] = await rowsOf(text);
  expect(first!.height).toBeLessThan(40 * LINE_PX);
  expect(second).toMatchObject({ line: 2, text: 'the second line', top: first!.height });
  const readOn = text.row(1).getByRole('button', { name: /line, read on/ });
  await expect(readOn).toBeInViewport({ ratio: 1 });
  await readOn.click();
  await expect.poll(async () => (await rowsOf(text))[0]!.height).toBeGreaterThan(40 * LINE_PX);
  expect((await text.row(1).locator('[data-text]').textContent()) === part.slice(0, 65_536)).toBe(true);
});

test('the end is followed while its lines wrap', async ({ inspector, page }) => {
  const path = writeLines(inspector.folder, 'growing.log', 3000, wordyLine);
  const text = await inspector.open([path]);
  await text.counted(3000);
  await text.scroller.focus();
  await page.keyboard.press('f');
  await expect(text.row(3000)).toBeInViewport();
  await page.keyboard.press('w');
  const isAtEnd = async (total: number) => {
    await expect(text.row(total)).toBeInViewport({ ratio: 1 });
    const height = await text.scroller.evaluate((each) => each.clientHeight);
    await expect
      .poll(async () => {
        const last = (await rowsOf(text)).at(-1)!;
        return [last.line, last.top + last.height];
      })
      .toEqual([total, height]);
    await expect(page.getByText('Following', { exact: true })).toBeVisible();
    await isExact(text, path);
  };
  await isAtEnd(3000);
  for (let total = 3001; total <= 3020; total += 1) appendFileSync(path, `${wordyLine(total * 3)}\n`);
  await isAtEnd(3020);
  await page.setViewportSize({ width: 900, height: 700 });
  await isAtEnd(3020);
  await page.keyboard.press('w');
  await expect(text.row(3020)).toBeInViewport();
  await expect(page.getByText('Following', { exact: true })).toBeVisible();
});

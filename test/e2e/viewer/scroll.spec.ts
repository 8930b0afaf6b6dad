import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { expect, test } from '../fixtures/inspector.ts';
import { ListPage } from '../fixtures/list-page.ts';
import { BIG_LOG_LINES as LINES, logLine, sed, writeLines } from '../fixtures/logs.ts';
import type { SeenRow, TextPage } from '../fixtures/text-page.ts';

const numbers = (first: number, count: number) => Array.from({ length: count }, (_, index) => first + index);

/** `sed` reads a large file anew for each line in its depth. */
function areOfTheLog(rows: SeenRow[]): void {
  expect(rows.map(({ text }) => text)).toEqual(rows.map(({ line }) => logLine(line!)));
}

test.describe('a file of two million lines', () => {
  test('is shown from its first to its last line', async ({ inspector, bigLog, page }) => {
    const text = await inspector.open([bigLog]);
    await test.step('opens at its first lines, exactly as sed prints them', async () => {
      const rows = await text.wholeRows();
      expect(rows.map(({ line }) => line)).toEqual(numbers(1, rows.length));
      expect(rows.map((row) => row.text)).toEqual(sed(bigLog, 1, rows.length));
      await text.counted(LINES);
    });

    await test.step('is scrolled to its exact end and back with keys', async () => {
      await text.scroller.focus();
      await page.keyboard.press('Control+End');
      await expect(text.row(LINES)).toBeVisible();
      const rows = await text.wholeRows();
      const first = LINES - rows.length + 1;
      expect(rows.map(({ line }) => line)).toEqual(numbers(first, rows.length));
      expect(rows.map((row) => row.text)).toEqual(sed(bigLog, first, LINES));
      await page.keyboard.press('Control+ArrowUp');
      await expect.poll(() => text.firstWholeLine()).toBe(first - 1);
      await page.keyboard.press('PageUp');
      await expect.poll(() => text.firstWholeLine()).toBe(first - 1 - (rows.length - 1));
      await page.keyboard.press('Control+Home');
      await expect
        .poll(async () => (await text.wholeRows())[0])
        .toMatchObject({ line: 1, text: logLine(1), top: 0 });
    });

    await test.step('has a scrollbar that says where it is and goes where it is told, by mouse and by key', () =>
      usesTheScrollbar(text));
    await test.step('goes to any line, percentage, distance and byte', () => goesAnywhere(text, bigLog));
  });

  test('moves one line for one line of the wheel, deep in the text and across every edge of its window', async ({
    inspector,
    bigLog,
    page,
  }) => {
    const text = await inspector.open([bigLog]);
    await text.counted(LINES);
    // The pointer stays over the text.
    await text.wheel(0);
    await test.step('keeps few elements however far and fast it is scrolled', async () => {
      let most = 0;
      for (let turn = 0; turn < 12; turn += 1) {
        await page.mouse.wheel(0, turn % 3 === 0 ? 60_000 : 700);
        await text.painted();
        most = Math.max(most, await text.elements());
      }
      expect(most).toBeLessThan(1000);
      const rows = await text.wholeRows();
      expect(rows[0]?.line).toBeGreaterThan(10_000);
      areOfTheLog(rows);
    });

    const inView = (await text.wholeRows()).length;
    /** Goes to a line so that another one is at the top. */
    const showAtTop = async (line: number) => {
      await text.goTo(String(line + Math.floor(inView / 3)));
      await expect.poll(() => text.firstWholeLine()).toBe(line);
    };
    const wheelAcross = async (top: number, step: number) => {
      for (let turn = 1; turn <= 7; turn += 1) {
        await page.mouse.wheel(0, step);
        await expect
          .poll(() => text.firstWholeLine(), { intervals: [10, 20, 50] })
          .toBe(top + turn * Math.sign(step));
      }
      areOfTheLog(await text.wholeRows());
    };
    // Room for 100,000 rows; in an eighth at either end the window of rows moves.
    for (const { far, edge, step } of [
      { far: 1_000_000, edge: 87_500, step: 18 },
      { far: 1_500_000, edge: 12_500, step: -18 },
    ]) {
      await showAtTop(far);
      const base = await text.base();
      expect(base).toBeGreaterThan(0);
      const top = base + edge - 3 * Math.sign(step);
      await showAtTop(top);
      expect(await text.base()).toBe(base);
      await wheelAcross(top, step);
      expect(await text.base()).not.toBe(base);
    }
    // Near the first line, the window begins with it.
    await showAtTop(50_003);
    await wheelAcross(50_003, -18);
    expect(await text.base()).toBe(0);
  });

  test('never shows a frame without rows, wherever it jumps', { tag: '@measured' }, async ({
    inspector,
    bigLog,
    page,
  }) => {
    const text = await inspector.open([bigLog]);
    await text.counted(LINES);
    await text.scroller.focus();
    const stop = await text.watchFrames();
    for (const key of ['End', 'Home', 'PageDown', 'End', 'PageUp', 'Home']) {
      await page.keyboard.press(key);
      await text.painted();
    }
    for (const line of ['87,460', '1,999,000', '600,000', '61,520']) {
      await text.goTo(line);
      await text.wheel(0);
      for (let turn = 0; turn < 8; turn += 1) await page.mouse.wheel(0, line === '61,520' ? -90 : 90);
    }
    const { frames, uncovered } = await stop();
    expect(frames).toBeGreaterThan(30);
    expect(uncovered).toBe(0);
  });
});

async function usesTheScrollbar(text: TextPage): Promise<void> {
  const { page } = text;
  await expect(text.scrollbar).toHaveAttribute('aria-valuenow', '1');
  const track = (await text.scrollbar.boundingBox())!;
  const [x, middle] = [track.x + track.width / 2, track.y + track.height / 2];

  await page.mouse.move(x, track.y + 5);
  await page.mouse.down();
  await page.mouse.move(x, middle, { steps: 5 });
  await page.mouse.up();
  const at = async () => Number(await text.scrollbar.getAttribute('aria-valuenow'));
  await expect.poll(async () => (await at()) / LINES).toBeCloseTo(0.5, 1);
  const dragged = await at();
  await expect.poll(() => text.firstWholeLine()).toBe(dragged);

  await page.mouse.click(x, track.y + track.height - 4);
  const height = (await text.wholeRows()).length;
  await expect.poll(() => text.firstWholeLine()).toBe(dragged + height - 1);

  await text.scrollbar.focus();
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => text.firstWholeLine()).toBe(dragged + height);
  await page.keyboard.press('End');
  await expect(text.row(LINES)).toBeVisible();
  await expect(text.scrollbar).toHaveAttribute(
    'aria-valuetext',
    new RegExp(`of ${LINES.toLocaleString('en-US')}$`),
  );
  await page.keyboard.press('Home');
  await expect(text.scrollbar).toHaveAttribute('aria-valuenow', '1');
}

async function goesAnywhere(text: TextPage, path: string): Promise<void> {
  const lands = async (destination: string, line: number) => {
    await text.goTo(destination);
    await expect(text.row(line)).toContainText(logLine(line));
    await expect(text.status).toHaveText(
      `Line ${line.toLocaleString('en-US')} of ${LINES.toLocaleString('en-US')}`,
    );
  };
  await lands('1,234,567', 1_234_567);
  await lands('+1000', 1_235_567);
  await lands('-5', 1_235_562);
  await lands('50%', 1_000_000);
  await lands('end', LINES);
  await lands('3', 3);
  await lands('99999999', LINES);
  const before = Number(execFileSync('sh', ['-c', 'head -n 700000 "$0" | wc -c', path]).toString());
  await lands(`@${before}`, 700_001);
  await lands(`@${before - 1}`, 700_000);
}

test('a text with lines wider than the view, or with odd ends of lines', async ({ inspector, page }) => {
  const odd = `${inspector.folder}/odd.txt`;
  writeFileSync(odd, 'first\r\n\r\n\tthird\twith tabs\r\nfourth — no newline');
  const wide = writeLines(
    inspector.folder,
    'wide.log',
    300,
    (number) =>
      `2026-01-13T10:30:00.${100 + number}Z ${number === 150 ? `${'wide '.repeat(300)}end` : `short ${number}`}`,
  );
  const text = await inspector.open([odd, wide]);
  await test.step('a file without its last newline, an empty line at the end and CRLF are shown line for line', async () => {
    await text.counted(4);
    const rows = await text.wholeRows();
    expect(rows.map((row) => row.text)).toEqual(['first', '', '\tthird\twith tabs', 'fourth — no newline']);
    await expect(page).toHaveTitle('odd.txt – Spillway');
  });

  await new ListPage(page).item('wide.log').click();
  await text.counted(300);
  await text.goTo('150');
  await test.step('line numbers and times stay in their place while the text is scrolled sideways', async () => {
    await page.keyboard.press('T');
    await expect(text.row(150).locator('[data-time]')).toBeVisible();
    const lefts = () =>
      text
        .row(150)
        .evaluate((row) =>
          ['[data-gutter]', '[data-time]', '[data-text]'].map((part) =>
            Math.round(row.querySelector(part)!.getBoundingClientRect().left),
          ),
        );
    const [number, at, began] = await lefts();
    await text.wheel(0);
    await page.mouse.wheel(300, 0);
    await expect.poll(lefts).toEqual([number, at, began! - 300]);
    await page.mouse.wheel(-200, 0);
    await expect.poll(lefts).toEqual([number, at, began! - 100]);
    await page.mouse.wheel(-200, 0);
    await expect.poll(lefts).toEqual([number, at, began]);
    await page.keyboard.press('ArrowRight');
    await expect.poll(async () => (await lefts())[2]).toBeLessThan(began!);
    expect((await lefts()).slice(0, 2)).toEqual([number, at]);
  });

  await test.step('a line wider than the view is scrolled sideways, and the numbers stay', async () => {
    await page.getByRole('scrollbar', { name: 'Scroll sideways' }).focus();
    await page.keyboard.press('End');
    const gutter = await text.row(150).getByRole('rowheader').boundingBox();
    const view = await text.scroller.boundingBox();
    expect(gutter?.x).toBe(view?.x);
    const left = () => text.scroller.evaluate((scroller) => scroller.scrollLeft);
    const before = await left();
    expect(before).toBeGreaterThan(1000);
    // The widest line leaves the view; what is looked at stays where it is.
    await text.wheel(18 * 90);
    await expect(text.row(150)).not.toBeAttached();
    expect(await left()).toBe(before);
  });
});

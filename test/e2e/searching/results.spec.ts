/** The list of matching lines: its place, which stays. */
import { dress } from '../fixtures/dressed.ts';
import { expect, test } from '../fixtures/inspector.ts';
import { LONG_LOG_LINES, logLine } from '../fixtures/logs.ts';
import { SearchPage } from '../fixtures/search-page.ts';

/** Line number of the chosen row. */
const chosen = ({ list }: SearchPage): Promise<number> =>
  list.evaluate((grid) =>
    Number(document.getElementById(grid.getAttribute('aria-activedescendant') ?? '')?.dataset.line),
  );

/** Pixels from the top of the list. */
async function topOf(search: SearchPage, line: number): Promise<number> {
  const [grid, found] = await Promise.all([search.list.boundingBox(), search.row(line).boundingBox()]);
  return found!.y - grid!.y;
}

/** Searches, and moves the focus into the list of the `count` results, to the first one. */
async function listed(search: SearchPage, pattern: string, count: number): Promise<void> {
  const { page } = search;
  await search.search(pattern);
  await search.found(count);
  await page.keyboard.press('Escape');
  await page.keyboard.press('m');
  await expect(search.list).toBeFocused();
  await page.keyboard.press('Home');
  await expect.poll(async () => (await search.rows()).length).toBeGreaterThan(0);
  await expect(search.list.locator('[role="row"]:not([data-fetched])')).toHaveCount(0);
}

test('the text and the list keep their place', async ({ inspector, page }) => {
  const { text } = await inspector.openLog(3000);
  const search = new SearchPage(page);

  await test.step('the chosen line stays in view when the results take their room', async () => {
    for (const key of ['', 'w']) {
      if (key !== '') await page.keyboard.press(key);
      await page.keyboard.press('h');
      const line = (await text.wholeRows()).at(-1)!.line!;
      await text.row(line).locator('[data-gutter]').click();
      await search.search('request');
      await search.found(3000);
      await expect(text.row(line)).toBeInViewport({ ratio: 1 });
      await expect(text.status).toHaveText(`Line ${line} of 3,000`);
      await page.keyboard.press('Escape');
      await page.keyboard.press('Escape');
      await page.keyboard.press('Escape');
      await expect(search.list).toHaveCount(0);
    }
    await page.keyboard.press('w');
  });

  await test.step('the arrow keys move the list by a match at its edges, with what is around it', async () => {
    await text.scroller.focus();
    await listed(search, 'request \\d*0 ', 300);
    const whole = (await search.rows()).length;
    for (let row = 1; row < whole + 3; row += 1) await page.keyboard.press('ArrowDown');
    await expect.poll(() => chosen(search)).toBe(10 * (whole + 3));
    await expect.poll(async () => (await search.rows()).at(-1)?.[0]).toBe(10 * (whole + 3));
    for (let row = 0; row < whole + 1; row += 1) await page.keyboard.press('ArrowUp');
    await expect.poll(async () => (await search.rows())[0]?.[0]).toBe(20);
    expect(await chosen(search)).toBe(20);

    await page.keyboard.press('2');
    await expect(search.row(22)).toBeVisible();
    for (let row = 2; row < whole; row += 1) await page.keyboard.press('ArrowDown');
    await expect.poll(() => chosen(search)).toBe(10 * whole);
    await expect.poll(async () => (await search.rows()).at(-1)?.[0]).toBe(10 * whole + 2);

    await page.keyboard.press('0');
    await expect(search.row(22)).toHaveCount(0);
  });

  await test.step('a list that was scrolled stays where it is when other lines are shown around the matches', async () => {
    await page.keyboard.press('Home');
    await expect.poll(() => chosen(search)).toBe(10);
    await search.list.evaluate((list) => {
      list.scrollTop = 100 * 18 + 5;
    });
    await expect(search.row(1010)).toHaveAttribute('data-fetched', '');
    // The first that is whole: the row above it is cut.
    const held = 1020;
    await expect.poll(async () => (await search.rows())[0]?.[0]).toBe(held);
    const top = await topOf(search, held);
    for (const [key, around] of [
      ['2', 2],
      ['3', 3],
      ['1', 1],
    ] as const) {
      await page.keyboard.press(key);
      await expect(search.row(held + around)).toHaveAttribute('data-fetched', '');
      await expect(search.row(held + around + 1)).toHaveCount(0);
      expect(Math.abs((await topOf(search, held)) - top)).toBeLessThan(1);
    }
    // The chosen match is still the first, and what the keys go on from.
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => chosen(search)).toBe(20);
    await expect(search.row(20)).toBeInViewport({ ratio: 1 });
  });
});

test('the list keeps its place while its rows are fetched', async ({ inspector, page, longLog }) => {
  let release = (): void => {};
  let released: Promise<void> | null = null;
  let asked = 0;
  await dress(page, {
    late(name) {
      if (name !== 'nextMatch' || released === null) return null;
      asked += 1;
      return released;
    },
  });
  const hold = () => {
    asked = 0;
    released = new Promise((resolve) => {
      release = resolve;
    });
  };
  const text = await inspector.open([longLog]);
  await text.counted(LONG_LOG_LINES);
  await text.scroller.focus();
  const search = new SearchPage(page);

  await test.step('the end of the list stays the end when other lines are asked for before it is there', async () => {
    await listed(search, 'request \\d*77 ', LONG_LOG_LINES / 100);
    // No event can come in between.
    await search.list.evaluate((list) => {
      for (const key of ['End', '2'])
        list.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
    });
    await expect(search.row(LONG_LOG_LINES - 21)).toHaveAttribute('data-fetched', '');
    await expect.poll(() => chosen(search)).toBe(LONG_LOG_LINES - 23);
    await expect.poll(async () => (await search.rows()).at(-1)?.[0]).toBe(LONG_LOG_LINES - 21);
  });

  await test.step('a scroll of the list while other context is fetched is not overridden', async () => {
    await page.keyboard.press('0');
    await listed(search, 'request \\d*0 ', LONG_LOG_LINES / 10);
    await page.keyboard.press('End');
    await expect.poll(() => chosen(search)).toBe(LONG_LOG_LINES);

    hold();
    await page.keyboard.press('2');
    await expect.poll(() => asked).toBeGreaterThan(0);
    await page.keyboard.press('Home');
    await expect.poll(() => chosen(search)).toBe(10);
    released = null;
    release();
    await expect(search.row(11)).toHaveAttribute('data-fetched', '');
    await expect(search.row(10)).toBeInViewport({ ratio: 1 });
    expect(await chosen(search)).toBe(10);

    hold();
    await page.keyboard.press('0');
    await expect.poll(() => asked).toBeGreaterThan(0);
    await search.list.evaluate((list) => {
      list.scrollTop = 40 * 5 * 18;
    });
    await expect(search.row(410)).toBeInViewport();
    released = null;
    release();
    await expect(search.row(409)).toHaveCount(0);
    await expect(search.row(410)).toBeInViewport();
  });
});

test.describe('results', () => {
  test.use({ permissions: ['clipboard-read', 'clipboard-write'] });

  test('are selected and copied', async ({ inspector, page }) => {
    const { text } = await inspector.openLog(20_000);
    await text.scroller.focus();
    const search = new SearchPage(page);

    await test.step('are selected with Shift and Ctrl+A, and copied', async () => {
      await listed(search, 'WARN', 20);
      const copied = async (words: string) => {
        await page.keyboard.press('Control+c');
        await expect(page.getByText(words, { exact: true })).toBeVisible();
        return (await page.evaluate(() => navigator.clipboard.readText())).split('\n');
      };
      const warned = (match: number) => logLine(match * 997);
      await page.keyboard.press('Home');
      expect(await copied('Copied 1 line')).toEqual([warned(1)]);
      await page.keyboard.press('Shift+ArrowDown');
      await page.keyboard.press('Shift+ArrowDown');
      expect(await copied('Copied 3 lines')).toEqual([1, 2, 3].map(warned));
      await page.keyboard.press('Control+a');
      expect(await copied('Copied 20 lines')).toEqual(
        Array.from({ length: 20 }, (_, index) => warned(index + 1)),
      );
      // Escape clears the selection first; the results stay.
      await page.keyboard.press('Escape');
      await expect(search.results).toBeVisible();
      expect(await copied('Copied 1 line')).toEqual([warned(1)]);
    });

    await test.step('are selected by dragging, which shows no match', async () => {
      const box = async (line: number) => (await search.row(line).locator('[data-text]').boundingBox())!;
      const [from, to] = [await box(997), await box(1994)];
      const where = page.locator('[data-status="where"]');
      const before = (await where.textContent())!;
      await page.mouse.move(from.x + from.width / 2, from.y + 9);
      await page.mouse.down();
      await page.mouse.move(to.x + 1, to.y + 9, { steps: 4 });
      await page.mouse.up();
      await page.keyboard.press('Control+c');
      await expect(page.getByText('Copied 2 lines', { exact: true })).toBeVisible();
      const text = await page.evaluate(() => navigator.clipboard.readText());
      expect(logLine(997).endsWith(text.split('\n')[0]!)).toBe(true);
      await expect(where).toHaveText(before);
      await page.keyboard.press('Escape');
    });

    await test.step('a list that is all in view stays at its start with context, and keys go on from the selection', async () => {
      await listed(search, ' WARN .* request \\d{3,4} ', 10);
      await page.keyboard.press('2');
      await expect(search.row(995)).toHaveAttribute('data-fetched', '');
      expect(await chosen(search)).toBe(997);
      expect((await search.rows())[0]?.[0]).toBe(995);
      const selected = () =>
        search.list
          .locator('[data-selected]')
          .evaluateAll((rows) => (rows as HTMLElement[]).map((row) => Number(row.dataset.line)));
      // Rows are selected as they stand there, context too, and the next match is the one after them.
      for (let turn = 0; turn < 6; turn += 1) await page.keyboard.press('Shift+ArrowDown');
      expect(await selected()).toEqual([997, 998, 999, 1992, 1993, 1994, 1995]);
      await page.keyboard.press('ArrowDown');
      await expect.poll(selected).toEqual([2991]);
    });
  });
});

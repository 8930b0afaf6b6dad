/** A window that has no room for the list beside the text: the list lies over it, and only while it is called. */
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, type Inspector, test } from '../fixtures/inspector.ts';
import { keep } from '../fixtures/keep.ts';
import { ListPage } from '../fixtures/list-page.ts';
import { logLine, writeLines } from '../fixtures/logs.ts';
import type { TextPage } from '../fixtures/text-page.ts';

test.use({ viewport: { width: 420, height: 800 } });

const library = (page: Page) => page.getByRole('complementary', { name: 'Library' });
/** The part of the window that neither keys nor screen readers reach while the list covers it. */
const covered = (page: Page) => page.locator('[inert] main');
const overflow = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

async function twoLogs(inspector: Inspector, ...others: string[]) {
  const paths = ['one.log', 'two.log'].map((name) =>
    writeLines(inspector.folder, name, 300, (number) => `${name} ${logLine(number)}`),
  );
  return inspector.open([...others, ...paths]);
}

test('the list of a narrow window', async ({ inspector, page }) => {
  const text = await twoLogs(inspector);
  await text.counted(300);
  await test.step('lies over the text, which keeps its width, and goes when something is chosen', () =>
    liesOver(text));
  await test.step('is closed by Escape, by its key, by its button and by a click beside it', () =>
    isClosed(text));
  await page.keyboard.press('Escape');
  await test.step('closes for keys that are for the text', async () => {
    await page.keyboard.press('Control+b');
    await expect(library(page)).toBeVisible();
    await page.keyboard.press('/');
    await expect(library(page)).toHaveCount(0);
    await expect(page.getByRole('textbox', { name: 'Pattern' })).toBeFocused();
    await page.keyboard.type('WARN');
    await expect(page.getByRole('textbox', { name: 'Pattern' })).toHaveValue('WARN');
    await keep(page, 'narrow-search');
  });
});

async function liesOver(text: TextPage): Promise<void> {
  const { page } = text;
  const list = new ListPage(page);
  await expect(library(page)).toHaveCount(0);
  const before = (await text.scroller.boundingBox())!;
  expect(before.width).toBeGreaterThan(380);

  await page.getByRole('button', { name: 'Show the list' }).click();
  await expect(list.tree).toBeFocused();
  await expect(covered(page)).toHaveCount(1);
  expect(await text.scroller.boundingBox()).toEqual(before);
  expect(await overflow(page)).toBe(0);
  await keep(page, 'narrow-list');

  const chosen = list.item('one.log');
  await chosen.click();
  await expect(library(page)).toHaveCount(0);
  await expect(covered(page)).toHaveCount(0);
  await expect(text.scroller).toBeFocused();
  await expect(text.row(1)).toContainText('one.log');

  // By keys alone.
  await page.keyboard.press('l');
  await expect(list.filter).toBeFocused();
  await page.keyboard.type('two');
  await list.shows(['two.log']);
  await page.keyboard.press('Enter');
  await expect(library(page)).toHaveCount(0);
  await expect(text.scroller).toBeFocused();
  await expect(text.row(1)).toContainText('two.log');
}

async function isClosed(text: TextPage): Promise<void> {
  const { page } = text;
  const list = new ListPage(page);
  const ways = {
    Escape: () => page.keyboard.press('Escape'),
    'its key': () => page.keyboard.press('Control+b'),
    'its button': () => page.getByRole('button', { name: 'Hide the list' }).click(),
    'a click beside it': () => page.mouse.click(410, 600),
  };
  for (const [way, close] of Object.entries(ways)) {
    await page.keyboard.press('Control+b');
    await expect(list.tree, way).toBeFocused();
    await close();
    await expect(library(page), way).toHaveCount(0);
    await expect(text.scroller, way).toBeFocused();
  }
  // Escape clears the filter first, then closes the list; it changes nothing below.
  await page.keyboard.press('Control+a');
  await expect(text.selected).toHaveCount(1);
  await page.keyboard.press('l');
  await page.keyboard.type('one');
  await page.keyboard.press('Escape');
  await expect(list.filter).toHaveValue('');
  await page.keyboard.press('Escape');
  await expect(library(page)).toHaveCount(0);
  await expect(text.selected).toHaveCount(1);
  // A menu of the list has its own Escape.
  await page.keyboard.press('Control+b');
  await page.getByRole('button', { name: /^(By session|By source|No groups)$/ }).click();
  await expect(page.getByRole('menu')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('menu')).toHaveCount(0);
  await expect(library(page)).toBeVisible();
}

test('the text of a narrow window', async ({ inspector, page }) => {
  const name = 'a-log-with-a-name-of-some-length.log';
  const text = await twoLogs(inspector, writeLines(inspector.folder, name, 50, String));
  await text.counted(50);
  await test.step('the head of a file has room for the palette and for connecting agents', async () => {
    for (const name of ['Palette', 'Connect agents', 'Theme', 'Keys']) {
      const box = (await page.getByRole('main').getByRole('button', { name, exact: true }).boundingBox())!;
      expect(box.x + box.width, name).toBeLessThanOrEqual(420);
      expect(box.y, name).toBeLessThan(45);
    }
  });

  const list = new ListPage(page);
  await test.step('the list is where it was once there is room, and that is not forgotten', async () => {
    await page.keyboard.press('Control+b');
    await expect(list.tree).toBeFocused();
    await list.item('one.log').click();
    await expect(library(page)).toHaveCount(0);
    await page.setViewportSize({ width: 760, height: 800 });
    await expect(library(page)).toBeVisible();
    await expect(covered(page)).toHaveCount(0);
    const beside = (await page.getByRole('main').boundingBox())!;
    expect(beside.x).toBeGreaterThanOrEqual(300);
    expect(beside.width).toBeGreaterThan(420);
    expect(await overflow(page)).toBe(0);
    await list.tree.focus();
    await page.setViewportSize({ width: 759, height: 800 });
    await expect(library(page)).toHaveCount(0);
    await expect(text.scroller).toBeFocused();
  });

  await text.counted(300);
  await test.step('a panel and results leave some lines of the text', async () => {
    await page.setViewportSize({ width: 420, height: 560 });
    await page.keyboard.press('/');
    await page.keyboard.type('request 1');
    await expect(page.getByRole('grid', { name: 'Matching lines' })).toBeVisible();
    await page.keyboard.press('Escape');
    await page.keyboard.press('s');
    await expect(page.getByRole('complementary', { name: 'Summary' })).toContainText('Lines');
    await expect(page.getByRole('region', { name: 'Results' })).toBeVisible();
    await keep(page, 'narrow-panel-and-results');
    expect((await text.wholeRows()).length).toBeGreaterThanOrEqual(6);
  });
});

test('twelve lines of the text remain with filters, histogram, results and summary open', async ({
  inspector,
  page,
}) => {
  const { text } = await inspector.openLog(3000);
  for (const pattern of ['worker', 'request', 'took', '\\d']) {
    await text.scroller.focus();
    await page.keyboard.press('F');
    await page.getByRole('textbox', { name: 'Lines with' }).fill(pattern);
    await page.keyboard.press('Enter');
  }
  await text.scroller.focus();
  await page.keyboard.press('D');
  await page.keyboard.press('s');
  await text.scroller.focus();
  await page.keyboard.press('/');
  await page.keyboard.type('request 1');
  await expect(page.getByRole('grid', { name: 'Matching lines' })).toBeVisible();
  await text.scroller.focus();
  const chips = page.getByRole('region', { name: 'Filters' }).locator('[data-chip]');
  // The last are a window of 1280 by 800 at 200 %, and one beside it.
  for (const [width, height] of [
    [1280, 800],
    [800, 600],
    [420, 800],
    [640, 400],
    [1280, 400],
  ] as const) {
    const size = `${width} x ${height}`;
    await page.setViewportSize({ width, height });
    await expect.poll(() => overflow(page), size).toBe(0);
    await keep(page, `room-${width}`);
    expect((await text.wholeRows()).length, size).toBeGreaterThanOrEqual(12);
    const [first, last] = [(await chips.first().boundingBox())!, (await chips.last().boundingBox())!];
    expect(last.y, size).toBe(first.y);
    await expect(page.getByRole('complementary', { name: 'Summary' })).toBeVisible();
  }
  await test.step('a telephone on its side keeps three lines, and nothing lies over anything', async () => {
    await page.setViewportSize({ width: 360, height: 400 });
    await expect(page.getByRole('complementary', { name: 'Summary' })).toBeVisible();
    expect((await text.wholeRows()).length).toBeGreaterThanOrEqual(3);
    const parts = [
      text.scroller,
      page.getByRole('region', { name: 'Results' }),
      page.locator('aside').last(),
    ];
    const boxes = await Promise.all(parts.map(async (part) => (await part.boundingBox())!));
    for (const [index, box] of boxes.slice(1).entries())
      expect(box.y).toBeGreaterThanOrEqual(Math.floor(boxes[index]!.y + boxes[index]!.height));
    await keep(page, 'room-360');
  });
  await test.step('results that have no room come at a click, and go when the text is clicked', async () => {
    await page.setViewportSize({ width: 640, height: 400 });
    const results = page.getByRole('region', { name: 'Results' });
    const first = results.locator('[data-line]').first();
    await expect(first).not.toBeInViewport();
    await results.getByRole('button', { name: 'Unfold the results' }).click();
    // A part of its width.
    await expect(first).toBeInViewport();
    await results.getByRole('button', { name: 'Fold the results' }).hover();
    await text.scroller.click();
    await expect(first).not.toBeInViewport();
  });
  await test.step('the chips that have no room are reached by keys', async () => {
    await chips.first().getByRole('button').first().focus();
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowRight');
    for (let press = 0; press < 9; press += 1) await page.keyboard.press('ArrowRight');
    await expect(chips.last().getByRole('button').first()).toBeFocused();
    await expect(chips.last().getByRole('button').first()).toBeInViewport();
  });
});

test('everything of a command fits into a narrow window', async ({ inspector, page }) => {
  const script = 'for i in $(seq 1 400); do echo line $i of this; done; echo bad thing >&2; exit 2';
  await inspector.spillway('run', '--quiet', '--', 'sh', '-c', script);
  const text = await inspector.open([]);
  await text.counted(401);
  await page.keyboard.press('i');
  const details = page.getByRole('complementary', { name: 'Details' });
  await expect(details).toContainText('failed (exit 2)');
  const name = page.locator('main header h2').first();
  for (const width of [420, 600, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    // With the list (over it, or beside it) and without it.
    for (let turn = 0; turn < 2; turn += 1) {
      await page.keyboard.press('Control+b');
      await expect.poll(() => overflow(page)).toBe(0);
      for (const tab of await page.locator('[aria-label="Stream"] button:visible').all()) {
        const box = (await tab.boundingBox())!;
        expect(box.x + box.width, `${await tab.textContent()} at ${width}`).toBeLessThanOrEqual(width);
      }
      // More may still come into the header.
      const beyond = () =>
        name.evaluate((whole) => {
          const tail = [...whole.querySelectorAll('span')].at(-1)!;
          return tail.getBoundingClientRect().right - whole.getBoundingClientRect().right;
        });
      await expect.poll(beyond, `the name at ${width}`).toBeLessThanOrEqual(1);
      const where = (await text.status.boundingBox())!;
      expect(where.x + where.width).toBeLessThan(width);
      expect(await text.status.evaluate((status) => status.scrollWidth - status.clientWidth)).toBe(0);
      // A value has room for some words.
      const value = page.locator('[aria-label="Details"] dd').filter({ hasText: 'seq 1 400' });
      expect((await value.boundingBox())!.width).toBeGreaterThan(200);
    }
  }
  const shots = process.env.SPILLWAY_SHOTS;
  for (const width of shots ? [420, 600, 1280] : []) {
    await page.setViewportSize({ width, height: 800 });
    for (const scheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: scheme });
      await page.screenshot({ path: join(shots!, `details-${width}-${scheme}.png`) });
    }
  }
});

test('a failed command in a low window has its name, all streams and its buttons beside each other', async ({
  inspector,
  page,
}) => {
  await inspector.spillway('run', '--quiet', '--', 'sh', '-c', 'echo fine; echo bad >&2; exit 2');
  const text = await inspector.open([]);
  await text.counted(2);
  const head = page.getByRole('main').locator('header').first();
  for (const width of [600, 640, 760, 900, 1280]) {
    await page.setViewportSize({ width, height: 400 });
    await expect(async () => {
      const boxes = await page.evaluate(() =>
        [...document.querySelectorAll('main header h2, main header button, main [aria-label="Text"] button')]
          .map((part) => part.getBoundingClientRect().toJSON() as DOMRect)
          .filter(({ width }) => width > 0)
          .sort((a, b) => a.x - b.x),
      );
      const name = (await head.getByRole('heading').boundingBox())!;
      expect(name.width, `the name at ${width}`).toBeGreaterThan(width < 640 ? 24 : 60);
      const row = boxes.filter(({ y, height }) => y < name.y + name.height && y + height > name.y);
      for (const [i, { x, width: wide }] of row.entries())
        expect(x + wide, `at ${width}`).toBeLessThanOrEqual((row[i + 1]?.x ?? width) + 1);
    }).toPass({ timeout: 45_000 });
  }
  await page.setViewportSize({ width: 640, height: 400 });
  await head.getByRole('button', { name: 'Combined' }).click();
  await page.getByRole('menuitemradio', { name: 'stderr' }).click();
  await text.counted(1);
  await expect(head.getByRole('button', { name: 'stderr' })).toBeVisible();
});

test('two panes with a filter, the histogram and results leave some lines of each', async ({
  inspector,
  page,
}) => {
  await inspector.openLog(3000);
  await page.keyboard.press('F');
  await page.keyboard.type('worker-[0-5]');
  await page.keyboard.press('Enter');
  await page.keyboard.press('D');
  await page.keyboard.press('/');
  await page.keyboard.type('request 1');
  await expect(page.getByRole('grid', { name: 'Matching lines' })).toBeVisible();
  await page.keyboard.press('Escape');
  await page.keyboard.press('|');
  await expect(page.locator('[data-pane]')).toHaveCount(2);
  await expect(page.locator('[data-histogram-words]')).toHaveText(Array(2).fill('Drag to select a time'));
  await keep(page, 'narrow-panes');
  expect(await overflow(page)).toBe(0);
  const wholeLines = (list: HTMLElement) => Math.floor(list.clientHeight / 18);
  for (const pane of await page.locator('[data-pane]').all()) {
    expect(await pane.locator('[data-viewer]').evaluate(wholeLines)).toBeGreaterThanOrEqual(4);
    const results = pane.getByRole('grid', { name: 'Matching lines' });
    expect(await results.evaluate(wholeLines)).toBeGreaterThanOrEqual(2);
    const chip = (await pane
      .getByRole('button', { name: /^Show lines with/ })
      .first()
      .boundingBox())!;
    const clear = (await pane.getByRole('button', { name: 'Remove all filters' }).boundingBox())!;
    expect(Math.abs(clear.y - chip.y)).toBeLessThan(4);
  }
});

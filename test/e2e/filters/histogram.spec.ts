/** The histogram over time: what its parts say, and selecting a span of time. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, test } from '../fixtures/inspector.ts';
import { ListPage } from '../fixtures/list-page.ts';
import { LONG_LOG_LINES } from '../fixtures/logs.ts';

/** A line of the long log comes 7 ms after the one before; there are fewer than 240 parts. */
const MS = 7;
const PART_MS = LONG_LOG_LINES > 240_000 ? 60_000 : 10_000;
const PARTS = Math.floor((LONG_LOG_LINES * MS) / PART_MS) + 1;
const linesBefore = (part: number) => Math.ceil((part * PART_MS) / MS) - 1;

/** Holds the exact histogram back until it is let through: only estimates reach the page. */
async function holdExact(page: Page): Promise<() => void> {
  let isHeld = true;
  const held: (() => void)[] = [];
  await page.routeWebSocket(/./, (socket) => {
    const server = socket.connectToServer();
    socket.onMessage((message) => server.send(message));
    server.onMessage((message) => {
      const isExact = /"edges":.*"done":true/.test(String(message));
      if (isExact && isHeld) held.push(() => socket.send(message));
      else socket.send(message);
    });
  });
  return () => {
    isHeld = false;
    for (const send of held.splice(0)) send();
  };
}

test('a span of time is dragged out of a long log, and shown alone', async ({ inspector, page, longLog }) => {
  test.slow();
  const letThrough = await holdExact(page);
  const text = await inspector.open([longLog]);
  await text.counted(LONG_LOG_LINES);
  await page.keyboard.press('D');
  const plot = page.getByRole('slider', { name: 'Time' });
  const words = page.locator('[data-histogram-words]');
  await expect(plot).toHaveAttribute('data-histogram', String(PARTS));
  // Bars are there at once, with how far the reading is; what needs exact times waits for them.
  await expect(words).toContainText(/Reading times… \d+ %/);
  await plot.focus();
  await page.keyboard.press('Home');
  await expect(words).toContainText(/: about [\d,]+ lines/);
  await page.keyboard.press('Enter');
  await expect(text.scroller.locator('[data-selected]')).toHaveCount(0);
  letThrough();
  await expect(words).not.toContainText('Reading times');
  await expect(text.row(1)).toHaveAttribute('data-selected', '');
  await expect(plot.locator('[data-bars="errors"]')).toHaveAttribute('d', /M/);

  // By keys: the first part, with its errors and matches, and the first seven.
  await text.scroller.focus();
  await page.keyboard.press('/');
  await page.keyboard.type('request \\d*0 ');
  await expect(page.locator('[data-search="count"]')).toHaveText(
    `${(LONG_LOG_LINES / 10).toLocaleString('en')} matching lines`,
  );
  await plot.focus();
  await page.keyboard.press('Home');
  const told = (parts: number, errors: string) => {
    const lines = linesBefore(parts);
    return `: ${lines.toLocaleString('en')} lines, ${errors}${Math.floor(lines / 10).toLocaleString('en')} matches`;
  };
  await expect(words).toContainText(told(1, ''));
  for (let part = 2; part <= 7; part += 1) await page.keyboard.press('Shift+ArrowRight');
  const errors = Math.floor(linesBefore(7) / 9973);
  await expect(words).toContainText(told(7, `${errors} error${errors === 1 ? '' : 's'}, `));
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await expect(text.row(linesBefore(PARTS - 1) + 1)).toHaveAttribute('data-selected', '');
  await page.keyboard.press('Escape');

  // By the mouse: parts 60 to 119.
  const box = (await plot.boundingBox())!;
  const x = (part: number) => box.x + (box.width * (part + 0.5)) / PARTS;
  await page.mouse.move(x(60), box.y + 20);
  await page.mouse.down();
  await page.mouse.move(x(90), box.y + 20);
  await page.mouse.move(x(119), box.y + 20);
  await page.mouse.up();
  const [first, last] = [linesBefore(60) + 1, linesBefore(120)];
  await expect(text.row(first)).toHaveAttribute('data-selected', '');
  await page.getByRole('button', { name: /^Show only this time/ }).click();
  const count = page.locator('[data-filter="count"]');
  await expect(count).toHaveText(
    `${(last - first + 1).toLocaleString('en')} of ${LONG_LOG_LINES.toLocaleString('en')} lines`,
  );
  await text.scroller.focus();
  await page.keyboard.press('Home');
  await expect.poll(() => text.firstWholeLine()).toBe(first);
  await page.keyboard.press('End');
  await expect(text.row(last)).toBeVisible();
});

test('the histogram is of whatever times there are', async ({ inspector, page }) => {
  const lines = (count: number, line: (i: number) => string) =>
    Array.from({ length: count }, (_, i) => `${line(i)}\n`).join('');
  const two = (value: number) => String(value).padStart(2, '0');
  const files = {
    'app.log': lines(600, (i) => `2026/03/01 10:${two(Math.floor(i / 60))}:${two(i % 60)} x`),
    'late.log': 'a banner\n'.repeat(7) + lines(60, (i) => `2026/03/01 10:00:${two(i)} x`),
    'night.log': lines(40, (i) => {
      const minute = 23 * 60 + 40 + i;
      return `2026/03/${two(1 + Math.floor(minute / 1440))} ${two(Math.floor(minute / 60) % 24)}:${two(minute % 60)}:00 x`;
    }),
    'plain.txt': 'one\ntwo\nthree\n',
    'kernel.log': lines(4000, (i) => `[${(i * 30 + 0.25).toFixed(6).padStart(12)}] usb 1-1: x`),
    'sys.log': lines(50, (i) => `Feb 27 10:${two(i)}:00 host x`),
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(inspector.folder, name), content);
  const text = await inspector.open(Object.keys(files).map((name) => join(inspector.folder, name)));
  const list = new ListPage(page);
  const words = page.locator('[data-histogram-words]');

  await test.step('a text without times says so', async () => {
    await list.item('plain.txt').click();
    await text.counted(3);
    await text.scroller.focus();
    await page.keyboard.press('D');
    await expect(page.getByText('Its lines have no times')).toBeVisible();
    await page.keyboard.press('D');
  });

  await test.step('lines before the first with a time are in no bar, and said', async () => {
    await list.item('late.log').click();
    await text.counted(67);
    await text.scroller.focus();
    await page.keyboard.press('D');
    await expect(words).toHaveText('Drag to select a time (7 lines without a time left out)');
    await page.getByRole('slider', { name: 'Time' }).focus();
    await page.keyboard.press('Home');
    await expect(words).toContainText(': 1 line');
    await page.getByRole('button', { name: 'Close the histogram' }).click();
  });

  await test.step('times have their day when the text passes midnight', async () => {
    await list.item('night.log').click();
    await text.counted(40);
    await text.scroller.focus();
    await page.keyboard.press('D');
    const histogram = page.getByRole('region', { name: 'Histogram over time' });
    await expect(words).toHaveText('Drag to select a time');
    await expect(histogram).toContainText('2026-03-01 23:40:00');
    await expect(histogram).toContainText('2026-03-02 00:');
    await page.getByRole('slider', { name: 'Time' }).focus();
    await page.keyboard.press('Home');
    await expect(words).toContainText(/^2026-03-01 23:40:00–23:4\d:\d\d: /);
    await page.keyboard.press('Shift+End');
    await expect(words).toContainText(/^2026-03-01 23:40:00–2026-03-02 00:\d\d:\d\d: 40 lines/);
    await page.getByRole('button', { name: 'Close the histogram' }).click();
  });

  await test.step('times are typed as the lines have them, and as they are shown', async () => {
    await list.item('sys.log').click();
    await text.counted(50);
    await text.goTo('Feb 27 10:30:00');
    await expect(text.row(31)).toHaveAttribute('data-selected', '');
    await list.item('kernel.log').click();
    await text.counted(4000);
    await expect(text.row(1)).toContainText('0.250000');
    await text.goTo('[  120.250000]');
    await expect(text.row(5)).toHaveAttribute('data-selected', '');
    await text.scroller.focus();
    await page.keyboard.press('T');
    await expect(text.row(5).locator('[data-time]')).toHaveText('00:02:00.250');
    await text.goTo('27:30:00.250');
    await expect(text.row(3301)).toHaveAttribute('data-selected', '');
    await expect(text.row(3301).locator('[data-time]')).toHaveText('27:30:00.250');
    await page.keyboard.press('D');
    const histogram = page.getByRole('region', { name: 'Histogram over time' });
    await expect(histogram).toContainText('00:00:00');
    await expect(histogram).toContainText('33:');
    await expect(histogram).not.toContainText('1970');
    await page.getByRole('button', { name: 'Close the histogram' }).click();
  });

  await test.step('a typed date and time leads to its line, and outside the lines shown to the nearest', async () => {
    await list.item('app.log').click();
    await text.counted(600);
    await text.goTo('2026-03-01 10:05:00');
    await expect(text.row(301)).toHaveAttribute('data-selected', '');
    await text.goTo('11:30');
    await expect(text.row(600)).toHaveAttribute('data-selected', '');
    const late = page.getByText('All lines are before 11:30:00; went to the last one');
    await expect(late).toBeVisible();
    // It ends with the next jump, seconds before it would end by itself.
    await text.goTo('5');
    await expect(late).toHaveCount(0, { timeout: 4500 });

    await text.scroller.focus();
    await page.keyboard.press('D');
    await page.getByRole('slider', { name: 'Time' }).focus();
    await page.keyboard.press('Home');
    await page.keyboard.press(' ');
    await expect(page.locator('[data-filter="count"]')).toContainText('of 600 lines');
    await text.scroller.focus();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('2026-03-01T10:09');
    await expect(page.getByRole('option').first()).toContainText('Go to what came at 2026-03-01 10:09:00');
    await page.keyboard.press('Enter');
    await expect(page.getByText('All lines shown are before 2026-03-01 10:09:00')).toBeVisible();
  });
});

test('the histogram is of arrivals, and gives the focus back', async ({ inspector, page }) => {
  const { text } = await inspector.openLog(300);

  await test.step('the focus goes to the text when the histogram or a panel closes with it', async () => {
    const plot = page.getByRole('slider', { name: 'Time' });
    await page.keyboard.press('D');
    await plot.focus();
    await page.keyboard.press('D');
    await expect(plot).toHaveCount(0);
    await expect(text.scroller).toBeFocused();
    await page.keyboard.press('D');
    await plot.focus();
    await page.keyboard.press('Home');
    await page.getByRole('button', { name: /^Show only this time/ }).click();
    await expect(page.locator('[data-filter="count"]')).toContainText('of 300 lines');
    await expect(text.scroller).toBeFocused();
    await page.getByRole('button', { name: 'Close the histogram' }).click();
    await expect(text.scroller).toBeFocused();

    await page.keyboard.press('s');
    await page.getByRole('region', { name: 'Summary' }).focus();
    await page.keyboard.press('s');
    await expect(page.getByRole('complementary', { name: 'Summary' })).toHaveCount(0);
    await expect(text.scroller).toBeFocused();
  });

  await test.step('the times of arrival make the parts of a command that prints none', async () => {
    const script = `for i in 1 2 3; do seq $((i*100)); sleep 0.3; done`;
    expect(await inspector.spillway('run', '--', 'sh', '-c', script)).toBe(0);
    await page.getByRole('treeitem', { name: /seq/ }).click();
    await text.counted(600);
    await text.scroller.focus();
    await page.keyboard.press('D');
    const plot = page.getByRole('slider', { name: 'Time' });
    await plot.focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Home');
    await expect(page.locator('[data-histogram-words]')).toContainText(': 100 lines');
  });
});

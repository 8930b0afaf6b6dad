/** JSON lines shown as message and fields, and unfolded, on a log of 20 MB, or of 200 MB with `npm test -- --full`. */
import { appendFileSync, statSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { JSON_LINES } from '../../fixtures/sizes.ts';
import { test as base, expect } from '../fixtures/inspector.ts';
import { jsonLogLine } from '../fixtures/json-log.ts';
import { keep } from '../fixtures/keep.ts';
import { sed, writeLines } from '../fixtures/logs.ts';
import { SearchPage } from '../fixtures/search-page.ts';
import { sharedFile } from '../fixtures/shared-file.ts';
import { gutter, isExact, LINE_PX, press, rowsOf } from './drawn-rows.ts';

const LINES = JSON_LINES;
/** Where the last 120,000 lines begin; a multiple of 300, so that lines after it are made alike at any size. */
const FAR = LINES - 120_000;

const test = base.extend<{ jsonLog: string }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern what a fixture needs
  jsonLog: async ({}, use) => {
    const path = await sharedFile('app.json.log', (folder) =>
      writeLines(folder, 'app.json.log', LINES, jsonLogLine),
    );
    expect(statSync(path).size).toBeGreaterThan(170 * LINES);
    await use(path);
  },
});

const copied = (page: Page) => page.evaluate(() => navigator.clipboard.readText());

test.describe('a log of many JSON lines', () => {
  test('is shown and copied', async ({ inspector, jsonLog, page, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const text = await inspector.open([jsonLog]);
    await text.counted(LINES);

    await test.step('copies the raw line, or the line unfolded', async () => {
      const raw = sed(jsonLog, 6, 6)[0]!;
      await text.row(6).locator('[data-gutter]').click();
      await press(page, text, 'Control+c');
      await expect.poll(() => copied(page)).toBe(raw);
      await press(page, text, 'Shift+C');
      await expect.poll(() => copied(page)).toBe(JSON.stringify(JSON.parse(raw), null, 2));

      // A word of the message is a part of the raw line.
      const message = text.row(6).locator('[data-from]', { hasText: 'request 6' });
      await message.dblclick({ position: { x: 20, y: 8 } });
      await press(page, text, 'Control+c');
      await expect.poll(() => copied(page)).toBe('request');
      await press(page, text, 'Escape');
    });

    await test.step('is shown as time, level, message and fields; J shows it raw', async () => {
      const read = async (line: number) => {
        await text.goTo(String(line));
        await expect(gutter(text, line)).toBeInViewport({ ratio: 1 });
        await isExact(text);
        return text.row(line).locator('[data-text]').textContent();
      };
      expect(await read(7)).toBe(
        '2026-01-13 10:00:00.049 DEBUG job 7 took a connection  name=worker hostname=web-2 pid=99 queue=mail v=0',
      );
      expect(await read(FAR + 80_002)).toContain(
        'handled request  logger=http.log.access request={"remote_ip":',
      );
      expect(await read(FAR + 119_799)).toContain(
        `reconciled pod ${FAR + 119_799}  logger=controller.pod caller=controller/pod.go:212`,
      );
      expect(await read(FAR + 119_798)).toContain(
        ` GET /static/app-${FAR + 119_798}.css "200" in 38 ms  stream=stderr`,
      );
      await keep(page, 'json');
      // Line 500 is plain text; line 505 is cut off.
      expect(await read(500)).toBe(sed(jsonLog, 500, 500)[0]);
      expect(await read(505)).toBe(sed(jsonLog, 505, 505)[0]);
      await expect.poll(() => read(1009)).toMatch(/^INFO {2}long 1009 {2}body=x{6000} +end=end1009$/);

      await expect(text.row(1050)).toHaveAttribute('data-tone', 'failed');
      await press(page, text, 'Shift+J');
      for (const row of await rowsOf(text)) expect(row.text).toBe(sed(jsonLog, row.line, row.line)[0]!);
      await page.reload();
      await text.counted(LINES);
      expect((await rowsOf(text))[0]!.text).toMatch(/^\{/);
      await press(page, text, 'Shift+J');
      await expect.poll(async () => (await rowsOf(text))[0]!.text).not.toMatch(/^\{/);
    });
  });

  test('is unfolded', async ({ inspector, jsonLog, page }) => {
    const text = await inspector.open([jsonLog]);
    await text.counted(LINES);

    await test.step('marks what is found in unfolded lines', async () => {
      await text.row(6).locator('[data-gutter]').click();
      await press(page, text, 'u');
      const search = new SearchPage(page);
      await search.search('"accept"');
      await expect(search.count).toHaveText(/^[\d,]+ matching lines$/);
      await expect(text.row(6).locator('[data-unfolded] mark')).toHaveText('"accept"');
      await isExact(text);
      await page.getByRole('button', { name: 'End the search', exact: true }).first().click();
      await press(page, text, 'u');
    });

    await test.step('folds the line again that unfolding pushed past the edge of the view', async () => {
      await press(page, text, 'Home');
      const last = (await text.wholeRows()).at(-2)!.line!;
      const block = text.row(last).locator('[data-unfolded]');
      await text.row(last).locator('[data-gutter]').click();
      await press(page, text, 'u');
      await expect(block).toBeVisible();
      await press(page, text, 'u');
      await expect(text.scroller.locator('[data-unfolded]')).toHaveCount(0);
    });

    await test.step('unfolds a line in place by key and click, and keeps that over a reload', async () => {
      const [second, sixth] = [FAR + 60_002, FAR + 60_006];
      await text.goTo(String(FAR + 60_000));
      await expect(gutter(text, second)).toBeInViewport({ ratio: 1 });
      const before = await isExact(text);
      const row = text.row(sixth);
      await row.getByRole('button', { name: `Unfold line ${sixth}` }).click();
      const block = row.locator('[data-unfolded]');
      await expect(block).toBeVisible();
      const raw = sed(jsonLog, sixth, sixth)[0]!;
      const lines = JSON.stringify(JSON.parse(raw), null, 2).split('\n').length;
      const after = await isExact(text);
      expect(after[0]).toEqual(before[0]);
      expect(after.find(({ line }) => line === sixth)!.height).toBe((lines + 1) * LINE_PX);

      // By key: the selected line.
      await text.row(second).locator('[data-gutter]').click();
      await press(page, text, 'u');
      await expect(text.row(second).locator('[data-unfolded]')).toBeVisible();
      await isExact(text);
      await keep(page, 'json-unfolded');

      await page.reload();
      await text.counted(LINES);
      await expect(text.row(second).locator('[data-unfolded]')).toBeVisible();
      await expect(block).toBeVisible();
      await isExact(text);
      await text.wheel(-2000);
      await isExact(text);
      await text.wheel(2000);
      await isExact(text);

      await row.getByRole('button', { name: `Fold line ${sixth}` }).click();
      await expect(block).toHaveCount(0);
      await press(page, text, 'Shift+U');
      await expect(text.scroller.locator('[data-unfolded]')).toHaveCount(0);
      await isExact(text);
      await press(page, text, 'Shift+U');
      await expect.poll(() => text.scroller.locator('[data-unfolded]').count()).toBeGreaterThan(3);
      await isExact(text);
    });
  });

  test('is searched, also in a narrow window', async ({ inspector, jsonLog, page }) => {
    const text = await inspector.open([jsonLog]);
    await text.counted(LINES);
    const search = new SearchPage(page);

    await test.step('marks what is found where it is shown, and shows the raw line elsewhere', async () => {
      const [near, deep] = [FAR + 40_005, FAR + 80_001];
      await search.search(`reconciled pod ${deep}`);
      await search.found(1);
      await page.keyboard.press('Enter');
      const mark = text.row(deep).locator('mark').first();
      await expect(mark).toHaveText(`reconciled pod ${deep}`);
      await expect(mark).toBeInViewport({ ratio: 1 });
      await expect(search.row(deep)).toContainText(`INFO  reconciled pod ${deep}`);
      await expect(search.row(deep).locator('mark')).toHaveText(`reconciled pod ${deep}`);
      await keep(page, 'json-search');

      // Far to the right, in a nested object.
      await search.search('"name":"api-1","namespace"');
      await expect(search.count).toHaveText(/^[\d,]+ matching lines$/);
      await page.keyboard.press('Enter');
      const current = text.scroller.locator('[data-current] mark').first();
      await expect(current).toBeInViewport({ ratio: 1 });
      await expect(text.scroller.locator('[data-current] [data-text]')).toContainText('pod={');

      // The key of the message is not shown.
      await search.search(`"msg":"reconciled pod ${near}"`);
      await search.found(1);
      await page.keyboard.press('Enter');
      await expect(text.row(near).locator('mark')).toHaveText(`reconciled pod ${near}`);
      await search.search('"PRIORITY"');
      await expect(search.count).toHaveText(/^[\d,]+ matching lines$/);
      await page.keyboard.press('Enter');
      await expect(text.scroller.locator('[data-current] [data-text]')).toHaveText(/^\{"__CURSOR"/);
      await expect(text.scroller.locator('[data-current] mark')).toHaveText('"PRIORITY"');
      await page.getByRole('button', { name: 'End the search', exact: true }).first().click();
    });

    await test.step('wraps, folded and unfolded, in a narrow window', async () => {
      await page.setViewportSize({ width: 420, height: 700 });
      await text.goTo(String(FAR + 60_000));
      await expect(gutter(text, FAR + 60_001)).toBeInViewport({ ratio: 1 });
      await keep(page, 'json-narrow');
      await press(page, text, 'w');
      await isExact(text);
      await press(page, text, 'u');
      await isExact(text);
      await press(page, text, 'Shift+U');
      await press(page, text, 'Shift+U');
      await isExact(text);
      await keep(page, 'json-narrow-unfolded');
      for (const px of [700, -300, 2500, -1200]) {
        await text.wheel(px);
        await isExact(text);
      }
      await search.search('"PRIORITY"');
      await expect(search.count).toHaveText(/^[\d,]+ matching lines$/);
      await page.keyboard.press('Enter');
      await expect(text.scroller.locator('[data-current] mark').first()).toBeInViewport();
      await isExact(text);
    });
  });
});

test('a few JSON lines are selected and followed', async ({ inspector, page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const line = (number: number) =>
    JSON.stringify({ queue: 'mail', level: 'info', msg: `job ${number} ran`, pid: 7 });
  const path = writeLines(inspector.folder, 'growing.json', 2000, (number) =>
    number <= 50 ? line(number) : jsonLogLine(number),
  );
  const text = await inspector.open([path]);
  await text.counted(2000);

  await test.step('copies what a drag over several fields covers, and filters by one field only', async () => {
    const drag = async (from: { words: string; line: number }, to: { words: string; line: number }) => {
      const box = async ({ words, line }: typeof from) =>
        (await text.row(line).getByText(words, { exact: true }).boundingBox())!;
      const [start, end] = [await box(from), await box(to)];
      await page.mouse.move(start.x + 1, start.y + 8);
      await page.mouse.down();
      await page.mouse.move(end.x + end.width - 1, end.y + 8, { steps: 4 });
      await page.mouse.up();
    };
    const said = page.getByRole('region', { name: 'Status' });
    await drag({ words: 'job 6 ran', line: 6 }, { words: 'mail', line: 6 });
    await expect(text.selected).toHaveText('21 characters selected');
    await press(page, text, 'Control+c');
    await expect(said).toContainText('Copied 21 characters');
    expect(await copied(page)).toBe('job 6 ran  queue=mail');
    await expect(text.row(6).locator('[data-from] > span')).toHaveText(['job 6 ran', 'queue', '=', 'mail']);
    await press(page, text, '+');
    await expect(said).toContainText('Select a text in one line or one JSON field first');

    await drag({ words: 'job 6 ran', line: 6 }, { words: 'mail', line: 8 });
    await press(page, text, 'Control+c');
    await expect.poll(() => copied(page)).toBe([6, 7, 8].map(line).join('\n'));

    await drag({ words: 'job 6 ran', line: 6 }, { words: 'job 6 ran', line: 6 });
    await press(page, text, '+');
    await expect(said).toContainText('Shows only lines with “job 6 ran”');
    await page.getByRole('button', { name: 'Remove all filters' }).click();
  });

  await test.step('the end is followed with unfolded lines', async () => {
    await press(page, text, 'f');
    await expect(text.row(2000)).toBeInViewport();
    await text.row(1998).locator('[data-gutter]').click();
    await press(page, text, 'u');
    await expect(text.row(1998).locator('[data-unfolded]')).toBeVisible();
    for (let number = 2001; number <= 2010; number += 1) appendFileSync(path, `${jsonLogLine(number)}\n`);
    await press(page, text, 't');
    await expect(gutter(text, 2010)).toBeInViewport({ ratio: 1 });
    await isExact(text);
  });
});

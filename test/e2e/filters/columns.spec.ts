/** Fields as columns: chosen, moved, sized, counted, filtered by a click, and remembered for texts like this one. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { problems } from '../fixtures/axe.ts';
import { expect, test } from '../fixtures/inspector.ts';
import { keep } from '../fixtures/keep.ts';

const STATUSES = [200, 200, 404, 200, 500];
const objectLine = (i: number) => {
  const time = new Date(Date.UTC(2026, 2, 1, 10, 0, i)).toISOString();
  const http = { status: STATUSES[i % 5], path: `/api/items/${i}` };
  return JSON.stringify({
    time,
    level: i % 5 === 4 ? 'error' : 'info',
    http,
    ms: i,
    msg: `request ${i} was "handled"`,
  });
};
const pairLine = (i: number) =>
  `time=2026-03-01T10:00:${String(i).padStart(2, '0')}Z level=info user=u${i % 3} took=${i}ms`;

/** Lines of one kind, and one that has no field. */
const linesOf = (line: (i: number) => string) =>
  Array.from({ length: 60 }, (_, i) => line(i)).toSpliced(10, 0, 'panic: no field');

test('three fields of a JSON log are a table', async ({ inspector, page }) => {
  const path = join(inspector.folder, 'api.log');
  writeFileSync(path, `${linesOf(objectLine).join('\n')}\n`);
  const text = await inspector.open([path]);
  await text.counted(61);
  const cell = (line: number, name: string) => text.row(line).locator(`[data-column="${name}"]`);
  const headings = page.locator('[data-heading]');

  await test.step('the toolbar offers the fields', async () => {
    await page.getByRole('button', { name: 'Columns' }).click();
    for (const name of ['time', 'http.status', 'msg']) await page.getByRole('checkbox', { name }).check();
    await keep(page, 'columns-list');
    expect(await problems(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await expect(headings).toHaveText(['time', 'http.status', 'msg']);
    await expect(cell(5, 'time')).toHaveText('2026-03-01 10:00:04.000');
    await expect(cell(5, 'http.status')).toHaveText('500');
    await expect(cell(5, 'msg')).toHaveText('request 4 was "handled"');
    await expect(headings.nth(1)).toHaveCSS('text-align', 'right');
    await expect(headings.nth(2)).toHaveCSS('text-align', 'left');
    await expect(text.row(11)).toContainText('panic: no field');
    await keep(page, 'columns');
    // Every button is in the window, with its word or without.
    for (const width of [1280, 1180, 1110, 700]) {
      await page.setViewportSize({ width, height: 800 });
      const details = page.getByRole('toolbar', { name: 'Text' }).getByRole('button', { name: 'Details' });
      await expect(details).toBeInViewport({ ratio: 1 });
    }
    await page.setViewportSize({ width: 1280, height: 800 });
    expect(await problems(page)).toEqual([]);
  });

  await test.step('headings stand above their values, wherever they are moved and however wide they are', async () => {
    const heading = page
      .getByRole('toolbar', { name: 'Columns' })
      .getByRole('button', { name: 'http.status' });
    await heading.focus();
    await heading.press('Alt+ArrowLeft');
    await expect(headings).toHaveText(['http.status', 'time', 'msg']);
    await heading.press('Shift+ArrowRight');
    for (const name of ['http.status', 'time', 'msg']) {
      const [above, below] = await Promise.all([
        page.locator(`[data-heading="${name}"]`).boundingBox(),
        cell(5, name).boundingBox(),
      ]);
      expect(Math.abs(above!.x - below!.x)).toBeLessThan(1.5);
    }
    await page.keyboard.press('Escape');
  });

  await test.step('a click on a value shows only its lines', async () => {
    await cell(5, 'http.status').hover();
    await cell(5, 'http.status').getByRole('button').click();
    await expect(page.locator('[data-filter="count"]')).toHaveText('12 of 61 lines');
    await expect(page.locator('[data-chip]')).toContainText('http.status=500');
    await page.getByRole('button', { name: /^Remove: / }).click();
  });

  await test.step('a heading counts the values of the whole text', async () => {
    await headings.filter({ hasText: 'http.status' }).getByRole('button').click();
    const values = page.getByRole('dialog').getByRole('listitem');
    await expect(values).toHaveText(['200 36', '404 12', '500 12']);
    await keep(page, 'columns-values');
    expect(await problems(page)).toEqual([]);
    await values.nth(1).getByRole('button').click();
    await expect(page.locator('[data-filter="count"]')).toHaveText('12 of 61 lines');
    await page.getByRole('button', { name: /^Remove: / }).click();
  });

  await test.step('a row whose match no column shows keeps its columns, and names the match', async () => {
    await page.keyboard.press('/');
    await page.keyboard.type('items/7"');
    await expect(text.row(8).locator('[data-elsewhere]')).toHaveText('http.path items/7"');
    await expect(text.row(8).locator('[data-elsewhere] mark')).toBeInViewport();
    await expect(cell(8, 'msg')).toHaveText('request 7 was "handled"');
    await keep(page, 'columns-match');
    expect(await problems(page)).toEqual([]);
    await page.keyboard.press('Control+A');
    await page.keyboard.type('request 7');
    await expect(cell(8, 'msg').locator('mark')).toHaveText('request 7');
    await expect(page.locator('[data-elsewhere]')).toHaveCount(0);
    // No line has this text. As a filter, it compares fields.
    await page.keyboard.press('Control+A');
    await page.keyboard.type('http.status=500');
    await expect(
      page.getByText('To compare fields, keep it as a filter: Ctrl+Enter in the field.'),
    ).toBeVisible();
    await page.keyboard.press('Control+Enter');
    await expect(page.locator('[data-filter="count"]')).toHaveText('12 of 61 lines');
    await page.getByRole('button', { name: /^Remove: / }).click();
    await page.keyboard.press('/');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
  });

  await test.step('numbers stand at the right of their column', async () => {
    await expect(cell(5, 'http.status')).toHaveCSS('text-align', 'right');
    await expect(cell(5, 'msg')).not.toHaveCSS('text-align', 'right');
  });

  await test.step('a drag moves a heading, and opens nothing', async () => {
    const [from, to] = await Promise.all([
      page.locator('[data-heading="time"]').boundingBox(),
      page.locator('[data-heading="http.status"]').boundingBox(),
    ]);
    await page.mouse.move(from!.x + 20, from!.y + 8);
    await page.mouse.down();
    await page.mouse.move(to!.x + 5, to!.y + 8, { steps: 5 });
    await page.mouse.up();
    await expect(headings).toHaveText(['time', 'http.status', 'msg']);
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await headings.first().getByRole('button').press('Alt+ArrowRight');
    await expect(headings).toHaveText(['http.status', 'time', 'msg']);
  });

  await test.step('a removed column says so, leaves the focus beside it, and comes back', async () => {
    await headings.filter({ hasText: 'time' }).getByRole('button').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await expect(headings).toHaveText(['http.status', 'msg']);
    await expect(headings.filter({ hasText: 'msg' }).getByRole('button')).toBeFocused();
    await expect(page.getByText('Removed the column time')).toBeVisible();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(headings).toHaveText(['http.status', 'time', 'msg']);
  });

  await test.step('other texts of the format have the columns, and none of another', async () => {
    await page.reload();
    await expect(headings).toHaveText(['http.status', 'time', 'msg']);
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('button', { name: 'Show lines without columns' }).click();
    await expect(headings).toHaveCount(0);
    await expect(text.row(5)).toContainText('request 4');
  });
});

test('fields of logfmt are columns, too', async ({ inspector, page }) => {
  const path = join(inspector.folder, 'pairs.log');
  writeFileSync(path, `${linesOf(pairLine).join('\n')}\n`);
  const text = await inspector.open([path]);
  await text.counted(61);
  await expect(page.getByRole('button', { name: 'Columns' })).toBeVisible();
  await page.keyboard.press(';');
  await page.getByRole('checkbox', { name: 'user' }).check();
  await page.getByRole('checkbox', { name: 'took' }).check();
  await page.keyboard.press('Escape');
  await expect(text.row(5).locator('[data-column]')).toHaveText(['u1', '4ms']);
  // Unfolded, it is the whole line.
  await text.row(5).getByRole('button', { name: 'Unfold line 5' }).click();
  await expect(text.row(5).locator('[data-unfolded]')).toHaveText(pairLine(4));
});

test("so are the named groups of a person's pattern", async ({ inspector, page }) => {
  const path = join(inspector.folder, 'own.log');
  const lines = Array.from({ length: 60 }, (_, i) => `<${i % 3}> ann took ${i} ms`);
  writeFileSync(path, `${lines.join('\n')}\n`);
  mkdirSync(inspector.home, { recursive: true, mode: 0o700 });
  const pattern = '^<(?<class>\\d)> (?<who>\\w+) took (?<spent>\\d+)';
  writeFileSync(join(inspector.home, 'config.json'), JSON.stringify({ fieldPatterns: [pattern] }));
  const text = await inspector.open([path]);
  await text.counted(60);
  await page.getByRole('button', { name: 'Columns' }).click();
  for (const name of ['class', 'who', 'spent']) await page.getByRole('checkbox', { name }).check();
  await page.keyboard.press('Escape');
  await expect(text.row(5).locator('[data-column]')).toHaveText(['1', 'ann', '4']);
  await page.locator('[data-heading="class"]').getByRole('button').click();
  await expect(page.getByRole('dialog').getByRole('listitem')).toHaveText(['0 20', '1 20', '2 20']);
  await page.getByRole('dialog').getByRole('listitem').nth(1).getByRole('button').click();
  await expect(page.locator('[data-filter="count"]')).toHaveText('20 of 60 lines');
  await keep(page, 'columns-own');
});

test('so are those of three services of Compose', async ({ inspector, page }) => {
  const path = join(inspector.folder, 'compose.log');
  const services = ['web-1    ', 'api-1    ', 'worker-1 '];
  writeFileSync(
    path,
    `${Array.from({ length: 60 }, (_, i) => `${services[i % 3]} | ${objectLine(i)}`).join('\n')}\n`,
  );
  const text = await inspector.open([path]);
  await text.counted(60);
  await page.getByRole('button', { name: 'Columns' }).click();
  for (const name of ['service', 'level', 'http.status', 'msg'])
    await page.getByRole('checkbox', { name }).check();
  await page.keyboard.press('Escape');
  await expect(text.row(5).locator('[data-column]')).toHaveText([
    'api-1',
    'ERROR',
    '500',
    'request 4 was "handled"',
  ]);
  await text.row(5).locator('[data-column="http.status"]').hover();
  await text.row(5).locator('[data-only="http.status"]').click();
  const count = page.locator('[data-filter="count"]');
  await expect(count).toHaveText('12 of 60 lines');
  await text.row(5).locator('[data-column="service"]').hover();
  await text.row(5).locator('[data-only="service"]').click();
  await expect(count).toHaveText('4 of 60 lines');
});

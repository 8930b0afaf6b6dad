/** Filters: the lines that they show, their description, and adding, changing and storing them. */
import { execFileSync } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { expect, test } from '../fixtures/inspector.ts';
import { LONG_LOG_LINES, logLine, writeLines } from '../fixtures/logs.ts';

const bar = (page: Page) => page.getByRole('region', { name: 'Filters' });
const chip = (page: Page, name: RegExp) => bar(page).getByRole('button', { name });
const count = (page: Page) => page.locator('[data-filter="count"]');

/** Adds a filter by typing it. */
async function filter(page: Page, pattern: string, verb: 'Or' | 'Hide' | null = null): Promise<void> {
  await page.locator('[data-viewer]').focus();
  await page.keyboard.press('F');
  const form = page.getByRole('dialog', { name: 'Filter the lines' });
  await form.getByRole('textbox', { name: 'Lines with' }).fill(pattern);
  if (verb) await form.getByRole('button', { name: verb, exact: true }).click();
  await page.keyboard.press('Escape');
  await expect(form).toHaveCount(0);
}

/** Returns grep's result: lines that match one of `show` and none of `hide`, with their numbers. */
function grep(path: string, show: string[], hide: string[]): [number, string][] {
  const shown = execFileSync('grep', ['-nE', show.join('|'), path], { maxBuffer: 1e9 }).toString();
  return shown
    .split('\n')
    .filter((line) => line !== '')
    .map((line): [number, string] => {
      const at = line.indexOf(':');
      return [Number(line.slice(0, at)), line.slice(at + 1)];
    })
    .filter(([, text]) => !hide.some((pattern) => new RegExp(pattern).test(text)));
}

test('a long log shows only what passes all filters, with the numbers of its lines', async ({
  inspector,
  longLog,
}) => {
  const text = await inspector.open([longLog]);
  const { page } = text;
  await text.counted(LONG_LOG_LINES);
  await filter(page, 'ERROR|WARN');
  await filter(page, 'worker-3', 'Or');
  await filter(page, 'took 1\\d\\d ms', 'Hide');
  const expected = grep(longLog, ['ERROR|WARN', 'worker-3'], ['took 1\\d\\d ms']);
  await expect(count(page)).toHaveText(
    `${expected.length.toLocaleString('en')} of ${LONG_LOG_LINES.toLocaleString('en')} lines`,
  );
  await page.keyboard.press('Home');
  let rows = await text.wholeRows();
  expect(rows.map(({ line, text }) => [line, text])).toEqual(expected.slice(0, rows.length));
  // A range is suggested from the first to the last line in view.
  await page.keyboard.press('r');
  await expect(page.getByRole('textbox', { name: 'From line' })).toHaveValue(String(rows[0]!.line));
  await expect(page.getByRole('textbox', { name: 'To line' })).toHaveValue(String(rows.at(-1)!.line));
  await page.keyboard.press('Escape');
  await text.scroller.focus();
  await page.keyboard.press('End');
  await expect.poll(async () => (await text.wholeRows()).at(-1)?.line).toBe(expected.at(-1)![0]);
  rows = await text.wholeRows();
  expect(rows.map(({ line, text }) => [line, text])).toEqual(expected.slice(-rows.length));
  // In between, at a line that does not pass: the next one that does.
  await text.goTo('50%');
  const next = expected.find(([line]) => line >= LONG_LOG_LINES / 2)![0];
  await expect(text.row(next)).toHaveAttribute('data-selected', '');
});

test('a selection among filtered lines, and one that becomes a filter', async ({
  inspector,
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const line = (n: number) =>
    [250, 272].includes(n) ? `FATAL ${n}` : `request ${n} by ${n % 3 ? 'ann' : 'bob'} (${n % 7})`;
  const text = await inspector.open([writeLines(inspector.folder, 'a.log', 400, line)]);
  await text.counted(400);

  await test.step('selected lines between which a filter hides others are counted as they are shown', async () => {
    await filter(page, 'FATAL');
    await text.row(250).locator('[data-gutter]').click();
    await page.keyboard.press('Shift+ArrowDown');
    await expect(text.selected).toHaveText('250–272 (2 lines) selected');
    await page.keyboard.press('Y');
    await expect(page.getByText('Copied 2 lines')).toBeVisible();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toContain('[2 of lines 250–272, filtered](');
    expect(copied).toContain('```text\nFATAL 250\nFATAL 272\n```');
    expect(copied).toContain('` prints all 23 lines, also those that filters hid');
    await bar(page).getByRole('button', { name: 'Remove all filters' }).click();
    await text.scroller.focus();
    for (const key of ['Escape', 'Home']) await page.keyboard.press(key);
  });

  await test.step('what is selected is shown alone or hidden, by keys and from the context menu', async () => {
    await text
      .row(3)
      .getByText('request 3')
      .dblclick({ position: { x: 100, y: 8 } });
    await expect(page.locator('[data-status="selected"]')).toContainText('3 characters');
    await page.keyboard.press('+');
    await expect(count(page)).toHaveText('133 of 400 lines');
    await expect(chip(page, /^Show lines with bob/)).toBeVisible();
    await page.keyboard.press('v');
    await text.row(1).click({ button: 'right' });
    await page.getByRole('menuitem', { name: /Hide lines with the selected text/ }).click();
    await expect(chip(page, /^Hide lines with bob/)).toBeVisible();
    await expect(count(page)).toHaveText('267 of 400 lines');
  });
});

test('a filter compares the fields of lines', async ({ inspector, page }) => {
  const object = (n: number) =>
    JSON.stringify({ msg: `request ${n}`, status: [200, 404, 503][n % 3], took: `${n}ms` });
  const text = await inspector.open([writeLines(inspector.folder, 'api.log', 300, object)]);
  await text.counted(300);
  await filter(page, 'status>=500');
  await expect(count(page)).toHaveText(/100 of 300/);
  await expect(chip(page, /Edit: Show lines whose fields have status>=500/)).toBeVisible();
  expect((await text.wholeRows()).every((row) => /503/.test(row.text ?? ''))).toBe(true);
  await filter(page, 'took>0.2s', 'Hide');
  await expect(count(page)).toHaveText(/67 of 300/);
});

test('a filter is changed, and searched within', async ({ inspector, page }) => {
  const { text } = await inspector.openLog(5000);

  await test.step('a filter is switched off and on, edited and removed, and the line at the top stays', async () => {
    await text.goTo('3000');
    await page.keyboard.press('Escape');
    const top = (await text.firstWholeLine())!;
    await filter(page, 'worker-3\\b');
    await expect(count(page)).toHaveText('625 of 5,000 lines');
    const passing = Array.from({ length: 5000 }, (_, i) => i + 1).filter((line) => line % 8 === 3);
    expect(await text.firstWholeLine()).toBe(passing.find((line) => line >= top));

    const shows = chip(page, /^Show lines with worker-3\\b, 625 lines$/);
    await shows.click();
    await expect(shows).toHaveCount(0);
    await expect(chip(page, /^Show lines with worker-3\\b$/)).toHaveAttribute('aria-pressed', 'false');
    await expect(count(page)).toHaveCount(0);
    await expect(text.row((await text.firstWholeLine())! + 1)).toBeVisible();
    await text.scroller.focus();
    await page.keyboard.press('v');
    await expect(count(page)).toHaveText('625 of 5,000 lines');

    await bar(page)
      .getByRole('button', { name: /^Edit: / })
      .click();
    const field = page.getByRole('textbox', { name: 'Lines with' });
    await field.fill('worker-[12]\\b');
    await expect(count(page)).toHaveText('1,250 of 5,000 lines');
    await field.fill('worker-[');
    await expect(page.getByRole('alert')).toContainText('not a valid pattern');
    await field.fill('worker-5\\b');
    await page.keyboard.press('Enter');
    await chip(page, /^Show lines with worker-5/).focus();
    await page.keyboard.press('Delete');
    await expect(bar(page)).toHaveCount(0);
    await expect(text.scroller).toBeFocused();
  });

  await test.step('n goes from match to match among the lines that are shown', async () => {
    await page.keyboard.press('Home');
    await filter(page, 'worker-0 ');
    await text.scroller.focus();
    await page.keyboard.press('/');
    await page.keyboard.type('request \\d*4 ');
    await expect(page.locator('[data-search="count"]')).toHaveText('125 matching lines');
    await page.keyboard.press('Enter');
    await expect(text.row(24)).toHaveAttribute('data-current', '');
    await page.keyboard.press('Enter');
    await expect(text.row(64)).toHaveAttribute('data-current', '');
    await expect(text.row(64).locator('mark')).toHaveText('request 64 ');
    // Without the filter, all of them.
    await text.scroller.focus();
    await page.keyboard.press('v');
    await expect(page.locator('[data-search="count"]')).toHaveText('500 matching lines');
  });
});

test('a filter is typed, and takes what comes', async ({ inspector, page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const { path, text } = await inspector.openLog(100);

  await test.step('a filter without a text says that it is new, and filters nothing', async () => {
    await text.scroller.focus();
    await page.keyboard.press('F');
    await expect(bar(page).locator('[data-chip]')).toHaveText('New filter');
    await expect(bar(page)).not.toContainText('Lines that');
    await expect(text.row(1)).toBeVisible();
    await page.keyboard.type('request');
    await expect(bar(page).locator('[data-chip]')).toContainText('Showrequest');
    await page.keyboard.press('Escape');

    await bar(page).getByRole('button', { name: 'Remove all filters' }).click();
  });

  await test.step('Enter in the form of a filter leaves the next key to the text', async () => {
    await text.scroller.focus();
    await page.keyboard.press('F');
    const field = page.getByRole('textbox', { name: 'Lines with' });
    await field.fill('worker-3');
    // No frame can come in between.
    const isInText = await field.evaluate((input: HTMLInputElement) => {
      input.form!.requestSubmit();
      return document.activeElement?.matches('[data-viewer]');
    });
    expect(isInText).toBe(true);
    await expect(field).toHaveCount(0);
    await expect(text.scroller).toBeFocused();
    // Also on a button that was just pressed.
    await bar(page)
      .getByRole('button', { name: /^Edit: / })
      .click();
    await page.getByRole('button', { name: 'Hide', exact: true }).click();
    await page.keyboard.press('Enter');
    await expect(field).toHaveCount(0);
    await expect(bar(page).locator('[data-chip]')).toContainText('Hide');
    await bar(page).getByRole('button', { name: 'Remove all filters' }).click();
  });

  await test.step('the lines follow while the file grows, and only passing lines are copied', async () => {
    await filter(page, 'worker-0 ');
    await page.keyboard.press('f');
    for (let n = 101; n <= 300; n += 1) appendFileSync(path, `${logLine(n)}\n`);
    await expect(count(page)).toHaveText('37 of 300 lines');
    await expect(text.row(296)).toBeVisible();
    // An unfinished line is filtered by its text so far.
    appendFileSync(path, 'worker');
    await expect(count(page)).toHaveText('37 of 301 lines');
    appendFileSync(path, '-0 at last');
    await expect(count(page)).toHaveText('38 of 301 lines');
    await expect(text.row(301)).toContainText('worker-0 at last');
    await text.scroller.focus();
    await page.keyboard.press('Control+A');
    await page.keyboard.press('Control+C');
    await expect
      .poll(() => page.evaluate(() => navigator.clipboard.readText()))
      .toBe([...Array.from({ length: 37 }, (_, i) => logLine(8 * (i + 1))), 'worker-0 at last'].join('\n'));
  });
});

test('the search is kept as a filter, and neither the focus nor another artifact loses it', async ({
  inspector,
}) => {
  const a = writeLines(inspector.folder, 'a.log', 500, logLine);
  const b = writeLines(inspector.folder, 'b.log', 20, logLine);
  const text = await inspector.open([a, b]);
  const { page } = text;
  await page.getByRole('treeitem', { name: /a\.log/ }).click();
  await text.counted(500);
  await text.scroller.focus();
  await page.keyboard.press('/');
  await page.keyboard.type('worker-[01] ');
  await page.keyboard.press('Control+Enter');
  await expect(text.scroller).toBeFocused();
  await expect(bar(page).locator('[data-chip]')).toContainText('worker-[01] ');
  await expect(count(page)).toHaveText('125 of 500 lines');
  await page.getByRole('treeitem', { name: /b\.log/ }).click();
  await text.counted(20);
  await expect(bar(page)).toHaveCount(0);
  await page.getByRole('treeitem', { name: /a\.log/ }).click();
  await expect(count(page)).toHaveText('125 of 500 lines');
  await page.reload();
  await expect(count(page)).toHaveText('125 of 500 lines');
});

/**
 * A real command that prints very much and fails: followed while it runs, then read, searched, filtered,
 * copied and compared. The tests share one recording, so they run in this order in one worker.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { expect, type Inspector } from '../fixtures/inspector.ts';
import { keep } from '../fixtures/keep.ts';
import { ListPage } from '../fixtures/list-page.ts';
import { grepCount, writeLines } from '../fixtures/logs.ts';
import { grepLines, type RealRun, test } from '../fixtures/real-run.ts';
import { SearchPage } from '../fixtures/search-page.ts';
import { copied, goByRuler, grouped, highlightAWord, printed, selectPastTheEdge } from './real-text.ts';

const MIB = 1024 * 1024;

test.use({ viewport: { width: 1440, height: 900 }, permissions: ['clipboard-read', 'clipboard-write'] });
test.describe.configure({ mode: 'default' });

const texts = (rows: { text: string | null }[]) => rows.map((row) => row.text?.trimEnd());

/** The lines of its stdout, once it has ended. */
async function linesOf(run: RealRun): Promise<number> {
  await run.ended;
  return Number(execFileSync('wc', ['-l', run.stdout()]).toString().trim().split(' ')[0]);
}

/** The command in the window, with all its lines and one of stderr, at its first line. */
async function opened(inspector: Inspector, run: RealRun, ...paths: string[]) {
  const lines = await linesOf(run);
  inspector.home = run.home;
  const text = await inspector.open(paths);
  await new ListPage(text.page).item(run.script).click();
  await text.counted(lines + 1);
  await expect(text.row(lines + 1)).toHaveAttribute('data-selected', '');
  await text.scroller.focus();
  await text.page.keyboard.press('Home');
  await text.page.keyboard.press('Escape');
  await expect(text.row(1)).toBeInViewport();
  return { text, lines };
}

async function filter(page: Page, pattern: string, verb: 'Show' | 'Only' | 'Hide'): Promise<void> {
  await page.locator('[data-viewer]').focus();
  await page.keyboard.press('F');
  const form = page.getByRole('dialog', { name: 'Filter the lines' });
  await form.getByRole('textbox', { name: 'Lines with' }).fill(pattern);
  const button = form.getByRole('button', { name: verb, exact: true });
  await button.click();
  await expect(button).toHaveAttribute('aria-pressed', 'true');
  await page.keyboard.press('Enter');
  await expect(form).toHaveCount(0);
}

test('it is followed while it runs, says for how long, and opens where it failed', async ({
  inspector,
  page,
  run,
}) => {
  await expect.poll(run.bytes, { intervals: [50] }).toBeGreaterThan(4 * MIB);
  inspector.home = run.home;
  const text = await inspector.open([]);
  const list = new ListPage(page);
  await list.item(run.script).click();
  const head = await text.wholeRows();
  expect(texts(head)).toEqual(printed(run, 1, head.length));
  if (run.isRunning()) {
    await expect(page.locator('[data-status="running"]')).toHaveText(/^running \d+ s$/);
    await expect(page.getByRole('button', { name: 'Stop', exact: true })).toBeVisible();
  }
  // To the end that is now, and on with it.
  await text.scroller.focus();
  await page.keyboard.press('f');
  const followed: number[] = [];
  for (let turn = 0; turn < 6 && run.isRunning(); turn += 1) {
    const last = (await text.wholeRows()).at(-1);
    if (last?.line) followed.push(last.line);
    const before = run.bytes();
    await expect
      .poll(() => run.bytes() > before || !run.isRunning(), { intervals: [200], timeout: 60_000 })
      .toBe(true);
  }
  expect(followed).toEqual([...followed].sort((a, b) => a - b));
  // Up while more comes: what is looked at stays where it is.
  await text.goTo('5000');
  await expect(text.row(5000)).toBeInViewport();
  const here = await text.wholeRows();
  for (let turn = 0; turn < 2; turn += 1) await text.wheel(54);
  await expect.poll(() => text.firstWholeLine()).toBe((here[0]?.line ?? 0) + 6);

  const lines = await linesOf(run);
  await text.counted(lines + 1);
  expect(statSync(run.stdout()).size).toBeGreaterThan(30 * MIB);
  await expect(page.getByRole('main')).toContainText(/failed \(exit \d\)/);
  await expect(page.getByText(/^took \d/)).toBeVisible();
  await expect(list.item(run.script)).toContainText(run.cause);
  await page.keyboard.press('End');
  const tail = (await text.wholeRows()).slice(0, -1);
  expect(texts(tail)).toEqual(printed(run, lines - tail.length + 1, lines));
  await text.goTo('50%');
  const middle = Math.round((lines + 1) / 2);
  await expect(text.row(middle)).toHaveAttribute('data-selected', '');
  const rows = await text.wholeRows();
  expect(texts(rows)).toEqual(printed(run, rows[0]!.line!, rows.at(-1)!.line!));
  expect(await text.elements()).toBeLessThan(1000);

  // Opened later, it shows why it failed, and which stream says so.
  await list.item(run.beside).click();
  await text.counted(1000);
  await page.goto(inspector.url);
  await list.item(run.script).click();
  await expect(text.row(lines + 1)).toHaveAttribute('data-selected', '');
  await expect(text.row(lines + 1)).toContainText(run.cause);
  await expect(text.row(lines + 1)).toHaveAttribute('data-stream', 'stderr');
  await keep(page, 'end');
  await page.keyboard.press('s');
  const summary = page.getByRole('complementary', { name: 'Summary' });
  await expect(summary).toContainText(grouped(lines + 1), { timeout: 60_000 });
  await expect(summary).toContainText('Most frequent messages');
});

test('it is searched, filtered, marked and exported as grep does it', async ({ inspector, page, run }) => {
  const other = writeLines(inspector.folder, 'other.log', 50, (number) => `other ${number}`);
  const { text, lines } = await opened(inspector, run, other);
  const search = new SearchPage(page);
  const { many, some, few } = run.words;
  const path = run.stdout();

  await search.search(some);
  const found = grepLines(path, [some]);
  await search.found(found.length);
  expect((await search.rows())[0]?.[0]).toBe(found[0]![0]);
  await page.keyboard.press('Enter');
  await expect(text.row(found[0]![0])).toHaveAttribute('data-current', '');
  await page.keyboard.press('Shift+Enter');
  await expect(text.row(found.at(-1)![0])).toHaveAttribute('data-current', '');
  await expect(page.locator('[data-mark="matches"] path').first()).toHaveAttribute('d', /^M/);
  // A second search beside it, and a third within that.
  await page.keyboard.press('Alt+k');
  await page.keyboard.insertText(many);
  await search.found(grepCount(path, '-iE', many));
  await page.keyboard.press('Alt+w');
  await page.keyboard.insertText(few);
  const within = grepLines(path, [many, few]);
  await search.found(within.length);
  await expect(page.locator('[data-search-tab]')).toHaveCount(2);
  // From the results: three matches, as text; then all of them to a file.
  await page.keyboard.press('Escape');
  await page.keyboard.press('m');
  await expect(search.list).toBeFocused();
  await page.keyboard.press('Home');
  for (const key of ['Shift+ArrowDown', 'Shift+ArrowDown', 'Control+c']) await page.keyboard.press(key);
  await expect(page.getByText('Copied 3 lines', { exact: true })).toBeVisible();
  expect(await copied(page)).toBe(
    within
      .slice(0, 3)
      .map(([, line]) => line)
      .join('\n'),
  );
  await page.keyboard.press('Control+Shift+S');
  const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
  const saved = readFileSync(await download.path(), 'utf8');
  expect(saved === `${within.map(([, line]) => line).join('\n')}\n`).toBe(true);

  await filter(page, some, 'Show');
  await filter(page, few, 'Hide');
  const left = grepLines(path, [some], [few]);
  const count = page.locator('[data-filter="count"]');
  await expect(count).toHaveText(`${grouped(left.length)} of ${grouped(lines + 1)} lines`);
  await page.keyboard.press('Home');
  await expect.poll(() => text.firstWholeLine()).toBe(left[0]![0]);
  const rows = await text.wholeRows();
  expect(rows.map(({ line }) => line)).toEqual(left.slice(0, rows.length).map(([line]) => line));
  await page.keyboard.press('v');
  await expect(count).toHaveCount(0);

  // A mark with a note, and the way back to it from another artifact.
  await text.goTo(String(left[9]![0]));
  await expect(text.row(left[9]![0])).toHaveAttribute('data-selected', '');
  await page.keyboard.press('Control+m');
  await page.keyboard.type('look here');
  await page.keyboard.press('Escape');
  const panel = page.getByRole('complementary', { name: 'Marks' });
  await panel.getByRole('button', { name: 'Copy all as Markdown' }).click();
  await expect(page.getByText('Copied 1 mark as Markdown')).toBeVisible();
  const markdown = await copied(page);
  expect(markdown).toContain('look here');
  expect(markdown).toContain(left[9]![1]);
  await new ListPage(page).item('other.log').click();
  await text.counted(50);
  await page.keyboard.press('Control+k');
  await page.keyboard.type('look here');
  await page.keyboard.press('Enter');
  await expect(text.row(left[9]![0])).toHaveAttribute('data-marked', '');
  await expect(text.row(left[9]![0])).toBeInViewport();
  const top = await text.firstWholeLine();
  // Its place, its searches and its filters are as they were left.
  await page.goBack();
  await text.counted(50);
  await new ListPage(page).item(run.script).click();
  await expect.poll(() => text.firstWholeLine()).toBe(top);
  await expect(page.locator('[data-search-tab]')).toHaveCount(2);
  await expect(page.getByRole('region', { name: 'Filters' }).locator('[data-chip]')).toHaveCount(2);
});

test('it is read by time, wrapped, in tabs and panes, and merged with another command', async ({
  inspector,
  page,
  run,
}) => {
  const { text, lines } = await opened(inspector, run);
  await selectPastTheEdge(text, run, lines);
  await highlightAWord(text);
  await goByRuler(text, run, lines);

  const time = (line: number) => text.row(line).locator('[data-time]');
  await page.keyboard.press('Shift+T');
  await expect(time(1)).toHaveText(/^\d\d:\d\d:\d\d\.\d{3}$/);
  await text.goTo('75%');
  const late = Math.round((lines + 1) * 0.75);
  await expect(text.row(late)).toHaveAttribute('data-selected', '');
  await expect(time(late)).toHaveText(/^\d\d:\d\d:\d\d/);
  const then = (await time(late).innerText()).slice(0, 8);
  await page.keyboard.press('Shift+T');
  await expect(time(late)).toHaveText(/^\+\d+\.\d{3} s$/);
  for (const key of ['Shift+T', 'Shift+T']) await page.keyboard.press(key);
  await page.keyboard.press('Home');
  // The first line of that second.
  await page.keyboard.press('Control+k');
  await page.keyboard.type(then);
  await page.keyboard.press('Enter');
  await expect(text.scroller.locator('[data-selected] [data-time]')).toHaveText(new RegExp(`^${then}`));
  const at = Number(await text.scroller.locator('[data-selected]').getAttribute('data-line'));
  expect(at).toBeLessThanOrEqual(late);
  if (at > 1) await expect(time(at - 1)).not.toHaveText(new RegExp(`^${then}`));

  await page.keyboard.press('Shift+D');
  const plot = page.getByRole('slider', { name: 'Time' });
  await plot.focus({ timeout: 60_000 });
  await page.keyboard.press('Home');
  await page.keyboard.press('Shift+End');
  await expect(page.locator('[data-histogram-words]')).toContainText(`: ${grouped(lines + 1)} lines`);
  const box = (await plot.boundingBox())!;
  await page.mouse.move(box.x + box.width * 0.5, box.y + 20);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.6, box.y + 20, { steps: 3 });
  await page.mouse.up();
  await expect(page.locator('[data-histogram-words]')).not.toContainText('Reading times');
  const span = await page.locator('[data-histogram-words]').innerText();
  await page.getByRole('button', { name: /^Show only this time/ }).click();
  const [, inSpan] = /: ([\d,]+) lines/.exec(span)!;
  await expect(page.locator('[data-filter="count"]')).toHaveText(`${inSpan} of ${grouped(lines + 1)} lines`);
  await page.getByRole('button', { name: 'Remove all filters' }).click();
  await page.keyboard.press('Shift+D');

  await page.keyboard.press('w');
  await text.goTo('50%');
  await expect(text.scroller).toHaveAttribute('data-wrapped', '');
  const rows = await text.wholeRows();
  expect(texts(rows)).toEqual(printed(run, rows[0]!.line!, rows.at(-1)!.line!));
  await page.keyboard.press('w');

  // Two panes on one text: line by line, then by time.
  await page.keyboard.press('|');
  const pane = (index: number) => page.locator('[data-pane]').nth(index);
  await expect(pane(1).locator('[data-viewer]')).toBeFocused();
  await page.keyboard.press('z');
  await page.keyboard.press('End');
  for (const index of [0, 1]) await expect(pane(index).locator(`[data-line="${lines}"]`)).toBeInViewport();
  await page.keyboard.press('Z');
  await page.keyboard.press('Home');
  for (const index of [0, 1]) await expect(pane(index).locator('[data-line="1"]')).toBeInViewport();
  await page.keyboard.press('|');
  await expect(pane(1)).toHaveCount(0);
  await page.keyboard.press('q');

  await new ListPage(page).item(run.beside).click({ modifiers: ['Shift'] });
  await page.getByRole('button', { name: 'Merge by time' }).click();
  await text.counted(lines + 1001);
  const first = await text.wholeRows();
  expect(new Set(first.map(({ text }) => /^\d+$/.test(text ?? ''))).size).toBe(1);
});

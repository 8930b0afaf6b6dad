/** The palette, the context menu and the welcome screen: ways to everything the window can do. */
import { dress } from '../fixtures/dressed.ts';
import { expect, test } from '../fixtures/inspector.ts';
import { keep } from '../fixtures/keep.ts';
import { logFolder, writeLines } from '../fixtures/logs.ts';
import type { TextPage } from '../fixtures/text-page.ts';

test('the palette runs an action, goes to a line and opens an output, by keys alone', async ({
  inspector,
  page,
}) => {
  const folder = logFolder(inspector.folder, 'logs', ['first.log', 'second.log']);
  const big = writeLines(inspector.folder, 'big.log', 5000, (number) => `line ${number}`);
  const text = await inspector.open([big, folder]);
  await text.counted(5000);
  const field = page.getByRole('combobox', { name: 'Action, output, session or line' });
  const options = page.getByRole('option');

  await page.keyboard.press('Control+k');
  await expect(field).toBeFocused();
  await page.keyboard.type('4,321');
  await expect(options.first()).toContainText('Go to line 4,321');
  await keep(page, 'palette');
  await page.keyboard.press('Enter');
  await expect(field).toHaveCount(0);
  await expect(text.row(4321)).toHaveAttribute('data-selected', '');
  await expect(text.scroller).toBeFocused();

  await page.keyboard.press('Control+k');
  await expect(field).toBeFocused();
  await page.keyboard.type('summary');
  await expect(options.first()).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('complementary', { name: 'Summary' })).toBeVisible();

  // An action that takes the focus gets it, though the palette had it before.
  await page.keyboard.press('Control+k');
  await expect(field).toBeFocused();
  await page.keyboard.type('search the text');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('textbox', { name: 'Pattern' })).toBeFocused();

  await page.keyboard.press('Control+k');
  await expect(field).toBeFocused();
  await page.keyboard.type('seco');
  await expect(options.first()).toContainText('second.log');
  await page.keyboard.press('Enter');
  await expect(page).toHaveTitle('second.log – Spillway');

  await page.keyboard.press('Control+k');
  await expect(field).toBeFocused();
  await page.keyboard.type('nothing is called so');
  await expect(page.getByText('Nothing has these words.')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(field).toHaveCount(0);
  await expect(text.scroller).toBeFocused();
});

test('the ways to everything, from a window with nothing to read', async ({ inspector, page }) => {
  const log = writeLines(inspector.folder, 'a.log', 500, (number) => {
    const day = String(1 + Math.floor(number / 100)).padStart(2, '0');
    return `2024-05-${day} 12:00:00 INFO line ${number}`;
  });
  const text = await inspector.open([]);
  await test.step('with nothing to read, the window says what it is for and how to begin', async () => {
    const welcome = page.getByRole('region', { name: 'Read all of what commands print' });
    await expect(welcome.getByText('spillway run -- npm test')).toBeVisible();
    await expect(welcome.getByRole('button', { name: 'Connect agents' })).toBeVisible();
    await keep(page, 'welcome');
    await welcome.getByRole('button', { name: 'Open a path' }).click();
    await expect(page.getByRole('combobox', { name: 'Path of a file' })).toBeFocused();
  });

  await page.keyboard.insertText(log);
  await page.keyboard.press('Enter');
  await text.counted(500);
  await test.step('the palette is walked with the arrow keys and clicked', async () => {
    // The palette offers what is listed when it is opened.
    await expect(page.getByRole('treeitem', { name: /a\.log/ })).toBeVisible();
    await page.keyboard.press('Control+k');
    const chosen = page.locator('[role="option"][aria-selected="true"]');
    await expect(chosen).toContainText('a.log');
    await page.keyboard.press('ArrowUp');
    await expect(page.getByRole('option').last()).toHaveAttribute('aria-selected', 'true');
    await page.keyboard.press('ArrowDown');
    await expect(chosen).toContainText('a.log');
    await page.keyboard.type('keys');
    await page.getByRole('option', { name: 'Keys', exact: false }).first().click();
    const keys = page.getByRole('dialog', { name: 'Keys' });
    await expect(keys).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(keys).toHaveCount(0);
  });

  await test.step('a right click on the text offers what can be done with it', () =>
    offersWhatCanBeDone(text));
  await test.step('the palette knows the words that people type', () => knowsTheWords(text));
});

async function offersWhatCanBeDone(text: TextPage): Promise<void> {
  const { page } = text;
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  await text.row(7).locator('[data-gutter]').click();
  await text.row(7).click({ button: 'right' });
  const copy = page.getByRole('menuitem', { name: 'Copy the selection', exact: true });
  await expect(copy).toBeVisible();
  await expect(page.getByRole('menuitem', { name: /^Actions|palette/i })).toBeVisible();
  expect(await page.getByRole('menuitem').count()).toBeLessThanOrEqual(12);
  await keep(page, 'context-menu');
  await copy.click();
  await expect.poll(copied).toBe('2024-05-01 12:00:00 INFO line 7');
  // The click selects the line, unless it is selected.
  await text.row(20).click({ button: 'right' });
  await copy.click();
  await expect.poll(copied).toBe('2024-05-01 12:00:00 INFO line 20');
  await text.row(7).click({ button: 'right' });
  await page.getByRole('menuitem', { name: /^Select all lines/ }).click();
  await expect(page.locator('[data-status="selected"]')).toContainText('500 lines');
}

async function knowsTheWords(text: TextPage): Promise<void> {
  const { page } = text;
  await page.keyboard.press('Control+k');
  const field = page.getByRole('combobox', { name: 'Action, output, session or line' });
  const first = page.getByRole('option').first();
  for (const [typed, found] of [
    ['split', 'Two panes side by side, or one again'],
    ['help', 'Keys'],
    ['shortcuts', 'Keys'],
    ['sidebar', 'Show or hide the list'],
    ['bookmark', 'Mark or unmark the line'],
    ['top', 'Go to the first line'],
    ['head', 'Go to the first line'],
    ['bottom', 'Go to the last line'],
    ['tail', 'Go to the last line'],
    ['pin', 'Details: path, times, status'],
    ['delete', 'Opened files and folders'],
    ['encoding jap', 'Encoding: Japanese (Shift JIS)'],
    ['regex', 'Search the text'],
    ['find', 'Search the text'],
    ['settings', 'Preferences'],
    ['mcp', 'Connect agents'],
    ['claude', 'Connect agents'],
    ['color', 'colours'],
    ['Go to the end', 'Go to the end'],
    ['go to line 7', 'Go to line 7'],
    ['2024-05-03', 'Go to what came on 2024-05-03'],
  ] as const) {
    await field.fill(typed);
    await expect(first, typed).toContainText(found);
  }
  await page.keyboard.press('Enter');
  await expect(text.row(200)).toHaveAttribute('data-selected', '');
  await expect(text.row(200)).toContainText('2024-05-03');

  // Each is among the first five, also an action that does not apply now.
  await page.keyboard.press('Control+k');
  const missing: string[] = [];
  for (const [typed, found] of OTHER_WORDS) {
    await field.fill(typed);
    const first = await page
      .getByRole('option')
      .evaluateAll((all) => all.slice(0, 5).map((one) => one.textContent));
    if (!first.some((one) => one?.includes(found))) missing.push(`${typed}: ${first.join(' | ')}`);
  }
  expect(missing).toEqual([]);

  await field.fill('whole word');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('textbox', { name: 'Pattern' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Whole word' })).toHaveAttribute('aria-pressed', 'true');

  await page.keyboard.press('Control+k');
  await field.fill('zoom');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('textbox', { name: 'Text size' })).toBeFocused();
  await page.keyboard.press('Escape');
}

const OTHER_WORDS = [
  ['whole word', 'Whole word'],
  ['case sensitive', 'Match case'],
  ['invert', 'Lines that do not match'],
  ['zoom', 'Preferences: Text size'],
  ['font', 'Preferences: Font'],
  ['bigger', 'Preferences: Text size'],
  ['retention', 'Preferences'],
  ['undo', 'Undo the last change'],
  ['redo', 'Go forward again'],
  ['history', 'Go back to the line'],
  ['dark mode', 'Theme'],
  ['comment', 'Write a note'],
  ['next result', 'Next match'],
  ['exception', 'Next line that explains'],
  ['error', 'Next line that explains'],
  ['root cause', 'Next line that explains'],
  ['jump', 'Go to a line'],
  ['line number', 'Go to a line'],
  ['word wrap', 'Wrap long lines'],
  ['timestamps', 'Show the time of each line'],
  ['pretty print', 'JSON'],
  ['share', 'Copy the selection as Markdown'],
  ['download', 'Save to a file'],
  ['export', 'Save to a file'],
  ['exclude', 'Filter the lines'],
  ['clear filters', 'Remove all filters'],
  ['collapse', 'Fold entries'],
  ['chart', 'Histogram'],
  ['stats', 'Summary'],
  ['sections', 'Outline'],
  ['metadata', 'Details'],
  ['merge', 'merge'],
  ['remove capture', 'Delete a capture'],
  ['copy path', 'Copy the path'],
  ['reveal', 'Show the open file in its folder'],
  ['minimap', 'Histogram'],
  ['search all files', 'Search the text of everything'],
  ['alert', 'Notify'],
  ['diff', 'Compare with another output'],
  ['vertical split', 'Two panes'],
  ['stderr', 'Next stream'],
  ['utf-16', 'Encoding: UTF-16'],
  ['live', 'Follow the end'],
  ['sort', 'Group the list'],
] as const;

test('a time typed before the first lines have come is one of their day', async ({ inspector, page }) => {
  let come: () => void = () => {};
  const came = new Promise<void>((resolve) => {
    come = resolve;
  });
  await dress(page, { late: (name) => (name === 'rows' ? came : null) });
  const start = new Date(2026, 0, 13, 10).getTime();
  const time = (n: number) => new Date(start + n * 60_000).toISOString();
  const path = writeLines(inspector.folder, 'a.log', 300, (n) => `${time(n)} says ${n}`);
  const text = await inspector.open([path]);
  await text.scroller.focus();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('11:00');
  await expect(page.getByRole('option').first()).toContainText('Go to what came at');
  await page.keyboard.press('Enter');
  come();
  await expect(text.scroller.locator('[data-selected]')).toContainText('says 60');
});

/** Lines saved to a file: a selection, and all matches, whole and in each form. */
import { execFileSync } from 'node:child_process';
import { appendFileSync, readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { expect, test } from '../fixtures/inspector.ts';
import { LONG_LOG_LINES, logLine, sed, writeLines } from '../fixtures/logs.ts';
import { SearchPage } from '../fixtures/search-page.ts';

/** Saves what the dialog asks about, and gives the file's name and text. */
async function saved(page: Page, form: 'Text' | 'With line numbers' | 'Markdown') {
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radio', { name: form }).check();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Save', exact: true }).click(),
  ]);
  // The message goes after some seconds, which reading may take.
  const message = page.getByText(/^Saved [\d,]+ lines?, /);
  await expect(message).toBeVisible();
  const said = await message.textContent();
  await expect(dialog).toBeHidden();
  return { said, name: download.suggestedFilename(), text: readFileSync(await download.path(), 'utf8') };
}

test('much is saved and copied out of a long log', async ({ inspector, page, longLog }) => {
  const text = await inspector.open([longLog]);
  await text.counted(LONG_LOG_LINES);
  const search = new SearchPage(page);

  await test.step('a selection by character is saved as far as it goes', async () => {
    const box = (await text.row(2).locator('[data-cell]').boundingBox())!;
    await page.mouse.move(box.x + 60, box.y + 9);
    await page.mouse.down();
    await page.mouse.move(box.x + 200, box.y + 9 + 18, { steps: 4 });
    await page.mouse.up();
    await page.keyboard.press('Control+s');
    const { text: part } = await saved(page, 'Text');
    const [first, second] = part.split('\n');
    expect(logLine(2).endsWith(first!) && first !== logLine(2)).toBe(true);
    expect(logLine(3).startsWith(second!) && second !== logLine(3)).toBe(true);
  });

  await test.step('all matches are saved as grep prints them', async () => {
    const pattern = 'worker-[35] ';
    const lines = (LONG_LOG_LINES / 4).toLocaleString('en');
    await search.search(pattern);
    await search.found(LONG_LOG_LINES / 4);
    await page.keyboard.press('Control+Shift+S');
    await expect(page.getByRole('dialog')).toContainText(`Save ${lines} matching lines`);
    const file = await saved(page, 'Text');
    const grep = (...args: string[]) =>
      execFileSync('grep', [...args, longLog], { maxBuffer: 256 * 1024 * 1024 }).toString();
    expect(file.name).toMatch(/^long\.log-matches-worker-35.*\.txt$/);
    expect(file.text === grep(pattern)).toBe(true);
    expect(file.said).toMatch(new RegExp(`^Saved ${lines} lines, \\d+(\\.\\d+)? MiB$`));

    await page.keyboard.press('Control+Shift+S');
    const numbered = await saved(page, 'With line numbers');
    const plain = grep('-n', pattern).replace(/^(\d+):/gm, '$1  ');
    expect(numbered.text.replace(/^ +/gm, '') === plain).toBe(true);
  });

  await test.step('copying megabytes of results asks first', async () => {
    await search.search('request');
    await search.found(LONG_LOG_LINES);
    await page.keyboard.press('Escape');
    await page.keyboard.press('m');
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Control+c');
    const lines = LONG_LOG_LINES.toLocaleString('en');
    await expect(page.getByRole('dialog')).toContainText(new RegExp(`Copy ${lines} lines\\?.*MiB`, 's'));
  });
});

test('what is chosen is saved, however little', async ({ inspector, page }) => {
  const path = writeLines(inspector.folder, 'a.log', 3000, logLine);
  // A line that the window shows only the beginning of is saved whole.
  appendFileSync(path, `long ${'x'.repeat(5000)} end\n`);
  const text = await inspector.open([path]);
  await text.counted(3001);
  const search = new SearchPage(page);
  const dialog = page.getByRole('dialog');

  await test.step('without a match, there is a word instead of a file', async () => {
    await search.search('nowhere');
    await search.found(0);
    await page.keyboard.press('Control+Shift+S');
    await expect(page.getByText('Nothing to save: no line matches')).toBeVisible();
    await expect(dialog).toHaveCount(0);
  });

  await test.step('of a filtered text only matches that are shown are saved, with Enter', async () => {
    await text.scroller.focus();
    await page.keyboard.press('F');
    const form = page.getByRole('dialog', { name: 'Filter the lines' });
    await form.getByRole('textbox', { name: 'Lines with' }).fill('worker-3 ');
    await form.getByRole('button', { name: 'Show', exact: true }).click();
    await page.keyboard.press('Escape');
    const wanted = readFileSync(path, 'utf8')
      .split('\n')
      .filter((line) => line.includes('worker-3 ') && line.includes('00'));
    expect(wanted.length).toBeGreaterThan(0);
    await search.search('00');
    await search.found(wanted.length);
    await page.keyboard.press('Control+Shift+S');
    await expect(dialog).toContainText(`Save ${wanted.length} matching lines`);
    const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
    expect(readFileSync(await download.path(), 'utf8')).toBe(`${wanted.join('\n')}\n`);
    await page.getByRole('button', { name: 'Remove all filters' }).click();
  });

  await test.step('a selection is saved with its numbers, and as Markdown that leads back to it', async () => {
    await text.goTo('2999');
    await expect(text.row(2999)).toHaveAttribute('data-selected', '');
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Control+s');
    await expect(dialog).toContainText('Save 3 lines');
    const plain = await saved(page, 'Text');
    expect(plain.name).toBe('a.log-lines-2999-3001.txt');
    expect(plain.text).toBe(`${sed(path, 2999, 3001).join('\n')}\n`);
    await page.keyboard.press('Control+s');
    const numbered = await saved(page, 'With line numbers');
    expect(numbered.text.startsWith(`2999  ${logLine(2999)}\n3000  `)).toBe(true);
    await page.keyboard.press('Control+s');
    const markdown = await saved(page, 'Markdown');
    expect(markdown.name).toBe('a.log-lines-2999-3001.md');
    expect(markdown.text).toContain(`\`\`\`text\n${logLine(2999)}\n`);
    expect(markdown.text).toMatch(/`spillway inspect \S+ --stream output --start 2999 --end 3001`\n$/);
    const [, link] = /\]\((\S+)\)/.exec(markdown.text)!;
    await page.goto('about:blank');
    await page.goto(link!);
    await expect(text.row(2999)).toBeVisible();
  });
});

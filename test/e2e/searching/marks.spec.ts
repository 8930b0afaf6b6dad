/** Marks on lines: made, noted, found again after a reload, and taken along as Markdown. */
import { readFileSync, writeFileSync } from 'node:fs';
import { dress } from '../fixtures/dressed.ts';
import { expect, test } from '../fixtures/inspector.ts';
import { ListPage } from '../fixtures/list-page.ts';
import { LONG_LOG_LINES, logLine, sed, writeLines } from '../fixtures/logs.ts';
import { SearchPage } from '../fixtures/search-page.ts';

test('a marked line deep in a long log keeps its note over a reload, and is found from the palette', async ({
  inspector,
  page,
  longLog,
}) => {
  const text = await inspector.open([longLog]);
  await text.counted(LONG_LOG_LINES);
  await text.goTo('123456');
  await expect(text.row(123_456)).toHaveAttribute('data-selected', '');
  await page.keyboard.press('Control+m');
  const note = page.getByRole('textbox', { name: 'Note on line 123,456' });
  await expect(note).toBeFocused();
  await note.fill('the slow one');
  await expect(text.row(123_456)).toHaveAttribute('data-marked', '');
  await expect(page.locator('[data-mark="marks"] path')).toHaveAttribute('d', /^M0/);

  await page.reload();
  await text.counted(LONG_LOG_LINES);
  await page.keyboard.press('t');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('slow one');
  await page.keyboard.press('Enter');
  await expect(text.row(123_456)).toBeVisible();
  await expect(text.row(123_456)).toHaveAttribute('data-marked', '');
});

test('marks are made, found and taken along', async ({ inspector, page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const { path, text } = await inspector.openLog(3000);
  const panel = page.getByRole('complementary', { name: 'Marks' });

  await test.step('in the results, the chosen line is marked and gets the note', async () => {
    const search = new SearchPage(page);
    await search.search('request \\d*00 ');
    await search.found(30);
    await page.keyboard.press('Escape');
    await page.keyboard.press('m');
    await expect(search.list).toBeFocused();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await expect(search.row(300)).toHaveAttribute('data-selected', '');
    await page.keyboard.press('M');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Control+m');
    await page.keyboard.type('noted');
    await expect(panel.getByRole('listitem')).toHaveCount(2);
    await expect(panel.locator('[data-mark-line="300"]')).toBeVisible();
    await expect(panel.locator('[data-mark-line="400"] textarea')).toHaveValue('noted');

    for (const line of [300, 400])
      await panel.getByRole('button', { name: `Remove the mark on line ${line}` }).click();
    await page.keyboard.press('Alt+m');
    await page.getByRole('button', { name: 'End the search', exact: true }).first().click();
  });

  await test.step('keys go from mark to mark, a click beside the number and the menu make and remove them', async () => {
    const clickBeside = async (line: number) => {
      const box = await text.row(line).locator('[data-gutter]').boundingBox();
      await page.mouse.click(box!.x + box!.width - 5, box!.y + 9);
    };
    // The text moved along with the results.
    await text.scroller.focus();
    await page.keyboard.press('Home');
    await clickBeside(4);
    await expect(text.row(4)).toHaveAttribute('data-marked', '');
    await text.goTo('2000');
    await expect(text.row(2000)).toHaveAttribute('data-selected', '');
    await expect(text.row(2000)).toHaveAttribute('data-fetched', '');
    await page.keyboard.press('M');
    await expect(text.row(2000)).toHaveAttribute('data-marked', '');
    await page.keyboard.press('.');
    await expect(text.row(4)).toHaveAttribute('data-selected', '');
    await page.keyboard.press('.');
    await expect(text.row(2000)).toHaveAttribute('data-selected', '');
    await page.keyboard.press(',');
    await expect(text.row(4)).toHaveAttribute('data-selected', '');

    await text.row(9).click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Mark or unmark the line' }).click();
    await expect(text.row(9)).toHaveAttribute('data-marked', '');
    await clickBeside(4);
    await expect(text.row(4)).not.toHaveAttribute('data-marked', '');

    await page.keyboard.press('Alt+m');
    await expect(panel.getByRole('listitem')).toHaveCount(2);
    await panel.getByRole('button', { name: /^2,000/ }).click();
    await expect(text.row(2000)).toHaveAttribute('data-selected', '');
    await panel.getByRole('button', { name: 'Remove the mark on line 9' }).click();
    await expect(panel.getByRole('listitem')).toHaveCount(1);
    await panel.getByRole('button', { name: /^Remove the mark on line 2,?000$/ }).click();
    await expect(panel.getByRole('listitem')).toHaveCount(0);
  });

  await test.step('marks are saved and copied as Markdown that leads back to them', async () => {
    await text.goTo('997');
    await expect(text.row(997)).toHaveAttribute('data-selected', '');
    await expect(text.row(997)).toContainText('WARN');
    await page.keyboard.press('Control+m');
    await page.keyboard.type('a *warning*');
    await page.keyboard.press('Escape');
    await panel.getByRole('button', { name: 'Copy all as Markdown' }).click();
    await expect(page.getByText('Copied 1 mark as Markdown')).toBeVisible();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      panel.getByRole('button', { name: 'Save all', exact: true }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('marks.md');
    const saved = readFileSync(await download.path(), 'utf8');
    expect(saved).toBe(copied);
    expect(saved).toContain('a *warning*');
    expect(saved).toContain(`\`\`\`text\n${sed(path, 997, 997)[0]}\n\`\`\``);

    const [, link] = /\]\((\S+)\)/.exec(saved)!;
    await page.goto('about:blank');
    await page.goto(link!);
    await expect(text.row(997)).toBeVisible();
  });
});

test('the marks of two outputs are listed', async ({ inspector, page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const wide = (number: number) => `${number}${number === 2 ? ' \u202e ' : ' '}${'wide '.repeat(100)}end`;
  const paths = ['a.log', 'b.log'].map((name) => writeLines(inspector.folder, name, 50, wide));
  const text = await inspector.open(paths);
  const list = new ListPage(page);
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
  const panel = page.getByRole('complementary', { name: 'Marks' });

  await test.step('whole lines of marks are copied: of all outputs, or of one', async () => {
    for (const name of ['a.log', 'b.log']) {
      await list.item(name).click();
      await expect(page.getByRole('region', { name, exact: true })).toBeVisible();
      await text.counted(50);
      await text
        .row(name === 'a.log' ? 3 : 4)
        .getByRole('rowheader')
        .click();
      await page.keyboard.press('M');
    }
    await page.keyboard.press('Alt+m');
    await panel.getByRole('button', { name: 'Copy all as Markdown' }).click();
    await expect(page.getByText('Copied 2 marks as Markdown', { exact: true })).toBeVisible();
    const all = await clipboard();
    expect(all).toContain(`\n${wide(4)}\n`);
    expect(all).toContain(`\n${wide(3)}\n`);
    expect(all.indexOf(wide(4))).toBeLessThan(all.indexOf(wide(3)));
    await panel.getByRole('button', { name: 'Copy the marks of a.log as Markdown' }).click();
    await expect(page.getByText('Copied 1 mark as Markdown', { exact: true })).toBeVisible();
    expect(await clipboard()).not.toContain(wide(4));
  });

  await test.step('a control that reorders text is shown by a sign among the marks, too', async () => {
    await text.row(2).getByRole('rowheader').click();
    await page.keyboard.press('M');
    await expect(panel.locator('[data-mark-line="2"]')).toContainText('2 ⇄ wide');
  });

  await test.step('a mark does not pass to a line that reads differently', async () => {
    await text.goTo('5');
    await expect(text.row(5)).toHaveAttribute('data-selected', '');
    await page.keyboard.press('M');
    await expect(text.row(5)).toHaveAttribute('data-marked', '');
    await expect(panel.locator('[data-mark-line="5"]')).toBeVisible();
    writeFileSync(paths[1]!, Array.from({ length: 50 }, (_, i) => `second text ${i + 1}\n`).join(''));
    await expect(text.row(5)).toContainText('second text 5');
    await expect(text.row(5)).not.toHaveAttribute('data-marked', '');
    await expect(panel.locator('[data-mark-line="5"]')).toContainText('The line reads differently now.');
  });
});

test('a note is written, finished, removed and brought back', async ({ inspector, page }) => {
  const { text } = await inspector.openLog(100);

  await test.step('the first key after Ctrl+M belongs to the note', async () => {
    await expect(text.row(1)).toContainText('request 1 ');
    await text.scroller.focus();
    const focused = await page.evaluate(() => {
      const key = new KeyboardEvent('keydown', { key: 'm', ctrlKey: true, bubbles: true, cancelable: true });
      document.activeElement!.dispatchEvent(key);
      return document.activeElement!.getAttribute('aria-label');
    });
    expect(focused).toBe('Note on line 1');
    await page.keyboard.press('Escape');
  });

  await test.step('a mark that is removed with its note comes back by Undo, and by marking the line again', async () => {
    // A click on the text chooses the line, as one on its number does.
    await text.row(7).locator('[data-text]').click();
    await expect(text.status).toHaveText('Line 7 of 100');
    await page.keyboard.press('Control+m');
    await page.keyboard.type('cause');
    await page.keyboard.press('Escape');
    await page.keyboard.press('M');
    const said = page.getByRole('region', { name: 'Status' });
    await expect(said).toContainText('Mark on line 7 removed, with its note');
    await expect(text.row(7)).not.toHaveAttribute('data-marked', '');
    const note = page.getByRole('textbox', { name: 'Note on line 7' });
    await said.getByRole('button', { name: 'Undo' }).click();
    await expect(note).toHaveValue('cause');
    await expect(text.scroller).toBeFocused();
    await page.keyboard.press('M');
    await expect(note).toHaveCount(0);
    await page.keyboard.press('Control+z');
    await expect(note).toHaveValue('cause');
    await page.keyboard.press('M');
    await expect(note).toHaveCount(0);
    await page.keyboard.press('M');
    await expect(note).toHaveValue('cause');
    await expect(text.row(7)).toHaveAttribute('data-marked', '');
  });

  await test.step('a note says how it is finished, and Ctrl+Enter finishes it', async () => {
    await text.row(9).getByRole('rowheader').click();
    await page.keyboard.press('Control+m');
    await page.keyboard.type('why');
    const hint = page.locator('[data-mark-line="9"]').getByText('Esc or Ctrl+Enter: done');
    await expect(hint).toBeVisible();
    await page.keyboard.press('Control+Enter');
    await expect(text.scroller).toBeFocused();
    await expect(hint).toBeHidden();
    await expect(page.getByRole('textbox', { name: 'Note on line 9' })).toHaveValue('why');
  });

  await test.step('in a small window, the field of a note is wholly in view when it is opened', async () => {
    await page.keyboard.press('Alt+m');
    await page.setViewportSize({ width: 420, height: 560 });
    for (const line of [3, 5]) {
      await text.row(line).locator('[data-gutter]').click();
      await page.keyboard.press('Control+m');
      const note = page.getByRole('textbox', { name: `Note on line ${line}` });
      await expect(note).toBeFocused();
      await expect(note).toBeInViewport({ ratio: 1 });
      await page.keyboard.type('one');
      await page.keyboard.press('Enter');
      await expect(note).toHaveValue('one\n');
      await expect(note).toBeInViewport({ ratio: 1 });
    }
  });
});

test('a line that is gone to is marked and noted before it is there', async ({ inspector, page }) => {
  let release = (): void => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await dress(page, {
    late: (name, params) => (name === 'rows' && Number(params.start_line) > 8000 ? released : null),
  });
  const text = await inspector.open([writeLines(inspector.folder, 'a.log', 20_000, logLine)]);
  await text.counted(20_000);
  await text.goTo('12000');
  await page.keyboard.press('M');
  await text.goTo('13000');
  await page.keyboard.press('Control+m');
  await page.keyboard.type('every letter');
  const panel = page.getByRole('complementary', { name: 'Marks' });
  await expect(panel.locator('[data-mark-line="13000"] textarea')).toHaveValue('every letter');
  await expect(text.row(13_000)).toHaveAttribute('data-marked', '');
  await expect(text.row(13_000)).not.toHaveAttribute('data-fetched', '');
  release();
  for (const line of [12_000, 13_000])
    await expect(panel.locator(`[data-mark-line="${line}"]`)).toContainText(`request ${line} `);
  await page.keyboard.press('Escape');
  // A line that there is not.
  await text.goTo('99999');
  await page.keyboard.press('M');
  await expect(page.getByText(/^(There is no line 99,999|Marked line 20,000)/)).toBeVisible();
});

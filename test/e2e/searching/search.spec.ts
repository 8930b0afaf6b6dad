import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '../fixtures/inspector.ts';
import { grepCount, LONG_LOG_LINES, logLine, sed } from '../fixtures/logs.ts';
import { SearchPage } from '../fixtures/search-page.ts';

test('finds what grep finds', async ({ inspector, page }) => {
  const { path, text } = await inspector.openLog(30_000);
  const search = new SearchPage(page);

  await test.step('counts what grep counts, with every switch', async () => {
    await search.search('warn');
    await search.found(grepCount(path, '-i', 'warn'));
    await search.flip('Match case');
    await search.found(0);
    await expect(search.results).toContainText('No line matches “warn”');
    // A pattern that is not valid replaces what was said of the one before.
    await page.keyboard.type('(');
    await expect(search.results).toContainText('Not searched: the pattern is not valid');
    await expect(search.results).not.toContainText('No line matches');
    await page.keyboard.press('Backspace');
    await search.flip('Whole word');
    await expect(search.results).toContainText('No line matches “warn” as a whole word');
    await expect(search.results).toContainText('Whole word is on');
    await search.flip('Whole word');
    await search.field.fill('WARN');
    await search.found(grepCount(path, 'WARN'));
    await search.flip('Lines that do not match');
    await search.found(grepCount(path, '-v', 'WARN'));
    await search.flip('Lines that do not match');
    await search.field.fill('worker-[13] request 4.* took 1?2 ms$');
    await search.found(grepCount(path, '-E', 'worker-[13] request 4.* took 1?2 ms$'));
    await search.flip('Regular expression');
    await search.found(0);
    await search.field.fill(' .');
    await search.found(grepCount(path, '-F', ' .'));
    // The same by key.
    await page.keyboard.press('Alt+r');
    await page.keyboard.press('Alt+c');
    await page.keyboard.press('Alt+i');
    await search.field.fill('INFO');
    await search.found(grepCount(path, '-iv', 'INFO'));
    await page.keyboard.press('Alt+i');
  });

  await test.step('goes from match to match, in the text and in the list together, and around', async () => {
    await search.search('ERROR');
    await search.found(3);
    await page.keyboard.press('Enter');
    await expect(search.count).toHaveText('1 of 3');
    await expect(text.status).toHaveText('Line 9,973 of 30,000');
    await expect(search.row(9973)).toHaveAttribute('data-current', '');
    await page.keyboard.press('Enter');
    await expect(text.status).toHaveText('Line 19,946 of 30,000');
    await page.keyboard.press('Enter');
    await expect(text.status).toHaveText('Line 29,919 of 30,000');
    await expect(text.row(29_919).locator('mark')).toHaveText('ERROR');
    await page.keyboard.press('Enter');
    await expect(text.status).toHaveText('Line 9,973 of 30,000');
    await expect(page.getByText('Search wrapped to the first match')).toBeVisible();
    await page.keyboard.press('Shift+Enter');
    await expect(text.status).toHaveText('Line 29,919 of 30,000');
    await page.keyboard.press('Escape');
    await expect(search.field).toHaveCount(0);
    await expect(text.scroller).toBeFocused();
    await page.keyboard.press('N');
    await expect(text.status).toHaveText('Line 19,946 of 30,000');
    await page.keyboard.press('n');
    await expect(text.status).toHaveText('Line 29,919 of 30,000');
    // Pressed faster than answers come, every press counts.
    await page.evaluate(() => {
      for (let turn = 0; turn < 2; turn += 1) {
        window.document.activeElement?.dispatchEvent(
          new KeyboardEvent('keydown', { key: 'n', bubbles: true }),
        );
      }
    });
    await expect(search.results).toContainText('2 of 3');
    await page.keyboard.press('Escape');
    await expect(search.results).toHaveCount(0);
    await expect(text.scroller.locator('mark')).toHaveCount(0);
    // The selection goes last.
    await expect(text.row(19_946)).toHaveCSS('background-color', /rgb/);
  });

  await test.step('takes an earlier search again, with its switches, and goes to a match by its number', async () => {
    await search.search('worker');
    await page.keyboard.press('Alt+o');
    await search.found(grepCount(path, '-iw', 'worker'));
    await page.keyboard.press('Enter');
    await search.field.fill('request 2');
    await page.getByRole('button', { name: 'Earlier searches' }).click();
    await expect(page.getByRole('menuitemradio').first()).toHaveText('worker  “ab”');
    await page.getByRole('menuitemradio', { name: 'ERROR' }).click();
    await expect(search.field).toHaveValue('ERROR');
    await expect(page.getByRole('button', { name: 'Whole word' })).toHaveAttribute('aria-pressed', 'false');
    await search.found(3);
    await page.keyboard.press('Escape');
    await expect(text.scroller).toBeFocused();
    await text.goTo('#2');
    await expect(text.status).toHaveText('Line 19,946 of 30,000');
    await text.goTo('#4');
    await expect(page.getByText('3 lines match', { exact: true })).toBeVisible();
  });
});

test('begins at once, where one looks', async ({ inspector, page }) => {
  const { text } = await inspector.openLog(30_000);
  const search = new SearchPage(page);

  await test.step('shows the first match at the top of the results, however quickly the pattern comes', async () => {
    await page.keyboard.press('/');
    await page.keyboard.insertText('worker-3');
    await search.found(3750);
    await expect.poll(async () => (await search.rows())[0]?.[0]).toBe(3);
    expect(await search.list.evaluate((list) => list.scrollTop)).toBe(0);

    await page.getByRole('button', { name: 'End the search', exact: true }).first().click();
  });

  await test.step('takes the first letter into its field, however quickly it follows the key', async () => {
    await text.scroller.focus();
    const focused = (key: string) =>
      page.evaluate((pressed) => {
        const { activeElement: before } = window.document;
        before?.dispatchEvent(new KeyboardEvent('keydown', { key: pressed, bubbles: true }));
        return (
          window.document.activeElement?.getAttribute('aria-label') ?? window.document.activeElement?.tagName
        );
      }, key);
    // Asked in the same turn: a key pressed before the next frame goes where the focus is.
    expect(await focused('/')).toBe('INPUT');
    await page.keyboard.type('request');
    // Shorter patterns match as many lines.
    await expect(page.getByLabel('Results').locator('header code')).toHaveText('request');
    await search.found(30_000);
    await page.keyboard.press('Escape');
    expect(await focused('m')).toBe('Matching lines');
  });

  await test.step('is what it was last set to once its line is closed, however quickly', async () => {
    await search.search('request 1');
    const hash = () => page.evaluate(() => new URLSearchParams(window.location.hash.slice(1)).toString());
    await page.keyboard.press('Escape');
    // Asked at once: another stream that is shown now is searched for this.
    expect(await hash()).toContain('q=request');
    await search.search('request 1');
    await page.keyboard.press('Alt+i');
    expect(await hash()).toContain('f=v');
    await page.keyboard.press('Alt+i');
  });

  await test.step('starts at the lines in view, not at a selection that was scrolled away', async () => {
    await text.goTo('50%');
    await expect(text.status).toHaveText('Line 15,000 of 30,000');
    await page.keyboard.press('h');
    await search.search('WARN');
    await search.field.press('Enter');
    await expect(search.count).toHaveText('1 of 30');
    await expect(text.status).toHaveText('Line 997 of 30,000');
    // A selected line in view comes first if it matches, then what is behind it.
    await page.keyboard.press('Escape');
    await text.goTo('9970');
    await page.keyboard.press('/');
    await search.field.fill('WARN|ERROR');
    await search.field.press('Enter');
    await expect(search.count).toHaveText(/^\d+ of/);
    await expect(text.status).toHaveText('Line 9,970 of 30,000');
    await search.field.press('Enter');
    await expect(text.status).toHaveText('Line 9,973 of 30,000');
  });

  await test.step('one key goes through the lines that tell errors', async () => {
    await page.keyboard.press('Escape');
    await text.goTo('1');
    const errors = Array.from({ length: 30_000 }, (_, i) => i + 1).filter((n) => / ERROR /.test(logLine(n)));
    for (const line of errors.slice(0, 2)) {
      await page.keyboard.press('e');
      await expect(text.status).toHaveText(`Line ${line.toLocaleString('en')} of 30,000`);
    }
    // Keys that come faster than answers count, too; after the last of the three errors comes the first.
    await text.scroller.evaluate((scroller) => {
      for (let count = 0; count < 2; count++)
        scroller.dispatchEvent(new KeyboardEvent('keydown', { key: 'e', bubbles: true }));
    });
    await expect(text.status).toHaveText(`Line ${errors[0]!.toLocaleString('en')} of 30,000`);
  });
});

test('shows matches in the text and in the results', async ({ inspector, page }) => {
  const path = join(inspector.folder, 'colours.txt');
  const first = 'a \x1b[31mred f\x1b[0mox, a red fox\nnothing\nfound a\nfound b\n<mark>red</mark>\nREDred\n';
  const long = `${'-'.repeat(400)} far away`;
  writeFileSync(path, `${first}seven\neight\n${long}\nfound c\n`);
  const text = await inspector.open([path]);
  await text.counted(10);
  const search = new SearchPage(page);

  await test.step('marks matches in the text, its gutter and its scrollbar, and more than by colour', async () => {
    await search.search('red fo|red');
    await search.found(3);
    // One match in two colours is two pieces of one mark.
    await expect(text.row(1).locator('mark')).toHaveText(['red f', 'o', 'red fo']);
    await expect(text.row(2).locator('mark')).toHaveCount(0);
    await expect(text.row(5).getByRole('cell')).toHaveText('<mark>red</mark>');
    await expect(text.row(5).locator('mark')).toHaveText(['red']);
    await expect(text.row(6).locator('mark')).toHaveText(['RED', 'red']);
    await expect(text.row(6).locator('mark').first()).toHaveCSS('box-shadow', /inset/);
    for (const line of [1, 5, 6]) await expect(text.row(line)).toHaveAttribute('data-hit', '');
    await expect(text.row(2)).not.toHaveAttribute('data-hit');
    await expect(page.locator('[data-mark="matches"] path')).toHaveAttribute('d', /^M0 0/);
    await expect(search.row(1).locator('mark')).toHaveText(['red f', 'o', 'red fo']);
    await page.keyboard.press('Enter');
    const currentRow = text.row(1).locator('mark').first();
    await expect(currentRow).toHaveCSS('outline-style', 'solid');
    await expect(text.row(5).locator('mark')).not.toHaveCSS('outline-style', 'solid');
    // Lines that do not match are found, and there is nothing in them to mark.
    await search.flip('Lines that do not match');
    await search.found(7);
    await expect(text.row(2)).toHaveAttribute('data-hit', '');
    await expect(text.scroller.locator('mark')).toHaveCount(0);
    await search.flip('Lines that do not match');
    await search.search('red');
    await search.found(3);
    await search.flip('Whole word');
    await expect(search.field).toBeFocused();
    await search.found(2);
    await expect(text.row(1).locator('mark')).toHaveText(['red', 'red']);
    await expect(text.row(6).locator('mark')).toHaveCount(0);
    await search.flip('Whole word');
  });

  await test.step('shows each line around matches once, and where the text goes on elsewhere', async () => {
    await search.search('found');
    // As many as the search before it had.
    await expect(search.list.getByRole('row').first()).toContainText('found a');
    await search.found(3);
    await page.keyboard.press('Escape');
    await page.keyboard.press('m');
    await page.keyboard.press('2');
    await expect(search.list.getByRole('row')).toHaveText([
      '1a red fox, a red fox',
      '2nothing',
      '3found a',
      '4found b',
      '5<mark>red</mark>',
      '6REDred',
      '8eight',
      `9${long}`,
      '10found c',
    ]);
    // A line is drawn above what is elsewhere.
    const drawn = await search.list.evaluate((list) =>
      [...list.querySelectorAll<HTMLElement>('[role="row"]')]
        .filter((row) => getComputedStyle(row).boxShadow !== 'none')
        .map((row) => row.dataset.line),
    );
    expect(drawn).toEqual(['8']);
    // Keys go from match to match, and the one that is chosen stays so when other lines are shown.
    const chosen = () =>
      search.list.evaluate((list) =>
        document.getElementById(list.getAttribute('aria-activedescendant')!)?.getAttribute('data-line'),
      );
    await expect.poll(chosen).toBe('3');
    await page.keyboard.press('Enter');
    await expect(text.status).toHaveText('Line 3 of 10');
    for (const line of ['4', '10', '10']) {
      await page.keyboard.press('ArrowDown');
      await expect.poll(chosen).toBe(line);
    }
    await page.keyboard.press('1');
    await expect(search.list.getByRole('row')).toHaveCount(6);
    await expect.poll(chosen).toBe('10');
    await page.keyboard.press('3');
    await expect(search.list.getByRole('row')).toHaveCount(10);
    await expect.poll(chosen).toBe('10');
    for (const [key, line] of [
      ['Home', '3'],
      ['PageDown', '10'],
      ['ArrowUp', '4'],
    ] as const) {
      await page.keyboard.press(key);
      await expect.poll(chosen).toBe(line);
    }
    await page.keyboard.press('Enter');
    await expect(text.status).toHaveText('Line 4 of 10');
    await expect(search.results).toContainText('2 of 3');
    // A line around a match is gone to as well.
    await search.row(7).click();
    await expect(text.status).toHaveText('Line 7 of 10');
    await expect(search.results).toContainText('3 matching lines');
  });

  await test.step('shows what was found far to the right', async () => {
    await search.search('far');
    await search.found(1);
    await expect(search.row(9).locator('mark')).toBeInViewport({ ratio: 1 });
    await expect(search.row(9)).toContainText('---- far away');
  });
});

test('shows a result deep in a long text, with what is around it', async ({ inspector, longLog, page }) => {
  const text = await inspector.open([longLog]);
  await text.counted(LONG_LOG_LINES);
  const search = new SearchPage(page);
  const total = LONG_LOG_LINES.toLocaleString('en-US');
  await search.search('request \\d*77 ');
  const count = grepCount(longLog, '-E', 'request [0-9]*77 ');
  await search.found(count);
  await page.keyboard.press('Escape');
  await page.keyboard.press('m');
  await expect(search.list).toBeFocused();
  await page.keyboard.press('End');
  await expect(search.row(LONG_LOG_LINES - 23)).toBeVisible();
  await page.keyboard.press('PageUp');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await expect(text.status).toHaveText(`Line ${(LONG_LOG_LINES - 23).toLocaleString('en-US')} of ${total}`);
  await expect(search.list).toBeFocused();
  await expect(search.results).toContainText(
    `${count.toLocaleString('en-US')} of ${count.toLocaleString('en-US')}`,
  );
  // Around each match, as many lines as are asked for.
  await page.keyboard.press('2');
  await expect(search.row(LONG_LOG_LINES - 21)).toHaveAttribute('data-fetched', '');
  const rows = await search.rows();
  const at = rows.findIndex(([line]) => line === LONG_LOG_LINES - 123);
  expect(rows.slice(at - 2, at + 3).map(([, line]) => line)).toEqual(
    sed(longLog, LONG_LOG_LINES - 125, LONG_LOG_LINES - 121),
  );
  await page.keyboard.press('0');
  await page.keyboard.press('Home');
  // Not before the rows stand still: a click between two layouts would hit another one.
  await expect.poll(async () => (await search.rows()).slice(0, 2).map(([line]) => line)).toEqual([77, 177]);
  await search.row(177).click();
  await expect(text.status).toHaveText(`Line 177 of ${total}`);
  // In the middle of the view.
  const view = (await text.scroller.boundingBox())!;
  const row = (await text.row(177).boundingBox())!;
  expect(Math.abs(row.y - view.y - view.height / 2)).toBeLessThan(40);
  await page.keyboard.press('m');
  await expect(search.list).toHaveCount(0);
  await expect(text.scroller).toBeFocused();
});

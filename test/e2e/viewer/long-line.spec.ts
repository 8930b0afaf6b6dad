/** Long lines in their place: whole up to 64 KiB, scrolled and wrapped like others, and in pieces beyond. */
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '../fixtures/inspector.ts';
import { ListPage } from '../fixtures/list-page.ts';

const numbers = (length: number) => Array.from({ length }, (_, index) => `${index},`).join('');

test('a line of megabytes, and a match in it', async ({ inspector, page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const [path, other] = ['long.log', 'deep.log'].map((name) => join(inspector.folder, name));
  const long = numbers(400_000);
  writeFileSync(path!, `first\n${long}END\nlast\n`);
  const deep = `${'a,'.repeat(150_000)}needle${',z'.repeat(50_000)}`;
  writeFileSync(other!, `first\n${deep}\nneedle in a short line\nlast\n`);
  const text = await inspector.open([path!, other!]);
  const cell = text.row(2).locator('[data-text]');
  const isPiece = (start: number) =>
    expect
      .poll(async () => (await cell.textContent()) === long.slice(start, start + 65_536), {
        message: `piece at ${start}`,
      })
      .toBe(true);
  await test.step('is read in its place, piece after piece, and back', async () => {
    await text.counted(3);
    const readOn = text.row(2).getByRole('button', { name: /MiB line, read on/ });
    await readOn.click();
    await isPiece(0);
    await text
      .row(2)
      .getByRole('button', { name: /MiB more, read on/ })
      .click();
    await isPiece(65_536);
    expect(await text.scroller.evaluate((element) => element.scrollLeft)).toBe(0);
    await text.scroller.focus();
    await page.keyboard.press('<');
    await isPiece(0);
    await page.keyboard.press('<');
    await expect(page.getByText('Nothing of this line is left before what is shown')).toBeVisible();
  });
  await test.step('is cut nowhere else than copied: a part of a later piece is copied as shown', async () => {
    await page.keyboard.press('>');
    await isPiece(65_536);
    const box = (await cell.boundingBox())!;
    await page.mouse.dblclick(box.x + 45, box.y + 8);
    await page.keyboard.press('Control+c');
    // The clipboard holds an earlier copy until this one is there.
    await expect
      .poll(async () => {
        const copied = await page.evaluate(() => navigator.clipboard.readText());
        return /^\d+$/.test(copied) && long.slice(65_536, 65_600).includes(copied);
      })
      .toBe(true);
  });

  await new ListPage(page).item('deep.log').click();
  await text.counted(4);
  await test.step('a match deep in a long line is shown in the results and in its piece of the text', async () => {
    await page.keyboard.press('/');
    await page.keyboard.insertText('needle');
    await page.keyboard.press('Enter');
    const row = page.getByRole('grid', { name: 'Matching lines' }).locator('[data-line="2"]');
    await expect(row.locator('mark')).toHaveText('needle');
    await expect(row).toContainText('column 300,001');
    await expect(text.row(2).locator('mark')).toHaveText('needle');
    await expect(text.row(2).locator('mark')).toBeInViewport();
    // A short line further down is not blank because the view is far to the right.
    await page.keyboard.press('Enter');
    await expect(text.row(3).locator('mark')).toBeInViewport();
  });
});

test('a line of some kilobytes is like any other, and stops no key', async ({ inspector, page }) => {
  const path = join(inspector.folder, 'some.log');
  const words = `\u202e${'word '.repeat(2000)}needle${' more'.repeat(2000)} END`;
  const lines = Array.from({ length: 300 }, (_, index) =>
    index === 200 ? words : `cc -o ${index} ${'-lx '.repeat(700)}`,
  );
  writeFileSync(path, `${lines.join('\n')}\n`);
  const text = await inspector.open([path]);
  await text.counted(300);
  await test.step('Tab leaves the text', async () => {
    await text.scroller.focus();
    await expect(text.row(1).locator('[data-text]')).toHaveText(lines[0]!);
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.closest('[data-viewer]'))).toBeNull();
    expect(await text.scroller.evaluate((element) => [element.scrollTop, element.scrollLeft])).toEqual([
      0, 0,
    ]);
  });
  await test.step('a match far in it is gone to: sideways, and where it wraps', async () => {
    await text.scroller.focus();
    await page.keyboard.press('/');
    await page.keyboard.insertText('needle');
    await page.keyboard.press('Enter');
    const mark = text.row(201).locator('mark');
    await expect(mark).toBeInViewport();
    await expect(text.row(201).locator('[data-text]')).toHaveText(words.replace('\u202e', '⇄'));
    await text.scroller.focus();
    await page.keyboard.press('w');
    await expect.poll(async () => (await text.row(201).boundingBox())?.height).toBeGreaterThan(18 * 50);
    await page.keyboard.press('n');
    await expect(mark).toBeInViewport();
    expect(await text.scroller.evaluate((element) => element.scrollLeft)).toBe(0);
    await page.keyboard.press('w');
  });
  await test.step('it grows, and is replaced', async () => {
    appendFileSync(path, words);
    await text.counted(301);
    await page.keyboard.press('t');
    const last = text.row(301).locator('[data-text]');
    await expect(last).toHaveText(words.replace('\u202e', '⇄'));
    appendFileSync(path, '!');
    await expect(last).toHaveText(`${words.replace('\u202e', '⇄')}!`);
    writeFileSync(path, `${'#'.repeat(30_000)}\n`);
    await text.counted(1);
    await expect(text.row(1).locator('[data-text]')).toHaveText('#'.repeat(30_000));
  });
});

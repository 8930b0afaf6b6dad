import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '../fixtures/inspector.ts';
import { keep } from '../fixtures/keep.ts';
import { logLine, sed, writeLines } from '../fixtures/logs.ts';

test('a range shows its lines alone, says so, and is left again', async ({ inspector, page }) => {
  const path = writeLines(inspector.folder, 'a.log', 200_000, logLine);
  const text = await inspector.open([path]);
  await text.counted(200_000);
  await page.keyboard.press('r');
  await page.getByLabel('From line').fill('150,000');
  await page.getByLabel('To line').fill('150,020');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Only lines 150,000–150,020')).toBeVisible();
  const rows = await text.wholeRows();
  expect(rows.map((row) => row.text)).toEqual(sed(path, 150_000, 150_020));
  expect(rows[0]?.line).toBe(150_000);
  await page.keyboard.press('Escape');
  await expect(page.getByText('Only lines')).toHaveCount(0);
  await expect.poll(() => text.firstWholeLine()).toBe(150_000);

  await page.keyboard.press('r');
  await page.getByLabel('From line').fill('300000');
  await page.getByLabel('To line').fill('300001');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'There are no lines 300,000–300,001' })).toBeVisible();
  await page.getByRole('button', { name: 'Show all lines' }).first().click();
  await expect(text.status).toContainText('of 200,000');

  await page.keyboard.press('r');
  await page.getByLabel('From line').fill('9');
  await page.getByLabel('To line').fill('2');
  await page.keyboard.press('Enter');
  await expect(page.getByText('The first line is after the last')).toBeVisible();
});

test('a key that is held steps on, and does not switch to and fro', async ({ inspector, page }) => {
  const path = writeLines(inspector.folder, 'a.log', 100, (number) => `line ${number}`);
  const text = await inspector.open([path]);
  await text.counted(100);
  await text.scroller.focus();
  await page.keyboard.press('/');
  await page.keyboard.type('line');
  await page.keyboard.press('Enter');
  await expect(text.row(1)).toHaveAttribute('data-current', '');
  await text.scroller.focus();
  for (let turn = 0; turn < 4; turn += 1) await page.keyboard.down('n');
  await page.keyboard.up('n');
  await expect(text.row(5)).toHaveAttribute('data-current', '');
  for (let turn = 0; turn < 4; turn += 1) await page.keyboard.down('i');
  await page.keyboard.up('i');
  await expect(page.getByRole('complementary', { name: 'Details' })).toBeVisible();
});

test('a summary counts, and its lines lead into the text', async ({ inspector, page }) => {
  const path = writeLines(inspector.folder, 'a.log', 50_000, logLine);
  const text = await inspector.open([path]);
  await text.counted(50_000);
  await page.keyboard.press('s');
  const summary = page.getByRole('complementary', { name: 'Summary' });
  await expect(summary).toContainText('50,000');
  await expect(summary.getByRole('button', { name: 'Show warn lines only, 50 lines' })).toBeVisible();
  await expect(summary).toContainText('LF');
  await summary.getByRole('button', { name: /^Line 29,919 / }).click();
  await expect(text.row(29_919)).toContainText('ERROR');
  await expect(text.status).toHaveText('Line 29,919 of 50,000');
  await summary.getByRole('button', { name: /INFO.*first in line 1$/ }).click();
  await expect(text.status).toHaveText('Line 1 of 50,000');
  await page.keyboard.press('s');
  await expect(summary).toHaveCount(0);
});

test('a line of megabytes is clipped, and read on from there to its end', async ({ inspector, page }) => {
  const path = join(inspector.folder, 'long.log');
  const long = Array.from({ length: 400_000 }, (_, index) => `${index},`).join('');
  writeFileSync(path, `first\n${long}END\nlast\n`);
  const text = await inspector.open([path]);
  await text.counted(3);
  await text
    .row(2)
    .getByRole('button', { name: /MiB line, read on/ })
    .click();
  const dialog = page.getByRole('dialog', { name: /^Line 2/ });
  const content = dialog.locator('pre');
  await expect(content).toContainText(long.slice(0, 16_384));
  // It goes on sideways, piece after piece, and keeps only a few.
  await expect
    .poll(async () => {
      await content.evaluate((element) => element.scrollBy(element.scrollWidth, 0));
      return long.indexOf((await content.textContent()) ?? '');
    })
    .toBeGreaterThan(16_384);
  expect((await content.textContent())?.length).toBeLessThanOrEqual(5 * 16_384);
  await dialog.getByRole('button', { name: 'End of line' }).click();
  await expect(content).toHaveText(/END$/);
  await expect
    .poll(() => content.evaluate((e) => e.scrollWidth - e.clientWidth - e.scrollLeft))
    .toBeLessThan(2);
  await dialog.getByRole('button', { name: 'Start of line' }).click();
  await expect(content).toContainText(long.slice(0, 16_384));
  await expect.poll(() => content.evaluate((element) => element.scrollLeft)).toBe(0);
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
});

test('a match deep in a long line is shown in the results and in the text, and read around', async ({
  inspector,
  page,
}) => {
  const path = join(inspector.folder, 'deep.log');
  const long = `${'a,'.repeat(150_000)}needle${',z'.repeat(50_000)}`;
  writeFileSync(path, `first\n${long}\nneedle in a short line\n`);
  const text = await inspector.open([path]);
  await text.counted(3);
  await page.keyboard.press('/');
  await page.keyboard.insertText('needle');
  await page.keyboard.press('Enter');
  const row = page.getByRole('grid', { name: 'Matching lines' }).locator('[data-line="2"]');
  await expect(row.locator('mark')).toHaveText('needle');
  await expect(row.locator('mark')).toBeInViewport();
  await expect(row).toContainText('column 300,001');
  await expect(text.row(2).locator('mark')).toHaveText('needle');
  await expect(text.row(2).locator('mark')).toBeInViewport();
  await text
    .row(2)
    .getByRole('button', { name: /read on/ })
    .click();
  const content = page.getByRole('dialog').locator('pre');
  // The pieces meet at the match, and it is in view.
  const piece = content.locator('[data-offset="300006"]');
  await expect(piece).toContainText(/^needle,z/);
  const [box, view] = [(await piece.boundingBox())!, (await content.boundingBox())!];
  expect(box.x).toBeGreaterThan(view.x);
  expect(box.x).toBeLessThan(view.x + view.width);
});

test('a line that is read on says when its file was replaced, and shows nothing of what came in its place', async ({
  inspector,
  page,
}) => {
  const path = join(inspector.folder, 'long.log');
  const long = Array.from({ length: 40_000 }, (_, index) => `${index},`).join('');
  writeFileSync(path, `${long}\n`);
  const text = await inspector.open([path]);
  await text.counted(1);
  const readOn = text.row(1).getByRole('button', { name: /line, read on/ });
  await readOn.click();
  const dialog = page.getByRole('dialog', { name: /^Line 1/ });
  const content = dialog.locator('pre');
  await expect(content).toContainText(long.slice(0, 16_384));
  // Grown is not replaced.
  appendFileSync(path, 'another line\n');
  await dialog.getByRole('button', { name: 'End of line' }).click();
  await expect(content).toHaveText(/39999,$/);
  const read = await content.textContent();
  writeFileSync(path, `${'#'.repeat(300_000)}\n`);
  // Nothing happens when it is known already.
  await dialog.getByRole('button', { name: 'Start of line' }).dispatchEvent('click');
  await expect(dialog.getByRole('alert')).toContainText('truncated or replaced');
  for (const name of ['Start of line', 'End of line']) {
    await expect(dialog.getByRole('button', { name })).toBeDisabled();
  }
  await expect(content).toHaveText(read!);
  await page.keyboard.press('Escape');
  // The button belongs to the new line.
  await expect(readOn).toContainText('293 KiB');
  await readOn.click();
  await expect(content).toHaveText(/^#{16384,}$/);
  await expect(dialog.getByRole('alert')).toHaveCount(0);
});

test('binary is not shown as noise unless it is asked for', async ({ inspector, page }) => {
  const path = join(inspector.folder, 'program.bin');
  writeFileSync(
    path,
    Buffer.concat([Buffer.from('ELF\0\0\0'), Buffer.alloc(5000, 7), Buffer.from('\nreadable\n')]),
  );
  const text = await inspector.open([path]);
  await expect(text.scroller).toBeHidden();
  await page.getByRole('button', { name: 'Show as text' }).click();
  await expect(text.row(2)).toContainText('readable');
});

test('an encoding chosen by hand decodes anew and stays at its line', async ({ inspector, page }) => {
  const path = join(inspector.folder, 'japanese.txt');
  const line = Buffer.from([0x93, 0xfa, 0x96, 0x7b, 0x8c, 0xea, 0x0a]);
  writeFileSync(path, Buffer.concat(Array.from({ length: 3000 }, () => line)));
  const text = await inspector.open([path]);
  await text.counted(3000);
  await text.goTo('1500');
  await expect(text.row(1500)).toBeInViewport();
  const top = await text.firstWholeLine();
  await page.getByRole('button', { name: /utf-8/ }).click();
  await page.getByRole('menuitemradio', { name: /Shift JIS/ }).click();
  await expect(text.row(1500)).toContainText('日本語');
  expect(await text.firstWholeLine()).toBe(top);
  await expect(page.getByRole('button', { name: /shift_jis \(chosen\)/ })).toBeVisible();
});

test.describe('the list', () => {
  test('finds, opens with the keyboard, and opens a path that is typed', async ({ inspector, page }) => {
    const folder = join(inspector.folder, 'logs');
    mkdirSync(folder);
    for (const name of ['alpha', 'beta', 'gamma'])
      writeLines(folder, `${name}.log`, 5, (number) => `${name} ${number}`);
    const other = writeLines(inspector.folder, 'other place.log', 5, (number) => `other ${number}`);
    const text = await inspector.open([folder]);
    const list = page.getByRole('tree', { name: 'Captured output' });
    await expect(list.getByRole('treeitem')).toHaveCount(3);
    await page.keyboard.press('l');
    await page.keyboard.type('BETA');
    await expect(list.getByRole('treeitem')).toHaveCount(1);
    await page.keyboard.press('Enter');
    await expect(text.row(1)).toContainText('beta 1');
    await expect(text.scroller).toBeFocused();
    await page.keyboard.press('l');
    await page.keyboard.press('Escape');
    await expect(list.getByRole('treeitem')).toHaveCount(3);
    await list.focus();
    await page.keyboard.press('End');
    const last = list.getByRole('treeitem').last();
    const name = (await last.locator('[data-name]').textContent())!.split('.')[0]!;
    await page.keyboard.press('Enter');
    await expect(text.row(1)).toContainText(`${name} 1`);

    await page.keyboard.press('o');
    await page.keyboard.type(join(folder, 'missing.log'));
    await page.keyboard.press('Enter');
    await expect(page.getByRole('alert')).toBeVisible();
    await page.getByLabel('Path of a file or directory to open').fill(other);
    await page.keyboard.press('Enter');
    await expect(text.row(1)).toContainText('other 1');
    // Besides two headings: the folder's files, and files that were opened one by one.
    await expect(list.getByRole('treeitem', { name: /^[\w ]+\.log/ })).toHaveCount(4);
    await page.goBack();
    await expect(text.row(1)).toContainText(`${name} 1`);
  });

  test('is made wider and closed by mouse and by key, and stays so', async ({ inspector, page }) => {
    await inspector.open([writeLines(inspector.folder, 'a.log', 5, String)]);
    const splitter = page.getByRole('separator', { name: 'Width of the list' });
    await expect(splitter).toHaveAttribute('aria-valuenow', '300');
    await splitter.focus();
    await page.keyboard.press('ArrowRight');
    await expect(splitter).toHaveAttribute('aria-valuenow', '316');
    const box = (await splitter.boundingBox())!;
    await page.mouse.move(box.x, box.y + 200);
    await page.mouse.down();
    await page.mouse.move(box.x + 84, box.y + 210, { steps: 3 });
    await page.mouse.up();
    await expect(splitter).toHaveAttribute('aria-valuenow', '400');
    await page.reload();
    await expect(splitter).toHaveAttribute('aria-valuenow', '400');
    await splitter.focus();
    await page.keyboard.press('Enter');
    await expect(splitter).toHaveCount(0);
    await page.reload();
    await expect(page.getByRole('button', { name: 'Show the list' })).toBeVisible();
  });

  test('draws only what is in view of thousands', async ({ inspector, page }) => {
    const folder = join(inspector.folder, 'many');
    mkdirSync(folder);
    for (let number = 0; number < 3000; number += 1)
      writeFileSync(join(folder, `run-${number}.log`), `${number}\n`);
    const text = await inspector.open([folder]);
    await expect(page.getByText('3,000 items')).toBeVisible();
    expect(await text.elements()).toBeLessThan(1000);
    await page.getByRole('tree').focus();
    await page.keyboard.press('End');
    await expect(page.locator('[aria-posinset="3000"]')).toBeVisible();
    await expect(page.locator('[aria-posinset="1"]')).toHaveCount(0);
  });

  test('says what to do when there is nothing', async ({ inspector, page }) => {
    await inspector.open([]);
    const library = page.getByRole('complementary', { name: 'Library' });
    await expect(library.getByText('Nothing captured yet')).toBeVisible();
    await expect(library.getByText('npm start -- PATH')).toBeVisible();
    await expect(library.getByText('spillway run -- COMMAND')).toBeVisible();
    await expect(library.getByRole('button', { name: 'Copy the command' }).first()).toBeVisible();
    await keep(page, 'nothing-yet');
  });
});

test('a reload shows the panel that was open', async ({ inspector, page }) => {
  const text = await inspector.open([writeLines(inspector.folder, 'a.log', 100, logLine)]);
  await text.counted(100);
  await page.keyboard.press('s');
  const summary = page.getByRole('complementary', { name: 'Summary' });
  await expect(summary).toContainText('Most frequent shapes');
  await page.reload();
  await expect(summary).toContainText('Most frequent shapes');
  await page.keyboard.press('s');
  await expect(summary).toHaveCount(0);
  await page.reload();
  await text.counted(100);
  await expect(summary).toHaveCount(0);
});

test('the sign of a match stands apart from numbers of six digits', async ({ inspector, page }) => {
  const text = await inspector.open([writeLines(inspector.folder, 'a.log', 200_000, logLine)]);
  await text.counted(200_000);
  await text.goTo('150000');
  await expect(text.row(150_000)).toBeInViewport({ ratio: 1 });
  await page.keyboard.press('/');
  await page.keyboard.type('request');
  const gutter = text.row(150_000).locator('[data-gutter]');
  await expect(text.row(150_000)).toHaveAttribute('data-hit', '');
  const apart = await gutter.evaluate((each) => {
    const number = document.createRange();
    number.selectNodeContents(each);
    const sign = getComputedStyle(each, '::before');
    // Turned by 45 degrees, it is wider by its corners.
    const right = Number.parseFloat(sign.left) + Number.parseFloat(sign.width) * (0.5 + Math.SQRT1_2);
    return number.getBoundingClientRect().left - each.getBoundingClientRect().left - right;
  });
  expect(apart).toBeGreaterThan(4);
});

/** A range, a summary, held keys, binary files, encodings and what a reload keeps. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '../fixtures/inspector.ts';
import { logLine, sed, writeLines } from '../fixtures/logs.ts';

test('a range shows its lines alone, says so, and is left again', async ({ inspector, page }) => {
  const { path, text } = await inspector.openLog(200_000);
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

test('the status line names the lines that are wholly in view, up to the last', async ({
  inspector,
  page,
}) => {
  const { text } = await inspector.openLog(2000);
  // Heights of whole lines, and of parts of one.
  for (const height of [800, 805, 811]) {
    await page.setViewportSize({ width: 1280, height });
    for (const key of ['End', 'PageUp', 'PageDown', 'Home']) {
      await page.keyboard.press(key);
      await expect
        .poll(async () => {
          const lines = (await text.wholeRows()).map(({ line }) => line!.toLocaleString('en'));
          const said = `Lines ${lines[0]}–${lines.at(-1)} of 2,000`;
          return said === (await text.status.textContent()) || `${said}: ${await text.status.textContent()}`;
        }, `${key} in ${height} pixels`)
        .toBe(true);
      if (key === 'End') await expect(text.status).toContainText('–2,000 of');
    }
  }
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
  const { text } = await inspector.openLog(50_000);
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

test('a summary of JSON lines has their keys and messages', async ({ inspector, page }) => {
  const path = join(inspector.folder, 'lines.log');
  const line = (i: number) =>
    `${JSON.stringify({ level: i === 7 ? 'error' : 'info', msg: `step ${i} is done` })}\n`;
  writeFileSync(path, Array.from({ length: 5000 }, (_, i) => line(i)).join(''));
  await inspector.open([path]);
  await page.keyboard.press('s');
  const summary = page.getByRole('complementary', { name: 'Summary' });
  await expect(summary).toContainText('objects, one per line');
  await expect(summary).toContainText('level, msg');
  await expect(summary).toContainText(/keys of [\d,]+ lines/);
  await expect(
    summary.getByRole('button', { name: /^4,999 × info: step <n> is done, first in line 1$/ }),
  ).toBeVisible();
  await expect(
    summary.getByRole('button', { name: /^1 × error: step <n> is done, first in line 8$/ }),
  ).toBeVisible();
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

test('a reload shows the panel that was open', async ({ inspector, page }) => {
  const text = await inspector.open([writeLines(inspector.folder, 'a.log', 100, logLine)]);
  await text.counted(100);
  await page.keyboard.press('s');
  const summary = page.getByRole('complementary', { name: 'Summary' });
  await expect(summary).toContainText('Most frequent messages');
  await page.reload();
  await expect(summary).toContainText('Most frequent messages');
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

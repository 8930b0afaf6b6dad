/** A range, a summary, held keys, binary files, encodings and what a reload keeps. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '../fixtures/inspector.ts';
import { ListPage } from '../fixtures/list-page.ts';
import { sed } from '../fixtures/logs.ts';

/** Lines with numbers of six digits. */
test('a text of many lines', async ({ inspector, page }) => {
  const { path, text } = await inspector.openLog(120_000);
  await test.step('a range shows its lines alone, says so, and is left again', async () => {
    await page.keyboard.press('r');
    await page.getByLabel('From line').fill('110,000');
    await page.getByLabel('To line').fill('110,020');
    await page.keyboard.press('Enter');
    await expect(page.getByText('Only lines 110,000–110,020')).toBeVisible();
    const rows = await text.wholeRows();
    expect(rows.map((row) => row.text)).toEqual(sed(path, 110_000, 110_020));
    expect(rows[0]?.line).toBe(110_000);
    await page.keyboard.press('Escape');
    await expect(page.getByText('Only lines')).toHaveCount(0);
    await expect.poll(() => text.firstWholeLine()).toBe(110_000);

    await page.keyboard.press('r');
    await page.getByLabel('From line').fill('300000');
    await page.getByLabel('To line').fill('300001');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: 'There are no lines 300,000–300,001' })).toBeVisible();
    await page.getByRole('button', { name: 'Show all lines' }).first().click();
    await expect(text.status).toContainText('of 120,000');

    await page.keyboard.press('r');
    await page.getByLabel('From line').fill('9');
    await page.getByLabel('To line').fill('2');
    await page.keyboard.press('Enter');
    await expect(page.getByText('The first line is after the last')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
  });

  await test.step('the sign of a match stands apart from numbers of six digits', async () => {
    await text.goTo('110000');
    await expect(text.row(110_000)).toBeInViewport({ ratio: 1 });
    await page.keyboard.press('/');
    await page.keyboard.type('request');
    const gutter = text.row(110_000).locator('[data-gutter]');
    await expect(text.row(110_000)).toHaveAttribute('data-hit', '');
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
});

test('a text of some lines', async ({ inspector, page }) => {
  const { text } = await inspector.openLog(20_000);
  const summary = page.getByRole('complementary', { name: 'Summary' });
  await test.step('a summary counts, and its lines lead into the text', async () => {
    await page.keyboard.press('s');
    await expect(summary).toContainText('20,000');
    await expect(summary.getByRole('button', { name: 'Show warn lines only, 20 lines' })).toBeVisible();
    await expect(summary).toContainText('LF');
    await summary.getByRole('button', { name: /^Line 19,946 / }).click();
    await expect(text.row(19_946)).toContainText('ERROR');
    await expect(text.status).toHaveText('Line 19,946 of 20,000');
    await summary.getByRole('button', { name: /INFO.*first in line 1$/ }).click();
    await expect(text.status).toHaveText('Line 1 of 20,000');
    await page.keyboard.press('s');
    await expect(summary).toHaveCount(0);
  });

  await test.step('a reload shows the panel that was open', async () => {
    await page.keyboard.press('s');
    await expect(summary).toContainText('Most frequent messages');
    await page.reload();
    await expect(summary).toContainText('Most frequent messages');
    await page.keyboard.press('s');
    await expect(summary).toHaveCount(0);
    await page.reload();
    await text.counted(20_000);
    await expect(summary).toHaveCount(0);
  });

  await test.step('the status line names the lines that are wholly in view, up to the last', async () => {
    await text.scroller.focus();
    await page.keyboard.press('Escape');
    // Heights of whole lines, and of parts of one.
    for (const height of [800, 805, 811]) {
      await page.setViewportSize({ width: 1280, height });
      for (const key of ['End', 'PageUp', 'PageDown', 'Home']) {
        await page.keyboard.press(key);
        await expect
          .poll(async () => {
            const lines = (await text.wholeRows()).map(({ line }) => line!.toLocaleString('en'));
            const said = `Lines ${lines[0]}–${lines.at(-1)} of 20,000`;
            return (
              said === (await text.status.textContent()) || `${said}: ${await text.status.textContent()}`
            );
          }, `${key} in ${height} pixels`)
          .toBe(true);
        if (key === 'End') await expect(text.status).toContainText('–20,000 of');
      }
    }
  });

  await test.step('a key that is held steps on, and does not switch to and fro', async () => {
    await page.keyboard.press('/');
    await page.keyboard.type('request');
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
});

test('texts that are not plain lines', async ({ inspector, page }) => {
  const [lines, binary, japanese] = ['lines.log', 'program.bin', 'japanese.txt'].map((name) =>
    join(inspector.folder, name),
  );
  const line = (i: number) =>
    `${JSON.stringify({ level: i === 7 ? 'error' : 'info', msg: `step ${i} is done` })}\n`;
  writeFileSync(lines!, Array.from({ length: 5000 }, (_, i) => line(i)).join(''));
  writeFileSync(
    binary!,
    Buffer.concat([Buffer.from('ELF\0\0\0'), Buffer.alloc(5000, 7), Buffer.from('\nreadable\n')]),
  );
  const greeting = Buffer.from([0x93, 0xfa, 0x96, 0x7b, 0x8c, 0xea, 0x0a]);
  writeFileSync(japanese!, Buffer.concat(Array.from({ length: 3000 }, () => greeting)));
  const text = await inspector.open([lines!, binary!, japanese!]);
  const list = new ListPage(page);
  await text.counted(5000);
  await test.step('a summary of JSON lines has their keys and messages', async () => {
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

  await list.item('program.bin').click();
  await test.step('binary is not shown as noise unless it is asked for', async () => {
    await expect(text.scroller).toBeHidden();
    await page.getByRole('button', { name: 'Show as text' }).click();
    await expect(text.row(2)).toContainText('readable');
  });

  await list.item('japanese.txt').click();
  await test.step('an encoding chosen by hand decodes anew and stays at its line', async () => {
    await text.counted(3000);
    await text.goTo('1500');
    await expect(text.row(1500)).toBeInViewport();
    const top = await text.firstWholeLine();
    await expect(text.row(1500)).toContainText('日本語');
    await page.getByRole('button', { name: /shift_jis/ }).click();
    await page.getByRole('menuitemradio', { name: /UTF-8/ }).click();
    await expect(text.row(1500)).not.toContainText('日本語');
    expect(await text.firstWholeLine()).toBe(top);
    await page.getByRole('button', { name: /utf-8 \(chosen\)/ }).click();
    await page.getByRole('menuitemradio', { name: /Shift JIS/ }).click();
    await expect(text.row(1500)).toContainText('日本語');
    await expect(page.getByRole('button', { name: /shift_jis \(chosen\)/ })).toBeVisible();
  });
});

test('a caret shows where one is, and goes back to where one was', async ({ inspector, page }) => {
  const { text } = await inspector.openLog(5000);
  const isAt = (line: number) => expect(text.row(line)).toHaveAttribute('data-selected', '');
  await test.step('arrows, pages and both ends move it', async () => {
    await text.scroller.focus();
    for (let step = 0; step < 4; step += 1) await page.keyboard.press('ArrowDown');
    await isAt(4);
    expect(await text.firstWholeLine()).toBe(1);
    await page.keyboard.press('M');
    await expect(text.row(4)).toHaveAttribute('data-marked', '');
    await page.keyboard.press('PageDown');
    await expect(text.row(4)).toHaveCount(0);
    await expect(text.scroller.locator('[data-selected]')).toBeInViewport();
    await page.keyboard.press('End');
    await isAt(5000);
    await page.keyboard.press('Home');
    await isAt(1);
  });
  await test.step('jumps are gone back, line by line, and forward', async () => {
    await page.keyboard.press('Home');
    await text.goTo('3000');
    await isAt(3000);
    await text.goTo('4000');
    await isAt(4000);
    await page.keyboard.press('Alt+ArrowLeft');
    await isAt(3000);
    await page.keyboard.press('Alt+ArrowLeft');
    await isAt(1);
    await page.keyboard.press('Alt+ArrowRight');
    await isAt(3000);
  });
  await test.step('choosing among results moves the text along', async () => {
    await page.keyboard.press('/');
    await page.keyboard.insertText('request \\d*00 ');
    await page.keyboard.press('Enter');
    // The selected line matches.
    await expect(page.getByRole('region', { name: 'Results' })).toContainText(/^30 of/);
    await isAt(3000);
    await page.keyboard.press('Enter');
    await isAt(3100);
    await page.keyboard.press('Escape');
    await page.keyboard.press('m');
    await page.keyboard.press('ArrowDown');
    await isAt(3200);
    await page.keyboard.press('Home');
    await isAt(100);
    await expect(text.row(100)).toBeInViewport();
    await expect(page.getByRole('grid', { name: 'Matching lines' })).toBeFocused();
  });
});

/** A line too long for its row: clipped, found in its depth, and read on piece by piece. */
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '../fixtures/inspector.ts';
import { ListPage } from '../fixtures/list-page.ts';

const numbers = (length: number) => Array.from({ length }, (_, index) => `${index},`).join('');

test('a line of megabytes, and a match in it', async ({ inspector, page }) => {
  const [path, other] = ['long.log', 'deep.log'].map((name) => join(inspector.folder, name));
  const long = numbers(400_000);
  writeFileSync(path!, `first\n${long}END\nlast\n`);
  const deep = `${'a,'.repeat(150_000)}needle${',z'.repeat(50_000)}`;
  writeFileSync(other!, `first\n${deep}\nneedle in a short line\nlast\n`);
  const text = await inspector.open([path!, other!]);
  await test.step('a line of megabytes is clipped, and read on from there to its end', async () => {
    await text.counted(3);
    await text
      .row(2)
      .getByRole('button', { name: /MiB line, read on/ })
      .click();
    const dialog = page.getByRole('dialog', { name: /^Line 2/ });
    const content = dialog.getByRole('region', { name: 'Text of the line' });
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

  await new ListPage(page).item('deep.log').click();
  await text.counted(4);
  await test.step('a match deep in a long line is shown in the results and in the text, and read around', async () => {
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
    const content = page.getByRole('dialog').getByRole('region', { name: 'Text of the line' });
    // The pieces meet at the match, and it is in view.
    const piece = content.locator('[data-offset="300006"]');
    await expect(piece).toContainText(/^needle,z/);
    const [box, view] = [(await piece.boundingBox())!, (await content.boundingBox())!];
    expect(box.x).toBeGreaterThan(view.x);
    expect(box.x).toBeLessThan(view.x + view.width);
  });
});

test('a line of some kilobytes, and one whose file is replaced', async ({ inspector, page }) => {
  const [path, other] = ['some.log', 'long.log'].map((name) => join(inspector.folder, name));
  const words = `\u202e${'word '.repeat(2000)}needle${' more'.repeat(2000)} END`;
  writeFileSync(path!, `first\n${words}\n`);
  const long = numbers(40_000);
  writeFileSync(other!, `${long}\n`);
  const text = await inspector.open([path!, other!]);
  await test.step('a line of some KB is read on whole, wrapped, at the match', async () => {
    await text.counted(2);
    const readOn = text.row(2).getByRole('button', { name: /KiB line, read on/ });
    await readOn.click();
    const content = page.getByRole('dialog').getByRole('region', { name: 'Text of the line' });
    await expect(content).toHaveText(words.replace('\u202e', '⇄'));
    expect(await content.evaluate((e) => [e.scrollWidth - e.clientWidth, e.scrollTop])).toEqual([0, 0]);
    await page.keyboard.press('Escape');
    await page.keyboard.press('/');
    await page.keyboard.insertText('needle');
    await page.keyboard.press('Enter');
    await expect(text.row(2).locator('mark')).toHaveText('needle');
    await readOn.click();
    await expect.poll(() => content.evaluate((e) => e.scrollTop)).toBeGreaterThan(0);
    const isInView = await content.evaluate((e) => {
      const from = e.querySelector('span')!.getBoundingClientRect().top - e.getBoundingClientRect().top;
      return from >= 0 && from < e.clientHeight;
    });
    expect(isInView).toBe(true);
    await page.keyboard.press('Escape');
  });

  await new ListPage(page).item('long.log').click();
  await test.step('a line that is read on says when its file was replaced, and shows nothing of what came in its place', async () => {
    await text.counted(1);
    const readOn = text.row(1).getByRole('button', { name: /line, read on/ });
    await readOn.click();
    const dialog = page.getByRole('dialog', { name: /^Line 1/ });
    const content = dialog.getByRole('region', { name: 'Text of the line' });
    await expect(content).toContainText(long.slice(0, 16_384));
    // Grown is not replaced.
    appendFileSync(other!, 'another line\n');
    await dialog.getByRole('button', { name: 'End of line' }).click();
    await expect(content).toHaveText(/39999,$/);
    const read = await content.textContent();
    writeFileSync(other!, `${'#'.repeat(300_000)}\n`);
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
});

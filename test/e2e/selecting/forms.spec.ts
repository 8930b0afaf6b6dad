/** The forms in which selected lines are copied. */
import { expect, test } from '../fixtures/inspector.ts';
import { writeLines } from '../fixtures/logs.ts';
import { SearchPage } from '../fixtures/search-page.ts';

test.use({ permissions: ['clipboard-read', 'clipboard-write'] });

test('lines are copied in each form, and whole', async ({ inspector, page }) => {
  const long = (number: number) =>
    JSON.stringify({ level: 30, msg: `long ${number}`, body: 'x'.repeat(9000), end: `end ${number}` });
  const path = writeLines(inspector.folder, 'a.log', 2000, (number) =>
    number === 5 || number === 15 || number > 1000 ? long(number) : `text of ${number}`,
  );
  const text = await inspector.open([path]);
  await text.counted(2000);
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText());

  await test.step('a line longer than the window shows is copied whole, also unfolded and from the results', async () => {
    await text.row(5).getByRole('rowheader').click();
    await page.keyboard.press('Control+c');
    await expect(page.getByText('Copied 1 line', { exact: true })).toBeVisible();
    expect(await clipboard()).toBe(long(5));
    await page.keyboard.press('C');
    await expect.poll(clipboard).toBe(JSON.stringify(JSON.parse(long(5)), null, 2));
    await page.keyboard.press('Y');
    await expect.poll(clipboard).toContain(`\`\`\`text\n${long(5)}\n\`\`\``);

    // A part that is shown is not "only the beginning".
    await page.keyboard.press('J');
    const box = (await text.row(5).locator('[data-text]').boundingBox())!;
    await page.mouse.move(box.x, box.y + 9);
    await page.mouse.down();
    await page.mouse.move(box.x + 200, box.y + 9, { steps: 3 });
    await page.mouse.up();
    await page.keyboard.press('Control+c');
    await expect(page.getByText(/^Copied \d+ characters$/)).toBeVisible();

    const search = new SearchPage(page);
    await search.search('end 15"');
    await search.found(1);
    await page.keyboard.press('Escape');
    await page.keyboard.press('m');
    await page.keyboard.press('Control+c');
    await expect.poll(clipboard).toBe(long(15));
    await page.getByRole('button', { name: 'End the search', exact: true }).first().click();
  });

  await test.step('megabytes are only copied after asking', async () => {
    await text.scroller.focus();
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Control+c');
    const dialog = page.getByRole('dialog', { name: 'Copy 2,000 lines?' });
    await expect(dialog).toContainText('about 8.7 MiB');
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
  });

  await test.step('lines are copied with their numbers, and as Markdown that leads back to them', async () => {
    await text.goTo('999');
    await text.row(999).getByRole('rowheader').click();
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('#');
    await expect(page.getByText('Copied 2 lines')).toBeVisible();
    expect(await clipboard()).toBe(' 999  text of 999\n1000  text of 1000');

    await page.keyboard.press('Shift+Y');
    await expect.poll(clipboard).toContain('```text\ntext of 999\ntext of 1000\n```');
    const copied = await clipboard();
    expect(copied).toContain(`\`${path}\`: [lines 999–1000](`);
    expect(copied).toMatch(/`spillway inspect \S+ --stream output --start 999 --end 1000`/);
    const link = /\((http\S+)\)/.exec(copied)![1]!;
    // Without the token of the address that the page was opened with.
    expect(link).not.toMatch(/token|k=/);
    await page.goto('about:blank');
    await page.goto(link);
    await text.counted(2000);
    for (const line of [999, 1000]) await expect(text.row(line)).toHaveAttribute('data-selected', '');
  });
});

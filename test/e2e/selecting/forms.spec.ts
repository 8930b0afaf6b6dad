/** The forms in which selected lines are copied. */
import { expect, test } from '../fixtures/inspector.ts';
import { writeLines } from '../fixtures/logs.ts';

test.use({ permissions: ['clipboard-read', 'clipboard-write'] });

test('lines are copied with their numbers, and as Markdown that leads back to them', async ({
  inspector,
  page,
}) => {
  const path = writeLines(inspector.folder, 'a.log', 2000, (number) => `text of ${number}`);
  const text = await inspector.open([path]);
  await text.counted(2000);
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
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
  await expect.poll(() => text.firstWholeLine()).toBe(999);
});

test('megabytes are only copied after asking', async ({ inspector, page }) => {
  const path = writeLines(inspector.folder, 'wide.log', 2000, (number) => `${number} ${'x'.repeat(9000)}`);
  const text = await inspector.open([path]);
  await text.counted(2000);
  await text.scroller.focus();
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Control+c');
  const dialog = page.getByRole('dialog', { name: 'Copy 2,000 lines?' });
  await expect(dialog).toContainText('about 17.2 MiB');
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
});

/** The levels in the summary show or hide their lines. */
import { expect, test } from '../fixtures/inspector.ts';
import { grepCount } from '../fixtures/logs.ts';

test('a level in the summary shows only its lines, or hides them, as a chip', async ({
  inspector,
  bigLog,
}) => {
  test.slow();
  const text = await inspector.open([bigLog]);
  const { page } = text;
  await text.counted(2_000_000);
  await page.keyboard.press('s');
  const levels = page.getByRole('list', { name: 'Levels' });
  const error = levels.getByRole('button', { name: /^Show error lines only/ });
  const warn = levels.getByRole('button', { name: /^Show warn lines only/ });
  const errors = grepCount(bigLog, ' ERROR ');
  const warns = grepCount(bigLog, ' WARN ');
  await expect(error).toHaveAccessibleName(`Show error lines only, ${errors} lines`);
  await error.click();
  const count = page.locator('[data-filter="count"]');
  await expect(count).toHaveText(`${errors} of 2,000,000 lines`);
  await expect(error).toHaveAttribute('aria-pressed', 'true');
  await warn.click();
  await expect(count).toHaveText(`${(errors + warns).toLocaleString('en')} of 2,000,000 lines`);
  await page.keyboard.press('Home');
  expect((await text.wholeRows()).every(({ text }) => /ERROR|WARN/.test(text ?? ''))).toBe(true);
  await warn.click();
  await error.click();
  await expect(page.getByRole('region', { name: 'Filters' })).toHaveCount(0);

  await levels.getByRole('button', { name: 'Hide info lines' }).click();
  await expect(
    page.getByRole('button', { name: /^Hide lines of level info, 1,99\d,\d+ lines$/ }),
  ).toBeVisible({ timeout: 60_000 });
  await expect(count).toHaveText(`${(errors + warns).toLocaleString('en')} of 2,000,000 lines`);
});

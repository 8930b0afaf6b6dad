/** The levels in the summary show or hide their lines. */
import { expect, test } from '../fixtures/inspector.ts';
import { grepCount, LONG_LOG_LINES } from '../fixtures/logs.ts';

test('a level in the summary shows only its lines, or hides them, as a chip', async ({
  inspector,
  longLog,
}) => {
  test.slow();
  const text = await inspector.open([longLog]);
  const { page } = text;
  await text.counted(LONG_LOG_LINES);
  await page.keyboard.press('s');
  const levels = page.getByRole('list', { name: 'Levels' });
  const error = levels.getByRole('button', { name: /^Show error lines only/ });
  const warn = levels.getByRole('button', { name: /^Show warn lines only/ });
  const total = LONG_LOG_LINES.toLocaleString('en');
  const errors = grepCount(longLog, ' ERROR ');
  const infos = grepCount(longLog, ' INFO ');
  const warns = grepCount(longLog, ' WARN ');
  await expect(error).toHaveAccessibleName(`Show error lines only, ${errors} lines`);
  await error.click();
  const count = page.locator('[data-filter="count"]');
  await expect(count).toHaveText(`${errors} of ${total} lines`);
  await expect(error).toHaveAttribute('aria-pressed', 'true');
  await warn.click();
  await expect(count).toHaveText(`${(errors + warns).toLocaleString('en')} of ${total} lines`);
  await page.keyboard.press('Home');
  expect((await text.wholeRows()).every(({ text }) => /ERROR|WARN/.test(text ?? ''))).toBe(true);
  await warn.click();
  await error.click();
  await expect(page.getByRole('region', { name: 'Filters' })).toHaveCount(0);

  await levels.getByRole('button', { name: 'Hide info lines' }).click();
  await expect(
    page.getByRole('button', {
      name: `Hide lines of level info, ${infos.toLocaleString('en')} lines`,
      exact: true,
    }),
  ).toBeVisible({ timeout: 60_000 });
  await expect(count).toHaveText(`${(errors + warns).toLocaleString('en')} of ${total} lines`);
});

/** A reload shows the text as it was: followed, paused, with its selection. */
import { appendFileSync } from 'node:fs';
import { followed, isAtEnd, lines, scrolledUp } from '../fixtures/followed.ts';
import { expect, test } from '../fixtures/inspector.ts';

test('a reload goes on following', async ({ inspector, page }) => {
  const { path, text } = await followed(inspector);
  await page.reload();
  await isAtEnd(text, path, 3000);
  await expect(page.getByText('Following', { exact: true })).toBeVisible();
  appendFileSync(path, lines(3001, 7));
  await isAtEnd(text, path, 3007);
});

test('a reload stays paused, and counts what comes then', async ({ inspector, page }) => {
  // The address of another line is written while the page is left, too late for the reload.
  await page.addInitScript(() =>
    window.addEventListener('pagehide', () =>
      history.replaceState(history.state, '', location.hash.replace(/l=\d+/, 'l=7')),
    ),
  );
  const { path, text } = await followed(inspector);
  const paused = await scrolledUp(text);
  const top = await text.firstWholeLine();
  await page.reload();
  await text.counted(3000);
  await expect(paused).toContainText('nothing new');
  expect(await text.firstWholeLine()).toBe(top);
  appendFileSync(path, lines(3001, 12));
  await expect(paused).toContainText('12 new lines');
  await paused.click();
  await isAtEnd(text, path, 3012);
});

/** A watched text tells of a further line that matches, and of silence. */
import { appendFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '../fixtures/inspector.ts';
import { keep } from '../fixtures/keep.ts';

interface Elsewhere {
  Notification: unknown;
  /** Texts of notifications of the system. */
  shown: string[];
}

test('a person is told of a line that matches, and of silence', async ({ inspector, page }) => {
  const path = join(inspector.folder, 'app.log');
  writeFileSync(path, 'ready\nan error of before\n');
  await page.addInitScript(() => {
    const it = globalThis as unknown as Elsewhere;
    it.shown = [];
    // The person allows it, and looks elsewhere.
    it.Notification = class {
      static permission = 'granted';
      constructor(_title: string, { body }: { body: string }) {
        it.shown.push(body);
      }
    };
    document.hasFocus = () => false;
  });
  const text = await inspector.open([path]);
  await text.counted(2);
  await text.scroller.focus();
  const dialog = page.getByRole('dialog', { name: 'Notify me' });
  await page.keyboard.press('Alt+t');
  await expect(dialog.getByRole('textbox', { name: 'When a further line matches' })).toBeFocused();
  await page.keyboard.type('err.r');
  await dialog.getByRole('textbox', { name: /nothing was written/ }).fill('x');
  await expect(dialog.getByText('Enter a number from 1 to 86400')).toBeVisible();
  await dialog.getByRole('textbox', { name: /nothing was written/ }).fill('2');
  await keep(page, 'notify');
  await page.keyboard.press('Enter');
  await expect(page.getByText('You will be notified')).toBeVisible();
  await expect(page.getByText('Nothing was written to app.log for 2 seconds')).toBeVisible();
  appendFileSync(path, 'fine\nan error of now\n');
  await expect(page.getByText('1 more line matches “err.r” in app.log')).toBeVisible();
  expect(await page.evaluate(() => (globalThis as unknown as Elsewhere).shown.slice(0, 2))).toEqual([
    'Nothing was written to app.log for 2 seconds',
    '1 more line matches “err.r” in app.log',
  ]);
  appendFileSync(path, 'an error of later\n');
  // It counts on, in place of the notice before.
  await expect(page.getByText('2 more lines match “err.r” in app.log')).toBeVisible();
  await expect(page.getByText('1 more line matches')).toHaveCount(0);

  await test.step('also after the window was closed, of the next file at its path', async () => {
    await page.goto('about:blank');
    writeFileSync(`${path}.next`, 'ready again\n');
    renameSync(`${path}.next`, path);
    await page.goto(inspector.url);
    await text.counted(1);
    await expect(page.getByText('Nothing was written to app.log for 2 seconds')).toBeVisible();
    appendFileSync(path, 'an error of later\n');
    await expect(page.getByText('1 more line matches “err.r” in app.log')).toBeVisible();
    await text.scroller.focus();
  });

  await page.keyboard.press('Alt+t');
  await dialog.getByRole('button', { name: 'Stop' }).click();
  await expect(page.getByText('You will not be notified')).toBeVisible();
});

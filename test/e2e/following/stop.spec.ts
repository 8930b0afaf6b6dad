/** A person stops running commands from the window, after it asked. */
import { mkdirSync } from 'node:fs';
import { expect, test } from '../fixtures/inspector.ts';
import { keep } from '../fixtures/keep.ts';
import { ListPage } from '../fixtures/list-page.ts';

test('a running command shows its time and is stopped, after asking', async ({ inspector, page }) => {
  mkdirSync(inspector.home, { recursive: true, mode: 0o700 });
  const ended = inspector.spillway('run', '--quiet', '--', 'sh', '-c', 'echo begun; sleep 120 & wait');
  await inspector.open([]);
  await new ListPage(page).items.first().click();
  await expect(page.locator('[data-status="running"]')).toContainText('running');
  const button = page.getByRole('button', { name: 'Stop', exact: true });
  await expect(button).toBeVisible();

  const details = page.getByRole('complementary', { name: 'Details' });
  await page.keyboard.press('i');
  await expect(details).toContainText('Linescounted when the command ends');
  await page.keyboard.press('c');
  await expect(details).toContainText('Lines1 so far');

  await page.keyboard.press('Control+.');
  const dialog = page.getByRole('dialog', { name: 'Stop this command?' });
  await expect(dialog).toContainText('Its 2 processes get SIGTERM');
  await keep(page, 'stop-asked');
  // Enter does not stop anything by mistake: the focus is on the harmless button.
  await page.keyboard.press('Enter');
  await expect(dialog).toHaveCount(0);
  await expect(button).toBeVisible();

  await button.click();
  await dialog.getByRole('button', { name: 'Stop it' }).click();
  await expect(page.getByRole('region', { name: 'Status' }).getByRole('status')).toHaveText(
    'Stopped: ended by SIGTERM',
  );
  expect(await ended).toBe(143);
  await expect(details).toContainText('Lines1');
  await expect(details).not.toContainText('so far');
  await expect(page.getByRole('main')).toContainText('cancelled');
  await expect(button).toHaveCount(0);
});

test('what has ended has no stop button', async ({ inspector, page }) => {
  mkdirSync(inspector.home, { recursive: true, mode: 0o700 });
  await inspector.spillway('run', '--quiet', '--', 'sh', '-c', 'echo done');
  const text = await inspector.open([]);
  await new ListPage(page).items.first().click();
  await text.counted(1);
  await expect(page.getByRole('button', { name: 'Stop', exact: true })).toHaveCount(0);
});

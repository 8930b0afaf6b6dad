/** A person stops running commands from the window, after it asked. */
import { mkdirSync } from 'node:fs';
import { expect, test } from '../fixtures/inspector.ts';
import { keep } from '../fixtures/keep.ts';
import { ListPage } from '../fixtures/list-page.ts';

test('the stop button', async ({ inspector, page }) => {
  mkdirSync(inspector.home, { recursive: true, mode: 0o700 });
  await inspector.spillway('run', '--quiet', '--', 'sh', '-c', 'echo done');
  const text = await inspector.open([]);
  const list = new ListPage(page);
  const button = page.getByRole('button', { name: 'Stop', exact: true });
  await test.step('what has ended has no stop button', async () => {
    await list.items.first().click();
    await text.counted(1);
    await expect(button).toHaveCount(0);
  });

  await test.step('a running command shows its time and is stopped, after asking', async () => {
    const ended = inspector.spillway('run', '--quiet', '--', 'sh', '-c', 'echo begun; sleep 120 & wait');
    await expect(list.items).toHaveCount(2);
    await list.items.filter({ hasText: 'running' }).click();
    await expect(page.locator('[data-status="running"]')).toContainText('running');
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
});

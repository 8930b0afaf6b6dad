/** The menu of a row of the list, and of several: what is copied, pinned and deleted, and brought back. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { cliEntry } from '../../fixtures/cli.ts';
import { expect, test } from '../fixtures/inspector.ts';
import { ListPage } from '../fixtures/list-page.ts';
import { writeLines } from '../fixtures/logs.ts';

test('rows of the list are pinned, deleted and brought back', async ({ inspector, page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  mkdirSync(inspector.home, { recursive: true, mode: 0o700 });
  const env = { ...process.env, SPILLWAY_HOME: inspector.home };
  const run = (...command: string[]) =>
    spawnSync(process.execPath, [cliEntry, 'run', '--no-pty', '--quiet', '--', ...command], { env });
  run('echo', 'one');
  run('echo', 'two');
  run('echo', 'three');
  run('false');
  const path = writeLines(inspector.folder, 'a.log', 10, String);
  await inspector.open([path]);
  const list = new ListPage(page);
  await expect(list.items).toHaveCount(5);
  const choose = async (row: string, entry: string) => {
    await list.item(row).click({ button: 'right' });
    await expect.poll(() => page.getByRole('menuitem').count()).toBeLessThanOrEqual(12);
    await page.getByRole('menuitem', { name: entry, exact: true }).click();
  };

  await test.step('the id and the path are copied', async () => {
    await choose('echo two', 'Copy the id');
    const id = await page.evaluate(() => navigator.clipboard.readText());
    expect(id).toMatch(/^cmd-echo_two-/);
    await choose('a.log', 'Copy the path');
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(path);
  });
  await test.step('a file is shown in its folder, or named where there is no desktop', async () => {
    await choose('a.log', 'Show in the folder');
    await expect(page.getByText(`There is no file manager here: the file is ${path}`)).toBeVisible();
  });
  await test.step('a capture is deleted, and brought back by Undo', async () => {
    await choose('echo two', 'Delete');
    await expect(list.items).toHaveCount(4);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(list.items).toHaveCount(5);
    // A click shows it, and keeps the focus in the text, where the key deletes nothing.
    await list.item('echo two').click();
    await page.keyboard.press('Delete');
    await list.tree.focus();
    await page.keyboard.press('Delete');
    await expect(list.items).toHaveCount(4);
    await page.keyboard.press('Control+z');
    await expect(list.items).toHaveCount(5);
  });
  await test.step('a pinned one is not offered for deletion', async () => {
    await choose('echo one', 'Pin');
    await list.item('echo one').click({ button: 'right' });
    await expect(page.getByRole('menuitem', { name: 'Unpin' })).toBeVisible();
    await expect(page.getByRole('menuitem', { name: 'Delete' })).toHaveCount(0);
    await page.keyboard.press('Escape');
  });
  await test.step('several are deleted at once; what was held before is then gone for good', async () => {
    await choose('echo two', 'Delete');
    await list.item('echo three').click();
    await list.item('echo one').click({ modifiers: ['Shift'] });
    await choose('echo three', 'Delete 1 capture');
    await expect(list.items).toHaveCount(3);
    // In a field, the key undoes what was typed there.
    await list.filter.fill('echo');
    await page.keyboard.press('Control+z');
    await expect(list.filter).toHaveValue('');
    await expect(list.items).toHaveCount(3);
    await list.tree.focus();
    await page.keyboard.press('Control+z');
    await expect(list.items).toHaveCount(4);
    const listed = () =>
      execFileSync(process.execPath, [cliEntry, 'list', '--json'], { env, encoding: 'utf8' });
    await expect.poll(() => listed().includes('"two"')).toBe(false);
    expect(listed()).toContain('"three"');
  });
  await test.step('a pressed button can be read in forced colours', async () => {
    await page.emulateMedia({ forcedColors: 'active' });
    await page
      .locator('aside')
      .getByRole('button', { name: /failed/i })
      .first()
      .click();
    const pressed = page.locator('aside [aria-pressed="true"]').first();
    await pressed.evaluate((button) => {
      const probe = document.createElement('i');
      probe.style.cssText = 'forced-color-adjust: none; color: HighlightText; background: Highlight';
      button.after(probe);
    });
    const colours = (selector: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((one) => [getComputedStyle(one).color, getComputedStyle(one).backgroundColor]);
    expect(await colours('aside [aria-pressed="true"]')).toEqual(
      await colours('aside [aria-pressed="true"] + i'),
    );
  });
});

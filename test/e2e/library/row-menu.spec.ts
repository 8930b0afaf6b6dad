/** The menu of a row of the list, and of several: what is copied, pinned and deleted, and brought back. */
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { cliEntry } from '../../fixtures/cli.ts';
import { expect, test } from '../fixtures/inspector.ts';
import { ListPage } from '../fixtures/list-page.ts';
import { writeLines } from '../fixtures/logs.ts';

test('rows of the list are pinned, deleted and brought back', async ({ inspector, page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  mkdirSync(inspector.home, { recursive: true, mode: 0o700 });
  const env = { ...process.env, SPILLWAY_HOME: inspector.home };
  for (const name of ['one', 'two', 'three'])
    execFileSync(process.execPath, [cliEntry, 'run', '--no-pty', '--quiet', '--', 'echo', name], {
      env,
      stdio: 'pipe',
    });
  const path = writeLines(inspector.folder, 'a.log', 10, String);
  await inspector.open([path]);
  const list = new ListPage(page);
  await expect(list.items).toHaveCount(4);
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
  await test.step('a capture is deleted, and brought back by Undo', async () => {
    await choose('echo two', 'Delete');
    await expect(list.items).toHaveCount(3);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(list.items).toHaveCount(4);
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
    await expect(list.items).toHaveCount(2);
    const listed = () =>
      execFileSync(process.execPath, [cliEntry, 'list', '--json'], { env, encoding: 'utf8' });
    await expect.poll(() => listed().includes('"two"')).toBe(false);
    expect(listed()).toContain('"three"');
    await page.keyboard.press('Control+z');
    await expect(list.items).toHaveCount(3);
  });
});

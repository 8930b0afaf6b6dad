/** A source on a share whose server is gone: the window names it, shows the others, and opens it when it answers. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder, removeFolder } from '../../fixtures/folder.ts';
import { mountHung } from '../../fixtures/hung-mount.ts';
import { expect, test } from '../fixtures/inspector.ts';
import { keep } from '../fixtures/keep.ts';
import { ListPage } from '../fixtures/list-page.ts';

test('a share that does not answer is named, and opened when it does', async ({ inspector, page }) => {
  const probe = makeFolder();
  const can = process.platform === 'linux' ? await mountHung(probe) : null;
  can?.end();
  removeFolder(probe);
  test.skip(can === null, 'only root on Linux can mount a file system that hangs');
  const [share, near] = ['share', 'near'].map((name) => join(inspector.folder, name));
  for (const path of [share!, near!, inspector.home]) mkdirSync(path, { mode: 0o700 });
  writeFileSync(join(share!, 'far.log'), 'far away\n');
  writeFileSync(join(near!, 'near.log'), 'at hand\n');
  writeFileSync(join(inspector.home, 'config.json'), JSON.stringify({ sources: [share, near] }));
  const mount = (await mountHung(share!))!;
  let hangs = true;
  const answer = () => {
    if (hangs) mount.end();
    hangs = false;
  };
  try {
    const text = await inspector.open([]);
    const list = new ListPage(page);
    const note = page.getByText(
      `The file system of ${share} does not answer (fuse): what is in it is listed when it does.`,
    );
    await expect(note).toBeVisible();
    await expect(page.getByText('Warning', { exact: true })).toBeVisible();
    await list.item('near.log').click();
    await expect(text.row(1)).toContainText('at hand');
    await keep(page, 'silent-share');
    await page.setViewportSize({ width: 420, height: 560 });
    await expect(note).toBeVisible();
    await keep(page, 'silent-share-narrow');
    await page.setViewportSize({ width: 1280, height: 800 });
    // Opened by hand, the answer says the same and what to do.
    await page.keyboard.press('o');
    await page.keyboard.type(join(share!, 'far.log'));
    await page.keyboard.press('Enter');
    await expect(page.getByRole('alert')).toContainText('does not answer');
    await keep(page, 'silent-share-opened');
    answer();
    // As it says: it opens once the share answers.
    await expect(async () => {
      await page.getByRole('combobox', { name: 'Path of a file' }).press('Enter');
      await expect(text.row(1)).toContainText('far away', { timeout: 2000 });
    }).toPass();
    await expect(note).toBeHidden();
    await expect(list.item('far.log')).toBeVisible();
  } finally {
    answer();
  }
});

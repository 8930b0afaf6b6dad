/** Opened paths stay in the list until a person removes them; agents read them only if allowed. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '../fixtures/inspector.ts';
import { keep } from '../fixtures/keep.ts';
import { logFolder } from '../fixtures/logs.ts';

test('an opened folder is listed until it is removed, also after a restart', async ({ inspector, page }) => {
  const folder = logFolder(inspector.folder, 'logs', ['one.log', 'two.log']);
  await inspector.open([]);
  await page.keyboard.press('o');
  await page.getByRole('combobox', { name: 'Path of a file' }).fill(folder);
  await page.keyboard.press('Enter');
  const tree = page.getByRole('tree', { name: 'Captured output' });
  await expect(tree.getByText('one.log')).toBeVisible();

  await inspector.stop();
  await inspector.start([]);
  await page.goto(inspector.url);
  await expect(tree.getByText('two.log')).toBeVisible();

  await page.keyboard.press('Shift+O');
  const dialog = page.getByRole('dialog', { name: 'Opened files and folders' });
  await expect(dialog).toContainText('2 files');
  await keep(page, 'opened-sources');
  const agents = dialog.getByRole('switch', { name: `Agents may read ${folder}` });
  await expect(agents).not.toBeChecked();
  await agents.click();
  await expect(agents).toBeChecked();
  await dialog.getByRole('button', { name: `Remove ${folder}` }).click();
  await expect(dialog).toContainText('Nothing is open');
  await page.keyboard.press('Escape');
  await expect(tree).toHaveCount(0);
  expect(await inspector.spillway('inspect', join(folder, 'one.log'))).toBe(0);
});

test('the path field completes what is typed, and lists what was opened before', async ({
  inspector,
  page,
}) => {
  const folder = logFolder(inspector.folder, 'server logs', ['one.log', 'other.log', 'two.log']);
  await inspector.open([]);
  await page.keyboard.press('o');
  const field = page.getByRole('combobox', { name: 'Path of a file' });
  await expect(field).toBeFocused();
  await field.fill(join(inspector.folder, 'server'));
  const paths = page.getByRole('listbox', { name: 'Paths' }).getByRole('option');
  await expect(paths).toHaveText([`${folder}/`]);
  await keep(page, 'path-completion');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(field).toHaveValue(`${folder}/`);
  await expect(paths).toHaveText(['one.log', 'other.log', 'two.log'].map((name) => join(folder, name)));
  await page.keyboard.type('o');
  await expect(paths).toHaveText(['one.log', 'other.log'].map((name) => join(folder, name)));
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('tree', { name: 'Captured output' }).getByText('other.log')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'other.log' })).toBeVisible();

  await page.keyboard.press('o');
  await expect(field).toHaveValue('');
  await expect(page.getByRole('listbox', { name: 'Opened before' }).getByRole('option')).toHaveText([
    join(folder, 'other.log'),
  ]);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('listbox')).toHaveCount(0);
});

test('a deleted file is still shown as a file among what was opened, also after a restart', async ({
  inspector,
  page,
}) => {
  const folder = logFolder(inspector.folder, 'logs', ['one.log']);
  const [kept, gone] = ['kept.log', 'gone.log'].map((name) => join(inspector.folder, name));
  for (const path of [kept!, gone!]) writeFileSync(path, 'text\n');
  await inspector.open([folder, kept!, gone!]);
  const dialog = page.getByRole('dialog', { name: 'Opened files and folders' });
  const entry = (path: string) => dialog.getByRole('listitem').filter({ has: page.getByTitle(path) });
  const icon = (path: string) => entry(path).locator('svg path').first().getAttribute('d');
  rmSync(gone!);
  for (const isRestarted of [false, true]) {
    if (isRestarted) {
      await inspector.stop();
      await inspector.start([]);
      await page.goto(inspector.url);
    }
    await expect(page.getByRole('tree', { name: 'Captured output' })).toContainText('kept.log');
    await page.keyboard.press('Shift+O');
    await expect(entry(kept!)).toContainText('1 file');
    expect(await icon(gone!)).toBe(await icon(kept!));
    expect(await icon(folder)).not.toBe(await icon(kept!));
    await page.keyboard.press('Escape');
  }
  await page.keyboard.press('Shift+O');
  await expect(entry(gone!)).toContainText('nothing there');
});

test('a large folder does not bury what else was opened', async ({ inspector, page }) => {
  const folder = join(inspector.folder, 'large');
  mkdirSync(folder);
  const single = join(inspector.folder, 'single.log');
  writeFileSync(single, 'text\n');
  for (let file = 0; file < 400; file += 1) writeFileSync(join(folder, `${file}.conf`), 'text\n');
  await inspector.open([single, folder]);
  const tree = page.getByRole('tree', { name: 'Captured output' });
  const group = tree.getByRole('treeitem', { name: /large 400 items/ });
  await expect(group).toHaveAttribute('aria-expanded', 'false');
  await expect(tree.getByText('single.log')).toBeVisible();
  await group.click();
  await expect(group).toHaveAttribute('aria-expanded', 'true');
  await expect(tree.getByText('.conf').first()).toBeVisible();
});

test('what is dropped into a browser is opened as a copy, under its name', async ({ inspector, page }) => {
  const text = await inspector.open([]);
  await expect(page.getByRole('button', { name: 'Open a path' })).toBeVisible();
  await page.evaluate(
    (lines) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([`${lines.join('\n')}\n`], 'dropped build.log'));
      const fire = (type: string) =>
        window.document.body.dispatchEvent(
          new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }),
        );
      fire('dragenter');
      (window as { drop?: () => boolean }).drop = () => fire('drop');
    },
    Array.from({ length: 60_000 }, (_, i) => `line ${i + 1} of what was dropped`),
  );
  await expect(page.locator('[data-dropping]')).toHaveCount(1);
  await keep(page, 'dropping');
  // Where nobody prevents it, the browser shows the file in place of the page.
  expect(await page.evaluate(() => (window as { drop?: () => boolean }).drop?.())).toBe(false);
  await expect(page.locator('[data-dropping]')).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'dropped build.log' })).toBeVisible();
  await text.counted(60_000);
  expect(await inspector.spillway('inspect', 'last', '--mode', 'tail', '--lines', '1')).toBe(0);

  await test.step('a folder with each of its files', async () => {
    await page.evaluate(() => {
      const file = (name: string) => ({
        ...{ isDirectory: false, name, fullPath: `/logs/${name}` },
        file: (take: (file: File) => void) => take(new File([`${name}\n`], name)),
      });
      const batches = [[file('b.log')], [file('a.log')], []];
      const folder = {
        isDirectory: true,
        createReader: () => ({ readEntries: (take: (some: unknown) => void) => take(batches.shift()) }),
      };
      DataTransferItem.prototype.webkitGetAsEntry = () => folder as unknown as FileSystemEntry;
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([], 'logs'));
      document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true }));
    });
    await expect(page.getByRole('heading', { name: 'logs/a.log' })).toBeVisible();
    await expect(page.getByRole('tree', { name: 'Captured output' }).getByText('b.log')).toBeVisible();
  });
});

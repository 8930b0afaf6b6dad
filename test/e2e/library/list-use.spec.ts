/** The list with keys and mouse: finding, opening, its width, thousands of items and none. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '../fixtures/inspector.ts';
import { keep } from '../fixtures/keep.ts';
import { writeLines } from '../fixtures/logs.ts';

test.describe('the list', () => {
  test('finds, opens with the keyboard, and opens a path that is typed', async ({ inspector, page }) => {
    const folder = join(inspector.folder, 'logs');
    mkdirSync(folder);
    for (const name of ['alpha', 'beta', 'gamma'])
      writeLines(folder, `${name}.log`, 5, (number) => `${name} ${number}`);
    const other = writeLines(inspector.folder, 'other place.log', 5, (number) => `other ${number}`);
    const text = await inspector.open([folder]);
    const list = page.getByRole('tree', { name: 'Captured output' });
    await expect(list.getByRole('treeitem')).toHaveCount(3);
    await page.keyboard.press('l');
    await page.keyboard.type('BETA');
    await expect(list.getByRole('treeitem')).toHaveCount(1);
    await page.keyboard.press('Enter');
    await expect(text.row(1)).toContainText('beta 1');
    await expect(text.scroller).toBeFocused();
    await page.keyboard.press('l');
    await page.keyboard.press('Escape');
    await expect(list.getByRole('treeitem')).toHaveCount(3);
    await list.focus();
    await page.keyboard.press('End');
    const last = list.getByRole('treeitem').last();
    const name = (await last.locator('[data-name]').textContent())!.split('.')[0]!;
    await page.keyboard.press('Enter');
    await expect(text.row(1)).toContainText(`${name} 1`);

    await page.keyboard.press('o');
    await page.keyboard.type(join(folder, 'missing.log'));
    await page.keyboard.press('Enter');
    await expect(page.getByRole('alert')).toBeVisible();
    await page.getByLabel('Path of a file or folder to open').fill(other);
    await page.keyboard.press('Enter');
    await expect(text.row(1)).toContainText('other 1');
    // Besides two headings: the folder's files, and files that were opened one by one.
    await expect(list.getByRole('treeitem', { name: /^[\w ]+\.log/ })).toHaveCount(4);
    await page.goBack();
    await expect(text.row(1)).toContainText(`${name} 1`);
  });

  test('is there when nothing is shown', async ({ inspector, page }) => {
    await inspector.open([]);
    await test.step('says what to do when there is nothing', async () => {
      const library = page.getByRole('complementary', { name: 'Library' });
      await expect(library.getByText('Nothing captured yet')).toBeVisible();
      await expect(library.getByText('What you record and open is listed here.')).toBeVisible();
      const main = page.getByRole('main');
      await expect(main.getByText('spillway run -- npm test')).toBeVisible();
      await expect(main.getByRole('button', { name: 'Copy the command' })).toBeVisible();
      await keep(page, 'nothing-yet');
    });

    await test.step('is made wider and closed by mouse and by key, and stays so', async () => {
      const splitter = page.getByRole('separator', { name: 'Width of the list' });
      await expect(splitter).toHaveAttribute('aria-valuenow', '300');
      await splitter.focus();
      await page.keyboard.press('ArrowRight');
      await expect(splitter).toHaveAttribute('aria-valuenow', '316');
      const box = (await splitter.boundingBox())!;
      await page.mouse.move(box.x, box.y + 200);
      await page.mouse.down();
      await page.mouse.move(box.x + 84, box.y + 210, { steps: 3 });
      await page.mouse.up();
      await expect(splitter).toHaveAttribute('aria-valuenow', '400');
      await page.reload();
      await expect(splitter).toHaveAttribute('aria-valuenow', '400');
      await splitter.focus();
      await page.keyboard.press('Enter');
      await expect(splitter).toHaveCount(0);
      await page.reload();
      await expect(page.getByRole('button', { name: 'Show the list' })).toBeVisible();
    });
  });

  test('draws only what is in view of thousands', async ({ inspector, page }) => {
    const folder = join(inspector.folder, 'many');
    mkdirSync(folder);
    for (let number = 0; number < 2000; number += 1)
      writeFileSync(join(folder, `run-${number}.log`), `${number}\n`);
    const text = await inspector.open([folder]);
    await expect(page.getByText('2,000 items')).toBeVisible();
    expect(await text.elements()).toBeLessThan(1000);
    await page.getByRole('tree').focus();
    await page.keyboard.press('End');
    await expect(page.locator('[aria-posinset="2000"]')).toBeVisible();
    await expect(page.locator('[aria-posinset="1"]')).toHaveCount(0);
  });
});

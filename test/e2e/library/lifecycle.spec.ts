/** Pins in the window, and captures that go while it is open. */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cliEntry } from '../../fixtures/cli.ts';
import { storeCapture } from '../../fixtures/library/stored-captures.ts';
import { expect, test } from '../fixtures/inspector.ts';
import { ListPage } from '../fixtures/list-page.ts';

test('a capture is pinned and let go again from its details, and what is cleaned up elsewhere goes', async ({
  inspector,
  page,
}) => {
  mkdirSync(inspector.home, { recursive: true, mode: 0o700 });
  const kept = storeCapture(inspector.home, { text: 'kept\n', ended: Date.now() });
  storeCapture(inspector.home, { text: 'gone\n', ended: Date.now() - 60_000 });
  chmodSync(join(inspector.home, 'captures'), 0o700);
  await inspector.open([]);
  const { items } = new ListPage(page);
  await expect(items).toHaveCount(2);
  await items.first().click();
  await page.keyboard.press('i');
  await page.getByRole('button', { name: 'Pin', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Pinned' })).toHaveAttribute('aria-pressed', 'true');
  await expect(items.first().getByTitle('Pinned: kept when others are cleaned up')).toBeVisible();

  const env = { ...process.env, SPILLWAY_HOME: inspector.home };
  execFileSync(process.execPath, [cliEntry, 'cleanup', '--older-than', '0'], { env });
  await expect(items).toHaveCount(1);
  await expect(page.getByText(kept.id, { exact: true })).toBeVisible();

  await page.getByRole('button', { name: 'Pinned' }).click();
  await expect(page.getByRole('button', { name: 'Pin', exact: true })).toHaveAttribute(
    'aria-pressed',
    'false',
  );
  execFileSync(process.execPath, [cliEntry, 'cleanup', '--older-than', '0'], { env });
  await expect(items).toHaveCount(0);
});

test('a pinned copy of a person’s own file is kept when the file goes', async ({ inspector, page }) => {
  const path = join(inspector.folder, 'own.log');
  writeFileSync(path, 'their own text\n');
  await inspector.open([path]);
  const { items } = new ListPage(page);
  await expect(items).toHaveCount(1);
  await items.first().click();
  await page.keyboard.press('i');
  await page.getByRole('button', { name: 'Pin a copy' }).click();
  await expect(page.getByText('A copy is kept among the captures')).toBeVisible();
  await expect(items).toHaveCount(2);
  await expect(items.getByTitle('Pinned: kept when others are cleaned up')).toHaveCount(1);
  expect(readFileSync(path, 'utf8')).toBe('their own text\n');
  rmSync(path);
  await expect(items.getByTitle('Pinned: kept when others are cleaned up')).toHaveCount(1);
});

/** Changing the stream of a command: the reader stays with what was printed at the same time. */
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import { expect, test } from './fixtures/inspector.ts';
import { ListPage } from './fixtures/list-page.ts';

const cli = join(
  process.env.SPILLWAY_DIST ?? fileURLToPath(new URL('../../dist', import.meta.url)),
  'node',
  'cli.js',
);

/** 6,000 lines on stdout; each hundredth is followed by one on stderr, as soon as it is on disk. */
const SCRIPT = `
const { existsSync, readdirSync, readFileSync, writeSync } = require('node:fs');
const folder = process.env.SPILLWAY_HOME + '/captures/';
const logs = () => existsSync(folder) ? readdirSync(folder, { recursive: true }).filter((name) => name.endsWith('.log')) : [];
const onDisk = (text) => { while (!logs().some((name) => readFileSync(folder + name, 'utf8').endsWith(text))); };
for (let hundred = 1; hundred <= 60; hundred += 1) {
  let text = '';
  for (let line = 1; line <= 100; line += 1) text += 'out ' + (hundred * 100 - 100 + line) + '\\n';
  writeSync(1, text);
  onDisk(text.slice(-9));
  const warning = 'err after ' + hundred * 100 + '\\n';
  writeSync(2, warning);
  onDisk(warning);
}`;

function record(home: string): void {
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const args = ['run', '--no-pty', '--quiet', '--session', 'streams', '--', process.execPath, '-e', SCRIPT];
  execFileSync(process.execPath, [cli, ...args], {
    env: { ...process.env, SPILLWAY_HOME: home },
    stdio: 'pipe',
  });
}

const tab = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
/** The text of the selected line, once it is in view. */
const selectedText = (page: Page) => page.locator('[data-selected] [data-text]');

test('changing the stream goes to what was printed at the same time, and back', async ({
  inspector,
  page,
}) => {
  record(inspector.home);
  const text = await inspector.open([]);
  await new ListPage(page).items.first().click();
  await text.counted(6060);
  // Line 3,000 of stdout, in the combined stream.
  await text.goTo('3029');
  await expect(selectedText(page)).toHaveText('out 3000');

  await tab(page, 'stderr').click();
  await text.counted(60);
  await expect(selectedText(page)).toHaveText('err after 3000');

  // Back without having moved: as it was left.
  await tab(page, 'Combined').click();
  await text.counted(6060);
  await expect(selectedText(page)).toHaveText('out 3000');

  await tab(page, 'stdout').click();
  await text.counted(6000);
  await expect(selectedText(page)).toHaveText('out 3000');

  // By time of arrival: neither stream knows lines of the other.
  await text.goTo('4401');
  await tab(page, 'stderr').click();
  await expect(selectedText(page)).toHaveText('err after 4500');
  await text.goTo('50');
  await tab(page, 'Combined').click();
  await expect(selectedText(page)).toHaveText('err after 5000');
});

test('at the start of one stream, another shows its start', async ({ inspector, page }) => {
  record(inspector.home);
  const text = await inspector.open([]);
  await new ListPage(page).items.first().click();
  await text.counted(6060);
  await tab(page, 'stdout').click();
  await text.counted(6000);
  expect(await text.firstWholeLine()).toBe(1);
  await expect(selectedText(page)).toHaveCount(0);
});

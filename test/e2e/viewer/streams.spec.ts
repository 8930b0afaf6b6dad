/** Changing the stream of a command: the reader stays with what was printed at the same time. */
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { cliEntry } from '../../fixtures/cli.ts';
import { expect, test } from '../fixtures/inspector.ts';
import { keep } from '../fixtures/keep.ts';
import { ListPage } from '../fixtures/list-page.ts';
import type { TextPage } from '../fixtures/text-page.ts';

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
  execFileSync(process.execPath, [cliEntry, ...args], {
    env: { ...process.env, SPILLWAY_HOME: home },
    stdio: 'pipe',
  });
}

const tab = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
/** The text of the selected line, once it is in view. */
const selectedText = (page: Page) => page.locator('[data-selected] [data-text]');

async function startsWithTheStart(text: TextPage): Promise<void> {
  const { page } = text;
  await tab(page, 'stdout').click();
  await text.counted(6000);
  expect(await text.firstWholeLine()).toBe(1);
  await expect(selectedText(page)).toHaveCount(0);
}

async function tellsThemApart(text: TextPage): Promise<void> {
  const { page } = text;
  await tab(page, 'Combined').click();
  await text.counted(6060);
  await text.goTo('101');
  await expect(selectedText(page)).toHaveText('err after 100');
  await expect(text.row(101)).toHaveAttribute('data-stream', 'stderr');
  await expect(text.row(101).getByRole('rowheader')).toHaveAccessibleName('101, stderr');
  const background = (line: number) =>
    text.row(line).evaluate((row) => getComputedStyle(row).backgroundColor);
  await page.keyboard.press('Escape');
  expect(await background(101)).not.toBe(await background(100));
  await tab(page, 'stderr').click();
  await text.counted(60);
  await expect(text.row(1)).not.toHaveAttribute('data-stream');
}

async function staysWithTheTime(text: TextPage): Promise<void> {
  const { page } = text;
  await tab(page, 'Combined').click();
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
}

async function showsTimes(text: TextPage): Promise<void> {
  const { page } = text;
  await text.scroller.focus();
  await page.keyboard.press('Home');
  await expect(text.row(1)).toBeInViewport();
  const time = (line: number) => text.row(line).locator('[data-time]');
  await expect(time(1)).toHaveCount(0);
  await page.keyboard.press('Shift+T');
  await expect(time(1)).toHaveText(/^\d\d:\d\d:\d\d\.\d{3}$/);
  await keep(page, 'times');
  await page.keyboard.press('Shift+T');
  await expect(time(2)).toHaveText(/^\+\d+\.\d{3} s$/);
  // The number stays readable beside it, and it is remembered.
  await page.reload();
  await expect(time(2)).toHaveText(/^\+\d+\.\d{3} s$/);
  await page.keyboard.press('Shift+T');
  await expect(time(2)).toHaveCount(0);

  await page.keyboard.press('Shift+T');
  const began = (await time(1).innerText()).slice(0, 8);
  await text.goTo('6000');
  await page.keyboard.press('Control+k');
  await page.keyboard.type(began);
  await expect(page.getByRole('option').first()).toContainText(`Go to what came at ${began}`);
  await page.keyboard.press('Enter');
  await expect(selectedText(page)).toHaveText('out 1');
}

test('the streams of a command', async ({ inspector, page }) => {
  record(inspector.home);
  const text = await inspector.open([]);
  await new ListPage(page).items.first().click();
  await text.counted(6060);
  await test.step('at the start of one stream, another shows its start', () => startsWithTheStart(text));
  await test.step('the combined stream tells stderr from stdout', () => tellsThemApart(text));
  await test.step('changing the stream goes to what was printed at the same time, and back', () =>
    staysWithTheTime(text));
  await test.step('lines show when they came, and a typed time leads to what came then', () =>
    showsTimes(text));
});

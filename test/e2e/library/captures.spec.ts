/** Spillway's own captures in the window: recorded by the real command, shown as they come. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { cliEntry } from '../../fixtures/cli.ts';
import { expect, test } from '../fixtures/inspector.ts';
import { ListPage } from '../fixtures/list-page.ts';
import type { TextPage } from '../fixtures/text-page.ts';

function home(path: string): string {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  return path;
}

function runArgs(script: string): string[] {
  return [cliEntry, 'run', '--no-pty', '--quiet', '--session', 'a task', '--', 'sh', '-c', script];
}

function record(path: string, script: string): void {
  const env = { ...process.env, SPILLWAY_HOME: home(path) };
  execFileSync(process.execPath, runArgs(`${script}; exit 3`), { env, stdio: 'pipe' });
}

/** The command's exit status is not this one's concern. */
function recorded(path: string, script: string): void {
  expect(() => record(path, script)).toThrow();
}

const open = (page: Page) => new ListPage(page).items.first().click();

/** Waits until the line before is on disk: on a busy machine both would arrive together. */
const ON_DISK =
  'on_disk() { n=0; until cat "$SPILLWAY_HOME"/captures/*/*.log | grep -q "$1" || [ $((n += 1)) -gt 1000 ]; do sleep 0.01; done; }';
const INTERLEAVED = `${ON_DISK}; for i in 1 2 3; do echo out $i; on_disk "out $i"; echo err $i >&2; on_disk "err $i"; done`;

test('a command with two streams', async ({ inspector, page }) => {
  recorded(inspector.home, INTERLEAVED);
  const text = await inspector.open([]);
  await open(page);
  await text.counted(6);
  await test.step('a command shows both its streams as they came, or each by itself', async () => {
    expect((await text.wholeRows()).map((row) => row.text)).toEqual([
      'out 1',
      'err 1',
      'out 2',
      'err 2',
      'out 3',
      'err 3',
    ]);
    const tab = (name: string) => page.getByRole('button', { name, exact: true });
    await expect(tab('Combined')).toHaveAttribute('aria-pressed', 'true');
    await tab('stderr').click();
    await text.counted(3);
    expect((await text.wholeRows()).map((row) => row.text)).toEqual(['err 1', 'err 2', 'err 3']);
    await text.scroller.focus();
    await page.keyboard.press('c');
    await expect(tab('Combined')).toHaveAttribute('aria-pressed', 'true');
    await page.keyboard.press('c');
    await expect(tab('stdout')).toHaveAttribute('aria-pressed', 'true');
    await text.counted(3);
  });

  await page.getByRole('button', { name: 'Combined', exact: true }).click();
  await text.counted(6);
  await test.step('a search goes on in another stream, and its line stays as it was left', () =>
    goesOnSearching(text));
  await test.step('another stream is searched for the last typed pattern, however quickly it is shown', () =>
    searchesForTheLast(text));
  await test.step('its details show the command, its folder, exit status, session and source', () =>
    showsDetails(page));
});

async function goesOnSearching(text: TextPage): Promise<void> {
  const { page } = text;
  const field = page.getByRole('textbox', { name: 'Pattern' });
  const results = page.getByRole('region', { name: 'Results' });
  await page.keyboard.press('/');
  await field.fill('err [12]');
  await expect(results).toContainText('2 matching lines');
  // An open search field stays open.
  await page.getByRole('button', { name: 'stdout', exact: true }).click();
  await text.counted(3);
  await expect(results).toContainText('No matching line');
  await expect(field).toHaveValue('err [12]');
  await field.press('Escape');
  await expect(field).toHaveCount(0);
  // A closed search field stays closed.
  await page.getByRole('button', { name: 'stderr', exact: true }).click();
  await expect(results).toContainText('2 matching lines');
  await expect(field).toHaveCount(0);
  await text.scroller.focus();
  await page.keyboard.press('c');
  await text.counted(6);
  await expect(results).toContainText('2 matching lines');
  await expect(field).toHaveCount(0);
}

async function searchesForTheLast(text: TextPage): Promise<void> {
  const { page } = text;
  const field = page.getByRole('textbox', { name: 'Pattern' });
  const results = page.getByRole('region', { name: 'Results' });
  await page.keyboard.press('/');
  await field.fill('err');
  await expect(results).toContainText('3 matching lines');
  await field.evaluate((field) => {
    // In the same turn: nothing had time to be told.
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, 'err [12]');
    field.dispatchEvent(new Event('input', { bubbles: true }));
    const tabs = [...document.querySelectorAll<HTMLElement>('[aria-label="Stream"] button')];
    tabs.find((tab) => tab.textContent === 'stderr')!.click();
  });
  await text.counted(3);
  await expect(field).toHaveValue('err [12]');
  await expect(results).toContainText('2 matching lines');
}

async function showsDetails(page: Page): Promise<void> {
  await page.keyboard.press('i');
  const details = page.getByRole('complementary', { name: 'Details' });
  await expect(details).toContainText("sh -c 'on_disk()");
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await details.getByRole('button', { name: 'Copy the command' }).click();
  await expect(details.getByRole('button', { name: 'Copied' })).toBeVisible();
  // The text as shown, which a shell can run again.
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  await expect(details).toContainText(copied);
  expect(copied).toBe(`sh -c '${INTERLEAVED}; exit 3'`);
  await expect(details).toContainText(process.cwd());
  await expect(details).toContainText('failed (exit 3)');
  await expect(details).toContainText('a task');
  await expect(details).toContainText('Took');
  for (const scheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    const shots = process.env.SPILLWAY_SHOTS;
    if (shots) await page.screenshot({ path: join(shots, `captures-${scheme}.png`) });
  }
}

test('a running command is followed to its end', async ({ inspector, page }) => {
  const path = home(inspector.home);
  const more = join(inspector.folder, 'more');
  const done = join(inspector.folder, 'done');
  const script = `echo begun; while [ ! -e '${more}' ]; do sleep 0.02; done; echo more >&2; while [ ! -e '${done}' ]; do sleep 0.02; done; exit 3`;
  const child: ChildProcess = spawn(process.execPath, runArgs(script), {
    env: { ...process.env, SPILLWAY_HOME: path },
    stdio: 'ignore',
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  try {
    const text = await inspector.open([]);
    await open(page);
    await text.counted(1);
    await expect(page.getByRole('main')).toContainText('running');
    const running = page.locator('[data-status="running"]');
    await expect(running).toHaveText(/^running \d+ s$/);
    const first = await running.textContent();
    await expect(running).not.toHaveText(first!);
    const follow = page.getByRole('button', { name: 'Follow', exact: true });
    // Its end is in view, so nobody has to ask.
    await expect(page.getByText('Following', { exact: true })).toBeVisible();
    writeFileSync(more, '');
    await text.counted(2);
    await expect(follow).toHaveAttribute('aria-pressed', 'true');
    writeFileSync(done, '');
    await expect(page.getByRole('main')).toContainText('failed');
    await expect(page.getByText(/^took [\d.]+ s$/)).toBeVisible();
    await expect(running).toHaveCount(0);
    // No more output can come, and the window must not suggest it.
    await expect(page.getByText('Ended', { exact: true })).toBeVisible();
    await expect(page.getByText('Following', { exact: true })).toHaveCount(0);
    await expect(follow).toHaveAttribute('aria-pressed', 'false');
    await text.counted(2);
    expect((await text.wholeRows()).map((row) => row.text)).toEqual(['begun', 'more']);
    await expect(page.getByText('was replaced')).toHaveCount(0);
  } finally {
    for (const file of [more, done]) if (!existsSync(file)) writeFileSync(file, '');
    await ended;
    for (const file of [more, done]) rmSync(file);
  }
});

test('commands that printed nothing, and too much', async ({ inspector, page }) => {
  const path = home(inspector.home);
  writeFileSync(join(path, 'config.json'), JSON.stringify({ maxStreamBytes: 20_000 }));
  recorded(path, 'seq 1 20000');
  recorded(path, 'echo only here');
  const text = await inspector.open([]);
  await open(page);
  await test.step('a command that printed nothing says so, and how it ended, and promises nothing', async () => {
    await text.counted(1);
    await page.getByRole('button', { name: 'stderr', exact: true }).click();
    await expect(page.getByRole('heading', { name: 'Nothing was printed to stderr' })).toBeVisible();
    await expect(page.getByText(/^The command failed after [\d.]+ m?s\.$/)).toBeVisible();
    await expect(page.getByText('as it comes')).toHaveCount(0);
  });

  await new ListPage(page).items.nth(1).click();
  await test.step('where lines were not kept, the numbers go on', async () => {
    await text.counted(20_000);
    await text.goTo('10000');
    await expect(text.row(10_000)).toContainText('not kept');
    await text.goTo('19999');
    await expect(text.row(19_999)).toContainText('19999');
    await page.keyboard.press('i');
    await expect(page.getByRole('complementary', { name: 'Details' })).toContainText('Not kept');
    const status = page.getByRole('region', { name: 'Status' });
    await expect(status).toContainText(/[\d.]+ KiB not kept/);
    await text.goTo('2422');
    for (const scheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: scheme });
      const shots = process.env.SPILLWAY_SHOTS;
      if (shots) await page.screenshot({ path: join(shots, `gap-${scheme}.png`) });
    }
  });
});

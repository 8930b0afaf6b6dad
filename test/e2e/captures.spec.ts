/** Spillway's own captures in the window: recorded by the real command, shown as they come. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
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

function home(path: string): string {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  return path;
}

function runArgs(script: string): string[] {
  return [cli, 'run', '--no-pty', '--quiet', '--session', 'a task', '--', 'sh', '-c', script];
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

const INTERLEAVED = 'for i in 1 2 3; do echo out $i; sleep 0.02; echo err $i >&2; sleep 0.02; done';

test('a command shows both its streams as they came, or each by itself', async ({ inspector, page }) => {
  recorded(inspector.home, INTERLEAVED);
  const text = await inspector.open([]);
  await open(page);
  await text.counted(6);
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

test('its details tell the command, where it ran, how it ended and to what it belongs', async ({
  inspector,
  page,
}) => {
  recorded(inspector.home, INTERLEAVED);
  await inspector.open([]);
  await open(page);
  await page.keyboard.press('i');
  const details = page.getByRole('complementary', { name: 'Details' });
  await expect(details).toContainText('sh -c for i in 1 2 3');
  await expect(details).toContainText(process.cwd());
  await expect(details).toContainText('Exit status3');
  await expect(details).toContainText('a task');
  await expect(details).toContainText('Took');
  for (const scheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    const shots = process.env.SPILLWAY_SHOTS;
    if (shots) await page.screenshot({ path: join(shots, `captures-${scheme}.png`) });
  }
});

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
    writeFileSync(more, '');
    await text.counted(2);
    writeFileSync(done, '');
    await expect(page.getByRole('main')).toContainText('failed');
    await text.counted(2);
    expect((await text.wholeRows()).map((row) => row.text)).toEqual(['begun', 'more']);
    await expect(page.getByText('was replaced')).toHaveCount(0);
  } finally {
    for (const file of [more, done]) if (!existsSync(file)) writeFileSync(file, '');
    await ended;
    for (const file of [more, done]) rmSync(file);
  }
});

test('where lines were not kept, the numbers go on', async ({ inspector, page }) => {
  const path = home(inspector.home);
  writeFileSync(join(path, 'config.json'), JSON.stringify({ maxStreamBytes: 20_000 }));
  recorded(path, 'seq 1 20000');
  const text = await inspector.open([]);
  await open(page);
  await text.counted(20_000);
  await text.goTo('10000');
  await expect(text.row(10_000)).toContainText('not kept');
  await text.goTo('19999');
  await expect(text.row(19_999)).toContainText('19999');
  await page.keyboard.press('i');
  await expect(page.getByRole('complementary', { name: 'Details' })).toContainText('Dropped');
  await text.goTo('2422');
  for (const scheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    const shots = process.env.SPILLWAY_SHOTS;
    if (shots) await page.screenshot({ path: join(shots, `gap-${scheme}.png`) });
  }
});

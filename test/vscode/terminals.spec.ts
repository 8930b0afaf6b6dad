/** Terminals of a real VS Code are recorded whole, with their commands, even when the page reloads or closes. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { DEFAULT_PROFILE, Editor } from './editor.ts';

let editor: Editor;
test.beforeAll(async ({ browser }) => {
  editor = new Editor({ settings: { 'spillway.recordTerminals': 'all' } });
  await editor.start();
  const page = await browser.newPage();
  await editor.open(page);
  await expect.poll(() => editor.settings()[DEFAULT_PROFILE]).toContain('Spillway');
  await page.close();
});
test.afterEach(() => editor.endTerminals());
test.afterAll(() => editor.remove());

test('three at once have all of their lines, under their workspace', async ({ page }) => {
  await editor.open(page);
  const ids: string[] = [];
  for (const name of ['one', 'two', 'six']) {
    ids.push((await editor.newTerminal(page)).id);
    await editor.type(page, `for i in $(seq 400); do echo ${name} $i; sleep 0.01; done`);
  }
  for (const [at, name] of ['one', 'two', 'six'].entries()) {
    const lines = Array.from({ length: 400 }, (_, i) => `${name} ${i + 1}\r\n`).join('');
    await expect.poll(() => editor.byId(ids[at]!).commands[0]?.exit).toBe(0);
    const { commands, record } = editor.byId(ids[at]!);
    expect(commands[0]!.output.toString()).toBe(lines);
    expect(record.session).toBe('shop');
  }
  await expect(editor.status(page)).toContainText('3 recorded');
});

test('its commands have their exit statuses', async ({ page }) => {
  await editor.open(page);
  const { id } = await editor.newTerminal(page);
  const commands = () => editor.byId(id).commands.map(({ command, exit }) => [command, exit]);
  const wanted: [string, number][] = [
    ['true', 0],
    // Not `(exit 3)`: VS Code's script for bash prints no marks for a subshell.
    ['sh -c "exit 3"', 3],
    ['no-such-command', 127],
  ];
  for (const [at, [line, status]] of wanted.entries()) {
    await editor.type(page, line);
    await expect.poll(() => commands()[at]).toEqual([line, status]);
  }
  await editor.type(page, 'sleep 60');
  await expect.poll(() => commands().length).toBe(4);
  await page.keyboard.press('Control+C');
  await expect.poll(() => commands()[3]).toEqual(['sleep 60', 130]);
});

test('VS Code has its own marks: decorations beside commands, and the folder', async ({ page }) => {
  await editor.open(page);
  const { id } = await editor.newTerminal(page);
  await editor.type(page, 'cd /usr');
  await editor.type(page, 'sh -c "exit 3"');
  await expect.poll(() => editor.byId(id).commands.map(({ exit }) => exit)).toEqual([0, 3]);
  expect(editor.byId(id).commands.map(({ cwd }) => cwd)).toEqual([editor.workspace, '/usr']);
  const decorations = page.locator('.terminal-wrapper.active .terminal-command-decoration');
  await expect(decorations.and(page.locator('.error'))).toHaveCount(1);
  await expect(decorations.and(page.locator('.codicon-terminal-decoration-success'))).toHaveCount(1);
});

test('24 MB and odd bytes come through as they are', async ({ page }) => {
  await editor.open(page);
  const { id } = await editor.newTerminal(page);
  await editor.type(page, "printf '\\377\\n'");
  await expect.poll(() => editor.byId(id).commands[0]?.exit).toBe(0);
  expect(editor.byId(id).commands[0]!.output).toEqual(Buffer.from([0xff, 0x0d, 0x0a]));
  await editor.type(page, 'seq 3200000');
  await expect.poll(() => editor.byId(id).commands[1]?.exit, { timeout: 120_000 }).toBe(0);
  const text = editor.byId(id).commands[1]!.output.toString();
  const lines = text.split('\r\n');
  expect(lines.length).toBe(3_200_001);
  expect(lines.every((line, i) => line === (i === 3_200_000 ? '' : String(i + 1)))).toBe(true);
});

test('a reload and a closed page lose nothing', async ({ page }) => {
  await editor.open(page);
  const { id } = await editor.newTerminal(page);
  await editor.type(page, 'for i in $(seq 80); do echo tick $i; sleep 0.1; done');
  await expect.poll(() => editor.byId(id).bytes.includes('tick 10\r\n')).toBe(true);
  const before = editor.recorded().length;
  await page.reload();
  await expect.poll(() => editor.byId(id).bytes.includes('tick 40\r\n')).toBe(true);
  await page.close();
  await expect.poll(() => editor.byId(id).commands[0]?.exit).toBe(0);
  const lines = Array.from({ length: 80 }, (_, i) => `tick ${i + 1}\r\n`).join('');
  expect(editor.byId(id).commands[0]!.output.toString()).toBe(lines);
  expect(editor.recorded().length).toBe(before);
});

test('the tab is named after the shell, or the program that runs, and the active one is written down', async ({
  page,
}) => {
  await editor.open(page);
  await editor.newTerminal(page);
  const second = await editor.newTerminal(page);
  await expect(page.locator('.terminal-tabs-entry', { hasText: 'node' })).toHaveCount(0);
  await expect(page.locator('.terminal-tabs-entry', { hasText: 'bash' }).first()).toBeVisible();
  const active = () => {
    const folder = join(editor.home, 'run', 'terminals');
    return readdirSync(folder).map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')).active);
  };
  await expect.poll(active).toContain(editor.byId(second.id).record.recorder!.pid);
  await editor.type(page, 'tail -f /dev/null');
  await expect(page.locator('.terminal-tabs-entry', { hasText: 'tail' })).toBeVisible();
  await page.keyboard.press('Control+C');
  await expect(page.locator('.terminal-tabs-entry', { hasText: 'bash' })).toHaveCount(2);
});

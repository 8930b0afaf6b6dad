/** The extension's commands and links, and what an agent gets of the active terminal, in a real VS Code. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { cli, DEFAULT_PROFILE, Editor, withoutWindow } from './editor.ts';

let editor: Editor;
let opened: () => string[];
test.beforeAll(async () => {
  editor = new Editor({
    settings: { 'spillway.recordTerminals': 'all' },
    files: { 'build.log': 'one\ntwo\n' },
  });
  opened = withoutWindow(editor);
  await editor.start();
});
test.afterEach(() => editor.endTerminals());
test.afterAll(() => editor.remove());

async function begin(page: Page) {
  await editor.open(page);
  await expect.poll(() => editor.settings()[DEFAULT_PROFILE]).toContain('Spillway');
  return editor.newTerminal(page);
}

test('an artifact id in a terminal is a link that opens it', async ({ page }) => {
  await begin(page);
  const id = 'cmd-npm_test-2026-01-13T10-30-00-abc123';
  await editor.type(page, `echo see ${id}.`);
  await expect.poll(() => editor.wholes().at(-1)!.commands[0]?.exit).toBe(0);
  const screen = (await page.locator('.terminal-wrapper.active .xterm-screen').boundingBox())!;
  // On its second line.
  const [x, y] = [screen.x + 100, screen.y + 25];
  await expect(async () => {
    await page.mouse.move(x - 50, y + 80);
    await page.mouse.move(x, y, { steps: 5 });
    await expect(page.locator('.monaco-hover', { hasText: 'Open in Spillway' })).toBeVisible({
      timeout: 5000,
    });
  }).toPass();
  await page.keyboard.down('Control');
  await page.mouse.click(x, y);
  await page.keyboard.up('Control');
  await expect.poll(opened).toContain(id);
});

test('a terminal, and the file of an editor, open in Spillway', async ({ page }) => {
  const { id } = await begin(page);
  await editor.run(page, 'Spillway: Open Terminal Output in Spillway');
  await expect.poll(opened).toContain(id);
  await page.keyboard.press('Control+p');
  await page.keyboard.type('build.log');
  await page.locator('.quick-input-list .monaco-list-row', { hasText: 'build.log' }).first().click();
  await expect(page.locator('.monaco-editor .view-line', { hasText: 'two' })).toBeVisible();
  await editor.run(page, 'Spillway: Open in Spillway');
  await expect.poll(opened).toContain(join(editor.workspace, 'build.log'));
});

test('the last failed command shows with its output and status', async ({ page }) => {
  await begin(page);
  await editor.type(page, 'sh -c "echo it broke; exit 7"');
  await editor.type(page, 'true');
  await expect.poll(() => editor.wholes().at(-1)!.commands[1]?.exit).toBe(0);
  await editor.run(page, 'Spillway: Last Failed Command');
  const lines = page.locator('.monaco-editor .view-lines').first();
  await expect(lines).toContainText(/it.broke/);
  await expect(lines).toContainText(/exit.status.7/);
});

test('an agent that names no terminal gets the active one', async ({ page }) => {
  const first = await begin(page);
  await editor.type(page, 'echo from the first');
  await expect.poll(() => editor.byId(first.id).commands[0]?.exit).toBe(0);
  const second = await editor.newTerminal(page);
  await editor.type(page, 'echo from the second');
  await expect.poll(() => editor.byId(second.id).commands[0]?.exit).toBe(0);
  const asked = () => terminalOutput({ mode: 'all' });
  await expect.poll(() => asked().head.artifact_id).toBe(second.id);
  expect(asked().text).toContain('from the second');
  await editor.run(page, 'Terminal: Focus Previous Terminal Group');
  await expect.poll(() => asked().head.artifact_id).toBe(first.id);
});

test('the terminals of agents are recorded, where VS Code has a setting for them', async ({ page }) => {
  await begin(page);
  const shim = join(editor.user, 'globalStorage', 'spillway.spillway', 'terminals', 'bash');
  const known = editor.settings()['chat.tools.terminal.terminalProfile.linux'];
  test.skip(known === undefined, 'this VS Code has no setting for the terminals of agents');
  expect(known).toEqual({ path: shim });
});

/** Returns the reply of `get_terminal_output` over MCP. */
function terminalOutput(given: object): { head: Record<string, unknown>; text: string } {
  const request = (id: number, method: string, params: object) =>
    `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;
  const input =
    request(0, 'initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    }) +
    `${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n` +
    request(1, 'tools/call', { name: 'get_terminal_output', arguments: given });
  const { stdout } = spawnSync(cli, ['mcp'], { input, env: editor.env, encoding: 'utf8' });
  const reply = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .find(({ id }) => id === 1);
  const [head, text] = reply.result.content.map((block: { text: string }) => block.text);
  return { head: reply.result.isError ? { error: head } : JSON.parse(head), text: text ?? '' };
}

/** Connecting agents in the window: the list, the exact change, consent, and taking it back. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, test } from './fixtures/inspector.ts';
import { keep } from './fixtures/keep.ts';

const CLAUDE = '{\n  "mcpServers": {\n    "docs": { "command": "docs", "args": ["--all"] }\n  }\n}\n';
const CODEX = 'model = "m" # mine\n';

test('connecting agents', async ({ inspector, page }) => {
  const person = join(inspector.folder, 'person');
  const path = (name: string) => join(person, name);
  const write = (name: string, text: string) => {
    mkdirSync(dirname(path(name)), { recursive: true });
    writeFileSync(path(name), text);
  };
  write('.claude.json', CLAUDE);
  write('.codex/config.toml', CODEX);
  write('.cursor/mcp.json', '{}');
  inspector.env = { HOME: person, PATH: '/usr/bin:/bin', XDG_CONFIG_HOME: undefined };
  await inspector.open([]);
  await expect(page.getByText('Nothing captured yet')).toBeVisible();
  await test.step('an agent is connected with consent, recorded, and as before when it is removed', () =>
    connectAndRemove(page, path, write));

  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  write('.codex/config.toml', 'a = \n');
  await test.step('what stands in the way is said, and nothing is changed', async () => {
    await page.getByRole('button', { name: 'Connect agents' }).first().click();
    await page.getByRole('button', { name: 'Connect Codex' }).click();
    await expect(page.getByRole('alert')).toContainText('config.toml cannot be read: line 2 has an error');
    await expect(page.getByRole('button', { name: 'Make this change' })).toBeDisabled();
    await page.setViewportSize({ width: 420, height: 600 });
    await keep(page, 'connect-narrow');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
  });
});

async function connectAndRemove(
  page: Page,
  path: (name: string) => string,
  write: (name: string, text: string) => void,
): Promise<void> {
  await page.keyboard.press('a');
  const dialog = page.getByRole('dialog');
  const agents = dialog.getByRole('listitem');
  await expect(agents.filter({ hasText: 'Claude Code' })).toContainText('Not connected');
  await expect(agents.filter({ hasText: 'Codex' })).toContainText('Not connected');
  await expect(dialog.getByText(/^Not found here: .*Gemini CLI/)).toBeVisible();
  await keep(page, 'connect-list');

  await dialog.getByRole('button', { name: 'Connect Claude Code' }).click();
  const change = dialog.getByRole('region', { name: 'The change' });
  await expect(change).toContainText(path('.claude.json'));
  await expect(change).not.toContainText('BASH_ENV');
  await dialog.getByLabel('Record its commands', { exact: false }).first().check();
  await dialog.getByLabel('docs').check();
  await expect(change).toContainText('+ ');
  await expect(change).toContainText('"BASH_ENV"');
  await expect(change).toContainText('"proxy"');
  await keep(page, 'connect-change');
  expect(readFileSync(path('.claude.json'), 'utf8')).toBe(CLAUDE);
  expect(existsSync(path('.claude/settings.json'))).toBe(false);

  // Somebody else changes the file between the look and the consent.
  write('.claude.json', CLAUDE.replace('--all', '--other'));
  await dialog.getByRole('button', { name: 'Make this change' }).click();
  await expect(dialog.getByRole('alert')).toContainText('were edited after the change was shown');
  expect(existsSync(path('.claude/settings.json'))).toBe(false);
  write('.claude.json', CLAUDE);

  // What the agent says that it ran afterwards.
  const timestamp = new Date(Date.now() + 3_600_000).toISOString();
  const parts = [
    { type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'make\ntest' } },
    { type: 'tool_result', tool_use_id: 't1', content: 'ok' },
  ];
  const lines = parts.map((part) => `${JSON.stringify({ timestamp, message: { content: [part] } })}\n`);
  write('.claude/projects/-p/4842b901-a646-493b-a1f8-74c4b43529a5.jsonl', lines.join(''));

  await dialog.getByRole('button', { name: 'Make this change' }).click();
  await expect(dialog.getByText(/^The server answers in/)).toBeVisible();
  await keep(page, 'connect-done');
  expect(JSON.parse(readFileSync(path('.claude/settings.json'), 'utf8')).env.SHLVL).toBe('2');
  await dialog.getByRole('button', { name: 'Back to the list' }).click();
  await expect(agents.filter({ hasText: 'Claude Code' })).toContainText(
    'Connected · commands recorded · behind the proxy: docs',
  );
  await expect(agents.filter({ hasText: 'Claude Code' })).toContainText(
    'The one command of its last session was not recorded. Not recorded: `make\\ntest`.',
  );
  await keep(page, 'connect-recorded');

  await dialog.getByRole('button', { name: 'Change Claude Code' }).click();
  // No file of the agent changes with this, but what it receives does.
  await expect(change).toContainText('Nothing changes');
  await dialog.getByLabel('preview long output', { exact: false }).check();
  await expect(change).toContainText('long output reaches it as a preview');
  await dialog.getByRole('button', { name: 'Make this change' }).click();
  await expect(dialog.getByText(/^The server answers in/)).toBeVisible();
  await dialog.getByRole('button', { name: 'Back to the list' }).click();
  await dialog.getByRole('button', { name: 'Change Claude Code' }).click();
  await expect(dialog.getByLabel('preview long output', { exact: false })).toBeChecked();

  await dialog.getByRole('button', { name: 'Remove Spillway…' }).click();
  await expect(change).toContainText('- ');
  await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(dialog.getByText('Claude Code is as it was before.')).toBeVisible();
  expect(readFileSync(path('.claude.json'), 'utf8')).toBe(CLAUDE);
  expect(existsSync(path('.claude/settings.json'))).toBe(false);
}

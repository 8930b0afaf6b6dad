/** The extension's settings and its status-bar item, in a real VS Code. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { DEFAULT_PROFILE, Editor, type EditorStart } from './editor.ts';

let editor: Editor;
test.afterEach(() => editor.remove());

async function begin(page: Page, start: EditorStart): Promise<void> {
  editor = new Editor(start);
  await editor.start();
  await editor.open(page);
}

const hasRun = (name: string) => existsSync(join(editor.workspace, name));

test('recordings belong to the session that is set, for all windows or for the workspace', async ({
  page,
}) => {
  await begin(page, { settings: { 'spillway.recordTerminals': 'all', 'spillway.session': 'mine' } });
  await expect.poll(() => editor.settings()[DEFAULT_PROFILE]).toBeTruthy();
  expect((await editor.newTerminal(page)).record.session).toBe('mine');
  const ours = join(editor.workspace, '.vscode', 'settings.json');
  writeFileSync(ours, JSON.stringify({ 'spillway.session': 'ours' }));
  // VS Code takes a changed setting a moment later.
  await expect(async () => {
    expect((await editor.newTerminal(page)).record.session).toBe('ours');
  }).toPass();
});

test('where terminals are off, not even the Spillway profile records one', async ({ page }) => {
  await begin(page, { settings: { 'spillway.recordTerminals': 'off' } });
  await editor.newFromProfile(page, 'Spillway');
  await expect(page.locator('.terminal-wrapper.active .xterm-screen')).toBeVisible();
  await editor.type(page, 'echo typed > typed');
  await expect.poll(() => hasRun('typed')).toBe(true);
  expect(editor.recorded()).toEqual([]);
});

test('the status bar stops the recording of new terminals', async ({ page }) => {
  await begin(page, { settings: { 'spillway.recordTerminals': 'all', 'spillway.recordTasks': true } });
  await expect.poll(() => editor.settings()[DEFAULT_PROFILE]).toBeTruthy();
  await editor.newTerminal(page);
  // VS Code starts a terminal anew when its environment changes, unless somebody typed there.
  await editor.type(page, 'echo first > first');
  await expect.poll(() => hasRun('first')).toBe(true);
  const before = editor.wholes().length;
  await expect(editor.status(page)).toContainText(`${before} recorded`);
  await editor.status(page).click();
  await expect(page.getByText('Spillway: records all new terminals and tasks')).toBeVisible();
  await page.getByText('Stop recording new terminals').click();
  await expect.poll(() => editor.settings()[DEFAULT_PROFILE]).toBeUndefined();
  await expect.poll(() => JSON.stringify(editor.settings())).not.toContain('spillway.spillway');
  await page.keyboard.press('Control+Shift+Backquote');
  await expect(editor.status(page)).toContainText('This terminal is not recorded');
  await editor.type(page, 'echo typed > typed');
  await expect.poll(() => hasRun('typed')).toBe(true);
  expect(editor.wholes().length).toBe(before);
});

/** The extension's entries in VS Code's own context menus, clicked in a real VS Code. */
import { join } from 'node:path';
import { expect, type Locator, type Page, test } from '@playwright/test';
import { DEFAULT_PROFILE, Editor, withoutWindow } from './editor.ts';

let editor: Editor;
let opened: () => string[];
test.beforeAll(async () => {
  editor = new Editor({
    settings: { 'spillway.recordTerminals': 'all' },
    files: { 'build.log': 'one\ntwo\n', 'test.log': 'three\n' },
  });
  opened = withoutWindow(editor);
  await editor.start();
});
test.afterEach(() => editor.endTerminals());
test.afterAll(() => editor.remove());

const inWorkspace = (name: string) => join(editor.workspace, name);

/** Chooses an entry of the context menu of what `on` names. */
async function choose(page: Page, on: Locator, entry: string): Promise<void> {
  const item = page.getByRole('menuitem', { name: entry, exact: true });
  await expect(async () => {
    await on.click({ button: 'right' });
    await expect(item).toBeVisible({ timeout: 10_000 });
    // A menu ignores a click that comes too soon after it opened, and stays.
    await item.click();
    await expect(item).toBeHidden({ timeout: 5000 });
  }).toPass();
}

async function openFile(page: Page, name: string): Promise<void> {
  await page.keyboard.press('Control+p');
  await page.keyboard.type(name);
  await page.locator('.quick-input-list .monaco-list-row', { hasText: name }).first().click();
  await expect(page.getByRole('tab', { name })).toBeVisible();
}

test('a file opens in Spillway from the explorer', async ({ page }) => {
  await editor.open(page);
  await page.keyboard.press('Control+Shift+e');
  await choose(page, page.getByRole('treeitem', { name: 'build.log' }), 'Open in Spillway');
  await expect.poll(opened).toContain(inWorkspace('build.log'));
});

test('a file opens in Spillway from its tab, and from its text', async ({ page }) => {
  await editor.open(page);
  await openFile(page, 'build.log');
  await openFile(page, 'test.log');
  const before = opened().length;
  // Not the one in front.
  await choose(page, page.getByRole('tab', { name: 'build.log' }), 'Open in Spillway');
  await expect.poll(() => opened().slice(before)).toEqual([inWorkspace('build.log')]);
  await page.getByRole('tab', { name: 'test.log' }).click();
  await choose(page, page.locator('.monaco-editor .view-line', { hasText: 'three' }), 'Open in Spillway');
  await expect.poll(() => opened().slice(before + 1)).toEqual([inWorkspace('test.log')]);
});

test('a terminal opens in Spillway from its own menu', async ({ page }) => {
  await editor.open(page);
  await expect.poll(() => editor.settings()[DEFAULT_PROFILE]).toContain('Spillway');
  const { id } = await editor.newTerminal(page);
  const screen = page.locator('.terminal-wrapper.active .xterm-screen');
  await choose(page, screen, 'Open Terminal Output in Spillway');
  await expect.poll(opened).toContain(id);
});

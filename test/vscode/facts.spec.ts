/** Facts that only VS Code has: the names of its terminals, and which were open before recording began. */
import { spawnSync } from 'node:child_process';
import { expect, type Page, test } from '@playwright/test';
import { cli, DEFAULT_PROFILE, Editor } from './editor.ts';

let editor: Editor;
test.afterEach(() => editor.remove());

/** As `spillway list` shows them, newest first. */
function listed(): { artifact_id: string; label: string; session: string; status: string }[] {
  const { stdout } = spawnSync(cli, ['list', '--json'], { env: editor.env, encoding: 'utf8' });
  return JSON.parse(stdout).outputs;
}

async function begin(page: Page, settings: object): Promise<void> {
  editor = new Editor({ settings });
  await editor.start();
  await editor.open(page);
}

test('a terminal that was open before is listed as incomplete, until it is closed', async ({ page }) => {
  await begin(page, {});
  await page.keyboard.press('Control+Shift+Backquote');
  await expect(page.locator('.terminal-wrapper.active .xterm-screen')).toBeVisible();
  expect(listed()).toEqual([]);
  await page.getByRole('button', { name: 'All terminals' }).click();
  await expect.poll(() => editor.recorded().length).toBe(1);
  const [{ id, record }] = editor.recorded() as [ReturnType<Editor['byId']>];
  expect(record).toMatchObject({ label: 'bash', session: 'shop', status: 'running' });
  expect(record.warnings).toEqual([expect.stringMatching(/^Incomplete: /)]);
  await expect(editor.status(page)).toContainText('Not recorded');
  const second = await editor.newTerminal(page);
  expect(second.record.warnings).toEqual([]);
  await expect(editor.status(page)).toContainText(/\d recorded/);
  // It stays the same one when the extension starts anew.
  const before = editor.recorded().length;
  // VS Code saves which terminals there are a moment after a change.
  await editor.type(page, "sleep 3; echo so''on");
  await expect.poll(() => editor.byId(second.id).bytes.includes('soon')).toBe(true);
  await page.reload();
  await expect(editor.status(page)).toContainText(/\d recorded/);
  expect(editor.recorded().length).toBe(before);
  await page.locator('.terminal-tabs-entry').first().click();
  await editor.type(page, 'exit 3');
  await expect.poll(() => editor.byId(id).record).toMatchObject({ status: 'finished', exit_code: 3 });
});

test('a terminal has the name that it has in VS Code', async ({ page }) => {
  await begin(page, { 'spillway.recordTerminals': 'all' });
  await expect.poll(() => editor.settings()[DEFAULT_PROFILE]).toBeTruthy();
  await editor.newTerminal(page);
  await expect.poll(() => listed()[0]?.label).toBe('bash');
  await editor.run(page, 'Terminal: Rename...');
  await page.keyboard.press('Control+a');
  await page.keyboard.type('dev server\n');
  await expect.poll(() => listed()[0]).toMatchObject({ label: 'dev server', session: 'shop' });
});

test('only terminals of the Spillway profile are recorded, where that is the choice', async ({ page }) => {
  await begin(page, { 'spillway.recordTerminals': 'profile' });
  await page.keyboard.press('Control+Shift+Backquote');
  await expect(page.locator('.terminal-wrapper.active .xterm-screen')).toBeVisible();
  await editor.newFromProfile(page, 'Spillway');
  await expect.poll(() => editor.recorded().map(({ record }) => record.session)).toEqual(['shop']);
  await expect(editor.status(page)).toContainText('1 recorded');
  expect(editor.settings()[DEFAULT_PROFILE]).toBeUndefined();
});

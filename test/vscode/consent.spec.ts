/** Consent, tasks, zsh and fish, a missing Spillway, and uninstalling, in a real VS Code. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { DEFAULT_PROFILE, Editor, type EditorStart } from './editor.ts';

let editor: Editor | null = null;
test.afterEach(async () => {
  await editor?.remove();
  editor = null;
});

async function begin(page: Page, start: EditorStart = {}): Promise<Editor> {
  editor = new Editor(start);
  await editor.start();
  await editor.open(page);
  return editor;
}

test('nothing is recorded before the user agrees, and then what they chose', async ({ page }) => {
  const code = await begin(page);
  await page.keyboard.press('Control+Shift+Backquote');
  await expect(page.locator('.terminal-wrapper.active .xterm-screen')).toBeVisible();
  await code.type(page, 'echo typed > typed');
  await expect.poll(() => existsSync(join(code.workspace, 'typed'))).toBe(true);
  expect(code.recorded()).toEqual([]);
  await page.getByRole('button', { name: 'All terminals' }).click();
  await expect.poll(() => code.settings()[DEFAULT_PROFILE]).toContain('Spillway');
  await code.newTerminal(page);
  await expect(code.status(page)).toContainText('1 recorded');
  await code.status(page).click();
  await page.getByText('Stop recording new terminals').click();
  await expect.poll(() => code.settings()[DEFAULT_PROFILE]).toBeUndefined();
  await expect.poll(() => code.settings()['terminal.integrated.automationProfile.linux']).toBeUndefined();
});

for (const shell of ['zsh', 'fish'])
  test(`${shell} has its commands`, async ({ page }) => {
    test.skip(!existsSync(`/usr/bin/${shell}`), `${shell} is not installed`);
    const code = await begin(page, {
      settings: { 'spillway.recordTerminals': 'all' },
      shell: `/usr/bin/${shell}`,
    });
    await expect.poll(() => code.settings()[DEFAULT_PROFILE]).toContain('Spillway');
    const { id, record } = await code.newTerminal(page);
    expect(record.label).toBe(shell);
    const commands = () => code.byId(id).commands.map(({ command, exit }) => [command, exit]);
    await code.type(page, 'sh -c "exit 3"');
    await expect.poll(() => commands()[0]).toEqual(['sh -c "exit 3"', 3]);
    await code.type(page, 'echo fine');
    await expect.poll(() => commands()[1]).toEqual(['echo fine', 0]);
  });

test('a task is recorded with its exit status', async ({ page }) => {
  const task = { label: 'build', type: 'shell', command: 'echo from the task; exit 3' };
  const tasks = { version: '2.0.0', tasks: [{ ...task, runOptions: { runOn: 'folderOpen' } }] };
  const code = await begin(page, {
    settings: { 'spillway.recordTasks': true },
    files: { '.vscode/tasks.json': JSON.stringify(tasks) },
  });
  await expect.poll(() => code.settings()['terminal.integrated.automationProfile.linux']).toBeTruthy();
  await page.reload();
  const found = () => code.recorded().find(({ record }) => record.label === 'task');
  await expect.poll(() => found()?.record).toMatchObject({ status: 'finished', exit_code: 3 });
  expect(found()!.bytes.toString()).toContain('from the task\r\n');
});

test('without Spillway, the shell starts all the same', async ({ page }) => {
  const code = await begin(page, {
    settings: { 'spillway.recordTerminals': 'all' },
    machineSettings: { 'spillway.path': '/nowhere/spillway' },
  });
  await expect.poll(() => code.settings()[DEFAULT_PROFILE]).toContain('Spillway');
  await page.keyboard.press('Control+Shift+Backquote');
  await expect(page.locator('.terminal-wrapper.active .xterm-screen')).toBeVisible();
  await code.type(page, 'echo works > works');
  const file = join(code.workspace, 'works');
  await expect.poll(() => existsSync(file) && readFileSync(file, 'utf8')).toBe('works\n');
  expect(code.recorded()).toEqual([]);
});

for (const extensions of ['beside', 'elsewhere'] as const)
  test(`uninstalling leaves nothing behind, with the extensions ${extensions}`, async ({ page }) => {
    const code = await begin(page, {
      extensions,
      settings: { 'spillway.recordTerminals': 'all', 'spillway.recordTasks': true, 'editor.fontSize': 13 },
    });
    const storage = join(code.user, 'globalStorage', 'spillway.spillway');
    await expect.poll(() => code.settings()['terminal.integrated.automationProfile.linux']).toBeTruthy();
    expect(existsSync(storage)).toBe(true);
    await page.close();
    await code.stop();
    code.manage('--uninstall-extension', 'spillway.spillway');
    // VS Code runs what an extension left for its end when it starts next.
    await code.start();
    await expect.poll(() => existsSync(storage)).toBe(false);
    expect(code.settings()).toMatchObject({ 'editor.fontSize': 13 });
    await expect.poll(() => JSON.stringify(code.settings())).not.toMatch(/spillway/i);
    await expect.poll(() => leftIn(code.root)).toEqual([]);
  });

/** The extension's files, VS Code's logs aside; and what it wrote into Spillway's home. */
function leftIn(root: string): string[] {
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' });
  return names.filter(
    (name) => /^(data|elsewhere)\/.*spillway|run\/terminals\/./i.test(name) && !name.includes('/logs/'),
  );
}

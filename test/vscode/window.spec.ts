/** Terminals of a real VS Code in Spillway's window. */
import { type ChildProcess, spawn } from 'node:child_process';
import { expect, test } from '@playwright/test';
import { cli, DEFAULT_PROFILE, Editor, withoutWindow } from './editor.ts';

const editors: Editor[] = [];
let inspector: ChildProcess | null = null;
test.afterEach(async () => {
  inspector?.kill();
  for (const editor of editors.splice(0)) await editor.remove();
});

/** Starts Spillway's page, and returns its address. */
async function serve({ env }: Editor): Promise<string> {
  inspector = spawn(cli, ['serve', '--port', '0'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  inspector.stdout?.on('data', (bytes: Buffer) => {
    said += bytes.toString();
  });
  await expect.poll(() => /http:\S+/.exec(said)?.[0]).toBeTruthy();
  return /http:\S+/.exec(said)![0];
}

test('the window lists terminals under their workspace, as VS Code names them, with their commands', async ({
  page,
  context,
}) => {
  const editor = new Editor({ settings: { 'spillway.recordTerminals': 'all' } });
  editors.push(editor);
  await editor.start();
  await editor.open(page);
  await expect.poll(() => editor.settings()[DEFAULT_PROFILE]).toBeTruthy();
  const { id } = await editor.newTerminal(page);
  await editor.type(page, 'sh -c "echo it is broken; exit 3"');
  await expect.poll(() => editor.byId(id).commands[0]?.exit).toBe(3);
  await editor.run(page, 'Terminal: Rename...');
  await page.keyboard.press('Control+a');
  await page.keyboard.type('dev server\n');
  const window = await context.newPage();
  await window.goto(await serve(editor));
  const item = (name: RegExp) => window.getByRole('treeitem', { name });
  await expect(item(/^shop \d+ running/)).toBeVisible();
  await item(/^dev server terminal .*running/).click();
  await window.getByRole('button', { name: /Commands/ }).click();
  const commands = window.getByRole('complementary', { name: 'Commands' }).getByRole('listitem');
  await expect(commands).toHaveCount(1);
  await expect(commands).toContainText('sh -c "echo it is broken; exit 3"');
  await expect(commands).toContainText('failed (3)');
});

test('over a remote connection, what is opened first brings the page, and later ones offer it', async ({
  page,
  context,
}) => {
  const editor = new Editor({ files: { 'build.log': 'one\n' } });
  editors.push(editor);
  const opened = withoutWindow(editor, 'Spillway is at http://127.0.0.1:45871/?token=given');
  await editor.start();
  await editor.open(page);
  const open = () => editor.run(page, 'Spillway: Open in Spillway');
  await page.keyboard.press('Control+p');
  await page.keyboard.type('build.log');
  await page.locator('.quick-input-list .monaco-list-row', { hasText: 'build.log' }).first().click();
  await expect(page.locator('.monaco-editor .view-line', { hasText: 'one' })).toBeVisible();
  // VS Code leads to the port in its own way, such as a proxy.
  const forwarded = /45871\/\?token=given$/;
  const [first] = await Promise.all([context.waitForEvent('page'), open()]);
  await expect.poll(() => first.url()).toMatch(forwarded);
  await first.close();
  await open();
  await expect.poll(() => opened().length).toBe(2);
  const [second] = await Promise.all([
    context.waitForEvent('page'),
    page.getByRole('button', { name: 'Open the page' }).click(),
  ]);
  await expect.poll(() => second.url()).toMatch(forwarded);
});

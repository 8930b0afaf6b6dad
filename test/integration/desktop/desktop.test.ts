/** The built main process with the real host, on an `electron` that records and helps nobody: start to quit. */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cliEntry } from '../../fixtures/cli.ts';
import { makeFolder, removeFolder } from '../../fixtures/folder.ts';

const shim = fileURLToPath(new URL('./recording-electron.cjs', import.meta.url));
const main = join(dirname(cliEntry), 'main.cjs');

type Call = [string, ...unknown[]];

let folder: string;
let desktop: ChildProcessByStdio<Writable, Readable, null>;
let calls: Call[];
let ended: Promise<number | null>;

beforeEach(() => {
  folder = makeFolder();
  mkdirSync(join(folder, 'home'), { mode: 0o700 });
  writeFileSync(join(folder, 'a log'), 'one\ntwo\n');
});
afterEach(async () => {
  desktop.kill('SIGKILL');
  await ended;
  removeFolder(folder);
});

function start(...words: string[]): void {
  calls = [];
  desktop = spawn(process.execPath, [shim, main, ...words], {
    cwd: folder,
    env: {
      ...process.env,
      SPILLWAY_HOME: join(folder, 'home'),
      SPILLWAY_TEST_PROFILE: join(folder, 'profile'),
      SPILLWAY_FIND_AGENTS: '0',
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let held = '';
  desktop.stdout.on('data', (chunk: Buffer) => {
    const lines = (held + chunk).split('\n');
    held = lines.pop() ?? '';
    calls.push(...lines.map((line) => JSON.parse(line) as Call));
  });
  ended = new Promise((resolve) => desktop.on('close', resolve));
}
/** The profile of this home. */
const profile = () => {
  const homes = join(folder, 'profile', 'homes');
  return join(homes, readdirSync(homes)[0] ?? '');
};
const next = (...step: unknown[]) => void desktop.stdin.write(`${JSON.stringify(step)}\n`);
const called = (name: string) => calls.filter(([call]) => call === name);
const comes = (...call: unknown[]) => expect.poll(() => calls).toContainEqual(call);

describe('the built desktop app', () => {
  it('starts as root starts it, shows the window without its first frame, serves the page, and quits', async () => {
    start('--no-sandbox', '/app', `file://${folder.replace(/ /g, '%20')}/a%20log`);
    await comes('lock', { paths: [join(folder, 'a log')], links: [] });
    expect(called('enableSandbox')).toHaveLength(1);
    expect(called('window')).toEqual([]);
    next('ready');
    await comes('load', 'spillway://app/', 200, true);
    await comes('window', { show: false, preload: true });
    await comes('recent', join(folder, 'a log'));
    // The stand-in never reports a first frame.
    await comes('show');
    next('page');
    await comes('port', 'spillway:port');
    await expect.poll(() => called('answer').length).toBeGreaterThan(0);
    expect(JSON.stringify(called('answer')[0])).toContain('"shell":"electron"');

    next('close');
    await expect.poll(() => calls.at(-1)).toEqual(['quit']);
    expect(await ended).toBe(0);
    expect(called('unhandled')).toEqual([]);
    expect(existsSync(join(folder, 'home', 'run', 'control'))).toBe(false);
    expect(JSON.parse(readFileSync(join(profile(), 'window.json'), 'utf8'))).toMatchObject({
      bounds: { width: 800 },
    });
  });

  it('listens to all that a system, a window and a page may tell', async () => {
    start('/app');
    next('ready');
    await comes('load', 'spillway://app/', 200, true);
    const listened = new Set(calls.filter(([call]) => call.endsWith('.on')).map((call) => call.join(' ')));
    for (const name of [
      ...[
        'second-instance',
        'open-file',
        'open-url',
        'activate',
        'window-all-closed',
        'before-quit',
        'will-quit',
      ],
      ...['web-contents-created', 'child-process-gone'],
    ])
      expect(listened).toContain(`app.on ${name}`);
    for (const name of ['ready-to-show', 'close', 'closed', 'unresponsive'])
      expect(listened).toContain(`window.on ${name}`);
    for (const name of [
      ...['did-finish-load', 'did-fail-load', 'render-process-gone', 'context-menu'],
      ...['will-navigate', 'will-frame-navigate', 'will-redirect', 'will-attach-webview'],
    ])
      expect(listened).toContain(`contents.on ${name}`);
    for (const name of ['connect', 'menu', 'theme']) expect(listened).toContain(`ipc.on spillway:${name}`);
    expect(listened).toContain('session.on will-download');
    for (const name of [
      'permission requests',
      'permission checks',
      'device permissions',
      'window open handler',
    ])
      expect(called(name)).toHaveLength(1);
  });

  it('offers each menu item, and what each asks', async () => {
    start('/app');
    next('ready');
    await expect.poll(() => called('menu').length).toBe(1);
    const labels = called('menu')[0]?.[1] as string[];
    for (const label of [
      '&Open File…',
      'Open &Folder…',
      'Desktop',
      'undo',
      'cut',
      'copy',
      'paste',
      'selectAll',
      'about',
    ])
      expect(labels).toContain(label);
    next('pick', join(folder, 'a log'));
    next('press', '&Open File…');
    await comes('open dialog', ['openFile', 'multiSelections', 'showHiddenFiles']);
    await comes('recent', join(folder, 'a log'));
    next('pick');
    next('press', 'Open &Folder…');
    await comes('open dialog', ['openDirectory', 'multiSelections', 'showHiddenFiles']);
    next('press', 'Keep in the Tray When Closed');
    await comes('tray', true);
    next('close');
    await comes('close prevented');
    next('press', 'Keep in the Tray When Closed');
    await comes('no tray');
    next('contents', 'context-menu', {
      ...{ isEditable: true, selectionText: '' },
      editFlags: {
        canUndo: true,
        canRedo: true,
        canCut: true,
        canCopy: true,
        canPaste: true,
        canSelectAll: true,
      },
    });
    await comes('context menu', ['undo', 'redo', null, 'cut', 'copy', 'paste', null, 'selectAll']);
    expect(called('unhandled')).toEqual([]);
  });

  it.each([
    ['the page dies', ['contents', 'render-process-gone', { reason: 'crashed' }], 'The window has crashed'],
    [
      'a part of it dies',
      ['app', 'child-process-gone', { type: 'GPU', reason: 'crashed' }],
      'A part of the window has crashed',
    ],
    ['it hangs', ['window', 'unresponsive'], 'The window does not respond'],
    [
      'it does not load',
      ['contents', 'did-fail-load', -105, 'NO', '', true],
      'The window could not be loaded',
    ],
  ])('offers to reload when %s, and the host goes on', async (_what, event, message) => {
    start('/app');
    next('ready');
    await comes('load', 'spillway://app/', 200, true);
    next(...event);
    await expect.poll(() => called('question')[0]?.[1]).toBe(message);
    await expect.poll(() => called('load').length).toBe(2);
    next('page');
    await expect.poll(() => called('answer').length).toBeGreaterThan(0);
  });

  it('says after ready why it cannot run, and ends with 1', async () => {
    writeFileSync(join(folder, 'home', 'run'), 'in the way');
    start('/app');
    await comes('enableSandbox');
    expect(called('error box')).toEqual([]);
    next('ready');
    await expect.poll(() => called('error box').length).toBe(1);
    expect(await ended).toBe(1);
  });
});

/** The built main process with the real host, on an `electron` that records and helps nobody: start to quit. */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
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
  platform = process.platform;
  folder = makeFolder();
  mkdirSync(join(folder, 'home'), { mode: 0o700 });
  writeFileSync(join(folder, 'a log'), 'one\ntwo\n');
});
afterEach(async () => {
  desktop.kill('SIGKILL');
  await ended;
  removeFolder(folder);
});

let platform: string = process.platform;

function start(...words: string[]): void {
  calls = [];
  desktop = spawn(process.execPath, [shim, main, ...words], {
    cwd: folder,
    env: {
      ...process.env,
      SPILLWAY_HOME: join(folder, 'home'),
      SPILLWAY_TEST_PROFILE: join(folder, 'profile'),
      SPILLWAY_TEST_PLATFORM: platform,
      SPILLWAY_AWAITED_WINDOW: join(folder, 'awaited'),
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

/** Connects to the socket for agents; returns what calls a tool. */
async function connectAgent(home: string) {
  const path = join(home, 'run', 'mcp.sock');
  await expect.poll(() => existsSync(path)).toBe(true);
  const socket = connect(path);
  let held = '';
  const replies = new Map<number, (reply: unknown) => void>();
  socket.on('data', (chunk) => {
    const lines = (held + chunk).split('\n');
    held = lines.pop() ?? '';
    for (const line of lines) {
      const reply = JSON.parse(line) as { id?: number };
      if (reply.id !== undefined) replies.get(reply.id)?.(reply);
    }
  });
  let id = 0;
  const ask = (method: string, params: object) => {
    id += 1;
    socket.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    return new Promise((resolve) => replies.set(id, resolve));
  };
  const clientInfo = { name: 'test', version: '1' };
  await ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
  const call = (name: string, given: object) => ask('tools/call', { name, arguments: given });
  return Object.assign(call, { close: () => socket.destroy() });
}

describe('the built desktop app', () => {
  it('starts as root starts it, shows the window without its first frame, serves the page, and quits', async () => {
    writeFileSync(join(folder, 'awaited'), '');
    start('--no-sandbox', '/app', `file://${folder.replace(/ /g, '%20')}/a%20log`);
    await comes('lock', { paths: [join(folder, 'a log')], links: [] });
    expect(called('enableSandbox')).toHaveLength(1);
    expect(called('window')).toEqual([]);
    next('ready');
    await comes('load', 'spillway://app/', 200, true);
    await comes('window', { show: false, x: null, width: 1280, preload: true });
    await comes('recent', join(folder, 'a log'));
    expect(existsSync(join(folder, 'awaited'))).toBe(true);
    // The stand-in never reports a first frame.
    await comes('show');
    // `npm start` hears of it so.
    await expect.poll(() => existsSync(join(folder, 'awaited'))).toBe(false);
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

  it('offers to reload when the page or a part dies, hangs or does not load, and the host goes on', async () => {
    start('/app');
    next('ready');
    await comes('load', 'spillway://app/', 200, true);
    const happened = [
      [['contents', 'render-process-gone', { reason: 'crashed' }], 'The window has crashed'],
      [['app', 'child-process-gone', { type: 'GPU', reason: 'crashed' }], 'A part of the window has crashed'],
      [['window', 'unresponsive'], 'The window does not respond'],
      [['contents', 'did-fail-load', -105, 'NO', '', true], 'The window could not be loaded'],
    ] as const;
    for (const [index, [event, message]] of happened.entries()) {
      next(...event);
      await expect.poll(() => called('question')[index]?.[1]).toBe(message);
      await expect.poll(() => called('load').length).toBe(index + 2);
    }
    next('answer', 1);
    next('window', 'unresponsive');
    await expect.poll(() => called('question').length).toBe(5);
    next('page');
    await expect.poll(() => called('answer').length).toBeGreaterThan(0);
    expect(called('load')).toHaveLength(5);
    expect(called('unhandled')).toEqual([]);
  });

  it('follows the settings in config.json: tray, background, update notice', async () => {
    const use = (settings: object) =>
      writeFileSync(join(folder, 'home', 'config.json'), JSON.stringify(settings));
    use({ whenClosed: 'tray' });
    start('/app');
    next('ready');
    await comes('tray', true);
    await comes('tray menu', ['Show Spillway', 'Open File…', 'line', 'Quit']);
    next('close');
    await comes('close prevented');
    next('press', 'Show Spillway', 'tray');
    await comes('focus');
    next('pick', join(folder, 'a log'));
    next('press', 'Open File…', 'tray');
    await comes('recent', join(folder, 'a log'));

    use({ whenClosed: 'background', updateNotice: true });
    await comes('no tray');
    await comes('fetch', 'https://github.com/spillway/inspector/releases/latest/download/latest.json');
    const hidden = called('hide').length;
    next('close');
    await expect.poll(() => called('hide').length).toBe(hidden + 1);
    const shown = called('show').length;
    next('app', 'second-instance', [], folder, { paths: [join(folder, 'a log')], links: [] });
    await expect.poll(() => called('show').length).toBe(shown + 1);
    next('close');
    await expect.poll(() => called('hide').length).toBe(hidden + 2);
    // Nothing would lead back to it.
    use({});
    await expect.poll(() => called('show').length).toBe(shown + 2);
    next('quit');
    expect(await ended).toBe(0);
    expect(called('unhandled')).toEqual([]);
  });

  it('does for the page what only the system can: menu, theme, saving, addresses, permissions', async () => {
    start('/app');
    next('ready');
    await comes('load', 'spillway://app/', 200, true);
    const entry = { action: 'Keys', menu: 'Help', key: '?', applies: true, isOn: null };
    next('ipc', 'spillway:menu', [entry]);
    await expect.poll(() => called('menu').at(-1)?.[1]).toContain('Keys');
    next('press', 'Keys');
    await comes('send', 'spillway:chosen', 'Keys');
    next('ipc', 'spillway:theme', 'dark');
    next('theme');
    await comes('theme', 'dark');
    for (const [state, outcome] of [
      ['completed', 'saved'],
      ['cancelled', null],
      ['interrupted', 'failed'],
    ]) {
      next('download', state);
      await comes('send', 'spillway:saved', { url: 'blob:spillway://app/1', outcome });
    }
    await comes('save dialog', join(folder, 'profile', 'marks.md'));
    next('follow', 'https://example.org/');
    await comes('new window', { action: 'deny' });
    await comes('open external', 'https://example.org/');
    await comes('navigation', true);
    for (const [permission, isAllowed] of [
      ['notifications', true],
      ['media', false],
    ]) {
      next('ask', permission);
      await comes('allowed', permission, isAllowed);
    }
    expect(called('unhandled')).toEqual([]);
  });

  it('asks before it ends what an agent runs, keeps it running, and ends it', async () => {
    start('/app');
    next('ready');
    await comes('load', 'spillway://app/', 200, true);
    const agent = await connectAgent(join(folder, 'home'));
    try {
      await agent('run_command', { command: 'sleep 600', background: true });
      next('answer', 2);
      next('close');
      await comes('close prevented');
      await expect.poll(() => called('question').length).toBe(1);
      expect(called('question')[0]?.slice(1)).toEqual([
        'An agent still runs a command',
        'sleep 600',
        ['End It', 'Keep Running Without a Window', 'Cancel'],
      ]);
      expect(called('hide')).toEqual([]);
      next('answer', 1);
      next('quit');
      await comes('hide');
      next('answer', 0);
      next('quit');
      expect(await ended).toBe(0);
    } finally {
      agent.close();
    }
  });

  it('hands its files to a server of this home, whose page it shows', async () => {
    const env = { ...process.env, SPILLWAY_HOME: join(folder, 'home'), SPILLWAY_FIND_AGENTS: '0' };
    const server = spawn(process.execPath, [cliEntry, 'serve', '--port', '0'], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      await new Promise((resolve) => server.stdout.once('data', resolve));
      start('/app', 'a log');
      next('ready');
      await expect
        .poll(() => called('open external')[0]?.[1], { timeout: 20_000 })
        .toMatch(/^http:\/\/127\.0\.0\.1:/);
      expect(await ended).toBe(0);
      expect(called('show')).toEqual([]);
    } finally {
      server.kill('SIGTERM');
    }
  });

  it.each([
    ['darwin', 'dock menu', ['Open File…']],
    ['win32', 'jump list', [{ type: 'recent' }]],
  ])('begins and goes on as on %s', async (as, name, offered) => {
    // The shell's part alone: the host finds a Linux system.
    platform = as;
    start('/app');
    next('ready');
    await comes('load', 'spillway://app/', 200, true);
    await comes(name, offered);
    if (as === 'darwin') {
      next('close');
      await comes('closed');
      next('app', 'activate');
      await expect.poll(() => called('window').length).toBe(2);
      next('close');
      await expect.poll(() => called('closed').length).toBe(2);
      next('app', 'open-file', join(folder, 'a log'));
      await comes('recent', join(folder, 'a log'));
      await expect.poll(() => called('window').length).toBe(3);
      next('pick', join(folder, 'a log'));
      next('press', 'Open File…', 'dock');
      await comes('open dialog', ['openFile', 'multiSelections', 'showHiddenFiles']);
    }
    next('quit');
    expect(await ended).toBe(0);
    expect(called('unhandled')).toEqual([]);
  });

  it('puts the window where it was, if a display shows that', async () => {
    start('/app');
    next('ready');
    await comes('load', 'spillway://app/', 200, true);
    next('close');
    await ended;
    start('/app');
    next('ready');
    await comes('window', { show: false, x: 1, width: 800, preload: true });
    next('close');
    await ended;
    const kept = JSON.parse(readFileSync(join(profile(), 'window.json'), 'utf8'));
    writeFileSync(
      join(profile(), 'window.json'),
      JSON.stringify({ ...kept, bounds: { ...kept.bounds, x: 5000 } }),
    );
    start('/app');
    next('ready');
    await comes('window', { show: false, x: null, width: 1280, preload: true });
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

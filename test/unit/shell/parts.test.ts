/** Edge cases of the desktop window's functions. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { handOverPort, type Ipc, type PageMessage } from '../../../electron/shell/hand-over.ts';
import { handedOver, linkOf, openingOf, profileFolder } from '../../../electron/shell/launch.ts';
import { contextMenuTemplate, menuTemplate } from '../../../electron/shell/menu.ts';
import { externalAddress, isOurOrigin, isOurPage } from '../../../electron/shell/protocol.ts';
import { BACKGROUND, keepWindow, keptTheme, windowPlace } from '../../../electron/shell/window.ts';
import type { MenuEntry } from '../../../shared/desktop.ts';
import { DESKTOP, type Desktop } from '../../../shared/desktop.ts';
import type { StandIn } from '../../fixtures/set-up/desktop-window.ts';

describe('the preload', () => {
  afterEach(() => void vi.unstubAllGlobals());
  const origin = 'spillway://app';

  function setUp() {
    const sent: string[] = [];
    const posted: unknown[][] = [];
    let toPage = (_event: { ports: readonly unknown[] }) => {};
    let toPreload = (_event: PageMessage) => {};
    const page = {
      location: { origin },
      addEventListener: (_type: 'message', listener: (event: PageMessage) => void) => {
        toPreload = listener;
      },
      postMessage: (...args: unknown[]) => void posted.push(args),
    };
    const ipc: Ipc = {
      send: (channel) => void sent.push(channel),
      on: (channel, listener) => {
        expect(channel).toBe('spillway:port');
        toPage = listener;
      },
    };
    handOverPort(page, ipc);
    return {
      sent,
      posted,
      page,
      say: (event: Partial<PageMessage>) => toPreload({ source: page, origin, data: null, ...event }),
      deliver: (ports: unknown[]) => toPage({ ports }),
    };
  }

  it('asks for a port when the page says it is ready', () => {
    const { say, sent } = setUp();
    say({ data: { type: 'spillway:ready' } });
    expect(sent).toEqual(['spillway:connect']);
  });

  it('ignores frames, other origins and other messages', () => {
    const { say, sent } = setUp();
    const data = { type: 'spillway:ready' };
    say({ data, source: { another: 'window' } });
    say({ data, origin: 'https://example.org' });
    for (const other of ['spillway:ready', null, 7, { type: 'spillway:port' }, {}]) say({ data: other });
    expect(sent).toEqual([]);
  });

  it('passes the port on to its own page alone', () => {
    const { deliver, posted } = setUp();
    deliver(['the port']);
    expect(posted).toEqual([[{ type: 'spillway:port' }, origin, ['the port']]]);
  });

  it('gives the page the paths of files that are dropped on it, and nothing of Electron', async () => {
    vi.stubGlobal('window', { location: { origin }, addEventListener() {} });
    await import('../../../electron/preload.ts');
    const { contextBridge, ipcRenderer } = (await import('electron')) as unknown as StandIn;
    expect(Object.keys(contextBridge.exposed)).toEqual([DESKTOP]);
    const desktop = contextBridge.exposed[DESKTOP] as Desktop;
    expect(desktop.pathOf(new File([], 'build.log'))).toBe('/dropped/build.log');
    expect(Object.keys(desktop)).toEqual([
      'pathOf',
      'chooseToOpen',
      'showMenu',
      'showTheme',
      'onChosen',
      'onSaved',
    ]);
    desktop.showTheme('dark');
    expect(ipcRenderer.sent).toEqual([['spillway:theme', 'dark']]);
    const heard: unknown[] = [];
    desktop.onChosen((action) => void heard.push(action));
    ipcRenderer.emit('spillway:chosen', {}, 'Keys');
    // The event, which leads to Electron, stays in the preload.
    expect(heard).toEqual(['Keys']);
  });
});

describe('the command line of the window', () => {
  const pathsOf = (...given: Parameters<typeof openingOf>) => openingOf(...given).paths;

  it('begins after the program, or after the app it was given', () => {
    expect(pathsOf(['/opt/spillway', 'a.log'], true, '/work')).toEqual([resolve('/work/a.log')]);
    expect(pathsOf(['/electron', '/app', 'a.log'], false, '/work')).toEqual([resolve('/work/a.log')]);
  });

  it('tells a switch of Chromium from a path', () => {
    expect(pathsOf(['/opt/spillway', '--no-sandbox', '/a', '--lang=de'], true, '/')).toEqual([resolve('/a')]);
  });

  it('takes the app for what it was started with, also behind a switch, as root starts it', () => {
    const argv = ['/electron', '--no-sandbox', '/app', 'a.log', '--lang=de'];
    expect(pathsOf(argv, false, '/work')).toEqual([resolve('/work/a.log')]);
    expect(pathsOf(['/electron', '--no-sandbox', '/app'], false, '/work')).toEqual([]);
  });

  it('reads the addresses of files that desktops give, and any name behind --', () => {
    expect(pathsOf(['/opt/spillway', 'file:///a/b%20c%25.log'], true, '/')).toEqual([resolve('/a/b c%.log')]);
    expect(pathsOf(['/opt/spillway', 'file://%zz/a'], true, '/w')).toEqual([resolve('/w', 'file://%zz/a')]);
    expect(pathsOf(['/opt/spillway', 'a', '--', '-b', '--c'], true, '/w')).toEqual(
      ['/w/a', '/w/-b', '/w/--c'].map((path) => resolve(path)),
    );
  });

  it('takes only absolute paths from another instance', () => {
    expect(handedOver({ paths: ['/a/b', 'b', '/a/../b', 1, null] })).toEqual({ paths: ['/a/b'], links: [] });
    for (const data of [undefined, null, 'x', {}, { paths: '/a' }, { paths: [], links: [{ line: 0 }] }])
      expect(handedOver(data)).toEqual({ paths: [], links: [] });
  });

  const id = 'cmd-make-2026-11-28T09-00-00-0123ab';
  const place = (stream: string | null, line: number | null) => ({ artifact_id: id, stream, line });

  it.each([
    [`spillway://artifact/${id}`, place(null, null)],
    [`spillway://artifact/${id}/stderr?line=12`, place('stderr', 12)],
    [`SPILLWAY://artifact/${id}/combined?line=0`, place('combined', null)],
    [`spillway://app/#a=${id}&s=stdout&l=12-14`, { ...place('stdout', 12), last_line: 14 }],
    [`spillway://app/#a=${id}&s=stdout&l=12-12`, place('stdout', 12)],
    [`spillway://artifact/${id}/other?line=x`, place(null, null)],
  ])('reads the link %s', (link, expected) => {
    expect(linkOf(link)).toEqual(expected);
    const opening = openingOf(['/opt/spillway', 'a.log', link], true, '/w');
    expect(opening).toEqual({ paths: [resolve('/w/a.log')], links: [expected] });
    expect(handedOver(opening)).toEqual(opening);
  });

  it.each([
    'spillway://artifact/',
    'spillway://artifact/../etc',
    'spillway://else/x',
    'spillway:',
    'https://a/b',
    '',
  ])('takes %s for no link', (text) => expect(linkOf(text)).toBeNull());

  it('never takes a link for a path', () => {
    expect(openingOf(['/opt/spillway', 'spillway://artifact/none'], true, '/w')).toEqual({
      paths: [],
      links: [],
    });
  });

  it('has one instance for each home', () => {
    expect(profileFolder('/data', undefined, 'linux')).toBe('/data');
    // There, Spillway's home has the folder that Electron proposes.
    expect(profileFolder('/data', undefined, 'darwin')).toBe('/data-window');
    expect(profileFolder('/data', '/home/a')).toBe(profileFolder('/data', '/home/x/../a'));
    expect(profileFolder('/data', '/home/a')).not.toBe(profileFolder('/data', '/home/b'));
  });
});

describe('origins', () => {
  it('knows its own', () => {
    for (const url of ['spillway://app/', 'spillway://app/index.html?x']) expect(isOurOrigin(url)).toBe(true);
    for (const url of [
      'spillway://app2/',
      'spillway://x@app:1/',
      'http://app/',
      'spillway:app',
      '',
      'null',
    ]) {
      expect(isOurOrigin(url)).toBe(false);
    }
  });

  it('accepts only the page itself', () => {
    const page = { url: 'spillway://app/', parent: null };
    expect(isOurPage(page)).toBe(true);
    expect(isOurPage({ ...page, parent: page })).toBe(false);
    expect(isOurPage(null)).toBe(false);
  });

  it('opens only web addresses elsewhere', () => {
    expect(externalAddress('https://example.org/a?b#c')).toBe('https://example.org/a?b#c');
    expect(externalAddress('HTTP://EXAMPLE.ORG')).toBe('http://example.org/');
    for (const url of ['file:///a', 'javascript:alert(1)', 'spillway://app/', 'vscode://x', ' ', 'a']) {
      expect(externalAddress(url)).toBeNull();
    }
  });
});

describe('the menu', () => {
  const template = (platform: NodeJS.Platform, entries: MenuEntry[] = []) =>
    menuTemplate({ openFiles() {}, openFolder() {}, choose() {}, installCommand: null }, platform, entries);
  const entry = (action: string, menu: string, key: string | null = null): MenuEntry => ({
    ...{ action, menu, key, applies: true, isOn: null },
  });

  it('has the application’s own menu first on macOS, where closing is not quitting', () => {
    expect(template('darwin')[0]).toMatchObject({ label: 'Spillway' });
    expect(JSON.stringify(template('darwin'))).toContain('"role":"close"');
    expect(JSON.stringify(template('linux'))).toContain('"role":"quit"');
  });

  it.each(['darwin', 'linux'] as const)(
    'offers a package’s command on %s, and none of a checkout',
    (platform) => {
      const actions = { openFiles() {}, openFolder() {}, choose() {}, installCommand() {} };
      expect(JSON.stringify(menuTemplate(actions, platform))).toContain('Install the spillway Command…');
      expect(JSON.stringify(template(platform))).not.toContain('Install the spillway');
    },
  );

  it('has what a text field needs on macOS, and no key that closes the window where a tab is meant', () => {
    for (const platform of ['darwin', 'linux'] as const) {
      const text = JSON.stringify(template(platform));
      for (const role of ['undo', 'redo', 'cut', 'copy', 'paste', 'selectAll'])
        expect(text).toContain(`{"role":"${role}"}`);
      expect(text).not.toMatch(/windowMenu|"role":"close"\}|CmdOrCtrl\+W"/);
    }
  });

  it('has the page’s actions, with their keys and whether they apply', () => {
    const wrap = { ...entry('Wrap: break long lines', 'View', 'w'), applies: false, isOn: true };
    const view = template('linux', [wrap]).find(({ label }) => label === '&View')?.submenu;
    expect((view as unknown[])[0]).toMatchObject({
      ...{ label: 'Wrap', enabled: false, type: 'checkbox', checked: true },
      ...{ accelerator: 'w', registerAccelerator: false },
    });
  });

  it.each([
    ['Ctrl+,', 'Cmd+,', 'Ctrl+,'],
    ['Ctrl+Shift+L', 'Cmd+Shift+L', 'Ctrl+Shift+L'],
    ['Alt+←', undefined, 'Alt+Left'],
    ['N', undefined, 'Shift+N'],
    ['?', undefined, '?'],
    ['Page Up', undefined, 'PageUp'],
    ['+', undefined, undefined],
    ['Ctrl+é', undefined, undefined],
  ])('shows the key %s as %s on macOS and %s elsewhere, and takes it from no field', (key, mac, other) => {
    const shown = (platform: NodeJS.Platform) => {
      const go = template(platform, [entry('Go there', 'Go', key)]).find(({ label }) => label === '&Go');
      return (go?.submenu as { accelerator?: string }[] | undefined)?.[0]?.accelerator;
    };
    expect([shown('darwin'), shown('linux')]).toEqual([mac, other]);
  });

  it('has the preferences where each system has them', () => {
    const labels = (platform: NodeJS.Platform, menu: string) =>
      JSON.stringify(
        template(platform, [entry('Preferences', 'Window', 'Ctrl+,')]).find(({ label }) => label === menu),
      );
    expect(labels('darwin', 'Spillway')).toContain('Preferences');
    expect(labels('linux', '&File')).toContain('Preferences');
    expect(labels('linux', '&Window')).not.toContain('Preferences');
  });

  it('has a zoom of the window on macOS alone, where the system has one', () => {
    expect(JSON.stringify(template('darwin'))).toContain('"role":"zoom"');
    expect(JSON.stringify(template('linux'))).not.toContain('"role":"zoom"');
  });

  it('has no accelerator twice', () => {
    const given = JSON.stringify(template('linux')).match(/"accelerator":"[^"]+"/g) ?? [];
    expect(new Set(given).size).toBe(given.length);
  });
});

describe('the window’s first colour', () => {
  it.each(['light', 'dark'] as const)('is that of the text in the %s theme', (theme) => {
    const tokens = readFileSync(new URL('../../../renderer/ui/theme/tokens.css', import.meta.url), 'utf8');
    const [, light, dark] = /--text-surface: light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);/.exec(tokens)!;
    expect(BACKGROUND[theme]).toBe(theme === 'light' ? light : dark);
  });
});

describe('a context menu', () => {
  const none = { canUndo: false, canRedo: false, canCut: false, canCopy: false, canPaste: true };
  const editFlags = { ...none, canDelete: false, canSelectAll: true, canEditRichly: false };

  it('edits a field, copies what is selected, and is the page’s elsewhere', () => {
    const field = contextMenuTemplate({ isEditable: true, selectionText: '', editFlags });
    expect(field.filter(({ enabled }) => enabled).map(({ role }) => role)).toEqual(['paste', 'selectAll']);
    expect(contextMenuTemplate({ isEditable: false, selectionText: 'a', editFlags })).toEqual([
      { role: 'copy' },
    ]);
    expect(contextMenuTemplate({ isEditable: false, selectionText: ' ', editFlags })).toEqual([]);
  });
});

describe('the place of the window', () => {
  const bounds = { x: 2000, y: 10, width: 800, height: 600 };
  const left = { x: 0, y: 0, width: 1920, height: 1080 };
  const right = { ...left, x: 1920 };
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'spillway-place-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('is kept where a screen still shows it', () => {
    expect(windowPlace(folder, () => [left])).toBeNull();
    keepWindow(folder, { bounds, maximized: true, theme: 'dark' });
    expect(windowPlace(folder, () => [left, right])).toMatchObject({ bounds, maximized: true });
    expect(windowPlace(folder, () => [left])).toBeNull();
    expect(keptTheme(folder)).toBe('dark');
    keepWindow(folder, { bounds: { ...bounds, y: -300 }, maximized: false, theme: 'dark' });
    expect(windowPlace(folder, () => [left, right])).toBeNull();
  });

  it('is the system’s choice where the file is torn, or none can be written', () => {
    writeFileSync(join(folder, 'window.json'), '{"bounds":{"x":');
    expect(windowPlace(folder, () => [right])).toBeNull();
    expect(keptTheme(folder)).toBe('system');
    keepWindow(join(folder, 'missing'), { bounds, maximized: false, theme: 'dark' });
    expect(windowPlace(join(folder, 'missing'), () => [right])).toBeNull();
  });
});

/** electron/main.ts against a stand-in `electron`: what is wired to what, and in which order. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setImmediate as settle } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { profileFolder, type WindowInspector } from '../../../electron/shell/launch.ts';
import { keepWindow, keptTheme } from '../../../electron/shell/window.ts';
import {
  connect,
  electron,
  inspector,
  load,
  profile,
  type StandIn,
  seams,
  served,
  setUpElectron,
  start,
  startOptions,
} from '../../fixtures/set-up/desktop-window.ts';

type Window = InstanceType<StandIn['BrowserWindow']>;

describe('the desktop window', () => {
  setUpElectron();

  it('sets its folder, lock, sandbox and protocol before Electron is ready', async () => {
    await load();
    expect(electron.app.told).toEqual([
      'setPath',
      'requestSingleInstanceLock',
      'enableSandbox',
      'registerSchemesAsPrivileged',
    ]);
    expect(electron.BrowserWindow.all).toEqual([]);
  });

  it('starts one inspector on the paths of the command line', async () => {
    await start();
    expect(startOptions).toMatchObject({
      paths: [resolve('some.log'), '/elsewhere/other.log'],
      shell: 'electron',
    });
  });

  it('opens one window, without privileges, on the page of its own protocol', async () => {
    const window = await start();
    expect(electron.BrowserWindow.all).toHaveLength(1);
    expect(window.told).toEqual(['loadURL spillway://app/']);
    expect(window.options).toEqual({
      title: 'Spillway',
      width: 1280,
      height: 820,
      minWidth: 560,
      minHeight: 360,
      show: false,
      backgroundColor: '#ffffff',
      autoHideMenuBar: true,
      webPreferences: {
        preload: resolve('preload/preload.cjs'),
        contextIsolation: true,
        sandbox: true,
        nodeIntegration: false,
        nodeIntegrationInWorker: false,
        nodeIntegrationInSubFrames: false,
        webSecurity: true,
        allowRunningInsecureContent: false,
        experimentalFeatures: false,
        webviewTag: false,
        navigateOnDragDrop: false,
        spellcheck: false,
      },
    });
  });

  it.each([
    ['its first frame is drawn', (window: Window) => window.emit('ready-to-show')],
    ['its page is loaded', (window: Window) => window.webContents.emit('did-finish-load')],
    [
      'its page cannot be loaded',
      (window: Window) => window.webContents.emit('did-fail-load', {}, -3, '', '', true),
    ],
    ['nothing is reported for two seconds', () => vi.advanceTimersByTime(2000)],
  ])('shows the window once when %s', async (_, happens) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const window = await start();
    const shown = () => window.told.filter((told) => told === 'show');
    expect(shown()).toEqual([]);
    happens(window);
    expect(shown()).toHaveLength(1);
    window.emit('ready-to-show');
    vi.advanceTimersByTime(10_000);
    vi.useRealTimers();
    expect(shown()).toHaveLength(1);
  });

  it('shows nothing of a window that was closed before', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const window = await start();
    window.closeByHand();
    vi.advanceTimersByTime(10_000);
    vi.useRealTimers();
    expect(window.told).not.toContain('show');
  });

  it.each([
    [
      'crashes',
      (window: Window) => window.webContents.emit('render-process-gone', {}, { reason: 'crashed' }),
    ],
    ['hangs', (window: Window) => window.emit('unresponsive')],
    [
      'cannot be loaded',
      (window: Window) => window.webContents.emit('did-fail-load', {}, -6, 'gone', '', true),
    ],
    ['loses its GPU', () => electron.app.emit('child-process-gone', {}, { type: 'GPU', reason: 'oom' })],
  ])('offers to reload a page that %s', async (_, happens) => {
    const window = await start();
    happens(window);
    happens(window);
    await settle();
    expect(electron.dialog.questions).toHaveLength(1);
    expect(window.told.filter((told) => told.startsWith('loadURL'))).toHaveLength(2);
    electron.dialog.button = 1;
    happens(window);
    await settle();
    expect(electron.dialog.questions).toHaveLength(2);
    expect(window.told.filter((told) => told.startsWith('loadURL'))).toHaveLength(2);
  });

  it('does not ask about a page that ended as it should', async () => {
    const window = await start();
    window.webContents.emit('render-process-gone', {}, { reason: 'clean-exit' });
    window.webContents.emit('did-fail-load', {}, -3, 'aborted', '', true);
    electron.app.emit('child-process-gone', {}, { type: 'GPU', reason: 'clean-exit' });
    await settle();
    expect(electron.dialog.questions).toEqual([]);
  });

  it('opens where and as it was closed', async () => {
    const window = await start();
    window.maximized = true;
    window.closeByHand();
    electron.app.emit('activate');
    const [next] = electron.BrowserWindow.all;
    expect(next?.options).toMatchObject(window.bounds);
    expect(next?.maximized).toBe(true);
  });

  it('has the theme that was chosen in its page before, at the next start', async () => {
    const folder = profileFolder(electron.app.paths.userData!, undefined);
    mkdirSync(folder);
    keepWindow(folder, { bounds: { x: 0, y: 0, width: 800, height: 600 }, maximized: false, theme: 'dark' });
    const window = await start();
    expect(electron.nativeTheme.themeSource).toBe('dark');
    electron.nativeTheme.themeSource = 'light';
    window.closeByHand();
    expect(keptTheme(folder)).toBe('light');
  });

  it('starts where no profile can be made, with the system’s', async () => {
    writeFileSync(join(profile, 'file'), '');
    electron.app.paths.userData = join(profile, 'file', 'spillway');
    (await start()).closeByHand();
    expect(electron.app.told).not.toContain('setPath');
  });

  it('has a menu for a field, and leaves the page its own', async () => {
    const window = await start();
    const editFlags = { canPaste: true };
    window.webContents.emit('context-menu', {}, { isEditable: true, selectionText: '', editFlags });
    window.webContents.emit('context-menu', {}, { isEditable: false, selectionText: '', editFlags });
    expect(electron.Menu.shown).toHaveLength(1);
  });

  it('is dark from the start where the system is', async () => {
    electron.nativeTheme.shouldUseDarkColors = true;
    expect((await start()).options.backgroundColor).toBe('#151518');
  });

  it('serves the interface only under its own protocol and host', async () => {
    await start();
    expect(electron.protocol.privileged).toEqual([
      {
        scheme: 'spillway',
        privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true },
      },
    ]);
    const handler = electron.protocol.handlers.get('spillway');
    expect((await handler?.(new Request('spillway://elsewhere/')))?.status).toBe(404);
  });

  it('gives a page a port on request, and serves the other end', async () => {
    await start();
    const page = new electron.StandInFrame('spillway://app/');
    await connect(page);
    expect(page.posted).toEqual([
      { channel: 'spillway:port', message: null, ports: [expect.any(electron.StandInPort)] },
    ]);
    expect(served).toHaveLength(1);

    const port = page.posted[0]?.ports[0] as InstanceType<StandIn['StandInPort']>;
    const heardByPage: unknown[] = [];
    const heardByHost: unknown[] = [];
    port.on('message', (event: { data: unknown }) => heardByPage.push(event.data));
    port.start();
    served[0]?.onMessage((message) => heardByHost.push(message));
    served[0]?.post({ from: 'host' });
    port.postMessage({ from: 'page' });
    await settle();
    expect([heardByPage, heardByHost]).toEqual([[{ from: 'host' }], [{ from: 'page' }]]);
  });

  it('gives a reloaded page another port', async () => {
    await start();
    const page = new electron.StandInFrame('spillway://app/');
    await connect(page);
    await connect(page);
    expect(served).toHaveLength(2);
  });

  it('gives nothing to a foreign page, to a frame inside ours, or to a frame that is gone', async () => {
    await start();
    const page = new electron.StandInFrame('spillway://app/');
    const gone = new electron.StandInFrame('spillway://app/');
    gone.destroyed = true;
    for (const frame of [
      new electron.StandInFrame('https://example.org/'),
      new electron.StandInFrame('spillway://app.example.org/'),
      new electron.StandInFrame('spillway://app/', page),
      gone,
      null,
    ]) {
      await connect(frame);
    }
    expect(served).toEqual([]);
    expect(gone.posted).toEqual([]);
  });

  it('gives a page that asks too early its port as soon as the inspector runs', async () => {
    let begin = (_inspector: WindowInspector) => {};
    seams.startInspector = () => new Promise((resolve) => (begin = resolve));
    await start();
    const page = new electron.StandInFrame('spillway://app/');
    await connect(page);
    expect(page.posted).toEqual([]);
    begin(inspector);
    await settle();
    expect(page.posted).toHaveLength(1);
  });

  it.each(['will-navigate', 'will-frame-navigate', 'will-redirect', 'will-attach-webview'])(
    'prevents %s in every page',
    async (event) => {
      await start();
      const contents = new electron.StandInContents();
      electron.app.emit('web-contents-created', electron.preventable(), contents);
      const attempt = electron.preventable();
      contents.emit(event, attempt, 'https://example.org/');
      expect(attempt.defaultPrevented).toBe(true);
    },
  );

  it('opens no window for a page, and gives web addresses to the browser, nothing else', async () => {
    const { webContents } = await start();
    const ask = (url: string) => webContents.openHandler?.({ url } as Electron.HandlerDetails);
    for (const url of [
      'https://example.org/a',
      'file:///etc/passwd',
      'smb://host/x',
      'javascript:1',
      'nonsense',
    ]) {
      expect(ask(url)).toEqual({ action: 'deny' });
    }
    expect(electron.shell.opened).toEqual(['https://example.org/a']);
  });

  it('allows our page to copy and to notify, and no page anything else', async () => {
    await start();
    const { setPermissionRequestHandler, setPermissionCheckHandler, setDevicePermissionHandler } =
      electron.session.held;
    const request = (permission: string, requestingUrl: string) => {
      let answer: boolean | null = null;
      setPermissionRequestHandler?.(
        null as unknown as Electron.WebContents,
        permission as 'media',
        (granted) => {
          answer = granted;
        },
        { requestingUrl, isMainFrame: true },
      );
      return answer;
    };
    const check = (permission: string, origin: string) =>
      setPermissionCheckHandler?.(
        null,
        permission as 'media',
        origin,
        {} as Electron.PermissionCheckHandlerHandlerDetails,
      );
    const ours = 'spillway://app/';
    for (const ask of [request, check]) {
      for (const allowed of ['clipboard-sanitized-write', 'notifications']) {
        expect(ask(allowed, ours)).toBe(true);
        expect(ask(allowed, 'https://example.org/')).toBe(false);
      }
      for (const permission of ['clipboard-read', 'media', 'geolocation', 'openExternal', 'hid']) {
        expect(ask(permission, ours)).toBe(false);
      }
    }
    expect(setDevicePermissionHandler?.({} as Electron.DevicePermissionHandlerHandlerDetails)).toBe(false);
  });
});

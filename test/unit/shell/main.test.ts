/** electron/main.ts against a stand-in `electron`: what is wired to what, and in which order. */
import { resolve } from 'node:path';
import { setImmediate as settle } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { WindowInspector } from '../../../electron/shell/launch.ts';
import {
  connect,
  electron,
  inspector,
  load,
  type StandIn,
  seams,
  served,
  setUpElectron,
  start,
  startOptions,
} from '../../fixtures/set-up/desktop-window.ts';

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

  it('shows the window when its first frame is drawn', async () => {
    const window = await start();
    window.emit('ready-to-show');
    expect(window.told).toContain('show');
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

  it('allows our page to copy, and no page anything else', async () => {
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
      expect(ask('clipboard-sanitized-write', ours)).toBe(true);
      expect(ask('clipboard-sanitized-write', 'https://example.org/')).toBe(false);
      for (const permission of [
        'clipboard-read',
        'media',
        'geolocation',
        'notifications',
        'openExternal',
        'hid',
      ]) {
        expect(ask(permission, ours)).toBe(false);
      }
    }
    expect(setDevicePermissionHandler?.({} as Electron.DevicePermissionHandlerHandlerDetails)).toBe(false);
  });
});

/** electron/main.ts against a stand-in `electron`: what is wired to what, and in which order. */
import { resolve } from 'node:path';
import { setImmediate as settle } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Inspector, StartInspector } from '../../../electron/shell/inspector.ts';
import type { MessageChannelEnd } from '../../../shared/api/messages.ts';

type StandIn = typeof import('../../fixtures/electron-stand-in.ts');

const seams = vi.hoisted(() => ({ startInspector: null as StartInspector | null }));
vi.mock('../../../electron/app/start-host.ts', () => ({
  startInspector: (options: Parameters<StartInspector>[0]) => seams.startInspector?.(options),
}));

describe('the desktop window', () => {
  let electron: StandIn;
  /** From the same module load as main.ts, as it is recognised by its class. */
  let SpillwayError: typeof import('../../../shared/errors.ts').SpillwayError;
  let served: MessageChannelEnd[];
  let opened: string[];
  let notices: unknown[];
  let closes: number;
  let startOptions: Parameters<StartInspector>[0] | null;
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  const argv = process.argv;

  const inspector: Inspector = {
    host: {
      async openPath(path) {
        opened.push(path);
        if (path.includes('missing')) throw new SpillwayError('not_found', 'No such file', 'see its name');
        // Only the id is looked at.
        return [{ artifact_id: `file-of-${path}` }] as Awaited<ReturnType<Inspector['host']['openPath']>>;
      },
      notify: (notice) => void notices.push(notice),
    },
    serve: (end) => void served.push(end),
    close: async () => {
      closes += 1;
    },
  };

  beforeEach(async () => {
    vi.resetModules();
    ({ SpillwayError } = await import('../../../shared/errors.ts'));
    vi.stubEnv('SPILLWAY_HOME', undefined);
    served = [];
    opened = [];
    notices = [];
    closes = 0;
    startOptions = null;
    seams.startInspector = async (options) => {
      startOptions = options;
      return inspector;
    };
    process.argv = ['/electron', '/app', 'some.log', '/elsewhere/other.log'];
    // The declarations are Electron's, the module is the stand-in.
    electron = (await import('electron')) as unknown as StandIn;
  });

  afterEach(() => {
    process.argv = argv;
    for (const signal of signals) process.removeAllListeners(signal);
    vi.unstubAllEnvs();
  });

  const load = () => import('../../../electron/main.ts');
  const start = async () => {
    await load();
    electron.app.becomeReady();
    await settle();
    const [window] = electron.BrowserWindow.all;
    if (!window) throw new Error('no window was opened');
    return window;
  };
  const connect = async (frame: unknown) => {
    electron.ipcMain.emit('spillway:connect', { senderFrame: frame });
    await settle();
  };

  it('does what Electron wants done before it is ready, before it is ready', async () => {
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
    expect(startOptions).toEqual({ paths: [resolve('some.log'), '/elsewhere/other.log'], shell: 'electron' });
  });

  it('opens one window without any powers on the page of its own protocol', async () => {
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

  it('serves the interface under its protocol, to nobody else', async () => {
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

  it('gives a page that asks a port, and serves the other end', async () => {
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

  it('gives a page that was reloaded another port', async () => {
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

  it('gives a page that asks before the inspector runs its port as soon as it does', async () => {
    let begin = (_inspector: Inspector) => {};
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
    'prevents %s, in any page there ever is',
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

  it('has a menu whose items open what the person picks', async () => {
    await start();
    const file = electron.Menu.current?.find(({ label }) => label === '&File')?.submenu;
    const [openFile, openFolder] = file as { accelerator: string; click: () => void }[];
    expect([openFile?.accelerator, openFolder?.accelerator]).toEqual(['CmdOrCtrl+O', 'CmdOrCtrl+Shift+O']);
    electron.dialog.picks = ['/picked/a.log', '/picked/missing.log'];
    openFile?.click();
    await settle();
    expect(electron.dialog.asked[0]?.properties).toContain('openFile');
    expect(opened).toEqual(['/picked/a.log', '/picked/missing.log']);
    expect(notices).toEqual([
      { type: 'show', artifact_id: 'file-of-/picked/a.log' },
      { type: 'message', text: 'No such file: see its name' },
    ]);
    openFolder?.click();
    await settle();
    expect(electron.dialog.asked[1]?.properties).toContain('openDirectory');
  });

  it('hands its paths to the instance that runs already, and ends', async () => {
    electron.app.grantsLock = false;
    await load();
    await settle();
    expect(electron.app.lockData).toEqual({ paths: [resolve('some.log'), '/elsewhere/other.log'] });
    expect(electron.app.hasQuit).toBe(true);
    expect(startOptions).toBeNull();
  });

  it('opens what a second instance hands over, and comes to the front', async () => {
    const window = await start();
    window.minimized = true;
    electron.app.emit('second-instance', {}, ['ignored'], '/ignored', { paths: ['/new.log', 'relative', 7] });
    await settle();
    expect(opened).toEqual(['/new.log']);
    expect(window.told.slice(-2)).toEqual(['restore', 'focus']);
  });

  it('opens what the system asks it to open', async () => {
    await start();
    const event = electron.preventable();
    electron.app.emit('open-file', event, '/dropped.log');
    await settle();
    expect(event.defaultPrevented).toBe(true);
    expect(opened).toEqual(['/dropped.log']);
  });

  it('lets the inspector close before it quits', async () => {
    await start();
    electron.app.quit();
    expect(electron.app.hasQuit).toBe(false);
    await settle();
    expect([closes, electron.app.hasQuit]).toEqual([1, true]);
  });

  it.each(signals)('quits on %s', async (signal) => {
    await start();
    process.emit(signal);
    await settle();
    expect([closes, electron.app.hasQuit]).toEqual([1, true]);
  });

  it.runIf(process.platform !== 'darwin')('quits when its window is closed', async () => {
    const window = await start();
    window.closeByHand();
    await settle();
    expect(electron.app.hasQuit).toBe(true);
  });

  it('says why the inspector can’t run, and ends with 1', async () => {
    seams.startInspector = async () => {
      throw new SpillwayError('home', 'The home is not yours', 'set SPILLWAY_HOME');
    };
    await start();
    expect(electron.dialog.errors).toEqual([
      { title: 'The home is not yours', content: 'set SPILLWAY_HOME' },
    ]);
    expect(electron.app.exitCode).toBe(1);
  });

  it('is another inspector for another home', async () => {
    vi.stubEnv('SPILLWAY_HOME', '/somewhere/else');
    await load();
    expect(electron.app.paths.userData).toMatch(
      /^\/home\/somebody\/\.config\/spillway\/homes\/[0-9a-f]{12}$/,
    );
  });
});

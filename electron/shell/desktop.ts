/**
 * Runs the desktop window: one instance, one inspector, one window. Only wires together functions that decide.
 */
import {
  app,
  BrowserWindow,
  dialog,
  ipcMain,
  Menu,
  MessageChannelMain,
  nativeTheme,
  protocol,
  session,
  shell,
  type WebFrameMain,
} from 'electron';
import { toSpillwayError } from '../../shared/errors.ts';
import { CONNECT, PORT } from './hand-over.ts';
import {
  openPaths,
  pathsHandedOver,
  pathsOf,
  profileFolder,
  type StartInspector,
  type WindowInspector,
} from './launch.ts';
import { portEnd } from './message-port.ts';
import {
  holdPages,
  holdPermissions,
  isOurPage,
  PRIVILEGES,
  respond,
  SCHEME,
  START_PAGE,
} from './protocol.ts';
import { menuTemplate, windowOptions } from './window.ts';

interface Parts {
  startInspector: StartInspector;
  /** Folder of the built interface. */
  interfaceFolder: string;
  /** Path of the built preload script. */
  preload: string;
}

/**
 * Call before the application is ready. Resolves when the window begins to load, or when the application is about to
 * quit.
 */
export async function runDesktop(parts: Parts): Promise<void> {
  const paths = pathsOf(process.argv, app.isPackaged, process.cwd());
  app.setPath('userData', profileFolder(app.getPath('userData'), process.env.SPILLWAY_HOME));
  if (!app.requestSingleInstanceLock({ paths })) return app.quit();

  app.enableSandbox();
  protocol.registerSchemesAsPrivileged([PRIVILEGES]);
  holdPages(app, (url) => shell.openExternal(url).catch(ignore));

  const inspector = parts.startInspector({ paths, shell: 'electron' });
  inspector.catch(giveUp);
  const open: Open = async (more) => openPaths((await inspector).host, more);

  listenToTheSystem(open, () => openWindow(parts.preload));
  closeBeforeQuitting(inspector);
  serveWindows(inspector);

  await app.whenReady();
  holdPermissions(session.defaultSession);
  protocol.handle(SCHEME, (request) => respond(request, parts.interfaceFolder));
  Menu.setApplicationMenu(Menu.buildFromTemplate(menuTemplate(menuActions(open), process.platform)));
  openWindow(parts.preload);
}

function openWindow(preload: string): void {
  const window = new BrowserWindow(windowOptions(preload, nativeTheme.shouldUseDarkColors));
  window.once('ready-to-show', () => window.show());
  window.loadURL(START_PAGE).catch(ignore);
}

/** Gives each page that asks its own channel (hand-over.ts); a reloaded page asks again. */
function serveWindows(inspector: Promise<WindowInspector>): void {
  const connect = async (frame: WebFrameMain) => {
    const running = await inspector;
    // The window may have closed while the inspector started.
    if (frame.isDestroyed()) return;
    const { port1, port2 } = new MessageChannelMain();
    running.serve(portEnd(port1));
    frame.postMessage(PORT, null, [port2]);
  };
  ipcMain.on(CONNECT, ({ senderFrame }) => {
    if (isOurPage(senderFrame)) connect(senderFrame).catch(ignore);
  });
}

type Open = (paths: string[]) => Promise<void>;

function listenToTheSystem(open: Open, openWindow: () => void): void {
  app.on('second-instance', (_event, _argv, _cwd, data) => {
    open(pathsHandedOver(data)).catch(ignore);
    const [window] = BrowserWindow.getAllWindows();
    if (!window) return openWindow();
    if (window.isMinimized()) window.restore();
    window.focus();
  });
  // macOS: a file dropped on the icon; a click on the icon without any window.
  app.on('open-file', (event, path) => {
    event.preventDefault();
    open([path]).catch(ignore);
  });
  app.on('activate', () => {
    if (app.isReady() && BrowserWindow.getAllWindows().length === 0) openWindow();
  });
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit();
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => app.quit());
}

/** Delays quitting until the inspector has closed its files and socket. */
function closeBeforeQuitting(inspector: Promise<WindowInspector>): void {
  let closed = false;
  app.on('will-quit', (event) => {
    if (closed) return;
    event.preventDefault();
    void inspector
      .then((running) => running.close())
      .catch(ignore)
      .finally(() => {
        closed = true;
        app.quit();
      });
  });
}

function menuActions(open: Open) {
  const ask = async (property: 'openFile' | 'openDirectory') => {
    const { filePaths } = await dialog.showOpenDialog({
      properties: [property, 'multiSelections', 'showHiddenFiles'],
    });
    await open(filePaths);
  };
  return {
    openFiles: () => ask('openFile').catch(ignore),
    openFolder: () => ask('openDirectory').catch(ignore),
  };
}

function giveUp(error: unknown): void {
  const { what, todo } = toSpillwayError(error);
  dialog.showErrorBox(what, todo);
  app.exit(1);
}

/** For errors nobody can be told: the window is gone, or giveUp has reported them. */
function ignore(): void {}

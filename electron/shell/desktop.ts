/**
 * Runs the desktop window: one instance, one inspector, one window. Only wires together functions that decide.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import {
  type AboutPanelOptionsOptions,
  app,
  BrowserWindow,
  dialog,
  ipcMain,
  Menu,
  MessageChannelMain,
  nativeTheme,
  protocol,
  screen,
  session,
  shell,
  type WebFrameMain,
} from 'electron';
import type { MenuEntry, Saved } from '../../shared/desktop.ts';
import { toSpillwayError } from '../../shared/errors.ts';
import { shortenMiddle } from '../../shared/text/format.ts';
import { CHOOSE, CHOSEN, CONNECT, MENU, PORT, SAVED, THEME } from './hand-over.ts';
import {
  type HandOver,
  handedOver,
  linkOf,
  type Opening,
  openAll,
  openingOf,
  profileFolder,
  type StartInspector,
  type WindowInspector,
} from './launch.ts';
import { contextMenuTemplate, MenuEntries, menuTemplate } from './menu.ts';
import { AppSettings, hideInBackground, keepPresence } from './presence.ts';
import {
  holdPages,
  holdPermissions,
  isOurPage,
  PRIVILEGES,
  respond,
  SCHEME,
  START_PAGE,
} from './protocol.ts';
import { keepWindow, keptTheme, portEnd, Theme, windowOptions, windowPlace } from './window.ts';

interface Parts {
  startInspector: StartInspector;
  handOver: HandOver;
  /** Folder of the built interface. */
  interfaceFolder: string;
  /** Path of the built preload script. */
  preload: string;
  /** Installs the command for this user and returns its path; null if the app is not packaged. */
  installCommand: (() => string) | null;
  version: string;
  /** Path of the picture in the tray. */
  icon: string;
}

/**
 * Call before the application is ready. Resolves when the window begins to load, or when the application is about to
 * quit.
 */
export async function runDesktop(parts: Parts): Promise<void> {
  const opening = openingOf(process.argv, app.isPackaged, process.cwd());
  const { paths, links } = opening;
  setProfile(profileFolder(app.getPath('userData'), process.env.SPILLWAY_HOME));
  if (!app.requestSingleInstanceLock(opening)) return app.quit();

  app.enableSandbox();
  protocol.registerSchemesAsPrivileged([PRIVILEGES]);
  holdPages(app, (url) => shell.openExternal(url).catch(ignore));

  const inspector = parts.startInspector({ paths, shell: 'electron' });
  let isLeaving = false;
  inspector.catch((error) => {
    isLeaving = true;
    return leave(error, () => parts.handOver([...paths, ...links.map((link) => link.artifact_id)]));
  });
  const open: Open = async (more) => {
    // The system keeps them: the Dock's menu, the jump list, and File › Open Recent.
    for (const path of more.paths) app.addRecentDocument(path);
    await openAll((await inspector).host, more);
  };
  const ending = new Ending(inspector);
  const settings = new AppSettings(inspector);
  const show = () => openWindow(parts.preload, ending, settings);

  if (app.isPackaged) {
    app.setAsDefaultProtocolClient(SCHEME);
    app.setAppUserModelId(APP_ID);
  }
  listenToTheSystem(open, show, ending);
  if (links.length > 0) open({ paths: [], links }).catch(ignore);
  closeBeforeQuitting(inspector);
  serveWindows(inspector);

  await app.whenReady();
  if (isLeaving) return;
  holdPermissions(session.defaultSession);
  protocol.handle(SCHEME, (request) => respond(request, parts.interfaceFolder));
  for (const path of paths) app.addRecentDocument(path);
  app.setAboutPanelOptions(about(parts.version));
  askWhereToSave();
  nativeTheme.themeSource = keptTheme(app.getPath('userData'));
  followTheme();
  const actions = menuActions(open, parts.installCommand);
  keepMenu(actions);
  const { icon, version } = parts;
  keepPresence({
    ...{ settings, inspector, icon, version, openFiles: actions.openFiles },
    showWindow: () => showWindow(show),
    showArtifact: (artifact_id) =>
      void inspector.then(({ host }) => host.notify({ type: 'show', artifact_id }), ignore),
  });
  show();
}

/**
 * `appId` of electron-builder.yml, which the installer gives the shortcut: Windows shows notifications and a jump list
 * only of an app that names its shortcut's.
 */
const APP_ID = 'io.github.spillway.inspector';

/** Electron refuses a folder that does not exist. Where none can be made, the system's profile does. */
function setProfile(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
    app.setPath('userData', folder);
  } catch {}
}

const { SPILLWAY_AWAITED_WINDOW: awaited } = process.env;
// Commands that the app runs do not get it.
delete process.env.SPILLWAY_AWAITED_WINDOW;

/** Tells `npm start`, which else takes the runtime for hanging (electron/tooling/start.mjs). */
function tellStart(): void {
  if (awaited) rmSync(awaited, { force: true });
}

/** How long the window waits for its first frame, which some Wayland systems never report. */
const FIRST_FRAME_MS = 2000;

function openWindow(preload: string, ending: Ending, settings: AppSettings): void {
  const profile = app.getPath('userData');
  const place = windowPlace(profile, () => screen.getAllDisplays().map(({ workArea }) => workArea));
  const window = new BrowserWindow(windowOptions(preload, nativeTheme.shouldUseDarkColors, place));
  const { webContents } = window;
  if (place?.maximized) window.maximize();
  let isShown = false;
  const show = () => {
    clearTimeout(late);
    if (!isShown) window.show();
    isShown = true;
    tellStart();
  };
  const late = setTimeout(show, FIRST_FRAME_MS);
  window.once('ready-to-show', show);
  webContents.once('did-finish-load', show);
  webContents.once('did-fail-load', show);
  window.once('closed', () => clearTimeout(late));
  window.on('close', (event) => {
    keepWindow(profile, {
      ...{ bounds: window.getNormalBounds(), maximized: window.isMaximized() },
      theme: nativeTheme.themeSource,
    });
    if (settings.now.whenClosed !== 'quit' && !ending.isQuitting) {
      event.preventDefault();
      hideInBackground(window);
    } else if (process.platform !== 'darwin') {
      // On macOS the app goes on without a window.
      ending.ask(event, window);
    }
  });
  webContents.on('context-menu', (_event, params) => {
    const template = contextMenuTemplate(params);
    if (template.length > 0) Menu.buildFromTemplate(template).popup({ window });
  });
  offerReload(window);
  window.loadURL(START_PAGE).catch(ignore);
}

/** Asks before commands that agents run are ended with the app. */
class Ending {
  #inspector: WindowInspector | null = null;
  #isAsking = false;
  #isAgreed = false;
  /** Whether windows close because the app ends. */
  isQuitting = false;

  constructor(inspector: Promise<WindowInspector>) {
    inspector.then((running) => {
      this.#inspector = running;
    }, ignore);
    app.on('before-quit', (event) => {
      this.ask(event, BrowserWindow.getAllWindows()[0] ?? null);
      this.isQuitting = !event.defaultPrevented;
    });
  }

  /** Quits without a question, as where the system asks for it. */
  quit(): void {
    this.#isAgreed = true;
    app.quit();
  }

  /** Prevents the end that the event announces until the person agrees; nothing where nothing runs. */
  ask(event: { preventDefault(): void }, window: BrowserWindow | null): void {
    const commands = this.#inspector?.commands() ?? [];
    if (this.#isAgreed || commands.length === 0) return;
    event.preventDefault();
    if (this.#isAsking) return;
    this.#isAsking = true;
    this.#answer(commands, window)
      .catch(ignore)
      .finally(() => {
        this.#isAsking = false;
      });
  }

  async #answer(commands: readonly string[], window: BrowserWindow | null): Promise<void> {
    const left = commands.length - MOST_NAMED;
    const detail = [
      ...commands.slice(0, MOST_NAMED).map((line) => shortenMiddle(line, MOST_COMMAND_CHARS)),
      ...(left > 0 ? [`and ${left} more`] : []),
    ].join('\n');
    const many = commands.length > 1;
    const question = {
      type: 'question' as const,
      message: many ? `Agents still run ${commands.length} commands` : 'An agent still runs a command',
      detail,
      buttons: [many ? 'End Them' : 'End It', 'Keep Running Without a Window', 'Cancel'],
      ...{ defaultId: 2, cancelId: 2 },
    };
    const { response } = window
      ? await dialog.showMessageBox(window, question)
      : await dialog.showMessageBox(question);
    if (response === 0) this.quit();
    else if (response === 1) window?.hide();
  }
}

/** Commands that are named before the app ends. */
const MOST_NAMED = 5;
const MOST_COMMAND_CHARS = 100;

/** Chromium's name for a load that was given up for another one. */
const ABORTED = -3;

/** Says that the page died, hangs or did not load, and loads it anew if the person wants. The host has lost nothing. */
function offerReload(window: BrowserWindow): void {
  let isAsking = false;
  const ask = async (message: string, detail: string) => {
    if (isAsking || window.isDestroyed()) return;
    isAsking = true;
    const { response } = await dialog.showMessageBox(window, {
      ...{ type: 'warning', message, detail, buttons: ['Reload', 'Wait'], defaultId: 0, cancelId: 1 },
    });
    isAsking = false;
    if (response === 0 && !window.isDestroyed()) window.loadURL(START_PAGE).catch(ignore);
  };
  const { webContents } = window;
  webContents.on('render-process-gone', (_event, { reason }) => {
    if (reason !== 'clean-exit')
      ask('The window has crashed', `${reason}; all captures are safe`).catch(ignore);
  });
  const onProcessGone = (_event: unknown, { type, reason }: { type: string; reason: string }) => {
    if (reason !== 'clean-exit' && reason !== 'killed')
      ask('A part of the window has crashed', `${type}: ${reason}`).catch(ignore);
  };
  app.on('child-process-gone', onProcessGone);
  window.once('closed', () => app.off('child-process-gone', onProcessGone));
  window.on('unresponsive', () => ask('The window does not respond', 'It may be busy').catch(ignore));
  webContents.on('did-fail-load', (_event, code, description, _url, isMainFrame) => {
    if (isMainFrame && code !== ABORTED)
      ask('The window could not be loaded', `${description} (${code})`).catch(ignore);
  });
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

type Open = (opening: Opening) => Promise<void>;

/** Brings the window to the front. It may have been hidden, or closed on macOS. */
function showWindow(openWindow: () => void): void {
  const [window] = BrowserWindow.getAllWindows();
  if (!window) openWindow();
  if (window?.isMinimized()) window.restore();
  window?.show();
  window?.focus();
}

function listenToTheSystem(open: Open, openWindow: () => void, ending: Ending): void {
  app.on('second-instance', (_event, _argv, _cwd, data) => {
    open(handedOver(data)).catch(ignore);
    showWindow(openWindow);
  });
  // macOS: a file dropped on the icon; a click on the icon without any window.
  const openIfNone = () => {
    if (app.isReady() && BrowserWindow.getAllWindows().length === 0) openWindow();
  };
  app.on('open-file', (event, path) => {
    event.preventDefault();
    open({ paths: [path], links: [] }).catch(ignore);
    openIfNone();
  });
  // macOS gives links so; the other systems start the app with them.
  app.on('open-url', (event, url) => {
    event.preventDefault();
    const link = linkOf(url);
    if (link) open({ paths: [], links: [link] }).catch(ignore);
    openIfNone();
  });
  app.on('activate', openIfNone);
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit();
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => ending.quit());
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

/** Draws the menu anew whenever other actions of the page apply. */
function keepMenu(actions: Parameters<typeof menuTemplate>[0]): void {
  const draw = (entries: MenuEntry[]) =>
    Menu.setApplicationMenu(Menu.buildFromTemplate(menuTemplate(actions, process.platform, entries)));
  draw([]);
  ipcMain.on(MENU, ({ senderFrame }, message) => {
    const { data } = MenuEntries.safeParse(message);
    if (data && isOurPage(senderFrame)) draw(data);
  });
  ipcMain.on(CHOOSE, ({ senderFrame }, what) => {
    if (isOurPage(senderFrame)) void (what === 'folder' ? actions.openFolder() : actions.openFiles());
  });
}

/** Menus and dialogs of the system have the theme that the person chose in the page. */
function followTheme(): void {
  ipcMain.on(THEME, ({ senderFrame }, theme) => {
    const { data } = Theme.safeParse(theme);
    if (data && isOurPage(senderFrame)) nativeTheme.themeSource = data;
  });
}

/** A file that the page saves: the system asks where, and the page hears whether it is there. */
function askWhereToSave(): void {
  session.defaultSession.on('will-download', (_event, item, contents) => {
    item.setSaveDialogOptions({ defaultPath: join(app.getPath('downloads'), item.getFilename()) });
    item.once('done', (_done, state) => {
      const outcome = ({ completed: 'saved', cancelled: null, interrupted: 'failed' } as const)[state];
      if (!contents.isDestroyed()) contents.send(SAVED, { url: item.getURL(), outcome } satisfies Saved);
    });
  });
}

function about(version: string): AboutPanelOptionsOptions {
  return {
    ...{ applicationName: 'Spillway', applicationVersion: version, version: '' },
    copyright: 'MIT licence',
  };
}

function menuActions(open: Open, install: Parts['installCommand']) {
  const ask = async (property: 'openFile' | 'openDirectory') => {
    const { filePaths } = await dialog.showOpenDialog({
      properties: [property, 'multiSelections', 'showHiddenFiles'],
    });
    await open({ paths: filePaths, links: [] });
  };
  return {
    openFiles: () => ask('openFile').catch(ignore),
    openFolder: () => ask('openDirectory').catch(ignore),
    installCommand: install && (() => sayInstalled(install).catch(ignore)),
    choose: (action: string) => BrowserWindow.getAllWindows()[0]?.webContents.send(CHOSEN, action),
  };
}

async function sayInstalled(install: () => string): Promise<void> {
  try {
    const path = install();
    const isOnPath = (process.env.PATH ?? '').split(delimiter).includes(dirname(path));
    await dialog.showMessageBox({
      message: 'The spillway command is installed',
      detail: isOnPath ? path : `${path}\nAdd ${dirname(path)} to your PATH to start it by its name.`,
    });
  } catch (error) {
    const { what, todo } = toSpillwayError(error);
    dialog.showErrorBox(what, todo);
  }
}

/**
 * Ends, as the inspector can't run. Where another one serves this home, that one has opened the paths, and its page is
 * shown; else says why. Linux shows nothing before `ready`.
 */
async function leave(error: unknown, handOver: () => Promise<string | null>): Promise<void> {
  await app.whenReady();
  // A person may read its message for long.
  tellStart();
  try {
    if (toSpillwayError(error).code !== 'busy') throw error;
    const url = await handOver();
    if (url !== null) await shell.openExternal(url);
    app.exit(0);
  } catch (reason) {
    const { what, todo } = toSpillwayError(reason);
    dialog.showErrorBox(what, todo);
    app.exit(1);
  }
}

/** For errors nobody can be told: the window is gone, or `leave` has reported them. */
function ignore(): void {}

/**
 * Runs the built main process under Node: `node recording-electron.cjs MAIN [WORD…]`, WORDs being what the program is
 * started with. Its `electron` is pessimistic and records: `ready-to-show` never comes, `setPath` throws for a folder
 * that is missing, a call at the wrong time throws. Each line on standard output is what was called, as JSON; each on
 * standard input is what happens next, see `steps`.
 */
const { EventEmitter } = require('node:events');
const { existsSync } = require('node:fs');
const Module = require('node:module');
const { createInterface } = require('node:readline');
const { MessageChannel } = require('node:worker_threads');

const [, , main, ...words] = process.argv;
const platform = process.env.SPILLWAY_TEST_PLATFORM ?? process.platform;
const say = (call, ...args) => process.stdout.write(`${JSON.stringify([call, ...args])}\n`);

let isReady = false;
const at = (ready, name) => {
  if (isReady !== ready) throw new Error(`${name} ${ready ? 'before' : 'after'} ready`);
};
const preventable = () => ({
  defaultPrevented: false,
  preventDefault() {
    this.defaultPrevented = true;
  },
});
/** Says which events are listened to. */
class Told extends EventEmitter {
  constructor(name) {
    super();
    this.on('newListener', (event) => event !== 'newListener' && say(`${name}.on`, event));
  }
}

/** Menus outside the window, by their places. */
const kept = {};
const keep = (place, menu) => {
  kept[place] = menu;
  say(
    `${place} menu`,
    itemsOf(menu).map(({ label, role }) => label ?? role ?? 'line'),
  );
};
let becomeReady;
const ready = new Promise((resolve) => {
  becomeReady = resolve;
});
const paths = { userData: process.env.SPILLWAY_TEST_PROFILE, downloads: process.env.SPILLWAY_TEST_PROFILE };
const app = Object.assign(new Told('app'), {
  isPackaged: false,
  isReady: () => isReady,
  whenReady: () => ready,
  getPath: (name) => paths[name],
  setPath(name, path) {
    if (!existsSync(path)) throw new Error(`${path} does not exist`);
    paths[name] = path;
  },
  requestSingleInstanceLock(data) {
    say('lock', data);
    return true;
  },
  enableSandbox() {
    at(false, 'enableSandbox');
    say('enableSandbox');
  },
  addRecentDocument: (path) => say('recent', path),
  setAboutPanelOptions: (options) => say('about', options),
  setAsDefaultProtocolClient: (scheme) => say('scheme', scheme),
  setAppUserModelId: (id) => say('app id', id),
  setJumpList: (list) => say('jump list', list),
  // macOS alone has one.
  dock: platform === 'darwin' ? { setMenu: (menu) => keep('dock', menu) } : undefined,
  exit(code) {
    say('exit', code);
    process.exit(code);
  },
  quit() {
    const before = preventable();
    app.emit('before-quit', before);
    if (before.defaultPrevented) return say('quit prevented');
    const event = preventable();
    app.emit('will-quit', event);
    if (event.defaultPrevented) return say('quit delayed');
    say('quit');
    process.exit(0);
  },
});

class Contents extends Told {
  constructor() {
    super('contents');
  }
  setWindowOpenHandler(handler) {
    this.openHandler = handler;
    say('window open handler');
  }
  send(...args) {
    say('send', ...args);
  }
  isDestroyed() {
    return false;
  }
}
class BrowserWindow extends Told {
  static all = [];
  static getAllWindows = () => [...BrowserWindow.all];
  static getFocusedWindow = () => null;
  constructor(options) {
    super('window');
    at(true, 'new BrowserWindow');
    this.webContents = new Contents();
    const { show, x = null, width } = options;
    say('window', { show, x, width, preload: existsSync(options.webPreferences.preload) });
    BrowserWindow.all.push(this);
    app.emit('web-contents-created', {}, this.webContents);
  }
  async loadURL(url) {
    const response = await handlers.get('spillway')(new Request(url));
    say('load', url, response.status, (await response.text()).length > 100);
  }
  show() {
    say('show');
  }
  hide() {
    say('hide');
  }
  focus() {
    say('focus');
  }
  maximize() {}
  restore() {}
  isVisible = () => true;
  isMinimized = () => false;
  isMaximized = () => false;
  isDestroyed = () => !BrowserWindow.all.includes(this);
  getNormalBounds = () => ({ x: 1, y: 2, width: 800, height: 600 });
}

const handlers = new Map();
const ipcMain = new Told('ipc');
const wrap = (port) => ({
  on: (name, listener) =>
    port.on(name, name === 'message' ? (data) => listener({ data, ports: [] }) : listener),
  postMessage: (message) => port.postMessage(message),
  start: () => port.start(),
  close: () => port.close(),
});
class MessageChannelMain {
  constructor() {
    const { port1, port2 } = new MessageChannel();
    this.port1 = wrap(port1);
    this.port2 = port2;
  }
}
/** The page's own frame. */
const frame = {
  ...{ url: 'spillway://app/', parent: null, isDestroyed: () => false },
  postMessage(channel, _message, [port]) {
    say('port', channel);
    // The page's first request.
    port.on('message', (message) => say('answer', message));
    port.postMessage({ type: 'request', id: 1, name: 'hello', params: {} });
  },
};

const dialog = {
  button: 0,
  showErrorBox(title, text) {
    at(true, 'showErrorBox');
    say('error box', title, text);
  },
  async showMessageBox(...given) {
    const { message, detail, buttons } = given.at(-1);
    say('question', message, detail, buttons);
    return { response: dialog.button };
  },
  async showOpenDialog(options) {
    say('open dialog', options.properties);
    return { filePaths: dialog.picks ?? [] };
  },
};
let menu = [];
const asked = {};
const itemsOf = (items) =>
  items.flatMap((item) => [item, ...(Array.isArray(item.submenu) ? itemsOf(item.submenu) : [])]);
const electron = {
  ...{ app, BrowserWindow, ipcMain, MessageChannelMain, dialog },
  nativeTheme: { shouldUseDarkColors: false, themeSource: 'system' },
  Menu: {
    buildFromTemplate: (template) =>
      Object.assign(template, {
        popup: () =>
          say(
            'context menu',
            itemsOf(template).map(({ role }) => role),
          ),
      }),
    setApplicationMenu(next) {
      at(true, 'setApplicationMenu');
      menu = next;
      say(
        'menu',
        itemsOf(menu).map(({ label, role }) => label ?? role ?? 'line'),
      );
    },
  },
  protocol: {
    registerSchemesAsPrivileged: () => at(false, 'registerSchemesAsPrivileged'),
    handle: (scheme, handler) => handlers.set(scheme, handler),
  },
  screen: { getAllDisplays: () => [{ workArea: { x: 0, y: 0, width: 1920, height: 1080 } }] },
  session: {
    defaultSession: Object.assign(new Told('session'), {
      setPermissionRequestHandler(handler) {
        asked.request = handler;
        say('permission requests');
      },
      setPermissionCheckHandler: () => say('permission checks'),
      setDevicePermissionHandler: () => say('device permissions'),
    }),
  },
  shell: { openExternal: async (url) => say('open external', url) },
  net: {
    async fetch(url) {
      say('fetch', url);
      return new Response('', { status: 404 });
    },
  },
  nativeImage: { createFromPath: (path) => ({ resize: () => existsSync(path) }) },
  Tray: class extends Told {
    constructor(icon) {
      super('tray');
      say('tray', icon);
    }
    setToolTip() {}
    setContextMenu(menu) {
      keep('tray', menu);
    }
    destroy() {
      say('no tray');
    }
  },
  Notification: class extends EventEmitter {
    static isSupported = () => true;
    show() {
      say('notification');
    }
  },
};

/** What a test lets happen. */
const steps = {
  ready() {
    isReady = true;
    becomeReady();
  },
  page: () => ipcMain.emit('spillway:connect', { senderFrame: frame }),
  press: (label, place) =>
    itemsOf(place ? kept[place] : menu)
      .find((item) => item.label === label)
      .click(),
  ipc: (channel, ...args) => ipcMain.emit(channel, { senderFrame: frame }, ...args),
  /** The page saves a file. */
  download(state) {
    const item = Object.assign(new EventEmitter(), {
      getFilename: () => 'marks.md',
      getURL: () => 'blob:spillway://app/1',
      setSaveDialogOptions: (options) => say('save dialog', options.defaultPath),
    });
    electron.session.defaultSession.emit('will-download', {}, item, BrowserWindow.all[0].webContents);
    item.emit('done', {}, state);
  },
  theme: () => say('theme', electron.nativeTheme.themeSource),
  follow(url) {
    say('new window', BrowserWindow.all[0].webContents.openHandler({ url }));
    const event = preventable();
    BrowserWindow.all[0].webContents.emit('will-navigate', event, url);
    say('navigation', event.defaultPrevented);
  },
  /** The window's own settings of the system: what it refuses a page. */
  ask: (permission) =>
    asked.request(null, permission, (isAllowed) => say('allowed', permission, isAllowed), {
      requestingUrl: 'spillway://app/',
    }),
  app: (event, ...args) => app.emit(event, preventable(), ...args),
  contents: (event, ...args) => BrowserWindow.all[0].webContents.emit(event, preventable(), ...args),
  window: (event, ...args) => BrowserWindow.all[0].emit(event, ...args),
  answer: (button) => {
    dialog.button = button;
  },
  pick: (...picks) => {
    dialog.picks = picks;
  },
  close() {
    const event = preventable();
    const [window] = BrowserWindow.all;
    window.emit('close', event);
    if (event.defaultPrevented) return say('close prevented');
    BrowserWindow.all.splice(0);
    window.emit('closed');
    say('closed');
    app.emit('window-all-closed');
  },
  quit: () => app.quit(),
};
createInterface({ input: process.stdin }).on('line', (line) => {
  const [name, ...args] = JSON.parse(line);
  steps[name](...args);
});
process.on('unhandledRejection', (error) => say('unhandled', String(error?.stack ?? error)));

const load = Module._load;
Module._load = function (id, ...rest) {
  return id === 'electron' ? electron : load.call(this, id, ...rest);
};
Object.defineProperty(process, 'platform', { value: platform });
process.argv = [process.execPath, ...words];
require(main);

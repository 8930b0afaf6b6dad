/** The menu of the desktop window, its one instance, and how it quits. */

import { EventEmitter } from 'node:events';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setImmediate as settle } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import {
  closes,
  commands,
  electron,
  load,
  notices,
  opened,
  profile,
  SpillwayError,
  seams,
  setUpElectron,
  signals,
  start,
  startOptions,
} from '../../fixtures/set-up/desktop-window.ts';

describe('the desktop window', () => {
  setUpElectron();

  it('has a menu whose items open the files that the person picks', async () => {
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

  it('draws the menu from the page’s actions, and runs the one that is chosen', async () => {
    const window = await start();
    const page = new electron.StandInFrame('spillway://app/');
    const keys = { action: 'Keys', menu: 'Help', key: '?', applies: true, isOn: null };
    const help = () =>
      electron.Menu.current?.find(({ label }) => label === '&Help')?.submenu as {
        label?: string;
        click(): void;
      }[];
    for (const [frame, told] of [
      [new electron.StandInFrame('https://example.org/'), [keys]],
      [new electron.StandInFrame('spillway://app/', page), [keys]],
      [page, [{ ...keys, key: 7 }]],
    ])
      electron.ipcMain.emit('spillway:menu', { senderFrame: frame }, told);
    expect(help().map(({ label }) => label)).not.toContain('Keys');
    electron.ipcMain.emit('spillway:menu', { senderFrame: page }, [keys]);
    help()[0]?.click();
    expect(window.webContents.sent).toEqual([['spillway:chosen', 'Keys']]);
  });

  it('asks with the system’s dialog what to open, for the page alone', async () => {
    await start();
    const choose = (url: string, what: unknown) =>
      electron.ipcMain.emit('spillway:choose', { senderFrame: new electron.StandInFrame(url) }, what);
    choose('https://example.org/', 'folder');
    choose('spillway://app/', 'folder');
    choose('spillway://app/', 'files');
    expect(electron.dialog.asked.map(({ properties }) => properties?.[0])).toEqual([
      'openDirectory',
      'openFile',
    ]);
  });

  it('takes the theme of the page alone for its native parts', async () => {
    await start();
    const tell = (url: string, theme: unknown) =>
      electron.ipcMain.emit('spillway:theme', { senderFrame: new electron.StandInFrame(url) }, theme);
    tell('https://example.org/', 'dark');
    tell('spillway://app/', 'sepia');
    expect(electron.nativeTheme.themeSource).toBe('system');
    tell('spillway://app/', 'dark');
    expect(electron.nativeTheme.themeSource).toBe('dark');
  });

  it.each([
    ['completed', 'saved'],
    ['cancelled', null],
    ['interrupted', 'failed'],
  ])('asks where to save, and tells the page of a download that is %s: %s', async (state, outcome) => {
    const window = await start();
    electron.app.paths.downloads = '/home/somebody/Downloads';
    const asked: unknown[] = [];
    const item = Object.assign(new EventEmitter(), {
      getFilename: () => 'marks.md',
      getURL: () => 'blob:spillway://app/1',
      setSaveDialogOptions: (options: unknown) => void asked.push(options),
    });
    electron.session.defaultSession.emit('will-download', {}, item, window.webContents);
    expect(asked).toEqual([{ defaultPath: join('/home/somebody/Downloads', 'marks.md') }]);
    item.emit('done', {}, state);
    expect(window.webContents.sent).toEqual([['spillway:saved', { url: 'blob:spillway://app/1', outcome }]]);
  });

  it('tells the system which documents were opened, and what it is', async () => {
    await start();
    electron.app.emit('second-instance', {}, [], '/', { paths: ['/logs/build.log'] });
    expect(electron.app.recent).toEqual([resolve('some.log'), '/elsewhere/other.log', '/logs/build.log']);
    expect(electron.app.about).toMatchObject({ applicationName: 'Spillway', copyright: 'MIT licence' });
    expect(electron.app.about?.applicationVersion).toMatch(/^\d+\.\d+\.\d+/);
  });

  it('hands its paths to the instance that runs already, and ends', async () => {
    electron.app.grantsLock = false;
    await load();
    await settle();
    expect(electron.app.lockData).toEqual({
      paths: [resolve('some.log'), '/elsewhere/other.log'],
      links: [],
    });
    expect(electron.app.hasQuit).toBe(true);
    expect(startOptions).toBeNull();
  });

  it('opens the paths that a second instance hands over, and comes to the front', async () => {
    const window = await start();
    window.minimized = true;
    electron.app.emit('second-instance', {}, ['ignored'], '/ignored', { paths: ['/new.log', 'relative', 7] });
    await settle();
    expect(opened).toEqual(['/new.log']);
    expect(window.told.slice(-3)).toEqual(['restore', 'show', 'focus']);
  });

  it('opens the files that the system asks it to open', async () => {
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

  it.runIf(process.platform !== 'darwin')('asks before it ends what agents run, and names it', async () => {
    const window = await start();
    commands.push('npm test', 'make -j8 all');
    electron.dialog.button = 2;
    window.closeByHand();
    electron.app.quit();
    await settle();
    expect(electron.dialog.questions).toEqual(['Agents still run 2 commands']);
    expect(electron.dialog.details).toEqual(['npm test\nmake -j8 all']);
    expect([closes, electron.BrowserWindow.all, window.told.includes('hide')]).toEqual([0, [window], false]);

    electron.dialog.button = 1;
    window.closeByHand();
    await settle();
    expect(window.told).toContain('hide');
    electron.app.emit('second-instance', {}, [], '/', { paths: [] });
    expect(window.told.at(-2)).toBe('show');

    electron.dialog.button = 0;
    electron.app.quit();
    await settle();
    await settle();
    expect([closes, electron.app.hasQuit]).toEqual([1, true]);
  });

  it('asks nothing where nothing runs, or where the system ends it', async () => {
    await start();
    commands.push('sleep 60');
    process.emit('SIGTERM');
    await settle();
    expect([electron.dialog.questions, closes, electron.app.hasQuit]).toEqual([[], 1, true]);
  });

  it('says why the inspector can’t run, and ends with 1', async () => {
    seams.startInspector = async () => {
      throw new SpillwayError('home', 'The home is not yours', 'set SPILLWAY_HOME');
    };
    await load();
    expect(electron.dialog.errors).toEqual([]);
    electron.app.becomeReady();
    await settle();
    expect(electron.dialog.errors).toEqual([
      { title: 'The home is not yours', content: 'set SPILLWAY_HOME' },
    ]);
    expect(electron.app.exitCode).toBe(1);
  });

  it.each([
    ['shows its page in the browser', 'http://127.0.0.1:1/?once', ['http://127.0.0.1:1/?once']],
    ['shows nothing where it has a window of its own', null, []],
  ])('hands its paths to a server of the same home, and %s', async (_, url, shown) => {
    seams.startInspector = async () => {
      throw new SpillwayError('busy', 'Another inspector runs', 'end it');
    };
    const handed: string[][] = [];
    seams.handOver = async (paths) => {
      handed.push(paths);
      return url;
    };
    await load();
    electron.app.becomeReady();
    await settle();
    expect(handed).toEqual([[resolve('some.log'), '/elsewhere/other.log']]);
    expect([electron.shell.opened, electron.BrowserWindow.all]).toEqual([shown, []]);
    expect([electron.dialog.errors, electron.app.exitCode]).toEqual([[], 0]);
  });

  it('says why the other inspector does not take the paths', async () => {
    seams.startInspector = async () => {
      throw new SpillwayError('busy', 'Another inspector runs', 'end it');
    };
    seams.handOver = async () => {
      throw new SpillwayError('not_found', 'No such file', 'see its name');
    };
    await load();
    electron.app.becomeReady();
    await settle();
    expect(electron.dialog.errors).toEqual([{ title: 'No such file', content: 'see its name' }]);
    expect(electron.app.exitCode).toBe(1);
  });

  it('opens a window for a file that the system asks it to open where there is none', async () => {
    const window = await start();
    electron.BrowserWindow.all.splice(electron.BrowserWindow.all.indexOf(window), 1);
    electron.app.emit('open-file', electron.preventable(), '/dropped.log');
    expect(electron.BrowserWindow.all).toHaveLength(1);
  });

  it('starts another inspector for another home', async () => {
    vi.stubEnv('SPILLWAY_HOME', '/somewhere/else');
    await load();
    const folder = electron.app.paths.userData!;
    expect(folder.slice(profile.length)).toMatch(/^\/spillway(-window)?\/homes\/[0-9a-f]{12}$/);
    expect(existsSync(folder)).toBe(true);
  });
});

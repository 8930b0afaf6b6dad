/** The app outside its window: links, tray, notifications, and the notice of a new version. */
import { readFileSync } from 'node:fs';
import { setImmediate as settle } from 'node:timers/promises';
import type * as Electron from 'electron';
import { describe, expect, it, vi } from 'vitest';
import { newerVersion } from '../../../electron/shell/presence.ts';
import type { LibraryEvent } from '../../../shared/api/api.ts';
import {
  electron,
  notices,
  opened,
  setUpElectron,
  start,
  tellLibrary,
  tellSettings,
} from '../../fixtures/set-up/desktop-window.ts';

const id = 'cmd-make-2026-11-28T09-00-00-0123ab';
type Artifact = LibraryEvent['changed'][number];

const clickOf = (item: Electron.MenuItemConstructorOptions | undefined) =>
  item?.click as unknown as () => void;

const change = (changed: Parameters<typeof tellSettings>[0]) => tellSettings(changed);
const startWith = async (changed: Parameters<typeof tellSettings>[0]) => {
  const window = await start();
  change(changed);
  return window;
};
const tell = (artifact: Partial<Artifact>) =>
  tellLibrary({
    ...{ reset: false, removed: [] },
    changed: [{ artifact_id: id, label: 'make', exit_code: null, cause: null, ...artifact } as Artifact],
  });

describe('the app outside its window', () => {
  setUpElectron();

  it('opens a link that it was started with, that a second start hands over, and that macOS gives', async () => {
    process.argv = ['/electron', '/app', `spillway://artifact/${id}/stdout?line=3`];
    const window = await start();
    expect(notices).toEqual([{ type: 'show', artifact_id: id, stream: 'stdout', line: 3 }]);
    electron.app.emit('second-instance', {}, [], '/', {
      paths: [],
      links: [{ artifact_id: id, stream: null, line: 5 }],
    });
    const event = electron.preventable();
    electron.app.emit('open-url', event, `spillway://artifact/${id}`);
    electron.app.emit('open-url', electron.preventable(), 'spillway://artifact/nonsense');
    await settle();
    expect(notices.slice(1)).toEqual([
      { type: 'show', artifact_id: id, stream: null, line: 5 },
      { type: 'show', artifact_id: id, stream: null, line: null },
    ]);
    expect([event.defaultPrevented, window.told.includes('focus')]).toEqual([true, true]);
  });

  it('takes links of its scheme as a package, and leaves them to the package as a checkout', async () => {
    await start();
    expect([electron.app.schemes, electron.app.userModelId]).toEqual([[], null]);
  });

  it('takes links of its scheme as a package, and is on Windows the app of its shortcut', async () => {
    electron.app.isPackaged = true;
    await start();
    expect(electron.app.schemes).toEqual(['spillway']);
    const builder = readFileSync(new URL('../../../electron-builder.yml', import.meta.url), 'utf8');
    expect(electron.app.userModelId).toBe(/^appId: (.*)$/m.exec(builder)?.[1]);
  });

  it('is in no tray, tells nothing and asks no address until the person agrees', async () => {
    const window = await start();
    tell({ status: 'running' });
    tell({ status: 'failed', duration_ms: 60_000 });
    expect([electron.Tray.all, electron.Notification.shown, electron.net.asked]).toEqual([[], [], []]);
    window.closeByHand();
    expect(electron.BrowserWindow.all).toEqual([]);
  });

  it('hides the window in the tray, brings it back, and quits from there', async () => {
    const window = await start();
    change({ whenClosed: 'tray' });
    const [tray] = electron.Tray.all;
    window.closeByHand();
    expect([electron.BrowserWindow.all.length, window.told.at(-1)]).toEqual([1, 'hide']);
    tray?.emit('click');
    expect(window.told.slice(-2)).toEqual(['show', 'focus']);
    clickOf(tray?.menu.at(-1))();
    window.closeByHand();
    await settle();
    expect([electron.BrowserWindow.all.length, electron.app.hasQuit]).toEqual([0, true]);
  });

  it('shows a hidden window when the tray that led to it is switched off', async () => {
    const window = await startWith({ whenClosed: 'tray' });
    window.closeByHand();
    change({ whenClosed: 'quit' });
    expect([electron.Tray.all.length, window.told.at(-1)]).toEqual([0, 'show']);
  });

  it('tells when a command that ran for a while ends, and shows it at a click', async () => {
    const window = await startWith({ notifyEnded: true });
    tell({ status: 'running' });
    tell({
      status: 'failed',
      exit_code: 2,
      duration_ms: 60_000,
      cause: { text: 'error: no', line_number: 1, stream: 'stderr' },
    });
    tell({ status: 'failed', exit_code: 2, duration_ms: 60_000 });
    const [said] = electron.Notification.shown;
    expect(electron.Notification.shown).toHaveLength(1);
    expect(said?.options).toMatchObject({ title: 'make', body: 'Exit 2: error: no' });
    said?.emit('click');
    await settle();
    expect(window.told.at(-1)).toBe('focus');
    expect(notices).toEqual([{ type: 'show', artifact_id: id }]);
  });

  it.each([
    ['is short', { duration_ms: 5000 }, false],
    ['ended while its person looks at the window', { duration_ms: 60_000 }, true],
  ])('tells nothing of a command that %s', async (_what, artifact, isFocused) => {
    const window = await startWith({ notifyEnded: true });
    electron.BrowserWindow.focused = isFocused ? window : null;
    tell({ status: 'running' });
    tell({ status: 'succeeded', ...artifact });
    expect(electron.Notification.shown).toEqual([]);
  });

  it('asks one address for the newest version, sends nothing of its own, and opens the page if the person wants', async () => {
    electron.net.answer = '{"version":"99.0.0"}';
    await start();
    expect(electron.net.asked).toEqual([]);
    change({ updateNotice: true });
    for (let i = 0; i < 4; i++) await settle();
    expect(electron.net.asked).toEqual([
      {
        url: 'https://github.com/spillway/inspector/releases/latest/download/latest.json',
        options: {
          credentials: 'omit',
          headers: { 'user-agent': 'Spillway', 'accept-language': 'en' },
        },
      },
    ]);
    expect(electron.dialog.questions).toEqual(['Spillway 99.0.0 is out']);
    expect(electron.shell.opened).toEqual(['https://github.com/spillway/inspector/releases/latest']);
    // Another setting does not ask again.
    change({ notifyEnded: true });
    for (let i = 0; i < 4; i++) await settle();
    expect(electron.net.asked).toHaveLength(1);
  });

  it('asks again each day while it is on, and names each version once', async () => {
    electron.net.answer = '{"version":"99.0.0"}';
    await start();
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const day = () => vi.advanceTimersByTime(24 * 60 * 60 * 1000);
    change({ updateNotice: true });
    day();
    for (let i = 0; i < 8; i++) await settle();
    expect([electron.net.asked.length, electron.dialog.questions.length]).toEqual([2, 1]);
    change({ updateNotice: false });
    day();
    vi.useRealTimers();
    expect(electron.net.asked).toHaveLength(2);
  });

  it('goes on without a window or an icon, and shows the window at the next start', async () => {
    const window = await startWith({ whenClosed: 'background' });
    window.closeByHand();
    await settle();
    expect([electron.Tray.all.length, window.told.at(-1), electron.app.hasQuit]).toEqual([0, 'hide', false]);
    electron.app.emit('second-instance', {}, [], '/', { paths: [], links: [] });
    expect(window.told.slice(-2)).toEqual(['show', 'focus']);
    electron.app.quit();
    window.closeByHand();
    await settle();
    expect(electron.app.hasQuit).toBe(true);
  });

  it.each([
    ['darwin', [['Open File…'], null]],
    ['win32', [[], [{ type: 'recent' }]]],
    ['linux', [[], null]],
  ] as const)('offers starts where %s has a place for them', async (platform, [dock, jumpList]) => {
    vi.spyOn(process, 'platform', 'get').mockReturnValue(platform);
    const menus: Electron.MenuItemConstructorOptions[][] = [];
    if (platform === 'darwin')
      electron.app.dock = { menu: null, setMenu: (menu) => void menus.push(menu as never) };
    await start();
    vi.restoreAllMocks();
    expect(menus.flat().map(({ label }) => label)).toEqual(dock);
    expect(electron.app.jumpList).toEqual(jumpList);
    const [open] = menus.flat();
    if (!open) return;
    electron.dialog.picks = ['/picked.log'];
    clickOf(open)();
    await settle();
    expect(opened).toEqual(['/picked.log']);
  });
});

describe('a newer version', () => {
  it.each([
    ['{"version":"1.2.4"}', '1.2.3', '1.2.4'],
    ['{"version":"1.10.0"}', '1.9.9', '1.10.0'],
    ['{"version":"2.0.0"}', '1.9.9-beta', '2.0.0'],
    ['{"version":"1.2.3"}', '1.2.3', null],
    ['{"version":"1.2.2"}', '1.2.3', null],
    ['{"version":"0.9.9"}', '1.0.0', null],
    ['{"version":"9.0.0\\nhttp://x"}', '1.0.0', null],
    ['{"version":7}', '1.0.0', null],
    ['null', '1.0.0', null],
    ['<html>', '1.0.0', null],
  ])('of %s, for %s, is %s', (text, version, newer) => {
    expect(newerVersion(text, version)).toBe(newer);
  });
});

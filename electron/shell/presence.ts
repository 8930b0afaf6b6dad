/** The app outside its window: tray, Dock menu, jump list, notifications, and the notice of a new version. */
import { app, BrowserWindow, dialog, Menu, Notification, nativeImage, net, shell, Tray } from 'electron';
import type { LibraryEvent } from '../../shared/api/api.ts';
import { SETTING_RULES } from '../../shared/setting-rules.ts';
import type { Settings } from '../../shared/settings.ts';
import { shortenMiddle } from '../../shared/text/format.ts';
import type { WindowInspector } from './launch.ts';

type Used = Pick<Settings, 'whenClosed' | 'notifyEnded' | 'updateNotice'>;

/** The settings of the app itself: the defaults until the inspector runs, then those of config.json, as they change. */
export class AppSettings {
  readonly #listeners: (() => void)[] = [];
  #now: Used = {
    whenClosed: SETTING_RULES.whenClosed.default,
    notifyEnded: SETTING_RULES.notifyEnded.default,
    updateNotice: SETTING_RULES.updateNotice.default,
  };

  constructor(inspector: Promise<WindowInspector>) {
    inspector.then(
      (running) =>
        running.watchSettings((settings) => {
          this.#now = settings;
          for (const listener of this.#listeners) listener();
        }),
      () => {},
    );
  }

  get now(): Used {
    return this.#now;
  }

  onChange(listener: () => void): void {
    this.#listeners.push(listener);
    listener();
  }
}

interface Presence {
  settings: AppSettings;
  inspector: Promise<WindowInspector>;
  /** Path of a picture of 32 pixels. */
  icon: string;
  version: string;
  showWindow(): void;
  openFiles(): void;
  showArtifact(artifactId: string): void;
}

/** How often the newest version is asked for. */
const UPDATES_MS = 24 * 60 * 60 * 1000;

export function keepPresence(presence: Presence): void {
  const { settings, inspector, version } = presence;
  keepTray(presence);
  offerStarts(presence);
  inspector.then(
    ({ host }) => {
      const ended = new EndedCommands();
      host.watchLibrary((event) => {
        for (const artifact of ended.take(event)) if (settings.now.notifyEnded) tell(artifact, presence);
      });
    },
    () => {},
  );
  let asks: NodeJS.Timeout | null = null;
  settings.onChange(() => {
    if (settings.now.updateNotice === (asks !== null)) return;
    if (asks) clearInterval(asks);
    asks = null;
    if (!settings.now.updateNotice) return;
    const look = () => void tellOfUpdate(version).catch(() => {});
    look();
    asks = setInterval(look, UPDATES_MS).unref();
  });
}

/** Kept here: a tray that nothing refers to disappears when memory is collected. */
let tray: Tray | null = null;

function keepTray({ settings, icon, showWindow, openFiles }: Presence): void {
  const draw = () => {
    const { whenClosed } = settings.now;
    // Nothing else would lead back to a hidden window.
    if (whenClosed === 'quit')
      for (const window of BrowserWindow.getAllWindows()) if (hidden.delete(window)) window.show();
    if ((whenClosed === 'tray') === (tray !== null)) return;
    if (tray) {
      tray.destroy();
      tray = null;
      return;
    }
    tray = new Tray(nativeImage.createFromPath(icon).resize({ width: 16, height: 16 }));
    tray.setToolTip('Spillway');
    tray.setContextMenu(
      Menu.buildFromTemplate([
        { label: 'Show Spillway', click: showWindow },
        { label: 'Open File…', click: openFiles },
        { type: 'separator' },
        { label: 'Quit', click: () => app.quit() },
      ]),
    );
    tray.on('click', showWindow);
  };
  settings.onChange(draw);
}

/** Windows that were closed and go on in the background. */
const hidden = new WeakSet<BrowserWindow>();

export function hideInBackground(window: BrowserWindow): void {
  hidden.add(window);
  window.hide();
}

/** The Dock's menu on macOS; on Windows the jump list, to which the system adds recent files. */
function offerStarts({ openFiles }: Presence): void {
  app.dock?.setMenu(Menu.buildFromTemplate([{ label: 'Open File…', click: openFiles }]));
  if (process.platform === 'win32') app.setJumpList([{ type: 'recent' }]);
}

/** A shorter command ends before its person looks elsewhere. */
const WATCHED_MS = 10_000;

type Ended = LibraryEvent['changed'][number];

/** Finds the commands that were seen running, ran for a while, and have ended. */
class EndedCommands {
  readonly #running = new Set<string>();

  take({ changed }: Pick<LibraryEvent, 'changed'>): Ended[] {
    return changed.filter((artifact) => {
      if (artifact.status === 'running') {
        this.#running.add(artifact.artifact_id);
        return false;
      }
      const wasRunning = this.#running.delete(artifact.artifact_id);
      return wasRunning && (artifact.duration_ms ?? 0) >= WATCHED_MS;
    });
  }
}

function tell(artifact: Ended, { showWindow, showArtifact }: Presence): void {
  if (!Notification.isSupported() || BrowserWindow.getFocusedWindow()) return;
  const title = shortenMiddle(artifact.label, 100);
  const notification = new Notification({ title, body: endOf(artifact), silent: true });
  notification.on('click', () => {
    showWindow();
    showArtifact(artifact.artifact_id);
  });
  notification.show();
}

function endOf({ status, exit_code: code, cause }: Ended): string {
  const end = code ? `Exit ${code}` : status === 'succeeded' ? 'Succeeded' : status.replace('_', ' ');
  return cause ? `${end}: ${shortenMiddle(cause.text, 200)}` : end;
}

const RELEASES = 'https://github.com/spillway/inspector/releases/latest';
/** The one address that is asked; a release has it (electron/tooling/packaging/release.mjs). */
const LATEST = `${RELEASES}/download/latest.json`;

/** Versions that the person was told of and wants later. */
const told = new Set<string>();

/** Asks without cookies or anything about this machine, and tells of a newer version once. */
async function tellOfUpdate(version: string): Promise<void> {
  // Else Chromium names the system and the languages of the person.
  const headers = { 'user-agent': 'Spillway', 'accept-language': 'en' };
  const response = await net.fetch(LATEST, { credentials: 'omit', headers });
  const newest = response.ok ? newerVersion(await response.text(), version) : null;
  if (newest === null || told.has(newest)) return;
  told.add(newest);
  const { response: button } = await dialog.showMessageBox({
    message: `Spillway ${newest} is out`,
    detail: `This is ${version}.`,
    ...{ buttons: ['Show', 'Later'], defaultId: 0, cancelId: 1 },
  });
  if (button === 0) await shell.openExternal(RELEASES);
}

/** Returns the version that the text names if it is a newer one. */
export function newerVersion(text: string, version: string): string | null {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return null;
  }
  const named = typeof parsed === 'object' && parsed !== null && 'version' in parsed ? parsed.version : null;
  if (typeof named !== 'string' || !/^\d{1,5}\.\d{1,5}\.\d{1,5}$/.test(named)) return null;
  const parts = (one: string) => one.split('-', 1)[0]!.split('.').map(Number);
  const [theirs, ours] = [parts(named), parts(version)];
  const at = theirs.findIndex((part, index) => part !== ours[index]);
  return at >= 0 && theirs[at]! > (ours[at] ?? 0) ? named : null;
}

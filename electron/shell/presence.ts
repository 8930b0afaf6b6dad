/** The app outside its window: tray, Dock menu, jump list, notifications, and the notice of a new version. */
import { app, BrowserWindow, dialog, Menu, Notification, nativeImage, net, shell, Tray } from 'electron';
import type { LibraryEvent } from '../../shared/api/api.ts';
import { shortenMiddle } from '../../shared/text/format.ts';
import type { WindowInspector } from './launch.ts';
import type { DesktopSwitches } from './menu.ts';

interface Presence {
  switches: DesktopSwitches;
  inspector: Promise<WindowInspector>;
  /** Path of a picture of 32 pixels. */
  icon: string;
  version: string;
  showWindow(): void;
  openFiles(): void;
  showArtifact(artifactId: string): void;
}

export function keepPresence(presence: Presence): void {
  keepTray(presence);
  offerStarts(presence);
  presence.inspector.then(
    ({ host }) => {
      const ended = new EndedCommands();
      host.watchLibrary((event) => {
        for (const artifact of ended.take(event)) if (presence.switches.now.notify) tell(artifact, presence);
      });
    },
    () => {},
  );
  const look = () => {
    if (presence.switches.now.updates) tellOfUpdate(presence.version).catch(() => {});
  };
  look();
  presence.switches.onChange((key) => {
    if (key === 'updates') look();
  });
}

/** Kept here: a tray that nothing refers to disappears when memory is collected. */
let tray: Tray | null = null;

function keepTray({ switches, icon, showWindow, openFiles }: Presence): void {
  const draw = () => {
    if (switches.now.tray === (tray !== null)) return;
    if (!switches.now.tray) {
      tray?.destroy();
      tray = null;
      // Nothing would lead back to a hidden window.
      for (const window of BrowserWindow.getAllWindows()) if (!window.isVisible()) window.show();
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
  draw();
  switches.onChange(draw);
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
  const said = new Notification({ title, body: endOf(artifact), silent: true });
  said.on('click', () => {
    showWindow();
    showArtifact(artifact.artifact_id);
  });
  said.show();
}

function endOf({ status, exit_code: code, cause }: Ended): string {
  const end = code ? `Exit ${code}` : status === 'succeeded' ? 'Succeeded' : status.replace('_', ' ');
  return cause ? `${end}: ${shortenMiddle(cause.text, 200)}` : end;
}

const RELEASES = 'https://github.com/spillway/inspector/releases/latest';
/** The one address that is asked; a release has it (electron/tooling/packaging/release.mjs). */
const LATEST = `${RELEASES}/download/latest.json`;

/** Asks once, without cookies or anything about this machine, and tells of a newer version. */
async function tellOfUpdate(version: string): Promise<void> {
  const response = await net.fetch(LATEST, { credentials: 'omit' });
  const newest = response.ok ? newerVersion(await response.text(), version) : null;
  if (newest === null) return;
  const { response: button } = await dialog.showMessageBox({
    message: `Spillway ${newest} is out`,
    detail: `This is ${version}.`,
    ...{ buttons: ['Show', 'Later'], defaultId: 0, cancelId: 1 },
  });
  if (button === 0) await shell.openExternal(RELEASES);
}

/** Returns the version that the text names if it is a newer one. */
export function newerVersion(text: string, version: string): string | null {
  let said: unknown;
  try {
    said = JSON.parse(text);
  } catch {
    return null;
  }
  const named = typeof said === 'object' && said !== null && 'version' in said ? said.version : null;
  if (typeof named !== 'string' || !/^\d{1,5}\.\d{1,5}\.\d{1,5}$/.test(named)) return null;
  const parts = (one: string) => one.split('-', 1)[0]!.split('.').map(Number);
  const [theirs, ours] = [parts(named), parts(version)];
  const at = theirs.findIndex((part, index) => part !== ours[index]);
  return at >= 0 && theirs[at]! > (ours[at] ?? 0) ? named : null;
}

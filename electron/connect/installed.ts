/**
 * An installed app moves: an AppImage's mount vanishes with it, and an update may have another path. Agents and shells
 * are given a launcher in the home instead, which finds the command where the app is now. The app keeps it current.
 */
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { SpillwayError } from '../../shared/errors.ts';
import { quoted } from '../../shared/text/escape.ts';
import { userFolder } from '../host/settings/home-path.ts';
import { readOwn, replaceFile } from '../store/format/small-file.ts';

/** Where the app was when it last started. */
const Installed = z.object({
  version: z.string(),
  /** The command's file, outside any mount. */
  entry: z.string(),
  /** Starts the app. */
  program: z.string(),
});
export type Installed = z.infer<typeof Installed>;

export interface RunningApp {
  version: string;
  /** The command's file in the app. */
  entry: string;
  program: string;
  /** The AppImage that is mounted; null for an app that stays where it is. */
  appImage: string | null;
}

function launcherPath(home: string): string {
  return join(home, 'bin', 'spillway.cjs');
}

const installedPath = (home: string) => join(home, 'bin', 'spillway-app.json');

/** Returns null where no app has ever run, or what it wrote is damaged. */
export function readInstalled(home: string): Installed | null {
  try {
    return Installed.parse(JSON.parse(readOwn(installedPath(home)) ?? ''));
  } catch {
    return null;
  }
}

/** Notes where the app is, and returns the launcher's path. Throws what the system throws. */
export function keepLauncher(home: string, app: RunningApp): string {
  mkdirSync(join(home, 'bin'), { recursive: true, mode: 0o700 });
  const entry = app.appImage === null ? app.entry : copyOfCommand(home, app);
  const noted: Installed = { version: app.version, entry, program: app.appImage ?? app.program };
  replace(installedPath(home), `${JSON.stringify(noted)}\n`);
  replace(launcherPath(home), launcherText(installedPath(home)));
  return launcherPath(home);
}

/** Returns the launcher for the command of an installed app, and any other command as it is. */
export function lastingEntry(home: string, entry: string): string {
  const launcher = launcherPath(home);
  return readInstalled(home)?.entry === entry && existsSync(launcher) ? launcher : entry;
}

/** Nothing outside can read an AppImage that does not run, so the home has a copy of its command. */
function copyOfCommand(home: string, { entry, version }: RunningApp): string {
  const from = dirname(dirname(dirname(entry)));
  const to = join(home, 'bin', 'command');
  const copied = join(to, 'dist', 'node', 'cli.js');
  const isSame = existsSync(copied) && readInstalled(home)?.version === version;
  if (isSame) return copied;
  const next = `${to}.${process.pid}`;
  rmSync(next, { recursive: true, force: true });
  cpSync(from, next, { recursive: true, dereference: true });
  rmSync(to, { recursive: true, force: true });
  renameSync(next, to);
  return copied;
}

function replace(path: string, text: string): void {
  if (readOwn(path) !== text) replaceFile(path, text, 0o600);
}

/** Where installers put the command. Tried if the app has moved. */
const USUAL = [
  '/opt/Spillway/resources/command/dist/node/cli.js',
  '/Applications/Spillway.app/Contents/Resources/command/dist/node/cli.js',
];

/** A program for Node. Without the app, it runs bare what a command or an MCP server was given to. */
function launcherText(installed: string): string {
  return `// Starts Spillway's command where the app is now. Written by the app at each start.
const { existsSync, readFileSync } = require('node:fs');
const { spawn } = require('node:child_process');
const { pathToFileURL } = require('node:url');
let entry = '';
try {
  ({ entry } = JSON.parse(readFileSync(${JSON.stringify(installed)}, 'utf8')));
} catch {}
const found = [entry, ...${JSON.stringify(USUAL)}].find((path) => path !== '' && existsSync(path));
if (found) {
  process.argv[1] = found;
  import(pathToFileURL(found).href);
} else {
  const words = process.argv.slice(2);
  const end = words.indexOf('--');
  const bare = /^(?:run|proxy|terminal)$/.test(words[0]) && end >= 0 ? words.slice(end + 1) : [];
  if (bare.length === 0) {
    process.stderr.write('spillway: the Spillway app is gone: install it again, or remove it from your agents\\n');
    process.exit(2);
  }
  const child = spawn(bare[0], bare.slice(1), { stdio: 'inherit' });
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of signals) process.on(signal, () => child.kill(signal));
  child.on('error', ({ code, message }) => {
    process.stderr.write('spillway: ' + message + '\\n');
    process.exit(code === 'ENOENT' ? 127 : 126);
  });
  child.on('exit', (code, signal) => {
    for (const name of signals) process.removeAllListeners(name);
    if (signal) process.kill(process.pid, signal);
    else process.exit(code);
  });
}
`;
}

/** The first line tells our file from another program of that name. */
const MARK = 'Runs the command of the Spillway app.';

/** Puts `spillway` among the person's programs, and returns its path. Throws `usage` where another has the name. */
export function installCommand(
  home: string,
  platform: string = process.platform,
  folder = userFolder(),
): string {
  const isWindows = platform === 'win32';
  const path = join(folder, '.local', 'bin', isWindows ? 'spillway.cmd' : 'spillway');
  if (existsSync(path) && !readFileSync(path, 'utf8').includes(MARK))
    throw new SpillwayError('usage', `${path} is another program`, 'remove it, and choose this again');
  mkdirSync(dirname(path), { recursive: true });
  const launcher = launcherPath(home);
  const text = isWindows
    ? `@rem ${MARK}\r\n@node "${launcher}" %*\r\n`
    : `#!/bin/sh\n# ${MARK}\nexec node ${quoted(launcher)} "$@"\n`;
  replaceFile(path, text, 0o755);
  return path;
}

/** Checks of `spillway doctor` on the runtime, the system, the home, its socket and the watched folders. */

import {
  accessSync,
  constants,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join, resolve } from 'node:path';
import zlib from 'node:zlib';
import { CAPTURES_FOLDER } from '../../../shared/artifact-names.ts';
import { SpillwayError, toSpillwayError } from '../../../shared/errors.ts';
import { bytesToLeaveFree } from '../../../shared/limits.ts';
import { formatBytes, plural } from '../../../shared/text/format.ts';
import { loadConfig } from '../../host/settings/config.ts';
import { unfitHome } from '../../host/settings/home.ts';
import { fromUser, userFolder } from '../../host/settings/home-path.ts';
import { writableParentProblem } from '../../host/settings/writable-parent.ts';
import { connectPrivately, socketHolder } from '../../host/socket/private-socket.ts';
import { isProgram } from '../../reader/disks/entries.ts';
import { findPerl } from '../../recorder/command/perl.ts';
import { loadNativePty } from '../../recorder/terminal/pty.ts';
import { browserCommand } from './serve.ts';

export function checkMachine(): Check[] {
  return [
    checkNode(process.versions.node),
    checkSimd(),
    checkZstd(),
    checkBrowser(process.env, process.platform),
    ...checkInotify(),
  ];
}

/** Older versions lack APIs that Spillway uses. */
const LEAST_NODE = [20, 19];

export function checkNode(version: string): Check {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const enough = major > LEAST_NODE[0]! || (major === LEAST_NODE[0] && minor >= LEAST_NODE[1]!);
  return enough
    ? ok('node', `Node.js ${version}`)
    : fail('node', `Node.js ${version} is too old`, `install ${LEAST_NODE.join('.')} or newer`);
}

/** `(module (func (result v128) (i8x16.splat (i32.const 0))))` */
const SIMD_MODULE = new Uint8Array([
  0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 5, 1, 0x60, 0, 1, 0x7b, 3, 2, 1, 0, 10, 8, 1, 6, 0, 0x41, 0, 0xfd, 0x0f,
  0x0b,
]);

function checkSimd(): Check {
  try {
    new WebAssembly.Module(SIMD_MODULE);
    return ok('simd', 'lines are counted with WebAssembly SIMD');
  } catch {
    return warn(
      'simd',
      'no WebAssembly SIMD here: counting lines is slower',
      'use a newer Node.js or processor',
    );
  }
}

function checkZstd(): Check {
  return 'createZstdDecompress' in zlib
    ? ok('zstd', '.zst files can be read')
    : warn('zstd', '.zst files cannot be read', 'use Node.js 22.15 or newer, or decompress them first');
}

export function checkBrowser(env: NodeJS.ProcessEnv, platform: string): Check {
  const { command } = browserCommand('', platform);
  if (platform !== 'linux') return ok('browser', `opened with ${command}`);
  const todo = 'open the printed address yourself (over SSH: forward its port)';
  if (!env.DISPLAY && !env.WAYLAND_DISPLAY) return warn('browser', 'there is no display', todo);
  return (env.PATH ?? '').split(delimiter).some((folder) => isProgram(join(folder, command)))
    ? ok('browser', `opened with ${command}`)
    : warn('browser', `there is no ${command} to open one`, todo);
}

/** Each watched file takes one, and other programs need some too. */
const FEW_WATCHES = 32_768;

function checkInotify(): Check[] {
  if (process.platform !== 'linux') return [];
  let limit: number;
  try {
    limit = Number(readFileSync('/proc/sys/fs/inotify/max_user_watches', 'utf8'));
  } catch {
    return [warn('watching', 'how many files can be watched is not known', 'check that /proc is mounted')];
  }
  const found = `up to ${limit} files and folders can be watched`;
  return [
    limit < FEW_WATCHES
      ? warn('watching', found, 'raise it: sysctl fs.inotify.max_user_watches=524288')
      : ok('watching', found),
  ];
}

/** One finding of `spillway doctor`, and what it means for using Spillway here. */
export interface Check {
  readonly name: string;
  /** `warn`: something works less well; `fail`: something does not work. */
  readonly status: 'ok' | 'warn' | 'fail';
  readonly found: string;
  /** Advice; null when there is nothing to do. */
  readonly todo: string | null;
}

export function ok(name: string, found: string): Check {
  return { name, status: 'ok', found, todo: null };
}

export function warn(name: string, found: string, todo: string): Check {
  return { name, status: 'warn', found, todo };
}

function fail(name: string, found: string, todo: string): Check {
  return { name, status: 'fail', found, todo };
}

// Checks the home: it is private, writable and has room, and its settings are valid.

export function checkHome(home: string): Check[] {
  return [checkPlace(home), ...checkCaptures(home), checkRoom(home), ...checkSettings(home)];
}

const NAMED_FOLDERS = 3;

function checkCaptures(home: string): Check[] {
  const unwritable = unwritableFolders(home);
  const rest = unwritable.length - NAMED_FOLDERS;
  return unwritable.slice(0, NAMED_FOLDERS).map(({ folder, code }, index) => {
    const more = index === NAMED_FOLDERS - 1 && rest > 0 ? `, nor can ${plural(rest, 'other folder')}` : '';
    const found = `${folder} cannot be written to (${code})${more}: nothing is recorded there`;
    return fail('captures', found, REMEDIES[code] ?? `make it yours and writable: chmod u+rwx '${folder}'`);
  });
}

const REMEDIES: Record<string, string> = {
  ENOSPC: 'free some space, or set SPILLWAY_HOME to another disk',
  EDQUOT: 'free some space, or set SPILLWAY_HOME to another disk',
  EROFS: 'set SPILLWAY_HOME to a disk that can be written to',
  ENOTDIR: 'move the file away: a folder is made in its place',
};

function checkPlace(home: string): Check {
  const problem = unfitHome(home);
  if (problem) return fail('home', problem.what, problem.todo);
  const place = nearestExisting(home);
  try {
    accessSync(place, constants.W_OK | constants.X_OK);
  } catch {
    return fail('home', `${place} cannot be written to`, 'set SPILLWAY_HOME to a folder you can write to');
  }
  const open = writableParentProblem(home);
  if (open) return warn('home', `${open.what}: nothing is removed there`, open.todo);
  return ok(
    'home',
    existsSync(home) ? `${home} is private to you` : `${home} will be made when it is needed`,
  );
}

function checkRoom(home: string): Check {
  const { bavail, blocks, bsize } = statfsSync(nearestExisting(home));
  const free = bavail * bsize;
  const found = `${formatBytes(free)} free where captures go`;
  return free < bytesToLeaveFree(blocks * bsize)
    ? warn('space', found, 'free some, or set SPILLWAY_HOME to another disk')
    : ok('space', found);
}

function checkSettings(home: string): Check[] {
  const { warnings } = loadConfig(home);
  if (warnings.length > 0) {
    return warnings.map((warning) => warn('settings', warning, `edit ${join(home, 'config.json')}`));
  }
  const has = existsSync(join(home, 'config.json'));
  return [
    ok('settings', has ? 'config.json is understood' : 'no config.json: all settings have their defaults'),
  ];
}

function nearestExisting(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestExisting(dirname(path));
}

// Finds folders of captures that cannot be written to: commands recorded there run unrecorded, without a message.

interface Unwritable {
  folder: string;
  /** The system's error code, such as `EACCES`. */
  code: string;
}

/** Sessions that are tried, newest first. */
const TRIED_SESSIONS = 100;

/** Makes a file in `captures` and in the newest session folders, and removes it. */
export function unwritableFolders(home: string): Unwritable[] {
  const captures = join(home, CAPTURES_FOLDER);
  return [captures, ...sessionFolders(captures)].flatMap((folder) => {
    const code = writeError(folder);
    return code === null ? [] : { folder, code };
  });
}

function sessionFolders(captures: string): string[] {
  try {
    return readdirSync(captures, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => join(captures, name))
      .map((folder) => ({ folder, changed: statSync(folder).mtimeMs }))
      .sort((a, b) => b.changed - a.changed)
      .slice(0, TRIED_SESSIONS)
      .map(({ folder }) => folder);
  } catch {
    return [];
  }
}

function writeError(folder: string): string | null {
  try {
    const { atime, mtime } = statSync(folder);
    const file = join(folder, `.doctor-${process.pid}.tmp`);
    writeFileSync(file, 'x', { flag: 'wx', mode: 0o600 });
    rmSync(file);
    // The time of a session folder says when something was last recorded.
    utimesSync(folder, atime, mtime);
    return null;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown error';
    // It is made when it is needed, or was just removed.
    return code === 'ENOENT' ? null : code;
  }
}

// Checks that the folders named in the settings exist and can be read.

export function checkSources(home: string): Check[] {
  const { sources } = loadConfig(home).settings;
  if (sources.length === 0) return [ok('sources', 'the settings name no folders to watch')];
  return sources.flatMap((source) => {
    // Spillway finds sources of these kinds itself.
    if (typeof source === 'object' && 'kind' in source) return [];
    const { path, enabled } = typeof source === 'string' ? { path: source, enabled: true } : source;
    return enabled
      ? checkSource(resolve(userFolder(), fromUser(path)))
      : ok('source', `${path} is switched off`);
  });
}

function checkSource(path: string): Check {
  try {
    const isDirectory = statSync(path).isDirectory();
    accessSync(path, constants.R_OK | (isDirectory ? constants.X_OK : 0));
    return ok('source', `${path} can be read`);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    return code === 'ENOENT'
      ? warn('source', `${path} does not exist`, 'make it, or take it out of config.json')
      : warn('source', `${path} cannot be read (${code})`, 'check its permissions');
  }
}

// Checks which process listens on the socket for agents.

export async function checkSocket(home: string): Promise<Check> {
  const runDir = join(home, 'run');
  try {
    const socket = await connectPrivately(runDir, 'mcp');
    if (socket === null)
      return ok('socket', 'no inspector runs: nothing listens for agents on the MCP socket');
    socket.destroy();
    const pid = await socketHolder(runDir, 'mcp');
    return ok('socket', `process ${pid ?? 'unknown'} answers agents on the MCP socket`);
  } catch (error) {
    if (error instanceof SpillwayError) return fail('socket', error.what, error.todo);
    return fail(
      'socket',
      `the MCP socket cannot be reached (${String(error)})`,
      'end the inspector and start it again',
    );
  }
}

// Checks for pseudo-terminals, which `spillway terminal` and commands at a terminal need.

export function checkTerminals(platform: string = process.platform, perl = findPerl()): Check {
  try {
    if (platform !== 'win32') loadNativePty();
  } catch (error) {
    const { what, todo } = toSpillwayError(error);
    return warn('terminals', what, todo);
  }
  if (platform === 'win32') return ok('terminals', 'pseudo-terminals are available');
  if (perl !== null) return ok('terminals', `pseudo-terminals are available, with Perl (${perl})`);
  return warn(
    'terminals',
    'background processes end with their command on a terminal, and Ctrl-Z does nothing',
    'install Perl, or use spillway run --no-pty',
  );
}

// Checks for a desktop window without loading the `electron` package, which would start a download.

/** `entry`: the command's own file; packages are looked up from its folder. */
export function checkElectron(entry: string, env: NodeJS.ProcessEnv): Check {
  if (process.platform === 'linux' && !env.DISPLAY && !env.WAYLAND_DISPLAY)
    return noWindow('there is no display');
  const path = runtimeOf(entry, env);
  if (path === null) return noWindow('the Electron runtime is not installed');
  try {
    accessSync(path, constants.X_OK);
    return ok('window', `the desktop window runs with ${path}`);
  } catch {
    return noWindow(`there is no Electron runtime at ${path}`);
  }
}

/** Returns the executable's path as the package records it; null without a package or a runtime. */
function runtimeOf(entry: string, env: NodeJS.ProcessEnv): string | null {
  try {
    const folder = dirname(createRequire(entry).resolve('electron/package.json'));
    const name = readFileSync(join(folder, 'path.txt'), 'utf8').trim();
    return join(env.ELECTRON_OVERRIDE_DIST_PATH ?? join(folder, 'dist'), name);
  } catch {
    return null;
  }
}

function noWindow(found: string): Check {
  return warn('window', `no desktop window: ${found}`, 'the browser shows the same: spillway serve --open');
}

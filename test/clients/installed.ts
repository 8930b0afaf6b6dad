/** Installs published packages once, in a folder that is kept; SPILLWAY_CLIENTS names another, and what is there is taken. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const INSTALL_MS = 600_000;

export interface Installed {
  version: string;
  /** Path of the command. */
  program: string;
}

const kept = () => process.env.SPILLWAY_CLIENTS ?? join(tmpdir(), 'spillway-clients');

/** Returns the path of a package's command; null where the registry does not have the package. */
export function installedCommand(name: string, command: string): string | null {
  return installedIn(kept(), name, command);
}

/** Returns a package in the pinned and in the newest version; none where the registry does not have it. */
export function installedVersions(name: string, command: string, pinned: string): Installed[] {
  const own = join(kept(), 'node_modules');
  if (existsSync(join(own, '.bin', command))) {
    const { version } = JSON.parse(readFileSync(join(own, name, 'package.json'), 'utf8')) as Installed;
    return [{ version, program: join(own, '.bin', command) }];
  }
  // npm by itself takes an older version than the newest where that asks for another Node.
  return [...new Set([pinned, newestOf(name) ?? pinned])].flatMap((version) => {
    const folder = join(kept(), `${command}-${version}`);
    const program = installedIn(folder, `${name}@${version}`, command);
    return program === null ? [] : { version, program };
  });
}

function newestOf(name: string): string | null {
  try {
    const said = execFileSync('npm', ['view', name, 'dist-tags.latest'], { encoding: 'utf8', stdio: 'pipe' });
    return said.trim() || null;
  } catch {
    return null;
  }
}

function installedIn(folder: string, name: string, command: string): string | null {
  const path = join(folder, 'node_modules', '.bin', command);
  if (existsSync(path)) return path;
  mkdirSync(folder, { recursive: true });
  const free = takeTurn(join(folder, 'installing'));
  try {
    return existsSync(path) || install(name, folder) ? existing(path) : null;
  } finally {
    free();
  }
}

const existing = (path: string) => (existsSync(path) ? path : null);

function install(name: string, folder: string): boolean {
  const args = ['install', '--no-audit', '--no-fund', '--prefix', folder, name];
  try {
    execFileSync('npm', args, { stdio: 'pipe', timeout: INSTALL_MS });
    return true;
  } catch {
    return false;
  }
}

/**
 * Waits until no other test file installs anything: of two at once, npm removes what the other has just put there.
 * Returns what gives the turn away.
 */
function takeTurn(lock: string): () => void {
  const pause = new Int32Array(new SharedArrayBuffer(4));
  for (;;) {
    try {
      writeFileSync(lock, String(process.pid), { flag: 'wx' });
      return () => rmSync(lock, { force: true });
    } catch {
      if (!isHeld(lock)) rmSync(lock, { force: true });
      Atomics.wait(pause, 0, 0, 200);
    }
  }
}

/** A test that was killed holds nothing. */
function isHeld(lock: string): boolean {
  try {
    process.kill(Number(readFileSync(lock, 'utf8')), 0);
    return true;
  } catch {
    return false;
  }
}

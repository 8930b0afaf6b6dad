/** Checks the home: it is private, writable and has room, and its settings are valid. */

import { accessSync, constants, existsSync, statfsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { GIB } from '../../../shared/byte-units.ts';
import { formatBytes, plural } from '../../../shared/text/format.ts';
import { loadConfig } from '../../host/settings/config.ts';
import { unfitHome } from '../../host/settings/home.ts';
import { openPathProblem } from '../../host/settings/open-path.ts';
import { unwritableFolders } from './captures.ts';
import { type Check, fail, ok, warn } from './check.ts';

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
  const open = openPathProblem(home);
  if (open) return warn('home', `${open.what}: nothing is removed there`, open.todo);
  return ok(
    'home',
    existsSync(home) ? `${home} is private to you` : `${home} will be made when it is needed`,
  );
}

/** Nothing should be written when less is free (CONTRACT 4, `minFreeBytes`). */
const LEAST_FREE_BYTES = GIB;

function checkRoom(home: string): Check {
  const { bavail, blocks, bsize } = statfsSync(nearestExisting(home));
  const free = bavail * bsize;
  const found = `${formatBytes(free)} free where captures go`;
  return free < Math.min(LEAST_FREE_BYTES, blocks * bsize * 0.05)
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

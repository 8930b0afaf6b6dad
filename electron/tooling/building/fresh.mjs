/**
 * Finds stale packages and builds. Runs before every command, so it compares only the sizes and times of files, and
 * reads contents when those differ (in a fresh checkout, say). Nothing here needs an installed package.
 */
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { root as project, targets } from './targets.mjs';

/**
 * @typedef {import('./targets.mjs').Target} Target
 * @typedef {{ quick: string, content: string }} Stamp sizes and times of the inputs, and a hash of their contents
 */

/** The targets that must be built, in the order they are declared. @param {string} [root] @returns {Target[]} */
export function staleTargets(root = project) {
  return targets.filter((target) => !isFresh(target, root));
}

/** @param {Target} target @param {string} root */
function isFresh(target, root) {
  const folder = join(root, 'dist', target.name);
  if (!target.outputs.every((output) => existsSync(join(folder, output)))) return false;
  const stamp = readJson(stampPath(target, root));
  const quick = quickStamp(target.inputs, root);
  if (stamp?.quick === quick) return true;
  if (stamp?.content !== contentStamp(target.inputs, root)) return false;
  writeStamp(stampPath(target, root), { quick, content: stamp.content });
  return true;
}

/**
 * Returns the stamp of the current inputs. Take it before a build, so that changes during the build count as stale.
 * @param {Target} target
 * @param {string} [root]
 * @returns {Stamp}
 */
export function stampOf(target, root = project) {
  return { quick: quickStamp(target.inputs, root), content: contentStamp(target.inputs, root) };
}

/** Records `dist/<target>` as built from the inputs in `stamp`.
 * @param {Target} target @param {Stamp} stamp @param {string} [root] */
export function stampBuilt(target, stamp, root = project) {
  writeStamp(stampPath(target, root), stamp);
}

/** Whether `npm ci` has to run. @param {string} [root] */
export function packagesAreStale(root = project) {
  const lock = join(root, 'package-lock.json');
  const installed = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(installed)) return true;
  const platform = `${process.platform}-${process.arch}`;
  const quick = `${platform} ${statLine(lock)} ${statLine(installed)}`;
  const stamp = readJson(installedStampPath(root));
  if (stamp?.quick === quick) return false;
  // Packages with binaries differ between platforms (a folder shared with a container).
  if (stamp && !stamp.quick?.startsWith(`${platform} `)) return true;
  if (!holdsEverything(readJson(lock), readJson(installed))) return true;
  writeStamp(installedStampPath(root), { quick, content: '' });
  return false;
}

/** @param {string} root */
const installedStampPath = (root) => join(root, 'node_modules', '.spillway.json');

/**
 * Returns whether all wanted packages are installed, except optional ones (for other platforms).
 * @param {any} wanted package-lock.json
 * @param {any} present node_modules/.package-lock.json
 */
function holdsEverything(wanted, present) {
  if (!wanted?.packages || !present?.packages) return false;
  return Object.entries(wanted.packages).every(([path, entry]) => {
    const installed = present.packages[path];
    if (path === '' || entry.link) return true;
    if (!installed) return Boolean(entry.optional || entry.devOptional || entry.peer);
    return installed.version === entry.version && installed.integrity === entry.integrity;
  });
}

/** @param {string[]} inputs @param {string} root */
function quickStamp(inputs, root) {
  const hash = createHash('sha1');
  for (const path of filesOf(inputs, root)) hash.update(`${path} ${statLine(join(root, path))}\n`);
  return hash.digest('hex');
}

/** @param {string[]} inputs @param {string} root */
function contentStamp(inputs, root) {
  const hash = createHash('sha1');
  for (const path of filesOf(inputs, root)) {
    const bytes = readFileSync(join(root, path));
    hash.update(`${path} ${bytes.length}\n`).update(bytes);
  }
  return hash.digest('hex');
}

/** Relative paths of the files, sorted, without hidden and backup files.
 * @param {string[]} inputs @param {string} root */
function filesOf(inputs, root) {
  /** @type {string[]} */
  const files = [];
  /** @param {string} path */
  const visit = (path) => {
    for (const entry of readdirSync(join(root, path), { withFileTypes: true })) {
      if (entry.name.startsWith('.') || entry.name.endsWith('~')) continue;
      const inside = `${path}/${entry.name}`;
      if (entry.isDirectory()) visit(inside);
      else files.push(inside);
    }
  };
  for (const input of inputs) {
    const stat = statSync(join(root, input), { throwIfNoEntry: false });
    if (stat?.isDirectory()) visit(input);
    else if (stat) files.push(input);
  }
  return [...new Set(files)].sort();
}

/** @param {string} path */
function statLine(path) {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat ? `${stat.size} ${stat.mtimeMs}` : 'absent';
}

/** @param {Target} target @param {string} root */
const stampPath = (target, root) => join(root, 'dist', '.stamps', `${target.name}.json`);

/** @param {string} path @returns {any} null when it is absent or torn */
function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return null;
  }
}

/** Writes atomically. A failure is ignored: it only costs time. @param {string} path @param {Stamp} stamp */
function writeStamp(path, stamp) {
  const next = `${path}.${process.pid}`;
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(next, JSON.stringify(stamp));
    renameSync(next, path);
  } catch {}
}

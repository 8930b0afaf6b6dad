/**
 * Finds rooms whose line in the table of ARCHITECTURE.md does not fit: a folder that is named and is not there, or a
 * folder of the room that is not named.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

const DOCUMENT = 'ARCHITECTURE.md';
/** A row about a room: its folder, then what it holds. */
const ROW = /^\| `((?:[\w-]+\/)+)` \| ([^|]*) \|/;
const FOLDER = /`((?:[\w-]+\/)+)`/g;

/** @typedef {import('./named-files.mjs').Violation} Violation */

/** @param {string} root @returns {Violation[]} in the order of lines; none without the document */
export function checkRoomTable(root) {
  const path = join(root, DOCUMENT);
  if (!existsSync(path)) return [];
  return readFileSync(path, 'utf8')
    .split('\n')
    .flatMap((row, index) => {
      const [, room, holds] = ROW.exec(row) ?? [];
      if (room === undefined || holds === undefined) return [];
      return problemsOf(root, room, holds).map((message) => ({ file: DOCUMENT, line: index + 1, message }));
    });
}

/** @param {string} root @param {string} room @param {string} holds @returns {string[]} */
function problemsOf(root, room, holds) {
  if (!existsSync(join(root, room))) return [`names the room ${room}, which does not exist`];
  const named = new Set([...holds.matchAll(FOLDER)].map(([, name]) => name ?? ''));
  const folders = foldersIn(join(root, room));
  // Other rooms are named by their path.
  const isElsewhere = (/** @type {string} */ name) =>
    existsSync(join(root, name)) || existsSync(join(root, 'electron', name));
  const isInside = (/** @type {string} */ name) =>
    folders.some((folder) => `/${folder}`.endsWith(`/${name}`));
  const missing = [...named].filter((name) => !isInside(name) && !isElsewhere(name));
  const isWhole = named.size > 0;
  const left = folders.filter((folder) => isWhole && /^[\w-]+\/$/.test(folder) && !named.has(folder));
  return [
    ...missing.map((name) => `names ${name} in ${room}, which does not exist`),
    ...left.map((folder) => `does not name ${folder} of ${room}`),
  ];
}

/** @param {string} path @returns {string[]} each folder below it, such as `scan/` and `scan/tables/` */
function foldersIn(path) {
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => `${relative(path, join(entry.parentPath, entry.name)).split(sep).join('/')}/`);
}

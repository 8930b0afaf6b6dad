/**
 * Finds comments and documents that name a project file that does not exist, such as one that was moved or renamed.
 *
 * It checks comments in code, and code spans in Markdown. A name counts if it ends like a source, or is a path that
 * ends with `/` and begins with a folder of the project. It may be relative to the file it is in, or be the end of any
 * file's path.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative, sep } from 'node:path';
import { parseSync } from 'rolldown/utils';

/**
 * @typedef {{ file: string, line: number, message: string }} Violation `file` relative to the project, `line` from 1
 */

const TOPS = ['electron', 'renderer', 'shared', 'test'];
/** A path that ends like a source, except at the end of a URL or of a pattern (`*.ts`). */
const NAME =
  /(?<![\w./*<>${}:@~-])(?:\.{0,2}\/)*[\w.-]+(?:\/[\w.-]+)*\.(?:tsx?|mjs|cjs|css|wat|pl|sh|md|yml)(?![\w/*-])/g;
/** A folder of the project, from its top. */
const FOLDER = /(?<![\w./*<>${}:@~-])(?:electron|renderer|shared|test)\/(?:[\w-]+\/)*(?![\w.*<{$])/g;
/** By the end of a file's name: its comments. Files with other ends are parsed. */
const COMMENTS = /** @type {[RegExp, RegExp][]} */ ([
  [/\.css$/, /\/\*.*?\*\//gs],
  [/\.wat$/, /;;.*/g],
  [/\.(pl|sh|bash)$/, /(?<=^|\s)#.*/gm],
]);

/** @param {string} root @returns {Violation[]} in the order of files and lines */
export function checkNamedFiles(root) {
  const files = filesIn(root);
  const exists = endsOf([...TOPS, ...files]);
  return files.flatMap((file) => {
    const isDocument = file.endsWith('.md');
    if (!isDocument && !/\.([cm]?[jt]sx?|css|wat|pl|sh|bash)$/.test(file)) return [];
    const text = readFileSync(join(root, file), 'utf8');
    const spans = isDocument ? codeSpansIn(text) : commentsIn(file, text);
    return spans.flatMap(({ start, value }) =>
      [...value.matchAll(NAME), ...value.matchAll(FOLDER)].flatMap((match) => {
        const name = match[0].replace(/\/$/, '');
        const path = /^\.{1,2}\//.test(name) ? normalize(join(dirname(file), name)) : normalize(name);
        if (exists.has(path.split(sep).join('/'))) return [];
        const line = text.slice(0, start + match.index).split('\n').length;
        return [{ file, line, message: `names ${match[0]}, which does not exist` }];
      }),
    );
  });
}

/** @param {string} file @param {string} text @returns {{ start: number, value: string }[]} */
function commentsIn(file, text) {
  const pattern = COMMENTS.find(([end]) => end.test(file))?.[1];
  if (pattern) return [...text.matchAll(pattern)].map(({ index, 0: value }) => ({ start: index, value }));
  return parseSync(file, text).comments.map(({ start, end }) => ({ start, value: text.slice(start, end) }));
}

/** @param {string} text Markdown */
function codeSpansIn(text) {
  return [...text.matchAll(/`[^`\n]+`/g)].map(({ index, 0: value }) => ({ start: index, value }));
}

/** @param {string[]} files @returns {Set<string>} each path, and its ends that begin with a whole name */
function endsOf(files) {
  const ends = new Set();
  for (const file of files) {
    const parts = file.split('/');
    for (let from = 0; from < parts.length; from++) ends.add(parts.slice(from).join('/'));
  }
  return ends;
}

/** @param {string} root @returns {string[]} the project's files, relative to it */
function filesIn(root) {
  const top = readdirSync(root, { withFileTypes: true }).filter((entry) => entry.isFile());
  const inside = TOPS.filter((folder) => existsSync(join(root, folder))).flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(
      (path) => `${folder}/${path.split(sep).join('/')}`,
    ),
  );
  return [...top.map(({ name }) => name), ...inside].sort();
}

/**
 * Finds rooms whose line in the table of ARCHITECTURE.md does not fit: a folder that is named and is not there, or a
 * folder of the room that is not named.
 */
const DOCUMENT = 'ARCHITECTURE.md';
/** A row about a room: its folder, then what it holds. */
const ROW = /^\| `((?:[\w-]+\/)+)` \| ([^|]*) \|/;
const FOLDER_NAME = /`((?:[\w-]+\/)+)`/g;

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
  const named = new Set([...holds.matchAll(FOLDER_NAME)].map(([, name]) => name ?? ''));
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

/**
 * Checks that no room imports more than the table in `rooms.mjs` allows, that no files import each other in a circle,
 * that no file exports what it imported, that no comment names a missing file, and that the table of rooms in
 * ARCHITECTURE.md is true.
 * Every form of import counts, types too. Paths are resolved first, so their spelling makes no difference.
 *
 * `node electron/tooling/boundaries/check.mjs` checks the project; exit status 1 when something is wrong.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'rolldown/utils';
import { root as project } from '../building/targets.mjs';
import { checkNamedFiles, checkRoomTable } from './named-files.mjs';
import { roomOf, rules } from './rooms.mjs';

/**
 * @typedef {{ file: string, line: number, message: string }} Violation `file` relative to the project, `line` from 1
 */

/** @param {string} [root] @returns {Violation[]} imports and exports first, each in the order of files */
export function checkBoundaries(root = project) {
  /** @type {Map<string, Import[]>} */
  const graph = new Map();
  const violations = sourcesIn(root).flatMap((file) => checkFile(file, root, graph));
  return [...violations, ...checkCircles(graph), ...checkNamedFiles(root), ...checkRoomTable(root)];
}

/**
 * @param {string} file @param {string} root @param {Map<string, Import[]>} graph gets the
 * file's imports
 * @returns {Violation[]}
 */
function checkFile(file, root, graph) {
  const room = roomOf(file);
  const rule = room === null ? undefined : rules[room];
  if (room === null || !rule)
    return [{ file, line: 1, message: 'is in no room: add its folder to rooms.mjs and ARCHITECTURE.md' }];
  const text = readFileSync(join(root, file), 'utf8');
  const { program, errors } = parseSync(file, text);
  if (errors.length > 0) return [{ file, line: 1, message: `can't be parsed: ${errors[0]?.message}` }];
  const lineOf = (/** @type {number} */ start) => text.slice(0, start).split('\n').length;
  const imports = importsIn(program).map((found) => ({ ...found, line: lineOf(found.start) }));
  // An address (a worker's, a page's) is not part of the module.
  const modules = imports.filter(({ specifier, isAddress }) => specifier.startsWith('.') && !isAddress);
  graph.set(
    file,
    modules.map(({ specifier, line }) => ({ target: pathOf(specifier, file, root), line })),
  );
  const foreign = imports.flatMap((found) => {
    const message = problemWith(found, file, room, rule, root);
    return message ? [{ file, line: found.line, message }] : [];
  });
  const passedOn = reExportsIn(program).map(({ name, start }) => ({
    ...{ file, line: lineOf(start) },
    message: `exports ${name} of another file: import it where it is needed`,
  }));
  return [...foreign, ...passedOn];
}

/** @param {string} specifier @param {string} file @param {string} root @returns {string} relative to the project */
function pathOf(specifier, file, root) {
  return relative(root, resolve(root, dirname(file), specifier))
    .split(sep)
    .join('/');
}

/**
 * @param {{ specifier: string, isAddress: boolean }} named @param {string} file @param {string} room @param
 * {import('./rooms.mjs').Rule} rule @param {string} root
 */
function problemWith({ specifier, isAddress }, file, room, rule, root) {
  if (!specifier.startsWith('.')) return problemWithPackage(specifier, room, rule);
  const target = pathOf(specifier, file, root);
  const other = roomOf(target);
  if (other === room || (other !== null && rule.may.includes(other))) return null;
  // package.json holds the version; an address (`new URL`) may name any file that is not a source.
  if (other === null && rule.node && (target === 'package.json' || isAddress)) return null;
  return `${room} may not import ${other ?? 'what is outside the rooms'} (${specifier})`;
}

/** @param {string} specifier @param {string} room @param {import('./rooms.mjs').Rule} rule */
function problemWithPackage(specifier, room, rule) {
  if (/^electron(\/|$)/.test(specifier)) return rule.electron ? null : `${room} may not import electron`;
  if (isBuiltin(specifier)) return rule.node ? null : `${room} may not import Node's modules (${specifier})`;
  if (specifier.startsWith('/') || /^(file|data):/.test(specifier))
    return `${room} imports by an absolute path (${specifier})`;
  return null;
}

/** @param {string} root */
function sourcesIn(root) {
  return ['electron', 'renderer', 'shared'].flatMap((top) =>
    readdirSync(join(root, top), { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.[cm]?[jt]sx?$/.test(path))
      .map((path) => `${top}/${path.split(sep).join('/')}`)
      .sort(),
  );
}

/**
 * Returns every module that a file names: imports, re-exports, import(), import types, require(), new URL(…,
 * import.meta.url).
 * @param {import('rolldown/utils').ESTree.Program} program
 * @returns {{ specifier: string, start: number, isAddress: boolean }[]}
 */
function importsIn(program) {
  /** @type {{ specifier: string, start: number, isAddress: boolean }[]} */
  const found = [];
  /** @param {any} node */
  const visit = (node) => {
    if (Array.isArray(node)) for (const item of node) visit(item);
    if (node === null || typeof node !== 'object' || typeof node.type !== 'string') return;
    const named = moduleNamedBy(node);
    const specifier = named?.type === 'TemplateLiteral' ? named.quasis[0].value.cooked : named?.value;
    if (typeof specifier === 'string') {
      found.push({ specifier, start: named.start, isAddress: node.type === 'NewExpression' });
    }
    for (const value of Object.values(node)) if (typeof value === 'object') visit(value);
  };
  visit(program.body);
  return found.sort((a, b) => a.start - b.start);
}

/** @param {any} node @returns {any} the literal that names a module, if this node has one */
function moduleNamedBy(node) {
  switch (node.type) {
    case 'ImportDeclaration':
    case 'ExportAllDeclaration':
    case 'ExportNamedDeclaration':
    case 'ImportExpression':
    case 'TSImportType':
      return node.source;
    case 'TSExternalModuleReference':
      return node.expression;
    case 'CallExpression':
      return node.callee.name === 'require' || isImportMeta(node.callee.object) ? node.arguments[0] : null;
    case 'NewExpression':
      return node.callee.name === 'URL' && isImportMeta(node.arguments[1]?.object) ? node.arguments[0] : null;
    default:
      return null;
  }
}

/** @param {any} node */
function isImportMeta(node) {
  return node?.type === 'MetaProperty' && node.meta.name === 'import';
}

/**
 * Finds what a file exports that it imported. An import from such a file reaches past the table of rooms, and a name
 * that two files export is hard to find and to move.
 * @param {import('rolldown/utils').ESTree.Program} program @returns {{ name: string, start: number }[]} in order
 */
function reExportsIn(program) {
  /** @type {Set<string>} */
  const imported = new Set();
  for (const node of program.body)
    if (node.type === 'ImportDeclaration') for (const { local } of node.specifiers) imported.add(local.name);
  return program.body.flatMap((/** @type {any} */ node) =>
    namesPassedOn(node, imported).map((name) => ({ name, start: node.start })),
  );
}

/** @param {any} node a statement @param {ReadonlySet<string>} imported @returns {string[]} */
function namesPassedOn(node, imported) {
  if (node.type === 'ExportAllDeclaration') return ['everything'];
  if (node.type === 'ExportDefaultDeclaration') return nameIn(node.declaration, imported);
  if (node.type !== 'ExportNamedDeclaration') return [];
  if (node.source === null)
    return node.specifiers.flatMap((/** @type {any} */ { local }) => nameIn(local, imported));
  return node.specifiers.map((/** @type {any} */ { local }) => local.name ?? local.value);
}

/** @param {any} node @param {ReadonlySet<string>} imported @returns {string[]} */
function nameIn(node, imported) {
  return node.type === 'Identifier' && imported.has(node.name) ? [node.name] : [];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const violations = checkBoundaries();
  for (const { file, line, message } of violations) console.error(`${file}:${line}: ${message}`);
  if (violations.length > 0) process.exitCode = 1;
}

// Finds files that import each other in a circle: then neither can be read, tested or moved without the other.

/**
 * @typedef {{ target: string, line: number }} Import the file it leads to
 * @typedef {ReadonlyMap<string, readonly Import[]>} Graph the imports of each file
 */

/** @param {Graph} graph @returns {{ file: string, line: number, message: string }[]} one for each circle */
function checkCircles(graph) {
  /** @type {Set<string>} */
  const reported = new Set();
  return [...graph.keys()].sort().flatMap((file) => {
    const circle = reported.has(file) ? null : shortestCircle(graph, file);
    if (circle === null) return [];
    for (const one of circle) reported.add(one);
    const line = graph.get(file)?.find(({ target }) => target === circle[1])?.line ?? 1;
    return [
      { file, line, message: `is in a circle: ${circle.join(' → ')}; move what both need to a third file` },
    ];
  });
}

/** @param {Graph} graph @param {string} start @returns {string[] | null} begins and ends with `start` */
function shortestCircle(graph, start) {
  /** @type {Map<string, string>} the file that led to each */
  const cameFrom = new Map();
  const waiting = [start];
  for (const file of waiting) {
    for (const { target } of graph.get(file) ?? []) {
      if (target === start) return [...wayTo(file, start, cameFrom), start];
      if (cameFrom.has(target)) continue;
      cameFrom.set(target, file);
      waiting.push(target);
    }
  }
  return null;
}

/** @param {string} file @param {string} start @param {Map<string, string>} cameFrom @returns {string[]} */
function wayTo(file, start, cameFrom) {
  const way = [file];
  while (way[0] !== start) way.unshift(/** @type {string} */ (cameFrom.get(/** @type {string} */ (way[0]))));
  return way;
}

/**
 * Finds files that export what they imported. An import from such a file reaches past the table of rooms, and a name
 * that two files export is hard to find and to move.
 */

/** @param {import('rolldown/utils').ESTree.Program} program @returns {{ name: string, start: number }[]} in order */
export function reExportsIn(program) {
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

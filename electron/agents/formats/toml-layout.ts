/** Locates a TOML document's tables and values. Each value has its full path from the document's root. */
import type { AST } from 'toml-eslint-parser';
import type { Path } from './format.ts';

type Range = readonly [number, number];

export interface TomlEntry {
  path: Path;
  /** `range` covers key and value; `value` the value only. */
  range: Range;
  value: Range;
  /** True inside an inline table. */
  isMember: boolean;
  /** Path of the table that holds it. */
  table: Path;
  /** Ranges of an inline table's key-value pairs; null for other values. */
  members: Range[] | null;
  /** Items of a list; null for other values. */
  items: { range: Range; value: unknown }[] | null;
}

export interface TableEntry {
  path: Path;
  range: Range;
  /** End of its last value, or of its header. */
  end: number;
}

interface TomlLayout {
  entries: TomlEntry[];
  tables: TableEntry[];
}

/** Returns the layout. Skips arrays of tables: Spillway writes nothing there. */
export function layoutOf(document: AST.TOMLProgram): TomlLayout {
  const layout: TomlLayout = { entries: [], tables: [] };
  for (const node of document.body[0].body) {
    if (node.type === 'TOMLKeyValue') addEntry(layout, node, [], [], false);
    else if (node.kind === 'standard') {
      const path = node.resolvedKey.map(String);
      layout.tables.push({
        path,
        range: node.range,
        end: node.body.at(-1)?.range[1] ?? node.key.range[1] + 1,
      });
      for (const entry of node.body) addEntry(layout, entry, path, path, false);
    } else layout.tables.push({ path: node.resolvedKey.map(String), range: node.range, end: node.range[1] });
  }
  return layout;
}

function addEntry(
  layout: TomlLayout,
  node: AST.TOMLKeyValue,
  above: Path,
  table: Path,
  isMember: boolean,
): void {
  const path = [...above, ...node.key.keys.map((key) => (key.type === 'TOMLBare' ? key.name : key.value))];
  const { value } = node;
  layout.entries.push({
    ...{ path, range: node.range, value: value.range, isMember, table },
    members: value.type === 'TOMLInlineTable' ? value.body.map(({ range }) => range) : null,
    items:
      value.type === 'TOMLArray'
        ? value.elements.map((item) => ({
            range: item.range,
            value: item.type === 'TOMLValue' ? item.value : null,
          }))
        : null,
  });
  if (value.type === 'TOMLInlineTable')
    for (const one of value.body) addEntry(layout, one, path, table, true);
}

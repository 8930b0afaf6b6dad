/**
 * Reads and edits JSON, with comments and trailing commas if the client allows them. The parser says where values
 * are, but the edits are our own: the parser's would reformat neighbouring values.
 */
import {
  findNodeAtLocation,
  type Node,
  type ParseError,
  parse,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser';
import { isObject } from '../../../shared/text/json-line.ts';
import { type Format, lineEndOf, lineOf, type Path, Unparsable, valueAt } from './format.ts';

interface JsonDialect {
  comments: boolean;
  trailingCommas: boolean;
  /** False where the client cannot read a file that begins with a byte order mark. */
  mark?: boolean;
}

export function jsonFormat(dialect: JsonDialect): Format {
  return {
    parse: (text) => parsed(text, dialect),
    set,
    remove,
    append: (text, path, item) => set(text, path, [...listAt(text, path), item]),
    withdraw: (text, path, item) => {
      const list = listAt(text, path);
      return list.includes(item)
        ? set(
            text,
            path,
            list.filter((one) => one !== item),
          )
        : text;
    },
  };
}

/** Comments between two values. */
const COMMENT = /\/\/[^\n]*|\/\*[\s\S]*?\*\//g;
const MARK = '\uFEFF';

function parsed(
  text: string,
  { comments, trailingCommas, mark = true }: JsonDialect,
): Record<string, unknown> {
  if (!mark && text.startsWith(MARK))
    throw new Unparsable('a byte order mark, which this file may not have', 1);
  const plain = blankMark(text);
  if (plain.trim() === '') return {};
  const errors: ParseError[] = [];
  const value: unknown = parse(plain, errors, {
    disallowComments: !comments,
    allowTrailingComma: trailingCommas,
  });
  const [first] = errors;
  if (first) throw new Unparsable(problemOf(first, plain), lineOf(plain, first.offset));
  if (isObject(value)) return value;
  throw new Unparsable('no object', 1);
}

function problemOf({ error, offset }: ParseError, text: string): string {
  const code = printParseErrorCode(error);
  if (code === 'InvalidCommentToken') return 'a comment, which this file may not have';
  const isAfterComma = text.slice(0, offset).trimEnd().endsWith(',');
  if (isAfterComma && /^\s*[}\]]/.test(text.slice(offset))) return 'a comma after the last item';
  return `an error: ${code.replace(/([a-z])([A-Z])/g, (_, one: string, two: string) => `${one} ${two.toLowerCase()}`)}`;
}

function set(given: string, path: Path, value: unknown): string {
  const text = blankMark(given).trim() === '' ? `{}${lineEndOf(given)}` : given;
  const tree = treeOf(text);
  const found = findNodeAtLocation(tree, [...path]);
  if (found) {
    const end = found.offset + found.length;
    const isOnOneLine = !text.slice(found.offset, end).includes('\n');
    const next =
      Array.isArray(value) && isOnOneLine ? listOnOneLine(value) : laidOut(text, value, path.length);
    return splice(text, found.offset, end, next);
  }
  let depth = path.length - 1;
  while (findNodeAtLocation(tree, path.slice(0, depth))?.type !== 'object') depth -= 1;
  const rest = path.slice(depth + 1).reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
  return insert(text, findNodeAtLocation(tree, path.slice(0, depth))!, path[depth]!, rest, depth);
}

/** Adds a property at the end of an object, after comments that belong to the property before. */
function insert(text: string, object: Node, key: string, value: unknown, depth: number): string {
  const close = object.offset + object.length - 1;
  const last = object.children?.at(-1);
  const isOneLine = !text.slice(object.offset, close).includes('\n');
  if (last && isOneLine) {
    const end = last.offset + last.length;
    return splice(text, end, end, `, ${JSON.stringify(key)}: ${JSON.stringify(value)}`);
  }
  const end = lineEndOf(text);
  const indent = indentOf(text);
  const start = last ? last.offset + last.length : object.offset + 1;
  const between = text.slice(start, close);
  const kept = between.trimEnd();
  const comma = last && !between.replace(COMMENT, '').includes(',') ? ',' : '';
  const property = `${end}${indent.repeat(depth + 1)}${JSON.stringify(key)}: ${laidOut(text, value, depth + 1)}`;
  return splice(text, start, close, `${comma}${kept}${property}${end}${indent.repeat(depth)}`);
}

function remove(text: string, path: Path): string {
  if (blankMark(text).trim() === '') return text;
  const property = findNodeAtLocation(treeOf(text), [...path])?.parent;
  const object = property?.parent;
  if (!property || !object?.children) return text;
  const [from, to] = [property.offset, property.offset + property.length];
  const index = object.children.indexOf(property);
  const before = object.children[index - 1];
  const next = object.children[index + 1];
  const gap = text.slice(0, from);
  // Also remove its comma and the white space up to the next property.
  if (next) {
    const comma = to + commaIn(text.slice(to, next.offset)) + 1;
    const space = /^[ \t]*(?:\r?\n[ \t]*)?/.exec(text.slice(comma))![0].length;
    return splice(text, from, comma + space, '');
  }
  const start = gap.trimEnd().length;
  if (!before) return splice(text, start, to + (/^\s*,?\s*/.exec(text.slice(to))?.[0].length ?? 0), '');
  const beforeEnd = before.offset + before.length;
  const comma = beforeEnd + commaIn(text.slice(beforeEnd, from));
  const trailing = /^\s*,/.exec(text.slice(to))?.[0].length ?? 0;
  if (trailing > 0) return splice(text, start, to + trailing, '');
  return splice(splice(text, Math.max(start, comma + 1), to, ''), comma, comma + 1, '');
}

/** Returns the index of the first comma outside comments. */
function commaIn(text: string): number {
  return text.replace(COMMENT, (comment) => ' '.repeat(comment.length)).indexOf(',');
}

function treeOf(text: string): Node {
  return parseTree(blankMark(text), [], { allowTrailingComma: true })!;
}

function listAt(text: string, path: Path): unknown[] {
  const list = valueAt(parse(blankMark(text)), path);
  return Array.isArray(list) ? list : [];
}

/** Formats a value with the file's indent and line ends. `depth`: number of objects around it. */
function laidOut(text: string, value: unknown, depth: number): string {
  const indent = indentOf(text);
  return JSON.stringify(value, null, indent).replaceAll('\n', `${lineEndOf(text)}${indent.repeat(depth)}`);
}

function listOnOneLine(items: readonly unknown[]): string {
  return `[${items.map((item) => JSON.stringify(item)).join(', ')}]`;
}

function indentOf(text: string): string {
  return /\{[ \t]*\r?\n([ \t]+)\S/.exec(text)?.[1] ?? '  ';
}

/** Replaces a byte order mark by a space, so that offsets stay the same. */
function blankMark(text: string): string {
  return text.startsWith(MARK) ? ` ${text.slice(1)}` : text;
}

function splice(text: string, from: number, to: number, by: string): string {
  return text.slice(0, from) + by + text.slice(to);
}

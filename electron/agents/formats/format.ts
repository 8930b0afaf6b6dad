/** Reads and edits configuration files. An edit changes only its own bytes: comments, order and spaces stay. */

export type Path = readonly string[];

export interface Format {
  /** Returns the content, `{}` for an empty text. Throws Unparsable where the client itself could not read it. */
  parse(text: string): Record<string, unknown>;
  /** Returns the text with the value at the path, replacing what was there. */
  set(text: string, path: Path, value: unknown): string;
  /** Returns the text without the value at the path; unchanged if there is none. */
  remove(text: string, path: Path): string;
  /** Returns the text with the item added to the list at the path. */
  append(text: string, path: Path, item: string): string;
  /** Returns the text without the item in the list at the path. */
  withdraw(text: string, path: Path, item: string): string;
}

export class Unparsable extends Error {
  readonly what: string;
  /** From 1. */
  readonly line: number;

  constructor(what: string, line: number) {
    super(`line ${line}: ${what}`);
    this.what = what;
    this.line = line;
  }
}

/** Returns the value at the path; undefined if there is none. */
export function valueAt(root: unknown, path: Path): unknown {
  let value = root;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}

/** Returns the line of an offset, from 1. */
export function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

export function lineEndOf(text: string): '\n' | '\r\n' {
  return text.includes('\r\n') ? '\r\n' : '\n';
}

/** Reads and edits files of `NAME=value` lines. */
export const dotenvFormat: Format = {
  parse: (text) =>
    Object.fromEntries(
      text.split(/\r?\n/).flatMap((line) => {
        const [, name, value] = LINE.exec(line) ?? [];
        return name === undefined ? [] : [[name, unquoted(value ?? '')]];
      }),
    ),
  set: (text, path, value) => {
    const end = lineEndOf(text);
    const rest = without(text, path);
    return `${rest}${rest === '' || rest.endsWith('\n') ? '' : end}${path[0]}=${written(String(value))}${end}`;
  },
  remove: without,
  append: (text) => text,
  withdraw: (text) => text,
};

const LINE = /^\s*(?:export\s+)?([\w.-]+)\s*=\s*(.*?)\s*$/;

function without(text: string, [name]: Path): string {
  return text
    .split(/(?<=\n)/)
    .filter((line) => LINE.exec(line.trimEnd())?.[1] !== name)
    .join('');
}

function unquoted(value: string): string {
  return /^(["'])(.*)\1$/.exec(value)?.[2] ?? value;
}

function written(value: string): string {
  return /^[\w./:-]*$/.test(value) ? value : `'${value}'`;
}

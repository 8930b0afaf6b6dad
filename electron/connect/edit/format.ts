/** How a configuration file is read and changed. Everything that is not changed stays byte for byte: comments, order, spaces. */

export type Path = readonly string[];

export interface Format {
  /** What the text holds; of an empty one, nothing. Throws Unparsable where the client itself could not read it. */
  parse(text: string): Record<string, unknown>;
  /** The text with the value at the path, which replaces what was there. */
  set(text: string, path: Path, value: unknown): string;
  /** The text without what is at the path; the same text where there is nothing. */
  remove(text: string, path: Path): string;
  /** The text with one more item in the list at the path. */
  append(text: string, path: Path, item: string): string;
  /** The text without the item. */
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

/** What is at the path; undefined where nothing is. */
export function valueAt(root: unknown, path: Path): unknown {
  let value = root;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}

/** From 1. */
export function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

/** Of the text's own lines. */
export function lineEndOf(text: string): '\n' | '\r\n' {
  return text.includes('\r\n') ? '\r\n' : '\n';
}

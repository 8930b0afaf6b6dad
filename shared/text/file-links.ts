/** Finds places in files that a line names: `main.c:12:5`, `File "a.py", line 3`, `a.cs(12,5)`, `a.php on line 12`. */
import { timeIn } from './line-time.ts';

export interface FileLink {
  /** Columns of the text, as UTF-16 indexes; `end` is not included. */
  start: number;
  end: number;
  /** The shortest reading. */
  path: string;
  /** Longer readings, with spaces, longest first: only the disk can tell which one it is. */
  longer: readonly string[];
  /** From 1. */
  line: number;
  /** From 1; null where the text names none. */
  column: number | null;
}

/** Links in one line; a line of nothing else would cost too much. */
const MAX_LINKS = 50;
const MAX_PATH_CHARS = 1024;
/** Words before a path that may belong to it. */
export const MAX_LONGER = 8;
const NONE: readonly FileLink[] = [];
/** A place has at most so many digits: more is a number of something else. */
const NUMBER = String.raw`([1-9]\d{0,7})`;
/** Without what ends a path in running text. */
const PATH_CHAR = String.raw`[^\s:'"\x60()<>\[\]{},;|*?=\u0000-\u001f]`;
/** `[id]`, `[[...slug]]` and `(group)` are folders of routes. */
const ROUTE = String.raw`\[{1,2}[^\s\[\]/:'"]{1,99}\]{1,2}(?=[/.])|\([^\s()/:'"]{1,99}\)(?=/)`;
/** Paths begin where a word does: else every letter of a long word would be tried. */
const BEGIN = `(?<!${PATH_CHAR})`;
const DRIVE = String.raw`[A-Za-z]:(?=[\\/](?!\/))`;
const PATH = `((?:file:\\/\\/|${DRIVE})?(?:${PATH_CHAR}|${ROUTE}){1,${MAX_PATH_CHARS}})`;

/** The line and the column are the groups that matched, after the path. */
const PATTERNS = [
  String.raw`["']([^"'\u0000-\u001f]+)["'](?::${NUMBER}:(?:${NUMBER}|(?= ))|,? (?:on )?line ${NUMBER}(?!\d))`,
  String.raw`${BEGIN}${PATH}(?:\(${NUMBER}(?:[,:] ?${NUMBER})?\)|:? \(${NUMBER}, ?${NUMBER}\)|:\[${NUMBER}(?:, ?${NUMBER})?\])`,
  String.raw`${BEGIN}${PATH}:${NUMBER}(?::${NUMBER})?(?!\d)(?![\w.]*:?\/)`,
  // Running text has such words, too, so this path needs an ending.
  String.raw`${BEGIN}(${PATH.slice(1, -1)}\.\w{1,9})(?::|,? (?:on )?)line ${NUMBER}(?!\d)`,
].map((pattern) => new RegExp(pattern, 'g'));
/** Most lines have no such sign, and need no more than this look. */
const SIGN = /[:([][1-9]|line [1-9]/;

/** In the order of the text, none over another. */
export function fileLinks(text: string): readonly FileLink[] {
  if (!SIGN.test(text)) return NONE;
  const found = PATTERNS.flatMap((pattern) => linksOf(text, pattern));
  found.sort((a, b) => a.start - b.start || b.end - a.end);
  const links: FileLink[] = [];
  for (const link of found) {
    if (links.length === MAX_LINKS) break;
    if (link.start >= (links.at(-1)?.end ?? 0)) links.push(link);
  }
  return links;
}

function linksOf(text: string, pattern: RegExp): FileLink[] {
  const links: FileLink[] = [];
  for (const match of text.matchAll(pattern)) {
    const [whole, path = '', ...numbers] = match;
    if (!isPath(path)) continue;
    const start = match.index;
    const [line, column] = numbers.filter((number) => number !== undefined);
    links.push({
      ...{ start, end: start + whole.length, path },
      longer: whole.startsWith(path) ? longerThan(text, start, start + path.length) : [],
      line: Number(line),
      column: column === undefined ? null : Number(column),
    });
  }
  return links;
}

/** What the path may be if it began at a word before, longest first. A quote or a tab ends it. */
function longerThan(text: string, start: number, end: number): string[] {
  const before = /[^"'`<>|\u0000-\u001f]*$/.exec(text.slice(Math.max(0, start - MAX_PATH_CHARS), start))![0];
  const begins = [...before.matchAll(/(?<=^|[ ([{])[^ ([{]/g)].map(
    ({ index }) => start - before.length + index,
  );
  return begins.slice(-MAX_LONGER).map((begin) => text.slice(begin, end));
}

/** Whether it contains a folder or ends with letters, unlike `127.0.0.1:80`, `10:30:00` and `error:3`. */
function isPath(path: string): boolean {
  if (path.length > MAX_PATH_CHARS || /^[a-z][a-z\d+.-]+:\/\//i.test(path.replace(/^file:\/\//, '')))
    return false;
  const name = path.split(/[\\/]/).at(-1) ?? '';
  if (/^[\\/]{2}/.test(path)) return false;
  if (/^(?:[A-Z]\w*|make)file$/.test(name)) return true;
  const hasExtension = /[^.]\.\w*[A-Za-z]\w*$/.test(name);
  return hasExtension || (/[\\/]/.test(path) && /\w/.test(name));
}

/** Separators between a time or a place and the message after it. */
const SEPARATORS = /^[\s:;|\])>-]*/;

/** The job and the step before the time of each line that `gh run view --log` prints. */
const GITHUB_STEP = /^[^\t]+\t[^\t]+\t(?=\uFEFF?\d{4}-\d\d-\d\dT)/;

/**
 * Begins a log line with its message: leaves out the time in front of it, and moves the place there to its end:
 * `error TS2345: … · FILE(45,18)`.
 */
export function messageFirst(text: string): string {
  let rest = text.trim().replace(GITHUB_STEP, '');
  const time = timeIn(rest);
  if (time && time.from <= 1) rest = rest.slice(time.to).replace(SEPARATORS, '');
  const [place] = fileLinks(rest);
  if (place?.start !== 0) return rest === '' ? text : rest;
  const message = rest.slice(place.end).replace(SEPARATORS, '');
  return message === '' ? rest : `${message} · ${rest.slice(0, place.end)}`;
}

/** Finds places in files that a line names: `main.c:12:5`, `File "a.py", line 3`, `a.cs(12,5)`. */

export interface FileLink {
  /** Columns of the text, as UTF-16 indexes; `end` is not included. */
  start: number;
  end: number;
  path: string;
  /** From 1. */
  line: number;
  /** From 1; null where the text names none. */
  column: number | null;
}

/** Links in one line; a line of nothing else would cost too much. */
const MAX_LINKS = 50;
const MAX_PATH_CHARS = 1024;
const NONE: readonly FileLink[] = [];
/** A place has at most so many digits: more is a number of something else. */
const NUMBER = String.raw`[1-9]\d{0,7}`;
/** Without what ends a path in running text. */
const PATH_CHAR = String.raw`[^\s:'"\x60()<>\[\]{},;|*?=\u0000-\u001f]`;

/** Paths begin where a word does: else every letter of a long word would be tried. */
const BEGIN = `(?<!${PATH_CHAR})`;
const DRIVE = String.raw`[A-Za-z]:(?=[\\/](?!\/))`;

const COLONS = new RegExp(
  String.raw`${BEGIN}((?:file:\/\/|${DRIVE})?${PATH_CHAR}+):(${NUMBER})(?::(${NUMBER}))?(?!\d)(?![\w.]*:?\/)`,
  'g',
);
const IN_PARENTHESES = new RegExp(
  String.raw`${BEGIN}((?:${DRIVE})?${PATH_CHAR}+)\((${NUMBER})(?:,(${NUMBER}))?\)`,
  'g',
);
const QUOTED = new RegExp(String.raw`\bFile "([^"\u0000-\u001f]+)", line (${NUMBER})(?!\d)`, 'g');
/** Most lines have no such sign, and need no more than this look. */
const SIGN = /:[1-9]|\([1-9]|", line /;

/** In the order of the text, none over another. */
export function fileLinks(text: string): readonly FileLink[] {
  if (!SIGN.test(text)) return NONE;
  const found = [QUOTED, IN_PARENTHESES, COLONS].flatMap((pattern) => linksOf(text, pattern));
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
    const [whole, path = '', line = '', column] = match;
    if (!isPath(path)) continue;
    const start = match.index;
    links.push({
      start,
      end: start + whole.length,
      path,
      line: Number(line),
      column: column === undefined ? null : Number(column),
    });
  }
  return links;
}

/** Whether it contains a folder or ends with letters, unlike `127.0.0.1:80`, `10:30:00` and `error:3`. */
function isPath(path: string): boolean {
  if (path.length > MAX_PATH_CHARS || /^[a-z][a-z\d+.-]+:\/\//i.test(path.replace(/^file:\/\//, '')))
    return false;
  const name = path.split(/[\\/]/).at(-1) ?? '';
  if (/^[\\/]{2}/.test(path)) return false;
  const hasExtension = /[^.]\.\w*[A-Za-z]\w*$/.test(name);
  return hasExtension || (/[\\/]/.test(path) && /\w/.test(name));
}

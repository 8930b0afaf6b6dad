/**
 * Spells paths whose bytes are not valid UTF-8. Node replaces such bytes with U+FFFD and then finds no file. Here each
 * becomes `\xNN`, and a backslash that would look like such an escape becomes `\x5c`, so the text names exactly one
 * file.
 */
import { isUtf8 } from 'node:buffer';
import { lstatSync, promises, realpathSync } from 'node:fs';
import { isAbsolute, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

// `spillway run` also loads this, and `node:fs/promises` takes a millisecond: `promises` loads it on first use.

const ESCAPE = /\\x(5c|[89a-f][0-9a-f])/;
const ESCAPES = new RegExp(ESCAPE, 'g');
const REPLACED = '\uFFFD';

/** Returns the text of a path, or of one name in it. */
export function pathText(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString().replace(ESCAPES, '\\x5cx$1');
  let text = '';
  for (let at = 0; at < bytes.length; ) {
    const length = characterAt(bytes, at);
    text += length > 0 ? bytes.toString('utf8', at, at + length) : `\0${bytes[at]!.toString(16)}`;
    at += Math.max(1, length);
  }
  // A path has no NUL, so let NUL stand for our escapes while escaping those in the name.
  return text.replace(ESCAPES, '\\x5cx$1').replaceAll('\0', '\\x');
}

/** Returns the system's path for a text from `pathText`. */
export function pathBytes(text: string): string | Buffer {
  if (!hasEscape(text)) return text;
  const parts: Buffer[] = [];
  let from = 0;
  for (const match of text.matchAll(ESCAPES)) {
    parts.push(Buffer.from(text.slice(from, match.index)), Buffer.from(match[1]!, 'hex'));
    from = match.index + match[0].length;
  }
  return Buffer.concat([...parts, Buffer.from(text.slice(from))]);
}

/** Returns the path of a file URL of this machine; null for any other text. */
export function pathOfUrl(text: string): string | null {
  if (!/^file:\/\//i.test(text)) return null;
  try {
    return fileURLToPath(text.replace(/^(file:\/\/)localhost(?=\/)/i, '$1'));
  } catch {
    return null;
  }
}

/** Returns the absolute path that a person means, also by a file URL. The name may really contain `\xNN`. */
export function pathNamed(given: string): string {
  const url = pathOfUrl(given);
  if (url !== null) return url;
  const path = isAbsolute(given) ? resolve(given) : resolve(workingFolder(), given);
  const isLiteral = hasEscape(path) && lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  return isLiteral ? pathText(Buffer.from(path)) : path;
}

/** Resolves links, as `realpath` does. */
export async function realPath(path: string): Promise<string> {
  const bytes = pathBytes(path);
  if (typeof bytes === 'string') {
    const real = await promises.realpath(bytes);
    if (!isLossy(real)) return real;
  }
  return pathText(await promises.realpath(bytes, 'buffer'));
}

export function realPathSync(path: string): string {
  const bytes = pathBytes(path);
  if (typeof bytes === 'string') {
    const real = realpathSync.native(bytes);
    if (!isLossy(real)) return real;
  }
  return pathText(realpathSync.native(bytes, 'buffer'));
}

/** Whether Node may have replaced bytes of the text, or the text may read as escaped. */
export function isLossy(text: string): boolean {
  return hasEscape(text) || (process.platform !== 'win32' && text.includes(REPLACED));
}

/** Always false on Windows, which has UTF-16 names and backslashes between them. */
function hasEscape(text: string): boolean {
  return process.platform !== 'win32' && ESCAPE.test(text);
}

function workingFolder(): string {
  const folder = process.cwd();
  return isLossy(folder) ? realPathSync('.') : folder;
}

/** Returns the length in bytes of the valid character at `at`; 0 if there is none. */
function characterAt(bytes: Buffer, at: number): number {
  const first = bytes[at]!;
  const length = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  return at + length <= bytes.length && isUtf8(bytes.subarray(at, at + length)) ? length : 0;
}

// Compares the absolute paths of a file and a folder.

/** Whether a path is the folder or below it, at any depth. `/a/bc` is not below `/a/b`. Touches no disk. */
export function isWithin(path: string, folder: string): boolean {
  if (!path.startsWith(folder)) return false;
  return path.length === folder.length || folder.endsWith(sep) || path[folder.length] === sep;
}

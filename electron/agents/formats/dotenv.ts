/** Reads and edits files of `NAME=value` lines. */
import { type Format, lineEndOf, type Path } from './format.ts';

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

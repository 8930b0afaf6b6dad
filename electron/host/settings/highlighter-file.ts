/** Keeps a person's highlighters: `highlighters.json` in the home. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { SpillwayError } from '../../../shared/errors.ts';
import { FREE, HIGHLIGHTERS, Highlighter, Highlighters } from '../../../shared/highlighters.ts';
import { replaceFile } from '../../store/format/small-file.ts';

/** In the file `regex` stands for `fixed`, as earlier versions write and read it. */
const StoredHighlighter = Highlighter.omit({ fixed: true })
  .extend({ regex: z.boolean() })
  .transform(({ regex, ...rest }): Highlighter => ({ ...rest, fixed: !regex }));

/** Returns ten highlighters; missing or invalid ones are free slots. */
export function readHighlighters(home: string): Highlighter[] {
  let stored: unknown = [];
  try {
    stored = JSON.parse(readFileSync(fileOf(home), 'utf8'));
  } catch {
    // None were kept.
  }
  const list = Array.isArray(stored) ? stored : [];
  return Array.from({ length: HIGHLIGHTERS }, (_, at) => StoredHighlighter.safeParse(list[at]).data ?? FREE);
}

/** Throws `home` where the file cannot be written. */
export function writeHighlighters(home: string, highlighters: readonly Highlighter[]): void {
  const stored: z.input<typeof StoredHighlighter>[] = Highlighters.parse(highlighters).map(
    ({ fixed, ...rest }) => ({ ...rest, regex: !fixed }),
  );
  try {
    replaceFile(fileOf(home), `${JSON.stringify(stored, null, 2)}\n`);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new SpillwayError('home', `highlighters could not be saved (${code})`, `make ${home} writable`);
  }
}

function fileOf(home: string): string {
  return join(home, 'highlighters.json');
}

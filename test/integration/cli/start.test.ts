/** The code that every command starts with: V8 keeps a text in twice the memory if one character is not ASCII. */
import { isAscii } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { cliEntry } from '../../fixtures/cli.ts';

it('the code of `run` is ASCII', () => {
  const files = filesOf('run-main.cjs');
  expect(files.length).toBeGreaterThan(1);
  for (const { bytes } of files) expect(isAscii(bytes)).toBe(true);
});

/** Returns a built file and the files that it loads at once. */
function filesOf(name: string): { bytes: Buffer }[] {
  const bytes = readFileSync(join(dirname(cliEntry), name));
  const atOnce = [
    ...bytes.toString().matchAll(/(?:^|[,;]|const \w+=|let \w+=)require\([`"']\.\/([^`"']+)[`"']\)/g),
  ];
  return [{ bytes }, ...atOnce.flatMap(([, other]) => filesOf(other!))];
}

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { completions } from '../../../electron/host/library/opened.ts';
import { entriesOf } from '../../../electron/reader/disks/entries.ts';

let folder: string;
beforeAll(() => {
  folder = `${mkdtempSync(join(tmpdir(), 'spillway-completions-'))}/`;
  for (const name of ['logs', 'Later', '.hidden']) mkdirSync(join(folder, name));
  for (const name of ['log-10.txt', 'log-9.txt', 'a b.txt']) writeFileSync(join(folder, name), '');
  writeFileSync(Buffer.concat([Buffer.from(folder), Buffer.from([0x71, 0xe9])]), '');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const complete = (typed: string) => completions(typed, async (path) => entriesOf(path));

describe('the paths that a typed beginning may mean', () => {
  it.each([
    ['lo', ['log-9.txt', 'log-10.txt', 'logs/']],
    ['la', ['Later/']],
    ['', ['a b.txt', 'Later/', 'log-9.txt', 'log-10.txt', 'logs/', 'q\\xe9']],
    ['.h', ['.hidden/']],
    ['x', []],
    ['gone/', []],
  ])('of %j', async (name, found) => {
    expect(await complete(folder + name)).toEqual(found.map((each) => folder + each));
  });

  it('are named as they were typed', async () => {
    expect(await complete('~')).toEqual(['~/']);
    const asked: string[] = [];
    const entries = async (path: string) => {
      asked.push(path);
      return [{ name: 'logs', type: 'folder' as const }];
    };
    expect(await completions('~/lo', entries)).toEqual(['~/logs/']);
    expect(asked).toEqual([homedir()]);
    expect(await complete('lo')).toEqual([]);
  });
});

import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { commandLine, shellWord } from '../../../shared/text/escape.ts';
import fc from '../../fixtures/fast-check.ts';
import { cases } from '../../fixtures/sizes.ts';

describe('a command line', () => {
  it('quotes the words that a shell would interpret, and no others', () => {
    expect(commandLine('sh', ['-c', 'for i in 1 2; do echo $i; done'])).toBe(
      "sh -c 'for i in 1 2; do echo $i; done'",
    );
    expect(commandLine('make', ['-j8', 'CC=gcc', 'a/b.c', 'user@host:%+,_-'])).toBe(
      'make -j8 CC=gcc a/b.c user@host:%+,_-',
    );
    expect(commandLine('echo', ['', '~', '*', "it's", '=ls'])).toBe("echo '' '~' '*' 'it'\\''s' '=ls'");
  });

  it('quotes a first word that a shell would not take for a program', () => {
    expect(commandLine('A=b', ['c'])).toBe("'A=b' c");
    expect(commandLine('time', ['time'])).toBe("'time' time");
  });

  it('without arguments is shell syntax already', () => {
    expect(commandLine('npm test 2>&1 | sort', [])).toBe('npm test 2>&1 | sort');
  });

  it.skipIf(process.platform === 'win32')('is read by a shell as the same words', () => {
    const words = fc.array(
      fc.string().filter((word) => !word.includes('\0')),
      { minLength: 1, maxLength: 5 },
    );
    fc.assert(
      fc.property(words, (args) => {
        const out = execFileSync('sh', ['-c', commandLine('printf', ['%s\\0', ...args])]);
        expect(out.toString().split('\0').slice(0, -1)).toEqual(args);
      }),
      { numRuns: cases(50) },
    );
  });

  it('has two quotes for an empty word', () => {
    expect(shellWord('')).toBe("''");
  });
});

import { describe, expect, it } from 'vitest';
import {
  absentFieldNote,
  dialectNote,
  expressionOf,
  fieldNote,
} from '../../../electron/search/expression.ts';

const note = (pattern: string, { fixed = false, isFruitless = false } = {}) =>
  dialectNote({ pattern, fixed, case_sensitive: false, invert: false }, isFruitless);

describe('syntax that other dialects read differently', () => {
  it.each([
    ['\\Aerror', '\\A stands for the letter A (write ^)'],
    ['error\\z', '\\z stands for the letter z (write $)'],
    ['error\\Z', '\\Z stands for the letter Z (write $)'],
    ['[[:digit:]]+', '[:digit:] stands for its letters, one by one (write \\d)'],
    ['x[^[:space:]a]', '[:space:] stands for its letters, one by one (write \\s)'],
    ['[[:^alpha:]]', '[:^alpha:] stands for its letters, one by one'],
    ['(?i)\\Ax', '\\A stands for the letter A (write ^)'],
    ['\\büber', '\\b takes ü for no letter (write (?<![\\p{L}\\p{N}_]))'],
    ['caf\u00e9\\b', '\\b takes é for no letter (write (?![\\p{L}\\p{N}_]))'],
    ['\\Qa.b\\E', '\\Q stands for the letter Q, \\E stands for the letter E'],
  ])('is named: %s', (pattern, said) => {
    expect(note(pattern)).toBe(`patterns are JavaScript's, in which ${said}`);
  });

  it.each(['\\\\A', 'A', '\\bue', '[a:digit:]', '\\d\\b\\w\\s\\S\\n\\t\\x41\\cA', '\\.\\<\\>', '[\\]]:]'])(
    'no hint is given for %s',
    (pattern) => {
      expect(note(pattern)).toBeNull();
    },
  );

  it('no hint is given for plain text', () => {
    expect(note('\\A[[:digit:]]', { fixed: true, isFruitless: true })).toBeNull();
  });

  it.each([
    ['fatal\\|error', '\\| stands for the character | (write |)'],
    ['\\<fatal\\>', '\\< stands for the character < (write \\b), \\> stands for the character > (write \\b)'],
    ['/fatal/i', 'slashes around a pattern stand for themselves (leave them out, and flags after them)'],
  ])('is named if no line matches, as it may be meant so: %s', (pattern, said) => {
    expect(note(pattern, { isFruitless: true })).toBe(`patterns are JavaScript's, in which ${said}`);
    expect(note(pattern)).toBeNull();
  });

  it.each([['fatal\nerror'], ['fatal\nerror', true], ['fatal\\nerror']])(
    'a newline is named if no line matches: %j',
    (pattern, fixed = false) => {
      expect(note(pattern, { fixed, isFruitless: true })).toMatch(
        /one line at a time, so a newline in it matches/,
      );
      expect(note(pattern, { fixed })).toBeNull();
    },
  );

  it.each(['fatal', 'a|b', '/usr/bin', '\\.\\(', '\\\\|'])(
    'no hint is given for %s, even if no line matches',
    (pattern) => {
      expect(note(pattern, { isFruitless: true })).toBeNull();
    },
  );

  it('the suggested syntax means what was meant', () => {
    const meant: [string, string, string][] = [
      ['[[:punct:]]', '!/:@[]`{~-', 'aZ0 '],
      ['[[:xdigit:]]', '09afAF', 'gG '],
      ['[[:blank:]]', ' \t', 'x'],
    ];
    for (const [pattern, inside, outside] of meant) {
      const instead = /\(write (.*)\)$/.exec(note(pattern) ?? '')?.[1] ?? '';
      const expression = new RegExp(`^[${instead}]$`);
      expect([...inside].filter((char) => !expression.test(char))).toEqual([]);
      expect([...outside].filter((char) => expression.test(char))).toEqual([]);
    }
  });
});

describe('a search for a field and its value that finds nothing', () => {
  const head = '{"level":"info","service":"billing","status.code":500}\n{"service": "billing","n":1}\n';
  const query = (pattern: string) => ({ pattern, fixed: false, case_sensitive: false, invert: false });

  it.each([
    ['service=billing', 2],
    ['Service: "billing"', 2],
    ['status.code=500', 1],
  ])('%s: offers a pattern that finds it', (pattern, lines) => {
    const offered = /search for it with (.*)$/.exec(fieldNote(query(pattern), head)!)![1]!;
    const { source, flags } = expressionOf(query(offered));
    expect(head.split('\n').filter((line) => new RegExp(source, flags).test(line))).toHaveLength(lines);
  });

  it.each(['servic=billing', 'billing', 'service=(a|b)', 'service='])('%s: offers none', (pattern) => {
    expect(fieldNote(query(pattern), head)).toBeNull();
  });

  it('names the field of that name within another, and never one that is missing as one that is there', () => {
    const head = '{"http":{"status":200},"took":3}';
    const note = (where: string) => absentFieldNote({ ...query(''), where }, head);
    expect(note('status>=500')).toMatch(/the field status \(there is http\.status\)$/);
    expect(note('stat=1')).toMatch(/the field stat \(fields there: http\.status, took\)$/);
    expect(note('http.status>=500')).toBeNull();
  });
});

describe('a whole word', () => {
  const matches = (pattern: string, text: string, fixed = false) => {
    const query = { pattern, fixed, case_sensitive: false, invert: false, word: true };
    const { source, flags } = expressionOf(query);
    return new RegExp(source, flags).test(text);
  };

  it.each([
    ['err', 'an err here', true],
    ['err', 'an error here', false],
    ['err', 'last_err', false],
    ['err', 'err2', false],
    ['err', '(err)', true],
    ['caf', 'café', false],
    ['ber', 'über', false],
    ['-x', 'tar -x', true],
    ['-x', 'tar --xz', false],
    ['ab|cd', 'xcd', false],
    ['ab|cd', 'x cd', true],
    ['(?i)ERR', 'an err', true],
  ])('%s in %s: %s', (pattern, text, found) => {
    expect(matches(pattern, text)).toBe(found);
  });

  it('is found as plain text, too', () => {
    expect(matches('a[0]', 'x = a[0];', true)).toBe(true);
    expect(matches('a[0]', 'x = aa[0];', true)).toBe(false);
  });

  it('does not make an invalid pattern valid', () => {
    const query = { pattern: 'a)|(b', fixed: false, case_sensitive: false, invert: false, word: true };
    expect(() => expressionOf(query)).toThrow(
      '"a)|(b" is not a valid pattern, unmatched \')\' at character 2',
    );
  });
});

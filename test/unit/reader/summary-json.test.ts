import { Buffer } from 'node:buffer';
import { describe, expect, it } from 'vitest';
import { detectContentType } from '../../../electron/reader/bytes/content-type.ts';
import { openStream } from '../../../electron/reader/bytes/streams.ts';
import { type JsonFacts, JsonReader, jsonFactsOf } from '../../../electron/reader/summary/json/json-facts.ts';
import { createJsonMachine, plainJsonMachine } from '../../../electron/reader/summary/json/json-machine.ts';
import fc from '../../fixtures/fast-check.ts';
import { cases } from '../../fixtures/sizes.ts';

function facts(text: string | Uint8Array, chunk = 7, machine = createJsonMachine()): JsonFacts | null {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  const reader = new JsonReader(machine);
  for (let at = 0; at < bytes.length; at += chunk) reader.push(bytes.subarray(at, at + chunk));
  return reader.facts();
}

function parsed(text: string): JsonFacts | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (value === null) return { type: 'null' };
  if (Array.isArray(value)) return { type: 'array', length: value.length };
  if (typeof value === 'object') return { type: 'object', keys: Object.keys(value) };
  return { type: typeof value as 'string' };
}

/** Keys in the order of JavaScript objects, where numbers come first. */
function sorted(found: JsonFacts | null): JsonFacts | null {
  return found?.keys === undefined ? found : { ...found, keys: found.keys.toSorted() };
}

describe('the JSON facts of a text', () => {
  it('are its outermost type, and its keys or length', () => {
    expect(facts('{"a":1,"b":{"c":[]},"a":2}')).toEqual({ type: 'object', keys: ['a', 'b'] });
    expect(facts(' [1,[2,3],{"x":4}] \n')).toEqual({ type: 'array', length: 3 });
    expect([facts('[]'), facts('{}'), facts('"x"'), facts('-0.5e+3'), facts('true'), facts('null')]).toEqual([
      ...[{ type: 'array', length: 0 }, { type: 'object', keys: [] }, { type: 'string' }, { type: 'number' }],
      ...[{ type: 'boolean' }, { type: 'null' }],
    ]);
  });

  it('name at most a hundred keys, long ones clipped', () => {
    const many = Object.fromEntries(Array.from({ length: 150 }, (_, i) => [`key ${i}`, i]));
    expect(facts(JSON.stringify(many))?.keys).toEqual(Object.keys(many).slice(0, 100));
    const long = facts(JSON.stringify({ ['\u0001é'.repeat(5000)]: 1, ['\\'.repeat(1500)]: 2 }))!.keys!;
    expect(long).toEqual(['\u0001é'.repeat(100), '\\'.repeat(200)]);
  });

  it('equal what JSON.parse gives for any JSON in any chunks, and are null for anything else', () => {
    const json = fc.json({ maxDepth: 4 });
    const broken = fc
      .tuple(
        json,
        fc.nat(60),
        fc.constantFrom('', ',', '}', ']', '"', '\\', '0', '.', 'e', '-', ':', 'x', '\n', '[', '{'),
      )
      .map(([text, at, insert]) => text.slice(0, at) + insert + text.slice(at + 1));
    fc.assert(
      fc.property(fc.oneof(json, broken), fc.integer({ min: 1, max: 9 }), (text, chunk) => {
        expect(sorted(facts(text, chunk))).toEqual(sorted(parsed(text)));
        expect(sorted(facts(text, chunk, plainJsonMachine()))).toEqual(sorted(parsed(text)));
      }),
      { numRuns: cases(5000) },
    );
  });

  it('are the same where blanks and long strings are passed over', () => {
    const character = fc.constantFrom('a', 'é', ' ', '\n', '\r', '\t', '"', '\\', '{', '\u0001', '\u{1f600}');
    const text = fc.string({ unit: character, maxLength: 60 });
    const value = fc.letrec((tie) => ({
      value: fc.oneof({ maxDepth: 4 }, text, fc.array(tie('value')), fc.dictionary(text, tie('value'))),
    })).value;
    const indent = fc.constantFrom(undefined, 1, 4, 9, '\t', '\r\n    \n\t\t\t ');
    const broken = fc.option(fc.tuple(fc.nat(1000), fc.constantFrom('"', '\n', '\u0000', 'x', '}')));
    fc.assert(
      fc.property(value, indent, broken, fc.integer({ min: 1, max: 80 }), (value, indent, broken, chunk) => {
        const whole = JSON.stringify(value, null, indent?.toString().slice(0, 10));
        const spaced = typeof indent === 'string' ? whole.replaceAll('\n', `\n${indent}`) : whole;
        const text = broken ? spaced.slice(0, broken[0]) + broken[1] + spaced.slice(broken[0]) : spaced;
        const right = sorted(parsed(text));
        expect(sorted(facts(text, chunk))).toEqual(right);
        expect(sorted(facts(text, chunk, plainJsonMachine()))).toEqual(right);
      }),
      { numRuns: cases(5000) },
    );
  });

  it('are null where JSON.parse throws', () => {
    for (const text of [
      '',
      ' ',
      '{',
      '[1,]',
      '{"a":1,}',
      '01',
      '1.',
      '.5',
      '+1',
      '1e',
      '"\n"',
      '"\\x"',
      'nul',
      '[1]x',
      "{'a':1}",
      '{"a" 1}',
      '-',
      '"\\u12G4"',
      '}{',
      '[}',
      '{]',
    ]) {
      expect(facts(text)).toBeNull();
    }
  });

  it('take no stack, however deep the text', () => {
    expect(facts('['.repeat(100_000) + ']'.repeat(100_000), 4096)).toEqual({ type: 'array', length: 1 });
    const tooDeep = 2 ** 20 + 1;
    expect(facts('['.repeat(tooDeep) + ']'.repeat(tooDeep), 65_536)).toBeNull();
  });

  it('are read from a stream in its encoding', () => {
    const text = `\ufeff{"größe":[${'1,'.repeat(200_000)}1]}`;
    for (const encoding of ['utf8', 'utf16le'] as const) {
      const bytes = Buffer.from(text, encoding);
      const source = openStream({ type: 'bytes', bytes, size: bytes.length });
      expect(jsonFactsOf(source, encoding === 'utf8' ? 'utf-8' : 'utf-16le')).toEqual({
        type: 'object',
        keys: ['größe'],
      });
    }
    // Bytes of windows-1252 that are control characters in Latin-1, and one that Node's decoder may drop.
    const bytes = Buffer.from(`{"\xff\x80":"${'\xff'.repeat(2 ** 19)}","\x9b\x9d":1}`, 'latin1');
    const source = openStream({ type: 'bytes', bytes, size: bytes.length });
    expect(jsonFactsOf(source, 'latin1')).toEqual({ type: 'object', keys: ['ÿ€', '›\u009d'] });
  });
});

describe('the content type', () => {
  const of = (text: string | Buffer, hints = {}) => {
    const bytes = Buffer.from(text);
    return detectContentType(bytes.subarray(0, 65_536), { size: bytes.length, ...hints });
  };

  it('is unknown for an empty text', () => {
    expect(of('')).toBe('unknown');
  });

  it('is binary if there is a NUL that is not part of UTF-16', () => {
    expect(of('text\0more')).toBe('binary');
    expect(of(`${'x'.repeat(65_535)}\0`)).toBe('binary');
    expect(of(`${'x'.repeat(65_536)}\0`)).toBe('text');
    expect(of(Buffer.from('\ufeffhello', 'utf16le'))).toBe('text');
    expect(of(Buffer.from('\ufeffhello', 'utf16le').swap16())).toBe('text');
    expect(of(Buffer.from('hello', 'utf16le'))).toBe('binary');
    expect(of(Buffer.from('hello', 'utf16le'), { encoding: 'utf-16le' })).toBe('text');
    expect(of(Buffer.from([0xff, 0xfe, 0, 0, 0x41, 0, 0, 0]))).toBe('binary');
  });

  it('is json for one document, whole or by its beginning', () => {
    expect(of('{"a": 1}\n')).toBe('json');
    expect(of('\ufeff[1, 2]')).toBe('json');
    expect(of(`[${'{"a":"😀"},'.repeat(20_000)}{}]`)).toBe('json');
    expect(of(Buffer.from('\ufeff{"a":1}', 'utf16le'))).toBe('json');
  });

  it('is not json for bare values, for text that only begins like JSON, or for several documents', () => {
    expect(of('42\n')).toBe('text');
    expect(of('42\n', { path: '/x/answer.JSON' })).toBe('json');
    expect(of('[1/5] building')).toBe('text');
    expect(of('{"a": 1')).toBe('text');
    expect(of('{"a":1}\n{"a":2}\n')).toBe('log');
    expect(of('{"level":"info","msg":"x"}\n'.repeat(5000))).toBe('log');
  });

  it('is log when most lines begin with a time or tell a severity', () => {
    expect(of('2026-01-13 10:30:00 a\n2026-01-13 10:30:01 b\nother\n')).toBe('log');
    expect(of('[INFO] a\n[WARN] b\n')).toBe('log');
    expect(of('\x1b[32minfo\x1b[0m: a\n\x1b[33mwarn\x1b[0m: b\n')).toBe('log');
    expect(of('10.0.0.1 - - [13/Jan/2026:10:30:00 +0000] "GET / HTTP/1.1" 200\n')).toBe('log');
    expect(of('2026-01-13 10:30:00 ERROR x\n\tat a\n\tat b\n\tat c\n')).toBe('log');
  });

  it('is the same in windows-1252, whose bullets and quotes are control characters in Latin-1', () => {
    const list = Buffer.from('\x95 ERROR: one\n\x95 ERROR: two\n', 'latin1');
    for (const encoding of ['windows-1252', 'latin1', 'ISO-8859-1'])
      expect(of(list, { encoding }), encoding).toBe(of('• ERROR: one\n• ERROR: two\n'));
    expect(of(list, { encoding: 'latin1' })).toBe('log');
  });

  it('is text for anything else', () => {
    expect(of('one\ntwo\nthree\n')).toBe('text');
    expect(of('\n\n')).toBe('text');
    expect(of('one ERROR\ntwo\nthree\n')).toBe('text');
    expect(of('ERROR one\ntwo\nthree\n', { path: 'x.log' })).toBe('log');
    expect(of(Buffer.from([0xff, 0xfe, 0x41]))).toBe('text');
  });
});

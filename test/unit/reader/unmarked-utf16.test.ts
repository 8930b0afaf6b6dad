/** UTF-16 without a byte order mark is text, and nothing else is taken for it. */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { binaryNote, detectContentType } from '../../../electron/reader/bytes/content-type.ts';
import { detectEncoding, markedEncoding } from '../../../electron/reader/bytes/encoding.ts';

const le = (text: string) => Buffer.from(text, 'utf16le');
const be = (text: string) => le(text).swap16();
const numbers = (...values: number[]) => Buffer.from(Uint16Array.from(values).buffer);

describe('a few NULs among lines', () => {
  const lines = (count: number, text = 'some text é') => Array.from({ length: count }, () => text).join('\n');
  const typeOf = (text: string) => detectContentType(Buffer.from(text), { size: Buffer.byteLength(text) });
  test.each([
    ['are text, one for sixteen lines', `a\0b\n${lines(16)}`, 'text'],
    ['are text, as one run', `a${'\0'.repeat(78)}b\n${lines(16)}`, 'text'],
    ['are binary, one for fifteen', `a\0b\n${lines(14)}\n`, 'binary'],
    ['are binary beside other controls', `a\0b\x01\n${lines(99)}`, 'binary'],
    [
      "are text in the journal's export, which counts bytes in them",
      '__CURSOR=s=1\n__REALTIME_TIMESTAMP=1772359200000000\nMESSAGE\n\x05\0\0\0\0\0\0\0a\nb\nc\n\n',
      'text',
    ],
    ['are text in colours', `a\0b\x1b[31m\n${lines(99)}`, 'text'],
  ])('%s', (_, text, type) => {
    expect(typeOf(text)).toBe(type);
  });

  test('are binary where the rest is not UTF-8', () => {
    const bytes = Buffer.concat([
      Buffer.from(`a\0b\n${lines(99)}\n`),
      Buffer.from([0xff, 0xfe, 0x80, 0x80, 0x80]),
    ]);
    expect(detectContentType(bytes, { size: bytes.length })).toBe('binary');
  });
});

describe('is recognised in both byte orders', () => {
  test.each([
    'größe\n',
    'ok\n',
    'hello error\nworld\n',
    'two words',
    'a\r\n\r\nb\r\n',
    '\u001b[31mred\u001b[0m\tx\n',
    '12:00:00 INFO 起動しました 😀\n'.repeat(5000),
  ])('%#', (text) => {
    for (const [bytes, encoding] of [
      [le(text), 'utf-16le'],
      [be(text), 'utf-16be'],
    ] as const) {
      expect(detectEncoding(bytes)).toBe(encoding);
      expect(markedEncoding(bytes)).toBe('utf-8');
      expect(detectContentType(bytes, { size: bytes.length })).not.toBe('binary');
      // With half a character at the end: a file that is being written.
      expect(detectEncoding(Buffer.concat([bytes, bytes.subarray(0, 1)]))).toBe(encoding);
    }
  });
});

describe('is not seen in', () => {
  test.each<[string, Buffer]>([
    ['a program', readFileSync(process.execPath).subarray(0, 65_536)],
    ['a compressed file', gzipSync('some text\n'.repeat(50))],
    ['random bytes behind a NUL', Buffer.concat([Buffer.from([0x20, 0, 0x0a, 0]), randomBytes(4000)])],
    ['a NUL in text', Buffer.from('a\0b c\n')],
    ['names with NULs between', Buffer.from('one\0two three\0four\0')],
    ['names of one character with NULs between', Buffer.from('a\0b\0c\0d\0')],
    ['strings of a program', le('Hello World\0Two words\0')],
    ['numbers of 32 bits', Buffer.from(Uint32Array.from([10, 32, 65, 97]).buffer)],
    ['small numbers of 16 bits', numbers(1, 32, 65, 10, 97)],
    ['numbers of 16 bits', numbers(32, 640, 480, 320, 240, 10, 800, 600)],
    ['two numbers', numbers(32, 65)],
    ['silence', Buffer.alloc(1000)],
    ['half a surrogate pair', Buffer.concat([le('some more words'), numbers(0xd83d, 0x20)])],
    ['plain text', Buffer.from('hello error\n')],
  ])('%s', (_, bytes) => {
    expect(detectEncoding(bytes)).toBe('utf-8');
  });
});

test('the note of what may be UTF-16 of another script names the encoding', () => {
  expect(binaryNote(le('ошибка: файл\n'), 26, 'tool')).toBe(
    '26 bytes of binary data: use as_text to see it as text anyway, or encoding utf-16le if it is UTF-16',
  );
  expect(binaryNote(be('hello'), 10, 'command line')).toMatch(/or --encoding utf-16be/);
  expect(binaryNote(Buffer.from('a\0b c\n'), 6, 'tool')).not.toContain('encoding');
});

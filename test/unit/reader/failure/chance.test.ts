/** Features that estimate how likely a line is the cause. */
import { expect, test } from 'vitest';
import { worthOfWords } from '../../../../electron/reader/failure/chance/chance.ts';
import {
  isSetting,
  namesDecision,
  opacity,
  RarePlaces,
} from '../../../../electron/reader/failure/chance/line-facts.ts';
import { SharedConcepts } from '../../../../electron/reader/failure/chance/shared-concepts.ts';
import { WORD_WEIGHTS } from '../../../../electron/reader/failure/chance/word-weights.ts';
import { LogLines } from '../../../../electron/reader/failure/log-lines.ts';
import type { Weighed } from '../../../../electron/reader/failure/weighed.ts';

test.each([
  ['hexadecimal digits', '                    00:b7:5b:e5:55:17:e7:b3:6c:dc:aa:d7:3a:ab:d5:'],
  ['escapes', String.raw`"\247\r\r\n\0\0\0\0\305\343\376i=\25\0\0\343\0\0\0"`],
  ['Base64', 'MIIDdzCCAl+gAwIBAgIEAgAAuTANBgkqhkiG9w0BAQUFADBaMQswCQYDVQQGEwJJRTESMBAG'],
])('a line of %s is a dump', (_, line) => {
  expect(opacity(line)).toBeGreaterThan(0.7);
});

test.each([
  'src/a.c:12:3: error: ‘zslx’ undeclared',
  'commit 1f3a9c2 at 08:15:31, layer 61 kept',
  'Signature Algorithm: sha1WithRSAEncryption',
  '',
])('a message is not a dump: %s', (line) => {
  expect(opacity(line)).toBe(0);
});

const at = (text: string) => ({ line: { text } }) as Weighed;

test('a folder that few lines name is rare where many lines name others', () => {
  const system = Array.from({ length: 200 }, (_, i) => at(`open /usr/share/zoneinfo/Area/Town${i} = 3`));
  const own = 'open /srv/app/etc/limits.json = -1';
  const places = new RarePlaces([...system, at(own)]);
  expect(places.of(own)).toBeGreaterThan(0.9);
  expect(places.of(system[0]!.line.text)).toBeLessThan(0.01);
  expect(places.of('no path here')).toBe(0);
});

test('no folder is rare among few', () => {
  const few = [at('open /usr/share/a'), at('open /srv/app/etc/b')];
  expect(new RarePlaces(few).of('open /srv/app/etc/b')).toBe(0);
});

test.each([
  'SHARDS = 1',
  'max_sessions 4',
  '  "encoding": "US-ASCII",',
  'db-1  | shared_buffers=128MB',
  '2026-03-04T08:00:02.9037972Z   fetch-depth: 1',
  'precision => 4 => 4',
  'set TIMEOUT 30',
])('a name with its value is a setting: %s', (line) => {
  expect(isSetting(line)).toBe(true);
});

test.each([
  'error: the module that was asked for could not be found anywhere',
  'waiting for the queue to drain',
  'Listening now',
  'src/a.c:12:3: error: x undeclared here, and nowhere else',
  '',
])('a sentence is not a setting: %s', (line) => {
  expect(isSetting(line)).toBe(false);
});

test('settings that often decide much are recognised by words of their names', () => {
  expect(namesDecision('MAX_SESSIONS=1')).toBe(true);
  expect(namesDecision('file.encoding = US-ASCII')).toBe(true);
  expect(namesDecision('climax = yes')).toBe(false);
  expect(namesDecision('moderate = 1')).toBe(false);
});

test('a line can share a concept with the end without sharing a word', () => {
  const texts = [
    ...Array.from({ length: 60 }, (_, i) => `wrote block ${i}`),
    'duration 2',
    'palette warm',
    'the clip ran 2 of 20 seconds',
  ];
  const bytes = Buffer.from(`${texts.join('\n')}\n`);
  const lines = new LogLines(
    { size: bytes.length, read: (into, at) => bytes.copy(into, 0, at) },
    texts.length,
  );
  lines.loadTail(bytes.length);
  const candidates = texts.map((text, i) => ({ line: { text, number: i + 1 }, score: 0 })) as Weighed[];
  const concepts = new SharedConcepts(candidates, lines);
  const of = (i: number) => concepts.of({ ...candidates[i]!.line });
  expect(of(60)).toBe(0); // one of the last lines
  expect(of(5)).toBeLessThan(0.05);
  expect(
    concepts.of({ number: 999, offset: 0, isCut: false, text: 'timeout of the reader' }),
  ).toBeGreaterThan(0.4);
  expect(concepts.of({ number: 999, offset: 0, isCut: false, text: 'colour of the reader' })).toBe(0);
});

test('every word of the table has two weights', () => {
  const words = WORD_WEIGHTS.trim().split(/,\s+/);
  expect(words.length).toBeGreaterThan(500);
  for (const entry of words) {
    const [word, shown, named] = entry.replace(/,$/, '').split(' ');
    expect(worthOfWords(word!)).toEqual({ shown: Number(shown), named: Number(named) });
  }
});

test('the words of a line add up, each once; unknown words and figures say nothing', () => {
  const [using, skipping] = [worthOfWords('using'), worthOfWords('skipped')];
  expect(using.shown).toBeGreaterThan(0);
  const both = worthOfWords('Skipped: using, USING qxzyj 4711');
  expect(both.shown).toBeCloseTo(using.shown + skipping.shown);
  expect(both.named).toBeCloseTo(using.named + skipping.named);
  expect(worthOfWords('')).toEqual({ shown: 0, named: 0 });
});

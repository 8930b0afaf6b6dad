/** Facts about a line beyond its words. */
import { expect, test } from 'vitest';
import {
  isSetting,
  namesDecision,
  opacity,
  RarePlaces,
} from '../../../../electron/reader/failure/line-facts.ts';
import type { Weighed } from '../../../../electron/reader/failure/weigh.ts';

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

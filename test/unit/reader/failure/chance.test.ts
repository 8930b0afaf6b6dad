/** Features of lines that the chance to be the cause is told from. */
import { expect, test } from 'vitest';
import { opacity } from '../../../../electron/reader/failure/chance/opacity.ts';
import { RarePlaces } from '../../../../electron/reader/failure/chance/rare-places.ts';
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
])('a message is none: %s', (line) => {
  expect(opacity(line)).toBe(0);
});

const at = (text: string) => ({ line: { text } }) as Weighed;

test('a folder that few lines name is rare, where many name others', () => {
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

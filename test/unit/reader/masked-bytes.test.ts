/** An output that is masked while it comes: as many bytes as came, and as if it had been masked as a whole. */

import { expect, test } from 'vitest';
import { LiveMask } from '../../../electron/reader/bytes/masked-bytes.ts';
import { Secrets, usualSecrets } from '../../../shared/secrets/mask.ts';
import fc from '../../fixtures/fast-check.ts';

const TOKEN = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`;
const KEY = [
  '-----BEGIN PRIVATE KEY-----',
  ...Array.from({ length: 9 }, (_, i) => `MIIEvQIBADANBgkqhkiG9w0BAQEFAASC${i}Kcwgg`),
];
const TEXT = [
  'compiling é 1 of 3',
  `using ${TOKEN} for`,
  'PASSWORD=ab12cd34ef56gh78',
  ...KEY,
  '-----END PRIVATE KEY-----',
  'done ümlaut',
  '',
].join('\n');

function live(bytes: Buffer, cuts: readonly number[], secrets: Secrets): string {
  const mask = new LiveMask(secrets);
  const parts: Buffer[] = [];
  const ends = [...new Set(cuts.map((cut) => cut % bytes.length))].sort((a, b) => a - b);
  let from = 0;
  for (const end of [...ends, bytes.length]) {
    const masked = mask.add(Buffer.from(bytes.subarray(from, end)));
    if (masked) parts.push(Buffer.from(masked.bytes));
    from = end;
  }
  const rest = mask.rest();
  if (rest) parts.push(Buffer.from(rest.bytes));
  return Buffer.concat(parts).toString();
}

test('pieces of any size give the same as the whole', () => {
  const whole = usualSecrets.mask(TEXT).text;
  expect(whole).not.toContain(TOKEN);
  fc.assert(
    fc.property(fc.array(fc.nat()), (cuts) => {
      expect(live(Buffer.from(TEXT), cuts, usualSecrets)).toBe(whole);
    }),
  );
});

test('any bytes come back, as many as came', () => {
  const none = new Secrets({ patterns: [], except: ['[^]'] });
  fc.assert(
    fc.property(fc.uint8Array(), fc.array(fc.nat()), (bytes, cuts) => {
      expect(live(Buffer.from(bytes), cuts, none)).toBe(Buffer.from(bytes).toString());
    }),
  );
});

test('secrets that were returned before are not counted again', () => {
  const mask = new LiveMask(usualSecrets);
  expect(mask.add(Buffer.from(`${TOKEN} is used\n`))?.count).toBe(1);
  expect(mask.add(Buffer.from('  value: 12\n'))?.count ?? 0).toBe(0);
});

test('the beginning of a line is given out, but not of a secret', () => {
  const begun = (text: string) => {
    const mask = new LiveMask(usualSecrets);
    mask.add(Buffer.from(text));
    return mask.begun()?.bytes.toString() ?? null;
  };
  expect(begun('Password: ')).toBe('Password: ');
  expect(begun('a\nGo on? [y/N]')).toBe('Go on? [y/N]');
  expect(begun(`got ${TOKEN.slice(0, 16)}`)).toBeNull();
  expect(begun('db_password=hunter2')).toBeNull();
});

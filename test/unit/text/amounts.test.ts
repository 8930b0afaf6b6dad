/** Amounts in the preferences: what is shown is what is read back. */
import { expect, test } from 'vitest';
import { SETTING_RULES, type SettingRule } from '../../../shared/setting-rules.ts';
import { formatExactBytes, parseBytes, parseHours } from '../../../shared/text/format.ts';

test.each([
  ['2 GiB', 2 * 1024 ** 3],
  [' 1.5g ', 1.5 * 1024 ** 3],
  ['500 MB', 500 * 1024 ** 2],
  ['16k', 16_384],
  ['0', 0],
  ['77 bytes', 77],
  ['12 parsecs', null],
  ['', null],
  ['-1', null],
])('%s is read as %s bytes', (text, bytes) => expect(parseBytes(text)).toBe(bytes));

test.each([
  ['24', 24],
  ['0.5 h', 0.5],
  ['7 days', 168],
  ['soon', null],
])('%s is read as %s hours', (text, hours) => expect(parseHours(text)).toBe(hours));

test('bytes are shown exactly, and read back as they were', () => {
  const defaults = Object.values<SettingRule>(SETTING_RULES).flatMap(({ unit, default: usual }) =>
    unit === 'bytes' && typeof usual === 'number' ? [usual] : [],
  );
  expect(formatExactBytes(24_576)).toBe('24 KiB');
  expect(formatExactBytes(5000)).toBe('5000 bytes');
  expect(formatExactBytes(1_610_612_736)).toBe('1.5 GiB');
  for (const bytes of [...defaults, 0, 1, 1023, 1025, 10 ** 9, 2 ** 40])
    expect(parseBytes(formatExactBytes(bytes))).toBe(bytes);
});

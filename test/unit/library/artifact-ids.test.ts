/** The time in artifact ids, in seconds and UTC. */
import { expect, it } from 'vitest';
import { artifactId } from '../../../electron/store/format/names.ts';
import fc from '../../fixtures/fast-check.ts';

const LAST_MS = 253_402_300_799_999;

it('an id holds the time in seconds, also before 1970', () => {
  const times = fc.integer({ min: -62_167_219_200_000, max: LAST_MS });
  fc.assert(
    fc.property(fc.array(times, { minLength: 1, maxLength: 4 }), (all) => {
      for (const ms of all) {
        const at = new Date(ms);
        const stamp = at.toISOString().slice(0, 19).replaceAll(':', '-');
        expect(artifactId('cmd', 'ls', at, 'abc123')).toBe(`cmd-ls-${stamp}-abc123`);
      }
    }),
  );
});

it('ids of the next day begin at midnight', () => {
  const id = (time: string) => artifactId('cmd', 'ls', new Date(time), 'abc123');
  expect(id('2026-01-13T23:59:59.999Z')).toBe('cmd-ls-2026-01-13T23-59-59-abc123');
  expect(id('2026-01-14T00:00:00.000Z')).toBe('cmd-ls-2026-01-14T00-00-00-abc123');
});

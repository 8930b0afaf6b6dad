import { describe, expect, it } from 'vitest';
import { acrossWords } from '../../../../renderer/library/AcrossPane.tsx';

const found = (count: number) =>
  new Map(
    Array.from({ length: count }, (_, i) => [
      `id-${i}`,
      { artifact_id: `id-${i}`, match_count: 2, done: i > 0 },
    ]),
  );
const state = { searched: 61, unreadable: 0, total: 61, step: 'done', problem: null } as const;

describe('a search of all artifacts', () => {
  it('says in how many of them it found lines', () => {
    expect(acrossWords({ ...state, found: found(1) })).toBe('2 matching lines in 1 of 61 items');
  });

  it('never has found more than there are, also while one that has matches is still searched', () => {
    const words = acrossWords({ ...state, found: found(57), searched: 56, step: 'searching' });
    expect(words).toBe('114 matching lines in 57 of 61 items, 5 to go');
  });

  it('says what was not searched, and what can’t be', () => {
    const words = acrossWords({ ...state, found: found(0), searched: 60, unreadable: 3, step: 'cancelled' });
    expect(words).toBe('0 matching lines in 0 of 61 items, 1 not searched; 3 binary or not readable');
  });
});

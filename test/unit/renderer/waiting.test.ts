import { describe, expect, it } from 'vitest';
import { cameSince, waitingWords } from '../../../renderer/viewer/follow/waiting.ts';

const said = (
  read: { lines: number | null; bytes: number },
  now: { lines: number | null; bytes: number },
): string => waitingWords(cameSince(read, now));

describe('what waits at the end of a text that is not followed', () => {
  it('is told in lines', () => {
    expect(said({ lines: 10, bytes: 100 }, { lines: 10, bytes: 100 })).toBe('nothing new');
    expect(said({ lines: 10, bytes: 100 }, { lines: 11, bytes: 110 })).toBe('1 new line');
    expect(said({ lines: 10, bytes: 100 }, { lines: 2010, bytes: 9000 })).toBe('2,000 new lines');
  });

  it('is told in bytes while the lines at either end are not counted', () => {
    expect(said({ lines: null, bytes: 1000 }, { lines: 5_000_000, bytes: 2024 })).toBe('1.00 KiB new');
    expect(said({ lines: 10, bytes: 100 }, { lines: null, bytes: 300 })).toBe('200 B new');
    expect(said({ lines: null, bytes: 100 }, { lines: 7, bytes: 100 })).toBe('nothing new');
  });

  it('is all of a text that is shorter than what was read', () => {
    expect(said({ lines: 10, bytes: 100 }, { lines: 3, bytes: 30 })).toBe('3 new lines');
    expect(said({ lines: null, bytes: 100 }, { lines: null, bytes: 30 })).toBe('30 B new');
  });
});

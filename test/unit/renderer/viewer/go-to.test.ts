import { describe, expect, it } from 'vitest';
import { lineOfDestination, parseDestination } from '../../../../renderer/viewer/use-navigation.ts';

describe('the input of "Go to line"', () => {
  it.each([
    ['1200', { kind: 'line', line: 1200 }],
    [' 1,234,567 ', { kind: 'line', line: 1_234_567 }],
    ['1 234 567', { kind: 'line', line: 1_234_567 }],
    ['50_000_000', { kind: 'line', line: 50_000_000 }],
    ['+50', { kind: 'relative', lines: 50 }],
    ['- 50', { kind: 'relative', lines: -50 }],
    ['−50', { kind: 'relative', lines: -50 }],
    ['50%', { kind: 'percent', percent: 50 }],
    ['99.9 %', { kind: 'percent', percent: 99.9 }],
    ['0%', { kind: 'percent', percent: 0 }],
    ['end', { kind: 'end' }],
    ['END', { kind: 'end' }],
    ['$', { kind: 'end' }],
    ['@0', { kind: 'offset', offset: 0 }],
    ['@1,048,576', { kind: 'offset', offset: 1_048_576 }],
  ])('%s is understood', (text, destination) => {
    expect(parseDestination(text)).toEqual(destination);
  });

  it.each(['', '0', 'x', '12x', '1,23', '101%', '-%', '@', '+', '1.5', '99999999999999999999', '1e3'])(
    '"%s" is refused',
    (text) => {
      expect(parseDestination(text)).toBeNull();
    },
  );
});

describe('the line it means', () => {
  it.each([
    [{ kind: 'line', line: 70 } as const, 70],
    [{ kind: 'line', line: 7000 } as const, 100],
    [{ kind: 'relative', lines: 5 } as const, 15],
    [{ kind: 'relative', lines: -50 } as const, 1],
    [{ kind: 'percent', percent: 50 } as const, 50],
    [{ kind: 'percent', percent: 0 } as const, 1],
    [{ kind: 'percent', percent: 100 } as const, 100],
    [{ kind: 'end' } as const, 100],
  ])('%j from line 10 of 100 is line %i', (destination, line) => {
    expect(lineOfDestination(destination, 10, 100)).toBe(line);
  });

  it('is line 1 of an empty text', () => {
    expect(lineOfDestination({ kind: 'end' }, 1, 0)).toBe(1);
  });
});

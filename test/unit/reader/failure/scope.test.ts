import { describe, expect, test } from 'vitest';
import { scanned } from '../../../../electron/reader/failure/explain.ts';
import { failedText, MadeGood } from '../../../../electron/reader/failure/scope.ts';
import { textOf } from '../../../fixtures/reader/failures.ts';

function read(...text: string[]) {
  const source = textOf(Buffer.from(`${text.join('\n')}\n`));
  const failed = failedText(scanned(source), source);
  failed.lines.loadTail(source.size);
  return failed;
}

describe('a failure', () => {
  const failed = 'feed-17: connection reset';
  const isGood = (...after: string[]) => {
    const text = read('start', failed, ...after);
    return new MadeGood(text).has(text.lines.get(2)!);
  };

  test('is made good where a line soon after reports success of the same thing', () => {
    expect(isGood('other work', 'feed-17: reconnected')).toBe(true);
    expect(isGood('{"msg":"stored","of":"feed-17","attempt":2}')).toBe(true);
  });

  test('is made good where the next line says only that it does not count', () => {
    expect(isGood('...ignoring')).toBe(true);
    expect(isGood('(ignored)')).toBe(true);
    expect(isGood('ignoring feed-18')).toBe(false);
    expect(isGood('other work', '...ignoring')).toBe(false);
  });

  test('is not made good by success of another thing, by other words, or much later', () => {
    expect(isGood('feed-18: reconnected')).toBe(false);
    expect(isGood('feed-17: closed')).toBe(false);
    expect(isGood(...Array.from({ length: 9 }, (_, i) => `work ${i}`), 'feed-17: reconnected')).toBe(false);
  });
});

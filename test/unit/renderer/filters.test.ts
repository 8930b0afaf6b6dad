import { describe, expect, it } from 'vitest';
import { type Filter, plainText, restored, withAgain, withVerbs } from '../../../renderer/filters/filter.ts';

const filter = (id: number, text: string, verb: Filter['verb'] = 'show'): Filter => ({
  id,
  what: plainText(text),
  verb,
  on: true,
});

describe('filters', () => {
  it('that were removed come back with those that were added since, each once', () => {
    const removed = [filter(1, 'a'), filter(2, 'b', 'hide')];
    expect(restored(removed, [])).toEqual(removed);
    expect(restored(removed, [filter(1, 'b'), filter(2, 'c')])).toEqual([...removed, filter(3, 'c')]);
  });

  it('that was removed alone comes back at its place, once', () => {
    const [a, b, c] = [filter(1, 'a'), filter(2, 'b', 'hide'), filter(3, 'c')];
    expect(withAgain(b, 1, [a, c])).toEqual([a, b, c]);
    expect(withAgain(c, 2, [a, filter(3, 'd')])).toEqual([a, filter(3, 'd'), filter(4, 'c')]);
    expect(withAgain(b, 1, [a, filter(3, 'b')])).toEqual([a, filter(3, 'b')]);
    expect(withAgain(a, 0, [])).toEqual([a]);
  });

  it('get the verbs back that they had, whatever else changed', () => {
    const before = [filter(1, 'a', 'only'), filter(2, 'b', 'show')];
    const now = [filter(2, 'B', 'only'), filter(3, 'c', 'hide')];
    expect(withVerbs(before, now)).toEqual([filter(2, 'B', 'show'), filter(3, 'c', 'hide')]);
  });
});

import { describe, expect, it } from 'vitest';
import { detailOf, type NamedTab } from '../../../renderer/app/TabBar.tsx';

const tab = (id: number, part: Partial<NamedTab> = {}): NamedTab => ({
  id,
  name: 'app.log',
  folder: '/var/log',
  stream: null,
  range: null,
  ...part,
});
const details = (...tabs: NamedTab[]) => tabs.map((each) => detailOf(each, tabs));

describe('the detail that distinguishes tabs of one name', () => {
  it('is empty where names differ', () => {
    expect(details(tab(1), tab(2, { name: 'db.log' }))).toEqual([null, null]);
  });

  it('is the folder of another artifact', () => {
    expect(details(tab(1), tab(2, { folder: '/srv' }), tab(3, { name: 'db.log' }))).toEqual([
      '/var/log',
      '/srv',
      null,
    ]);
  });

  it('is the stream, or the range, of the same artifact', () => {
    expect(details(tab(1, { stream: 'stderr' }), tab(2, { stream: 'stdout' }))).toEqual(['stderr', 'stdout']);
    expect(details(tab(1), tab(2, { range: 'lines 5–9' }))).toEqual([null, 'lines 5–9']);
  });

  it('is the position where nothing else differs, with the detail that a third needs', () => {
    expect(details(tab(1), tab(2))).toEqual(['line', 'line']);
    expect(details(tab(1), tab(2), tab(3, { folder: '/srv' }))).toEqual(['line', 'line', '/srv']);
  });
});

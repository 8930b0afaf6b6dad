import { describe, expect, it } from 'vitest';
import { detailOf, type NamedTab } from '../../../renderer/app/tabs/TabDetail.tsx';

const tab = (id: number, part: Partial<NamedTab> = {}): NamedTab => ({
  id,
  name: 'app.log',
  folder: '/var/log',
  stream: null,
  range: null,
  ...part,
});
const details = (...tabs: NamedTab[]) => tabs.map((each) => detailOf(each, tabs));

describe('what tells tabs of one name apart', () => {
  it('is nothing where names differ', () => {
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

  it('is the place where nothing else differs, with what tells them from a third', () => {
    expect(details(tab(1), tab(2))).toEqual(['line', 'line']);
    expect(details(tab(1), tab(2), tab(3, { folder: '/srv' }))).toEqual(['line', 'line', '/srv']);
  });
});

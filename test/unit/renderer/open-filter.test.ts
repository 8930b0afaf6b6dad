/** Decides when a filter that is being typed replaces the one that is shown. */
import { describe, expect, it } from 'vitest';
import { OpenFilter } from '../../../renderer/filters/open-filter.ts';
import type { Connection } from '../../../shared/api/api.ts';
import type { FilterState } from '../../../shared/api/filters.ts';
import type { Row } from '../../../shared/api/rows.ts';
import { settled } from './viewer/row-fetcher-host.ts';

const SCREEN = 40;

/** A filter of a text, and a host whose events and answers the test triggers. */
function setUp() {
  let take: (state: FilterState) => void = () => {};
  const waiting: (() => void)[] = [];
  const connection = {
    subscribe: (_event: string, _ref: unknown, onEvent: typeof take) => {
      take = onEvent;
      return () => {};
    },
    request: (_name: string, { lines }: { lines: number[] }) =>
      new Promise((resolve) => waiting.push(() => resolve({ generation: 1, rows: lines.map(rowOf) }))),
  } as unknown as Connection;
  const filter = new OpenFilter(connection, { artifact_id: 'a' }, { rules: [], within: [] });
  const tell = (lines: number[], done: boolean) =>
    take({
      generation: 1,
      searched_bytes: 1000,
      total_bytes: 1000,
      from_key: 0,
      parts: [{ key: 0, form: 'members', data: btoa(bytesOf(lines)) }],
      rules: [],
      done,
      settled_line: lines.at(-1) ?? 0,
    });
  const answer = async () => {
    for (const each of waiting.splice(0)) each();
    await settled();
  };
  return { filter, tell, answer };
}

const rowOf = (line: number): Row => ({
  text: `line ${line}`,
  runs: null,
  offset: 0,
  bytes: 0,
  clipped: false,
});
const bytesOf = (lines: number[]) => String.fromCharCode(...new Uint8Array(new Uint16Array(lines).buffer));
const every = (step: number, to: number) =>
  Array.from({ length: to / step }, (_, index) => (index + 1) * step);

describe('a filter that is typed', () => {
  it('is shown once the lines in view are known and fetched', async () => {
    const [shown, next] = [setUp(), setUp()];
    shown.tell(every(2, 2000), true);
    // Line 1,002 is at the top.
    shown.filter.rows.want(500, 500 + SCREEN - 1);
    await shown.answer();
    next.tell(every(3, 900), false);
    expect(next.filter.isReadyFor(shown.filter)).toBe(false);
    // Further lines may still be unknown.
    next.tell(every(3, 1500), false);
    expect(next.filter.isReadyFor(shown.filter)).toBe(false);
    await next.answer();
    expect(next.filter.isReadyFor(shown.filter)).toBe(true);
    expect(next.filter.rows.row(next.filter.rowOf(1002))?.text).toBe('line 1002');
  });

  it('is shown with its own end where few lines pass', async () => {
    const [shown, next] = [setUp(), setUp()];
    shown.tell(every(2, 2000), true);
    shown.filter.rows.want(900, 900 + SCREEN - 1);
    next.tell([5, 7], true);
    expect(next.filter.isReadyFor(shown.filter)).toBe(false);
    await next.answer();
    expect(next.filter.isReadyFor(shown.filter)).toBe(true);
    const none = setUp();
    none.tell([], true);
    expect(none.filter.isReadyFor(shown.filter)).toBe(true);
  });

  it('is shown with the end of the text while that is followed', async () => {
    const [shown, next] = [setUp(), setUp()];
    shown.tell(every(2, 2000), true);
    shown.filter.rows.follow(SCREEN);
    next.tell(every(3, 900), false);
    await next.answer();
    expect(next.filter.isReadyFor(shown.filter)).toBe(false);
    next.tell(every(3, 1500), true);
    expect(next.filter.isReadyFor(shown.filter)).toBe(false);
    await next.answer();
    expect(next.filter.isReadyFor(shown.filter)).toBe(true);
    expect(next.filter.rows.row(499)?.text).toBe('line 1500');
  });
});

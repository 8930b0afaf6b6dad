/** What a comparison says: in words, of lines, and of two outputs side by side. */
import { describe, expect, it } from 'vitest';
import { lineBeside, pairedLines } from '../../../renderer/differences/alignment.ts';
import { inOrderToCompare, likelyFirst } from '../../../renderer/differences/CompareDialog.tsx';
import { headline, newsOf, oftenWords, rangeOf, stepTo } from '../../../renderer/differences/differences.ts';
import { countsOfRanges } from '../../../renderer/viewer/scrolling/Ruler.tsx';
import type { Alignment } from '../../../shared/api/rows.ts';
import type { Artifact } from '../../../shared/artifact.ts';
import type { Comparison, Finding } from '../../../shared/comparison.ts';
import { pastOf } from '../../../shared/text/word-difference.ts';

type Kind = Finding['kind'];

function comparison(kinds: readonly Kind[], passes = 5, change: Partial<Comparison> = {}): Comparison {
  const findings = kinds.map(
    (kind): Finding => ({
      ...{ kind, stream: 'combined', line_number: 1, text: 'a', count: 1 },
      ...{ baseline_text: null, baseline_line: null },
    }),
  );
  const baseline = (_: unknown, i: number): Comparison['baselines'][number] => ({
    artifact_id: `cmd-${i}`,
    started_at: null,
    chosen: 'command',
  });
  return {
    artifact_id: 'cmd-failed',
    baselines: Array.from({ length: passes }, baseline),
    findings,
    cause: null,
    lines: [],
    changed_lines: [],
    total_findings: findings.length,
    truncated: false,
    ...change,
  };
}

describe('the sentence in the header', () => {
  it('counts what is new first, then what changed, is missing or moved', () => {
    const words = (...kinds: Kind[]) => headline(comparison(kinds)).words;
    expect(words('gone', 'new', 'changed', 'new')).toBe('2 messages never seen in its last 5 passes');
    expect(words('changed', 'gone')).toBe('1 message changed since its last 5 passes');
    expect(words('order', 'gone', 'gone')).toBe('2 messages of its last 5 passes missing');
    expect(words('order')).toBe('1 message in another order than in its last 5 passes');
    expect(words()).toBe('Nothing new since its last 5 passes');
  });

  it('names what it was compared with, and that there is more', () => {
    const chosen = (chosen: Comparison['baselines'][number]['chosen'], passes: number) =>
      headline({
        ...comparison(['new'], passes),
        baselines: comparison([], passes).baselines.map((one) => ({ ...one, chosen })),
      }).words;
    expect(chosen('command', 1)).toBe('1 message never seen in its last pass');
    expect(chosen('nearest', 2)).toBe('1 message never seen in the last 2 passes of a similar command');
    expect(chosen('job', 2)).toBe('1 message never seen in its last 2 passes');
    expect(chosen('rotation', 1)).toBe('1 message never seen in its last rotation');
    expect(chosen('given', 1)).toBe('1 message never seen in the other output');
    expect(chosen('given', 3)).toBe('1 message never seen in the 3 other outputs');
    expect(headline(comparison(['new'], 5, { truncated: true }))).toEqual({
      words: '1+ messages never seen in its last 5 passes',
      short: '1+ new',
    });
  });

  it('says how often only if that is more than twice', () => {
    expect([oftenWords(1), oftenWords(2), oftenWords(3)]).toEqual(['', '', ', 3 times this week']);
  });
});

describe('lines', () => {
  const ranges = [
    [2, 2],
    [10, 20],
    [30, 31],
  ] as const;

  it('are found in ranges, at both ends', () => {
    expect([1, 2, 3, 10, 15, 20, 21, 31, 32].map((line) => rangeOf(ranges, line))).toEqual([
      -1, 0, -1, 1, 1, 1, -1, 2, -1,
    ]);
    expect(rangeOf([], 1)).toBe(-1);
  });

  it('are new or changed', () => {
    const found = comparison([], 5, {
      lines: [
        [2, 2],
        [10, 20],
      ],
      changed_lines: [[2, 2]],
    });
    expect([2, 3, 10].map((line) => newsOf(found, line))).toEqual(['changed', null, 'new']);
  });

  it('are stepped through by their ranges, around the ends', () => {
    expect(stepTo(ranges, 2, 1)).toEqual({ line: 10, index: 1 });
    expect(stepTo(ranges, 15, -1)).toEqual({ line: 10, index: 1 });
    expect(stepTo(ranges, 31, 1)).toEqual({ line: 2, index: 0 });
    expect(stepTo(ranges, 2, -1)).toEqual({ line: 30, index: 2 });
    expect(stepTo([], 2, 1)).toBeNull();
  });

  it('are counted for the ruler, however long their ranges are', () => {
    expect(
      countsOfRanges(
        [
          [1, 25],
          [100, 100],
          [200, 300],
        ],
        100,
        4,
      ),
    ).toEqual([1, 0, 0, 1]);
    const many = countsOfRanges([[1, 1e9]], 1e9, 100);
    expect(many).toEqual(new Array(100).fill(1));
  });
});

describe('two outputs side by side', () => {
  // The second has lines 4 and 5 and a line 14 that the first has not; the first has a line 8.
  const alignment: Alignment = {
    blocks: [
      [1, 1, 3],
      [4, 6, 4],
      [9, 10, 4],
    ],
    only_first: [[8, 8]],
    only_second: [
      [4, 5],
      [14, 14],
    ],
  };

  it('have lines beside each other that say the same, and wait where the other has more', () => {
    const lines = [1, 3, 4, 7, 8, 9, 12, 15];
    expect(lines.map((line) => lineBeside(alignment, 0, line))).toEqual([1, 3, 6, 9, 10, 10, 13, 16]);
    expect([4, 5, 6, 13].map((line) => lineBeside(alignment, 1, line))).toEqual([4, 4, 4, 12]);
    expect(lineBeside({ blocks: [], only_first: [], only_second: [] }, 0, 7)).toBe(7);
  });

  it('mark where lines are missing: above the line that follows, or below the last', () => {
    const first = pairedLines(alignment, 0);
    expect([...first.missing]).toEqual([[4, 2]]);
    expect(first.missingBelow).toEqual({ line: 12, count: 1 });
    expect(first.only).toEqual([[8, 8]]);
    const second = pairedLines(alignment, 1);
    expect([...second.missing]).toEqual([[10, 1]]);
    expect(second.missingBelow).toBeNull();
  });
});

describe('comparing two rows', () => {
  const run = (id: string, part: Partial<Artifact>): Artifact =>
    ({
      artifact_id: id,
      command: 'make',
      args: null,
      status: 'succeeded',
      started_at: null,
      ...part,
    }) as Artifact;

  it('looks at the one that failed, else at the later one', () => {
    const failed = run('failed', { status: 'failed', started_at: '2026-01-01' });
    const passed = run('passed', { started_at: '2026-01-02' });
    const before = run('before', { started_at: '2025-12-31' });
    expect(inOrderToCompare(passed, failed)).toEqual([failed, passed]);
    expect(inOrderToCompare(before, passed)).toEqual([passed, before]);
  });

  it('offers runs of the same command that passed first', () => {
    const others = [
      run('other', { command: 'ls' }),
      run('failed too', { status: 'failed' }),
      run('passed', {}),
      run('other arguments', { args: ['all'] }),
    ];
    const ids = likelyFirst(run('of', { status: 'failed' }), others).map(({ artifact_id: id }) => id);
    expect(ids).toEqual(['passed', 'failed too', 'other', 'other arguments']);
  });

  it('calls only a message that shares most of its words the past of a new one', () => {
    expect(pastOf('new', 'started 8 workers', 'started 1 workers')).not.toBeNull();
    const [was, now] = ['request to the store took 20 ms', 'error in the config: cannot read the port'];
    expect(pastOf('new', was, now)).toBeNull();
    expect(pastOf('changed', 'mode: fast', 'x y z')).toHaveLength(2);
    expect(pastOf('gone', 'started 8 workers', 'started 1 workers')).toBeNull();
  });
});

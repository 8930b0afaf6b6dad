import { describe, expect, it } from 'vitest';
import {
  addMark,
  type Mark,
  marks,
  marksAsMarkdown,
  moveMarks,
  parseMarks,
  removeMark,
  stillHolds,
  type WholeMark,
  wholeMarks,
} from '../../../renderer/panels/marks/marks-export.ts';
import { fileName } from '../../../renderer/ui/state/page.ts';
import { countsOf, nearestMarked } from '../../../renderer/viewer/scrolling/Ruler.tsx';
import { mergedId } from '../../../shared/artifact.ts';

const mark = (part: Partial<Mark> = {}): Mark => ({
  artifactId: 'cmd-1',
  stream: 'combined',
  line: 7,
  note: '',
  name: 'npm test',
  offset: 120,
  text: 'not ok 2 - adds',
  ...part,
});

const whole = (part: Partial<WholeMark> = {}): WholeMark => ({ ...mark(), isCut: false, ...part });

describe('a mark', () => {
  it('is valid while its line has the same start and the same text', () => {
    expect(stillHolds(mark(), { offset: 120, text: 'not ok 2 - adds' })).toBe(true);
    expect(stillHolds(mark(), { offset: 120, text: 'not ok 2 - adds, and went on' })).toBe(true);
    expect(stillHolds(mark(), { offset: 119, text: 'not ok 2 - adds' })).toBe(false);
    expect(stillHolds(mark(), { offset: 120, text: 'ok 2 - adds' })).toBe(false);
    expect(stillHolds(mark(), undefined)).toBe(false);
    expect(stillHolds(mark({ text: '' }), { offset: 120, text: 'filled since' })).toBe(false);
  });

  it('gets its note back when its line is marked again with the same text', () => {
    const noted = mark({ line: 31, note: 'why?' });
    addMark(noted);
    removeMark(noted);
    addMark(mark({ line: 31, text: 'another text' }));
    expect(marks.get()).toMatchObject([{ line: 31, note: '' }]);
    removeMark(mark({ line: 31 }));
    addMark(mark({ line: 31 }));
    expect(marks.get()).toEqual([noted]);
    removeMark(noted);
  });

  it('moves with the path of its file to the id of a file that replaces it', () => {
    const [old, other] = [mark({ artifactId: 'file-1', path: '/a.log' }), mark({ path: '/b.log', line: 8 })];
    for (const each of [old, other]) addMark(each);
    moveMarks('/a.log', 'file-2');
    expect(marks.get()).toEqual([{ ...old, artifactId: 'file-2' }, other]);
    for (const each of marks.get()) removeMark(each);
  });

  it('is read from storage, without invalid entries', () => {
    const kept = mark({ note: 'why?' });
    const broken = [null, 4, {}, { ...kept, line: 0 }, { ...kept, stream: 'x' }, { ...kept, note: 3 }];
    expect(parseMarks(JSON.stringify([...broken, kept]))).toEqual([kept]);
    for (const text of [null, '', '{}', '[[', '"x"']) expect(parseMarks(text)).toEqual([]);
  });
});

it('marks with any text become Markdown by artifact, in the order of their lines', () => {
  const text = marksAsMarkdown(
    [
      whole({ line: 9, note: 'first seen here\n' }),
      whole({ text: 'a `tick` and ```', line: 3 }),
      whole({ artifactId: 'file-2', stream: 'output', name: 'a.log', line: 1, text: 'x', isCut: true }),
    ],
    'http://127.0.0.1:1/',
  );
  expect(text).toBe(
    [
      '## `npm test`\n\n`spillway inspect cmd-1`\n',
      '[Line 3 of combined](http://127.0.0.1:1/#a=cmd-1&s=combined&l=3-3)\n\n````text\na `tick` and ```\n````\n',
      '[Line 9 of combined](http://127.0.0.1:1/#a=cmd-1&s=combined&l=9-9)\n\nfirst seen here\n\n```text\nnot ok 2 - adds\n```\n',
      '## `a.log`\n\n`spillway inspect file-2`\n',
      '[Line 1](http://127.0.0.1:1/#a=file-2&s=output&l=1-1)\n\n```text\nx …\n```\n',
    ].join('\n'),
  );
});

describe('exporting marks', () => {
  const start = 'x'.repeat(160);
  const exported = async (marks: Mark[], text: string | null, clipped = false) => {
    const asked: unknown[] = [];
    const found = await wholeMarks(
      marks,
      (document) => async (lines) => {
        asked.push(document, ...lines);
        if (text === null) throw new Error('gone');
        return { generation: 1, lines: new Map(lines.map((line) => [line, { text, clipped }])) };
      },
      ({ artifactId }) => ({ artifact_id: artifactId }),
    );
    return { asked, found: found.map(({ text, isCut }) => ({ text, isCut })) };
  };

  it('reads the lines of which only the beginning is stored', async () => {
    const all = await exported([mark(), mark({ line: 8, text: start })], `${start} and on`);
    expect(all.asked).toEqual([{ artifact_id: 'cmd-1' }, 8]);
    expect(all.found).toEqual([
      { text: 'not ok 2 - adds', isCut: false },
      { text: `${start} and on`, isCut: false },
    ]);
  });

  it('says so where it has only the beginning', async () => {
    const cut = [{ text: start, isCut: true }];
    expect((await exported([mark({ text: start })], null)).found).toEqual(cut);
    expect((await exported([mark({ text: start })], 'reads differently now')).found).toEqual(cut);
    expect((await exported([mark({ text: start })], start, true)).found).toEqual(cut);
  });
});

it('marks of a merged text have no link and no command, as only this window knows it', () => {
  const merged = whole({
    artifactId: mergedId(['a', 'b']),
    stream: 'output',
    name: 'a.log + b.log',
    line: 4,
    text: 'x',
  });
  expect(marksAsMarkdown([merged], 'http://127.0.0.1:1/')).toBe(
    '## `a.log + b.log`\n\nMerged by time.\n\nLine 4\n\n```text\nx\n```\n',
  );
});

it('a saved file has a name that every file system takes', () => {
  expect(fileName('npm run a/b: *?.txt')).toBe('npm-run-a-b.txt');
  expect(fileName('../../x.md')).toBe('x.md');
  expect(fileName('***.txt')).toBe('output.txt');
});

describe('a column of the ruler', () => {
  it('divides lines into as many parts as the host does', () => {
    expect(countsOf([1, 2, 10], 10, 5)).toEqual([2, 0, 0, 0, 1]);
    expect(countsOf([3, 11], 10, 2000)).toEqual([0, 0, 1, 0, 0, 0, 0, 0, 0, 0]);
  });

  it('finds the nearest mark within reach', () => {
    expect(nearestMarked([0, 0, 1, 0, 0, 0, 1], 3.5, 2)).toBe(2);
    expect(nearestMarked([1, 0, 0, 0], 3.5, 2)).toBe(null);
    expect(nearestMarked([], 0, 2)).toBe(null);
  });
});

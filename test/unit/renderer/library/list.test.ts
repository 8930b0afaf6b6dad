import { describe, expect, it } from 'vitest';
import { LibraryStore } from '../../../../renderer/library/library-store.ts';
import {
  firstToShow,
  GROUPINGS,
  type GroupBy,
  groupedList,
  HEADING_HEIGHT_PX,
  ITEM_HEIGHT_PX,
  ListLayout,
  type Question,
} from '../../../../renderer/library/list/list-groups.ts';
import { groupByFrom, nextGrouping } from '../../../../renderer/library/list/list-settings.ts';
import type { Artifact } from '../../../../shared/artifact.ts';
import fc from '../../../fixtures/fast-check.ts';
import { artifactOf, at, fileOf } from '../../../fixtures/library/artifacts.ts';

const SESSION_ID = '4842b901-a646-493b-a1f8-74c4b43529a5';
const ALL: Question = {
  ...{ groupBy: 'nothing', query: '', only: 'all', agent: null, folded: new Map() },
  today: '2026-01-13',
};

function entriesOf(...artifacts: Artifact[]) {
  const library = new LibraryStore((run) => run());
  library.take({ reset: true, changed: artifacts, removed: [] });
  return library.sorted;
}

describe('the groups of the list', () => {
  const entries = entriesOf(
    artifactOf('old', { session: 'first', started_at: at(1), status: 'failed' }),
    artifactOf('new', { session: 'first', started_at: at(9), status: 'running' }),
    artifactOf('mid', { session: 'second', started_at: at(5), status: 'timed_out' }),
    fileOf('/logs/a.log', '/logs', { started_at: at(3) }),
    fileOf('/opened.log', '/opened.log', { started_at: at(7) }),
    fileOf('/also.log', '/also.log', { started_at: at(6) }),
  );
  const groups = (groupBy: GroupBy, change: Partial<Question> = {}) =>
    groupedList(entries, { ...ALL, groupBy, ...change }).groups.map(({ label, entries }) => [
      label,
      entries.map(({ id }) => id),
    ]);

  it('are sessions, the one with the newest artifact first', () => {
    expect(groups('session')).toEqual([
      ['first', ['new', 'old']],
      ['No session', ['file /opened.log', 'file /also.log']],
      ['second', ['mid']],
      ['/logs', ['file /logs/a.log']],
    ]);
  });

  it('are sessions of agents, together for each agent and within it for each project', () => {
    const run = (id: string, minute: number, name: string, project: string, session: string | null) =>
      artifactOf(id, {
        started_at: at(minute),
        agent: { name, project, session, pid: null, truncated: null },
      });
    const { groups, agents } = groupedList(
      entriesOf(
        run('a', 9, 'codex', '/w/api', '01a20258-f00f-7800-9d81-61b896f85476'),
        run('b', 8, 'claude-code', '/w/api', SESSION_ID),
        run('c', 7, 'codex', '/w/web', 'other'),
        run('d', 6, 'codex', '/w/api', null),
        run('e', 5, 'claude-code', '/w/api', SESSION_ID),
        artifactOf('f', { session: 'mine', started_at: at(1) }),
      ),
      { ...ALL, groupBy: 'session' },
    );
    expect(
      groups.map(({ label, session, entries }) => [label, session, entries.map(({ id }) => id)]),
    ).toEqual([
      ['Codex · api', 'f85476', ['a']],
      ['Codex · api', null, ['d']],
      ['Codex · web', 'other', ['c']],
      ['Claude Code · api', '4842b9', ['b', 'e']],
      ['mine', null, ['f']],
    ]);
    expect([...agents]).toEqual(['codex', 'claude-code']);
  });

  it('are of one agent if only that is chosen', () => {
    const agent = { name: 'codex', project: null, session: 's', pid: null, truncated: null };
    const all = entriesOf(artifactOf('a', { agent }), artifactOf('b', {}));
    expect(groupedList(all, { ...ALL, agent: 'codex' })).toMatchObject({ found: 1 });
    expect(groupedList(all, { ...ALL, agent: 'codex' }).agents).toEqual(new Set(['codex']));
  });

  it('are sources, with the files that were opened one by one together', () => {
    expect(groups('source')).toEqual([
      ['Captures', ['new', 'mid', 'old']],
      ['Opened files', ['file /opened.log', 'file /also.log']],
      ['/logs', ['file /logs/a.log']],
    ]);
  });

  it('are days, in words', () => {
    const on = (id: string, day: string) => artifactOf(id, { started_at: `${day}T12:00:00Z` });
    const days = ['2026-01-13', '2026-01-12', '2026-01-11', '2025-12-31'];
    const all = entriesOf(...days.map((day) => on(day, day)), artifactOf('x', { started_at: null }));
    const { groups } = groupedList(all, { ...ALL, groupBy: 'day' });
    expect(groups.map(({ label, entries }) => [label, entries[0]?.id])).toEqual([
      ['Today', '2026-01-13'],
      ['Yesterday', '2026-01-12'],
      ['Sunday, 11 January', '2026-01-11'],
      ['31 December 2025', '2025-12-31'],
      ['No date', 'x'],
    ]);
  });

  it('are the runs of a command in one folder, folded at first; a single run has no heading', () => {
    const run = (id: string, minute: number, command: string, cwd: string, status: Artifact['status']) =>
      artifactOf(id, { started_at: at(minute), command, args: ['test'], cwd, status });
    const all = entriesOf(
      run('a', 9, 'npm', '/w/api', 'failed'),
      run('b', 8, 'make', '/w/api', 'succeeded'),
      run('c', 7, 'npm', '/w/web', 'succeeded'),
      run('d', 6, 'npm', '/w/api', 'failed'),
      run('e', 5, 'npm', '/w/web', 'running'),
      fileOf('/logs/a.log', '/logs', { started_at: at(1) }),
    );
    const { groups } = groupedList(all, { ...ALL, groupBy: 'command' });
    const facts = groups.map(({ label, headed, folded, failed, entries }) => [
      ...[label, headed, folded, failed],
      entries.map(({ id }) => id).join(),
    ]);
    expect(facts).toEqual([
      ['npm test · api', true, true, 2, 'a,d'],
      ['make test', false, false, 0, 'b'],
      ['npm test · web', true, true, 0, 'c,e'],
      ['/logs', true, false, 0, 'file /logs/a.log'],
    ]);
    const layout = new ListLayout(groups, 'command');
    expect(all.map((entry) => layout.rowOf(entry))).toEqual([-1, 1, -1, -1, -1, 4]);
    const searched = groupedList(all, { ...ALL, groupBy: 'command', only: 'failed' }).groups;
    expect(searched.map(({ folded }) => folded)).toEqual([false]);
  });

  it('have no heading when grouping is off, or when nothing has a session', () => {
    const flat = groupedList(entries, ALL).groups;
    expect(flat).toHaveLength(1);
    expect(flat[0]).toMatchObject({ headed: false });
    expect(flat[0]?.entries.map(({ id }) => id)).toEqual(entries.map(({ id }) => id));
    const files = groupedList(entriesOf(fileOf('/a', '/')), { ...ALL, groupBy: 'session' }).groups;
    expect(files[0]?.headed).toBe(false);
    const single = groupedList(entriesOf(fileOf('/x/a', '/x')), { ...ALL, groupBy: 'source' }).groups;
    expect(single[0]?.headed).toBe(true);
  });

  it('count running and failed artifacts, in all and in each group', () => {
    const found = groupedList(entries, { ...ALL, groupBy: 'session' });
    expect(found).toMatchObject({ found: 6, running: 1, failed: 2 });
    expect(found.groups.map(({ running, failed }) => [running, failed])).toEqual([
      [1, 1],
      [0, 0],
      [0, 1],
      [0, 0],
    ]);
  });

  it('show only one state if asked to, and still count the others', () => {
    expect(groups('session', { only: 'running' })).toEqual([['first', ['new']]]);
    const failed = groupedList(entries, { ...ALL, only: 'failed' });
    expect(failed.groups[0]?.entries.map(({ id }) => id)).toEqual(['mid', 'old']);
    expect(failed).toMatchObject({ found: 2, running: 1, failed: 2 });
  });

  it('are folded, except while the list is filtered', () => {
    const folded = new Map([['session first', true]]);
    const isFolded = (change: Partial<Question>) =>
      groupedList(entries, { ...ALL, groupBy: 'session', folded, ...change }).groups[0]?.folded;
    expect(isFolded({})).toBe(true);
    expect(isFolded({ query: 'new' })).toBe(false);
    expect(isFolded({ only: 'running' })).toBe(false);
  });

  it('are folded at first where a folder has many files, until a person unfolds them', () => {
    const many = Array.from({ length: 51 }, (_, index) =>
      fileOf(`/etc/${index}`, '/etc', { started_at: at(9) }),
    );
    const all = entriesOf(...many, artifactOf('cmd', { session: 'work', started_at: at(1) }));
    const folded = (by: GroupBy, chosen: Question['folded'] = new Map()) =>
      groupedList(all, { ...ALL, groupBy: by, folded: chosen }).groups.map((group) => [
        group.label,
        group.folded,
      ]);
    expect(folded('session')).toEqual([
      ['/etc', true],
      ['work', false],
    ]);
    expect(folded('source')[0]).toEqual(['/etc', true]);
    expect(folded('session', new Map([['source /etc', false]]))[0]).toEqual(['/etc', false]);
    expect(groupedList(entriesOf(...many), { ...ALL, groupBy: 'session' }).groups[0]?.folded).toBe(false);
  });
});

describe('the filter', () => {
  const entries = entriesOf(
    artifactOf('cmd-npm_test', {
      command: 'npm',
      args: ['run', 'Test'],
      status: 'timed_out',
      session: 'release',
      cwd: '/work/site',
    }),
    fileOf('/var/log/Big File.log', '/var/log', { started_at: at(-5) }),
  );
  const found = (query: string) =>
    groupedList(entries, { ...ALL, query }).groups.flatMap((group) => group.entries.map(({ id }) => id));

  it('finds every word somewhere, in any case and order', () => {
    expect(found('TEST npm')).toEqual(['cmd-npm_test']);
    expect(found('big log')).toEqual(['file /var/log/Big File.log']);
    expect(found('release')).toEqual(['cmd-npm_test']);
    expect(found('timed out')).toEqual(['cmd-npm_test']);
    expect(found('/work/site')).toEqual(['cmd-npm_test']);
    expect(found('npm var')).toEqual([]);
  });

  it('matches everything when it is empty', () => {
    expect(found('  ')).toHaveLength(2);
  });
});

describe('positions in the list', () => {
  const sizes = fc.array(fc.record({ items: fc.integer({ min: 1, max: 5 }), folded: fc.boolean() }), {
    minLength: 0,
    maxLength: 6,
  });
  function layoutOf(groups: ReadonlyArray<{ items: number; folded: boolean }>) {
    const entries = entriesOf(
      ...groups.flatMap(({ items }, group) =>
        Array.from({ length: items }, (_, item) =>
          artifactOf(`${group}-${item}`, { session: `s${group}`, started_at: at(-group * 10 - item) }),
        ),
      ),
    );
    const folded = new Map(groups.map((group, index) => [`session s${index}`, group.folded]));
    const found = groupedList(entries, { ...ALL, groupBy: 'session', folded });
    return { entries, layout: new ListLayout(found.groups, 'session') };
  }

  it('equal those of laying out one row after another', () => {
    fc.assert(
      fc.property(sizes, (groups) => {
        const { entries, layout } = layoutOf(groups);
        const rows = groups.flatMap(({ items, folded }, group) => [
          { id: null as string | null, key: `session s${group}`, height: HEADING_HEIGHT_PX },
          ...Array.from({ length: folded ? 0 : items }, (_, item) => ({
            id: `${group}-${item}` as string | null,
            key: `session s${group}`,
            height: ITEM_HEIGHT_PX,
          })),
        ]);
        expect(layout.rows).toBe(rows.length);
        let top = 0;
        rows.forEach(({ id, key, height }, row) => {
          const found = layout.at(row);
          expect(found?.entry?.id ?? null).toBe(id);
          expect(found?.group.key).toBe(key);
          expect(layout.topOf(row)).toBe(top);
          expect(layout.heightOf(row)).toBe(height);
          expect(layout.rowAt(top)).toBe(row);
          expect(layout.rowAt(top + height - 1)).toBe(row);
          if (id === null) expect(layout.rowOfHeading(key)).toBe(row);
          top += height;
        });
        expect(layout.height).toBe(top);
        for (const entry of entries) {
          expect(layout.rowOf(entry)).toBe(rows.findIndex(({ id }) => id === entry.id));
        }
        expect(layout.at(-1)).toBeUndefined();
        expect(layout.at(rows.length)).toBeUndefined();
        expect(layout.rowAt(-100)).toBe(0);
        expect(layout.rowAt(top + 1000)).toBe(Math.max(0, rows.length - 1));
      }),
    );
  });

  it('do not exist for rows that the filter left out', () => {
    const entries = entriesOf(artifactOf('one'), artifactOf('two'));
    const { groups } = groupedList(entries, { ...ALL, query: 'one' });
    const layout = new ListLayout(groups, 'nothing');
    expect(entries.map((entry) => layout.rowOf(entry))).toEqual([0, -1]);
    expect(layout.rowOfHeading('')).toBe(-1);
  });
});

describe('how the list is grouped', () => {
  it('is by session at first, and changes by its key', () => {
    expect(groupByFrom(null)).toBe('session');
    expect(groupByFrom('nonsense')).toBe('session');
    expect(groupByFrom('source')).toBe('source');
    expect(GROUPINGS.map(nextGrouping)).toEqual(['day', 'command', 'source', 'nothing', 'session']);
  });
});

describe('the artifact that is shown first', () => {
  it('is the file a person opened, before anything newer, else the newest, else nothing', () => {
    const opened = fileOf('/tmp/o.log', '/tmp/o.log', { started_at: at(-999) });
    const watched = fileOf('/tmp/dir/w.log', '/tmp/dir', { started_at: at(3) });
    expect(firstToShow(entriesOf(watched, opened, artifactOf('a')))).toBe('file /tmp/o.log');
    expect(firstToShow(entriesOf(artifactOf('a'), watched))).toBe('file /tmp/dir/w.log');
    expect(firstToShow([])).toBeNull();
  });
});

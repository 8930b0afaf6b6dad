import { describe, expect, it } from 'vitest';
import { folderOf } from '../../../../renderer/library/artifact-facts.ts';
import { faceOf, LibraryStore } from '../../../../renderer/library/library-store.ts';
import { filterWords, hasAll, hiddenMatch, wordsOf } from '../../../../renderer/library/list/filter-match.ts';
import { groupedList } from '../../../../renderer/library/list/list-groups.ts';
import { artifactOf, fileOf, streamOf } from '../../../fixtures/library/artifacts.ts';

describe('the filter of the list', () => {
  const run = artifactOf('cmd-make-1', {
    label: 'make',
    command: 'make',
    args: ['all'],
    cwd: '/srv/shop/api',
    status: 'failed',
    exit_code: 2,
    session: 'release',
    streams: [streamOf('stdout', 10, '/home/x/captures/make.log', { content_type: 'json' })],
  });
  const finds = (query: string) => hasAll(wordsOf(run), filterWords(query));
  const hidden = (query: string, ...shownToo: string[]) => {
    const found = hiddenMatch(run, filterWords(query), shownToo);
    return found && [found.name, found.before, found.word, found.after];
  };

  it('matches what a row shows: the badge of its type, its exit status, its pin', () => {
    expect(finds('make json (2)')).toBe(true);
    expect(finds('pinned')).toBe(false);
    expect(wordsOf({ ...run, pinned: true }).text).toContain('pinned');
  });

  it('finds an id by its letters, and not by digits that no row shows', () => {
    const dated = artifactOf('cmd-make-2026-11-27T10-27-00-b3b358', {
      label: 'make',
      streams: [streamOf('stdout', 10, '/home/x/captures/cmd-make-2026-11-27T10-27-00-b3b358.log')],
    });
    const found = (query: string) => hasAll(wordsOf(dated), filterWords(query));
    expect(['27', '2026-11-27', 'b3'].map(found)).toEqual([false, false, false]);
    expect(['b3b358', '27t10-27-00-b3'].map(found)).toEqual([true, true]);
  });

  it('names the match where the row does not show it', () => {
    expect(hidden('make FAILED json')).toBeNull();
    expect(hidden('shop')).toEqual(['folder', '/srv/', 'shop', '/api']);
    expect(hidden('make captures')).toEqual(['source', '', 'captures', '']);
    expect(hidden('release')).toEqual(['session', '', 'release', '']);
    expect(hidden('release', 'release')).toBeNull();
    expect(hidden('make x/capt')).toEqual(['path', '/home/', 'x/capt', 'ures/make.log']);
    expect(hidden('cmd-make-1')?.[0]).toBe('id');
  });

  it('cuts a long text around the match', () => {
    const deep = fileOf('/a-very-long-folder-name/needle/another-long-folder-name/x.log', '/a');
    expect(hiddenMatch(deep, ['needle'], [])).toEqual({
      name: 'folder',
      before: '…-name/',
      word: 'needle',
      after: '/another-long-folder-nam…',
    });
  });
});

describe('rows of the same name', () => {
  function sharedFaces(...artifacts: Parameters<typeof faceOf>[0]['artifact'][]) {
    const library = new LibraryStore((apply) => apply());
    library.take({ reset: true, changed: artifacts, removed: [] });
    const { shared } = groupedList(library.sorted, {
      groupBy: 'nothing',
      agent: null,
      query: '',
      only: 'all',
      folded: new Map(),
      today: '2026-01-13',
    });
    return library.sorted.map((entry) => {
      const { name, placed } = faceOf(entry);
      return shared.has(placed) ? 'time' : shared.has(name) ? 'folder' : 'name';
    });
  }

  it('are told apart by their folder, and from the same folder by their time', () => {
    const make = (id: string, cwd: string) => artifactOf(id, { command: 'make', args: [], cwd });
    expect(sharedFaces(make('a', '/one'), make('b', '/two'))).toEqual(['folder', 'folder']);
    expect(sharedFaces(make('a', '/one'), make('b', '/one'))).toEqual(['time', 'time']);
    expect(sharedFaces(make('a', '/one'), fileOf('/one/app.log', '/one'))).toEqual(['name', 'name']);
    expect(sharedFaces(fileOf('/one/app.log', '/one'), fileOf('/two/app.log', '/two'))).toEqual([
      'folder',
      'folder',
    ]);
  });

  it('have the folder of a file, or the one that a command ran in', () => {
    expect(folderOf(fileOf('/one/two/app.log', '/one'))).toBe('/one/two');
    expect(folderOf(fileOf('/app.log', '/'))).toBe('/');
    expect(folderOf(fileOf('C:\\logs\\app.log', 'C:\\logs'))).toBe('C:\\logs');
    expect(folderOf(artifactOf('x', { cwd: '/srv' }))).toBe('/srv');
  });
});

import { describe, expect, it } from 'vitest';
import { nameOf, sizeOf, statusWord } from '../../renderer/library/artifact-look.ts';
import { applyEvent, filterArtifacts, firstToShow, NO_LIBRARY } from '../../renderer/library/library-list.ts';
import type { Artifact } from '../../shared/artifact.ts';

function artifact(id: string, change: Partial<Artifact> = {}): Artifact {
  return {
    artifact_id: id,
    kind: 'cmd',
    label: id,
    command: null,
    args: null,
    cwd: null,
    env_names: null,
    session: null,
    source: 'captures',
    status: 'succeeded',
    exit_code: 0,
    signal: null,
    started_at: '2026-01-13T10:00:00.000Z',
    ended_at: null,
    duration_ms: null,
    pinned: false,
    expires_at: null,
    warnings: [],
    streams: [],
    ...change,
  };
}

const stream = (
  name: 'stdout' | 'stderr' | 'combined' | 'output',
  total_bytes: number,
  file_path: string | null = null,
) => ({
  name,
  file_path,
  total_lines: null,
  total_bytes,
  dropped_bytes: 0,
  content_type: 'text' as const,
});

const first = artifact('a', { started_at: '2026-01-13T09:00:00.000Z' });
const second = artifact('b', { started_at: '2026-01-13T11:00:00.000Z' });

describe('the list of artifacts', () => {
  it('is newest first, whatever the order of the news', () => {
    const library = applyEvent(NO_LIBRARY, { reset: true, changed: [first, second], removed: [] });
    expect(library.artifacts.map(({ artifact_id }) => artifact_id)).toEqual(['b', 'a']);
    const third = artifact('c', { started_at: '2026-01-13T10:00:00.000Z' });
    const more = applyEvent(library, { reset: false, changed: [third], removed: [] });
    expect(more.artifacts.map(({ artifact_id }) => artifact_id)).toEqual(['b', 'c', 'a']);
  });

  it('follows changes and removals, and begins anew when told', () => {
    let library = applyEvent(NO_LIBRARY, { reset: true, changed: [first, second], removed: [] });
    library = applyEvent(library, {
      reset: false,
      changed: [{ ...first, status: 'failed' }],
      removed: ['b'],
    });
    expect(library.artifacts.map(({ artifact_id, status }) => [artifact_id, status])).toEqual([
      ['a', 'failed'],
    ]);
    library = applyEvent(library, { reset: true, changed: [second], removed: [] });
    expect([...library.byId.keys()]).toEqual(['b']);
  });

  it('knows the difference between nothing and not yet', () => {
    expect(NO_LIBRARY.known).toBe(false);
    expect(applyEvent(NO_LIBRARY, { reset: true, changed: [], removed: [] }).known).toBe(true);
  });
});

describe('the filter', () => {
  const npm = artifact('cmd-npm_test', {
    command: 'npm',
    args: ['run', 'Test'],
    status: 'timed_out',
    session: 'release',
  });
  const file = artifact('file-x', {
    kind: 'file',
    label: 'x',
    streams: [stream('output', 5, '/var/log/Big File.log')],
  });
  const found = (query: string) => filterArtifacts([npm, file], query).map(({ artifact_id }) => artifact_id);

  it('finds every word somewhere, in any case and order', () => {
    expect(found('TEST npm')).toEqual(['cmd-npm_test']);
    expect(found('big log')).toEqual(['file-x']);
    expect(found('release')).toEqual(['cmd-npm_test']);
    expect(found('timed out')).toEqual(['cmd-npm_test']);
    expect(found('npm log')).toEqual([]);
  });

  it('finds all when it is empty', () => {
    expect(found('  ')).toEqual(['cmd-npm_test', 'file-x']);
  });
});

describe('what is shown when nothing was asked for', () => {
  it('is the file a person opened, before anything newer', () => {
    const opened = artifact('file-o', {
      kind: 'file',
      source: '/tmp/o.log',
      streams: [stream('output', 1, '/tmp/o.log')],
      started_at: '2025-01-01T00:00:00.000Z',
    });
    const watched = artifact('file-w', {
      kind: 'file',
      source: '/tmp/dir',
      streams: [stream('output', 1, '/tmp/dir/w.log')],
    });
    const library = applyEvent(NO_LIBRARY, {
      reset: true,
      changed: [first, second, opened, watched],
      removed: [],
    });
    expect(firstToShow(library)).toBe('file-o');
  });

  it('else the newest, else nothing', () => {
    expect(firstToShow(applyEvent(NO_LIBRARY, { reset: true, changed: [first, second], removed: [] }))).toBe(
      'b',
    );
    expect(firstToShow(NO_LIBRARY)).toBeNull();
  });
});

describe('an artifact in words', () => {
  it('is named by its command line, its file, or its label', () => {
    expect(nameOf(artifact('x', { command: 'make', args: ['-j', '4'] }))).toBe('make -j 4');
    expect(
      nameOf(artifact('x', { kind: 'file', label: 'l', streams: [stream('output', 1, '/a/b/c d.log')] })),
    ).toBe('c d.log');
    expect(nameOf(artifact('x', { kind: 'tool', label: 'search' }))).toBe('search');
  });

  it('counts the bytes of its streams once', () => {
    expect(
      sizeOf(
        artifact('x', { streams: [stream('combined', 30), stream('stdout', 10), stream('stderr', 20)] }),
      ),
    ).toBe(30);
    expect(sizeOf(artifact('x', { streams: [stream('combined', 30)] }))).toBe(30);
  });

  it('says how it ended', () => {
    expect(statusWord(artifact('x', { status: 'failed', exit_code: 2 }))).toBe('failed (exit 2)');
    expect(statusWord(artifact('x', { status: 'cancelled', signal: 'SIGTERM', exit_code: null }))).toBe(
      'cancelled (SIGTERM)',
    );
    expect(statusWord(artifact('x'))).toBe('succeeded');
  });
});

/** The words and counts that the list shows for an artifact. */
import { describe, expect, it } from 'vitest';
import {
  contentTypeOf,
  linesOf,
  mayComeBack,
  nameOf,
  shortStatusWord,
  sizeOf,
  statusWord,
} from '../../../../renderer/library/artifact-facts.ts';
import { artifactOf, fileOf, streamOf } from '../../../fixtures/library/artifacts.ts';

describe('an artifact in words', () => {
  it('is named by its command line, its file, or its label', () => {
    expect(nameOf(artifactOf('x', { command: 'make', args: ['-j', '4'] }))).toBe('make -j 4');
    expect(nameOf(artifactOf('x', { command: 'bash', args: ['-lc', 'npm test |\n  sort'] }))).toBe(
      'npm test | ↵ sort',
    );
    expect(nameOf(artifactOf('x', { command: 'find', args: ['.', '-name', '*.ts'] }))).toBe(
      "find . -name '*.ts'",
    );
    expect(nameOf(fileOf('/a/b/c d.log', '/a'))).toBe('c d.log');
    expect(nameOf(artifactOf('x', { kind: 'tool', label: 'search' }))).toBe('search');
  });

  it('counts bytes and lines once for both streams; no lines until all are counted', () => {
    const out = streamOf('stdout', 10, null, { total_lines: 1 });
    const both = streamOf('combined', 30, null, { total_lines: 3 });
    const streams = [both, out, streamOf('stderr', 20, null, { total_lines: 2 })];
    expect(sizeOf(artifactOf('x', { streams }))).toBe(30);
    expect(sizeOf(artifactOf('x', { streams: [both] }))).toBe(30);
    expect(linesOf(artifactOf('x', { streams }))).toBe(3);
    expect(linesOf(artifactOf('x', { streams: [out, streamOf('stderr', 20)] }))).toBeNull();
  });

  it('has the content type of its first stream with one', () => {
    const unknown = streamOf('stdout', 1, null, { content_type: 'unknown' });
    const json = streamOf('stderr', 1, null, { content_type: 'json' });
    expect(contentTypeOf(artifactOf('x', { streams: [unknown, json] }))).toBe('json');
    expect(contentTypeOf(artifactOf('x', { streams: [unknown] }))).toBe('unknown');
  });

  it('may reappear only where another program may write it again', () => {
    expect(mayComeBack(fileOf('/a.log', '/a.log'))).toBe(true);
    expect(mayComeBack(artifactOf('run', { streams: [streamOf('stdout', 5)] }))).toBe(false);
    expect(mayComeBack(artifactOf('run', { streams: [streamOf('stdout', 5, '/home/x.log')] }))).toBe(false);
  });

  it('says how it ended', () => {
    const failed = artifactOf('x', { status: 'failed', exit_code: 2 });
    const timedOut = artifactOf('x', { status: 'timed_out', exit_code: 124 });
    const cancelled = artifactOf('x', { status: 'cancelled', signal: 'SIGTERM', exit_code: null });
    expect([failed, timedOut, cancelled, artifactOf('x')].map(statusWord)).toEqual([
      'failed (exit 2)',
      'timed out (exit 124)',
      'cancelled (SIGTERM)',
      'succeeded',
    ]);
    expect([failed, timedOut, cancelled].map(shortStatusWord)).toEqual([
      'failed (2)',
      'timed out',
      'cancelled (SIGTERM)',
    ]);
  });
});

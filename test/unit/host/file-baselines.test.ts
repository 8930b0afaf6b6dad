/** What a file is compared with: its last rotation, and runs of its CI job. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createHost } from '../../../electron/host/create.ts';
import { chooseFiles, lastRotation, verdictOf } from '../../../electron/host/library/baselines.ts';
import type { Entry } from '../../../electron/reader/disks/entries.ts';
import type { Artifact } from '../../../shared/artifact.ts';
import { makeFolder } from '../../fixtures/folder.ts';

it('finds the last rotation of a log', () => {
  const of = (...names: string[]) => lastRotation('x.log', ['x.log', 'xx.log.1', 'x.log.txt', ...names]);
  expect(of()).toBeNull();
  expect(of('x.log.2.gz', 'x.log.1', 'x.log.10.gz')).toBe('x.log.1');
  expect(of('x.log.1.gz', 'x.log.2.gz')).toBe('x.log.1.gz');
  expect(of('x.log.old')).toBe('x.log.old');
  expect(of('x.log-20260112', 'x.log-20260113.gz', 'x.log-20251231')).toBe('x.log-20260113.gz');
  expect(of('x.log.2026-01-12', 'x.log.2026-01-13')).toBe('x.log.2026-01-13');
});

it('reads from the end of a CI log how the job ended', () => {
  for (const end of [
    '2026-01-13T10:00:00.0Z ##[error]Process completed with exit code 1.\nPost job cleanup.\n',
    '2026-01-13T10:00:00.0Z ##[error]Resource not accessible by integration\nCleaning up orphan processes\n',
    'ERROR: Job failed: exit code 2\n',
    'Finished: FAILURE\n',
    'The command exited with status 3\n',
  ])
    expect(verdictOf(end)).toBe('failed');
  for (const end of [
    'Job succeeded\n',
    'Finished: SUCCESS\n',
    '2026-01-13T10:00:00.0Z Cleaning up orphan processes\n',
    'publish\tComplete job\t\ufeff2026-01-13T10:00:00.0Z Cleaning up orphan processes\n',
    '2026-01-13T10:00:00.000000Z 00O \x1b[32;1mJob succeeded\x1b[0;m\n',
    '[2026-01-13T10:00:00.000Z] Finished: SUCCESS\n',
  ])
    expect(verdictOf(end)).toBe('passed');
  // A service tells of its own jobs.
  for (const end of [
    'some text\n',
    '2026-01-13T10:00:00Z INFO scheduler: Job succeeded\n',
    '{"msg":"Job succeeded"}\n',
  ])
    expect(verdictOf(end)).toBeNull();
});

it('finds runs of a CI job beside a log, the last before it first', async () => {
  // Folders that might be runs, but have no such log.
  const runs = makeFolder();
  for (let id = 1; id <= 60; id += 1) mkdirSync(join(runs, `run-${id}`));
  const files = join(runs, 'run-60');
  const log = (id: number, ...lines: string[]) => {
    const path = join(files, `build-${id}.log`);
    writeFileSync(path, `${['checkout of the branch', ...lines].join('\n')}\n`);
    return path;
  };
  const passed = [8, 9, 10, 12].map((id) => log(id, 'Job succeeded'));
  const failed = log(11, 'the signature is missing', 'ERROR: Job failed: exit code 1');
  const artifact = { streams: [{ file_path: failed }] } as unknown as Artifact;
  const disk = {
    entries: async (folder: string) => readdirSync(folder).map((name) => ({ name }) as Entry),
    openReal: async (path: string) => ({ ends: async () => ({ tail: readFileSync(path) }), close() {} }),
  } as unknown as Parameters<typeof chooseFiles>[2];
  expect(await chooseFiles(artifact, [], disk)).toEqual({
    chosen: 'job',
    paths: [passed[2], passed[1], passed[0], passed[3]],
  });
});

it('compares the log of a CI job with logs of its runs that were opened and passed', async () => {
  const files = makeFolder();
  const log = (id: number, ...lines: string[]) => {
    const path = join(files, `run-${id}`, 'build.log');
    mkdirSync(join(files, `run-${id}`));
    writeFileSync(path, `${['checkout of the branch', ...lines].join('\n')}\n`);
    return path;
  };
  log(4100, 'cache is warm', 'Job succeeded');
  log(4101, 'cache is warm', 'Job succeeded');
  log(4102, 'cache is cold', 'ERROR: Job failed: exit code 1');
  const failed = log(4103, 'cache is warm', 'the signature is missing', 'ERROR: Job failed: exit code 1');
  const host = await createHost({ home: makeFolder(), paths: [files], watch: false, threads: 0 });
  try {
    const { baselines, findings } = await host.compare({ file_path: failed });
    expect(baselines).toMatchObject([{ chosen: 'job' }, { chosen: 'job' }]);
    expect(findings[0]).toMatchObject({ kind: 'new', text: 'the signature is missing' });
  } finally {
    await host.close();
  }
});

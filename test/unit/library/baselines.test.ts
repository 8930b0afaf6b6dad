/** Which runs a failed one is compared with. */
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { chooseBaselines } from '../../../electron/host/library/baselines.ts';
import type { FileStats } from '../../../electron/reader/disks/stats.ts';
import type { Artifact } from '../../../shared/artifact.ts';

let runs = 0;
function run(cwd: string, command: string, status: Artifact['status'] = 'succeeded'): Artifact {
  runs += 1;
  const started_at = new Date(runs * 1000).toISOString();
  return {
    artifact_id: `cmd-${runs}`,
    kind: 'cmd',
    command,
    args: null,
    cwd,
    status,
    started_at,
  } as Artifact;
}

/** `/work` and `/work/other` are repositories; nobody answers below `/share`. */
const asked: string[] = [];
const disk = {
  async stat(path: string) {
    asked.push(path);
    if (path.startsWith('/share')) throw new Error('it does not answer');
    return ['/work', '/work/other'].includes(dirname(path)) ? ({} as FileStats) : new Error('missing');
  },
};

test('runs of another folder count if they are of the same repository, and a silent disk costs its own alone', async () => {
  const near = run('/work/packages/a', 'make test');
  const all = [
    near,
    run('/work/other', 'make test'),
    run('/share/work', 'make test'),
    run('/elsewhere', 'make test'),
  ];
  const failed = run('/work/packages/b', 'make test', 'failed');
  const found = await chooseBaselines(failed, [...all, failed], disk);
  expect(found).toEqual({ chosen: 'nearest', runs: [near] });
  expect(new Set(asked).size).toBe(asked.length);
});

test('of the same command line and folder, no disk is asked', async () => {
  const passed = run('/share/work', 'make');
  asked.length = 0;
  const found = await chooseBaselines(run('/share/work', 'make', 'failed'), [passed], disk);
  expect(found).toEqual({ chosen: 'command', runs: [passed] });
  expect(asked).toEqual([]);
});

test('the nearest command line may name its program by another path, or set variables before it', async () => {
  const passed = run('/work', 'npm test -- unit');
  for (const line of ['CI=1 npm test -- unit', 'env CI=1 npm test -- unit', '/usr/bin/npm test -- all'])
    expect(await chooseBaselines(run('/work', line, 'failed'), [passed], disk)).toEqual({
      chosen: 'nearest',
      runs: [passed],
    });
  const others = ['rm test -- unit', 'npm publish'].map((line) => run('/work', line, 'failed'));
  expect(await Promise.all(others.map((one) => chooseBaselines(one, [passed], disk)))).toEqual([null, null]);
});

test('two scripts of a shell are near only if they have words in common', async () => {
  const shell = (script: string, status?: Artifact['status']) => ({
    ...run('/work', 'sh', status),
    args: ['-c', script],
  });
  const [other, near] = [shell('ls -la /tmp'), shell('npm test -- unit')];
  const failed = shell('npm test -- integration', 'failed');
  expect(await chooseBaselines(failed, [other, failed], disk)).toBeNull();
  expect(await chooseBaselines(failed, [near, other, failed], disk)).toEqual({
    chosen: 'nearest',
    runs: [near],
  });
});

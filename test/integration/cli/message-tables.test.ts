/** Tables of messages beside captures: who makes them, that they are used, and that they go with their capture. */
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { installShell } from '../../../electron/agent-shell/install.ts';
import { spillwayShellPath } from '../../../electron/agents/client.ts';
import { createHost } from '../../../electron/host/create.ts';
import { ran } from '../../fixtures/agents/shell.ts';
import { cliEntry, finished, makePlace, type Place, startCli } from '../../fixtures/cli.ts';
import { runCliCheaply } from '../../fixtures/cli-here.ts';

let place: Place;
const run = (...args: string[]) => runCliCheaply(args, place);
const filler = Array.from({ length: 4000 }, (_, i) => `request ${i % 7} of the long list was answered`);
const record = (...lines: string[]) => {
  writeFileSync(join(place.files, 'said'), `${[...filler, ...lines].join('\n')}\n`);
  const job = ['sh', '-c', 'cat said; ! grep -q bad said'];
  return run('run', '--quiet', '--no-pty', '--cwd', place.files, '--', ...job);
};
const files = (suffix: string) => {
  const captures = join(place.home, 'captures');
  if (!existsSync(captures)) return [];
  return readdirSync(captures, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(suffix))
    .map((name) => join(captures, name));
};
const differences = async () => JSON.parse((await run('compare', '--json')).stdout);

beforeEach(() => {
  place = makePlace();
});
afterEach(() => place.remove());

test('whoever compares keeps the tables of the passes, within 64 KiB each, and uses them again', async () => {
  await record('mode: fast');
  await record('mode: fast');
  await record('mode: slow and bad');
  const first = await differences();
  expect(first.findings).toMatchObject([{ kind: 'new', text: 'mode: slow and bad', baseline_line: 4001 }]);
  expect(files('.messages')).toHaveLength(2);
  for (const path of files('.messages')) expect(statSync(path).size).toBeLessThanOrEqual(64 * 1024);
  // Without the bytes of the passes, the tables still tell what was in them.
  for (const table of files('.messages')) {
    const log = table.replace(/\.messages$/, '.stdout.log');
    writeFileSync(log, readFileSync(log, 'utf8').replace(/request/g, 'reverse'));
  }
  expect(await differences()).toEqual(first);
  for (const table of files('.messages')) writeFileSync(table, 'damaged');
  expect((await differences()).findings.length).toBeGreaterThan(first.findings.length);
});

/** Waits for a host to make the tables. It makes one: then it rests for 33 times as long. */
async function madeByHost(count: number, meanwhile = async () => {}) {
  const host = await createHost({ home: place.home, watch: true, threads: 1 });
  try {
    await meanwhile();
    await vi.waitFor(() => expect(files('.messages')).toHaveLength(count), { timeout: 60_000 });
  } finally {
    await host.close();
  }
}

test('a host makes them in its idle time, of what ended before it started and of what ends while it runs', async () => {
  await record('mode: fast');
  await madeByHost(1);
  await madeByHost(2, async () => {
    await record('mode: fast');
  });
});

test('a host makes them of what a recorder that was killed left, and of what an agent ran in its own shell', async () => {
  writeFileSync(join(place.files, 'said'), `${filler.join('\n')}\n`);
  const child = startCli(['run', '--quiet', '--no-pty', '--', 'sh', '-c', 'cat said; sleep 3'], place);
  await vi.waitFor(() => expect(statSync(files('.stdout.log')[0]!).size).toBeGreaterThan(150_000), 60_000);
  const ended = finished(child);
  process.kill(child.pid!, 'SIGKILL');
  await ended;
  await madeByHost(1);
  installShell(
    { home: place.home, command: [process.execPath, cliEntry] },
    'opencode',
    'record',
    '/bin/bash',
  );
  await ran(spillwayShellPath(place.home), ['-c', 'cat said; true'], { cwd: place.files });
  expect(files('.meta.json')).toHaveLength(2);
  await madeByHost(2);
});

test('a baseline that is deleted meanwhile is named, and the others are compared', async () => {
  await record('mode: fast');
  await record('mode: fast');
  await record('mode: slow and bad');
  const host = await createHost({ home: place.home, watch: false, threads: 0 });
  try {
    const { outputs } = await host.list({});
    const [, , oldest] = outputs.map(({ artifact_id }) => artifact_id);
    for (const path of [...files('.messages'), ...files(`${oldest}.stdout.log`)]) rmSync(path);
    const { findings, baselines, note } = await host.compare({ artifact_id: outputs[0]!.artifact_id });
    expect(findings).toMatchObject([{ kind: 'new', text: 'mode: slow and bad' }]);
    expect(baselines).toHaveLength(1);
    expect(note).toContain('a baseline could not be read: ');
  } finally {
    await host.close();
  }
});

test('they are removed with their capture, and so is one that was half written', async () => {
  await record('mode: fast');
  await record('bad');
  await differences();
  expect(files('.messages')).toHaveLength(1);
  writeFileSync(`${files('.messages')[0]!}.1234abcd.tmp`, 'half a table');
  await run('cleanup', '--older-than', '0');
  expect(files('.meta.json')).toEqual([]);
  expect(files('.messages')).toEqual([]);
  expect(files('.tmp')).toEqual([]);
});

test('none is kept where captures stay for less than an hour, and none of short outputs', async () => {
  writeFileSync(join(place.home, 'config.json'), '{"retentionHours": 0.5}');
  await record('mode: fast');
  await record('bad');
  await differences();
  expect(files('.messages')).toEqual([]);
  rmSync(join(place.home, 'config.json'));
  await run('run', '--quiet', '--cwd', place.files, '--', 'echo', 'short');
  await run('compare', 'last', 'last');
  expect(files('.messages')).toEqual([]);
});

test('two threads find in long outputs what one finds that reads them one after the other', async () => {
  const log = (last: string) =>
    [
      ...Array.from({ length: 120_000 }, (_, i) => `the worker took the job ${i % 90} of the queue`),
      last,
    ].join('\n');
  const [passed, failed] = [join(place.files, 'passed.log'), join(place.files, 'failed.log')];
  writeFileSync(passed, log('all jobs are done'));
  writeFileSync(failed, log('error: the certificate of the mirror has expired'));
  const found = [];
  for (const threads of [0, 2]) {
    const host = await createHost({ home: place.home, watch: false, threads });
    const { findings } = await host.compare({
      file_path: failed,
      baselines: [{ file_path: passed }],
      all_lines: false,
    });
    found.push(findings);
    await host.close();
  }
  expect(found[0]).toMatchObject([{ kind: 'new', line_number: 120_001 }, { kind: 'gone' }]);
  expect(found[1]).toEqual(found[0]);
});

/** A share that stops answering while its files are open costs those files, and nothing else. */
import { spawn } from 'node:child_process';
import { appendFileSync, mkdirSync, openSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { searchNeedsThreads } from '../../../electron/cli/with-host.ts';
import { createHost, type LocalHost } from '../../../electron/host/create.ts';
import { typedPath } from '../../../electron/host/documents/targets/path-of-target.ts';
import { type CommandRequest, Commands } from '../../../electron/mcp/commands/commands.ts';
import type { DocumentState } from '../../../shared/api/rows.ts';
import { cliEntry, runCli } from '../../fixtures/cli.ts';
import { makeFolder, removeFolder } from '../../fixtures/folder.ts';
import { mountShare, noShares, type Share } from '../../fixtures/frozen-share.ts';
import { untilPasses } from '../../fixtures/until.ts';

if (noShares !== null) console.warn(`\nNOT TESTED: shares that stop answering, because ${noShares}.\n`);

/** Longest that anything may hold up the thread that serves: of a busy machine, not of a share. */
const HELD_UP_MS = 10_000;

let folder: string;
let share: Share | null;
let host: LocalHost | null;
const far = (name: string) => join(folder, 'share', name);
const near = (name: string) => join(folder, 'near', name);

beforeEach(async () => {
  folder = makeFolder();
  for (const name of ['files', 'near', 'home']) mkdirSync(join(folder, name), { mode: 0o700 });
  share = null;
  host = null;
});
afterEach(async () => {
  share?.end();
  await host?.close();
  removeFolder(folder);
});

async function start(sources: readonly string[]): Promise<LocalHost> {
  writeFileSync(join(folder, 'home', 'config.json'), JSON.stringify({ sources }));
  const env = { SPILLWAY_FIND_AGENTS: '0' };
  const user = { home: folder, temporary: folder, env, platform: 'linux' } as const;
  host = await createHost({ home: join(folder, 'home'), watch: true, publish: true, threads: 2, user });
  return host;
}

const idOf = async (label: string) =>
  (await host!.list({})).outputs.find((output) => output.label === label)!.artifact_id;

describe.skipIf(noShares !== null)('a share that stops answering', () => {
  test('costs its open documents, which say so and go on when it answers', async () => {
    const lines = (count: number, from = 0) =>
      Array.from({ length: count }, (_, i) => `line ${from + i}\n`).join('');
    for (let i = 0; i < 8; i += 1) writeFileSync(join(folder, 'files', `${i}.log`), lines(100_000));
    writeFileSync(near('near.log'), 'near\n');
    share = await mountShare(join(folder, 'files'), join(folder, 'share'));
    await start([join(folder, 'share'), join(folder, 'near')]);
    await untilPasses(async () => expect((await host!.list({})).outputs.length).toBe(9));
    const states = new Map<string, DocumentState>();
    for (const label of ['0.log', '1.log', '2.log', '3.log', '4.log', 'near.log'])
      host!.watchDocument(
        { artifact_id: await idOf(label) },
        (state) => states.set(label, state),
        () => {},
      );
    await untilPasses(() => {
      for (let i = 0; i < 5; i += 1) expect(states.get(`${i}.log`)?.total_lines).toBe(100_000);
    });

    const delay = monitorEventLoopDelay();
    delay.enable();
    share.freeze();
    const asked = [
      host!.inspect({ file_path: far('5.log'), mode: 'summary' }),
      host!.inspect({ artifact_id: await idOf('6.log'), mode: 'tail' }),
      host!.openPath({ path: far('7.log') }),
      host!.inspect({ artifact_id: await idOf('0.log'), mode: 'grep', pattern: 'line 99999' }),
    ].map((one) => one.then(() => 'answered').catch(({ code }) => code));
    // Its writer is found without a look at what other processes have open on the share.
    const writer = spawn('sleep', ['30'], { stdio: ['ignore', openSync(near('near.log'), 'a'), 'ignore'] });
    appendFileSync(near('near.log'), Buffer.alloc(9 * 1024 * 1024, 'near\n'));
    await untilPasses(() => expect(states.get('near.log')?.total_bytes).toBeGreaterThan(9 * 1024 * 1024));
    await untilPasses(() => {
      for (let i = 0; i < 5; i += 1) expect(states.get(`${i}.log`)?.problem?.what).toMatch(`does not answer`);
    });
    await untilPasses(() => expect(host!.warnings).toEqual([expect.stringContaining('does not answer')]));
    const answers = await Promise.all(asked);
    // What the system remembers of a file is still there.
    expect(answers.slice(0, 3)).toEqual(['stalled', 'stalled', 'stalled']);
    expect(answers[3]).toMatch(/^(stalled|answered)$/);
    expect((await host!.inspect({ file_path: near('near.log'), mode: 'head', lines: 1 })).content).toBe(
      'near',
    );
    delay.disable();
    expect(delay.max / 1e6).toBeLessThan(HELD_UP_MS);
    writer.kill();

    share.thaw();
    appendFileSync(join(folder, 'files', '0.log'), lines(10));
    await untilPasses(() => {
      for (let i = 0; i < 5; i += 1) expect(states.get(`${i}.log`)?.problem).toBeNull();
      expect(states.get('0.log')?.total_lines).toBe(100_010);
    });
    await untilPasses(() => expect(host!.warnings).toEqual([]));
    const read = await host!.inspect({ file_path: far('5.log'), mode: 'tail', lines: 1 });
    expect(read.content).toBe('line 99999');
  });

  test('costs what is named on it, and whoever named it is told', async () => {
    writeFileSync(join(folder, 'files', 'tool'), '#!/bin/sh\necho tool\n', { mode: 0o755 });
    share = await mountShare(join(folder, 'files'), join(folder, 'share'));
    await start([join(folder, 'share')]);
    await untilPasses(async () => expect((await host!.list({})).outputs.length).toBe(1));
    const commands = new Commands({
      home: join(folder, 'home'),
      cwd: folder,
      env: process.env,
      recorder: null,
    });
    const run = (request: Partial<CommandRequest>) =>
      commands.start({ command: 'ls', args: ['-a'], session: 'default', timeout: null, ...request });
    const capture = 'cmd-ls-2026-01-13T10-30-00-abc123.stdout.log';
    const ask = () => [
      run({ cwd: join(folder, 'share') }),
      run({ command: far('tool') }),
      run({ env: { PATH: `${join(folder, 'share')}:${process.env.PATH}` } }),
      host!.inspect({ file_path: far('tool') }, { access: 'agent' }),
      host!.inspect({ file_path: far(capture) }),
      typedPath(far('tool')),
    ];
    share.freeze();
    const codes = ask().map((one) => one.then(() => 'answered').catch(({ code }) => code));
    expect(await Promise.all(codes)).toEqual(codes.map(() => 'stalled'));
    expect(searchNeedsThreads(far('tool'), 'error')).toBe(true);
    expect((await (await run({})).result).head.success).toBe(true);
    share.thaw();
    await untilPasses(async () => expect(await typedPath(far('tool'))).toMatchObject({ exists: true }));
    for (const request of [{ cwd: join(folder, 'share') }, { command: far('tool') }])
      expect((await (await run(request)).result).head.exit_code).toBe(0);
    await commands.close();
  });

  test('ends a recorded command at its time-out, wherever its program is and its output goes', async () => {
    writeFileSync(join(folder, 'files', 'tool'), '#!/bin/sh\n', { mode: 0o755 });
    share = await mountShare(join(folder, 'files'), join(folder, 'share'));
    const place = { home: join(folder, 'home'), files: folder, remove: () => {} };
    const ran = (words: string[]) => runCli(['run', '--timeout', '1500', '--', ...words], place);
    expect(await ran([far('tool')])).toMatchObject({ status: 0 });
    share.freeze();
    expect(await ran([far('tool')])).toMatchObject({
      status: 124,
      stderr: expect.stringContaining('does not answer'),
    });
    share.thaw();
    const script = `'${process.execPath}' '${cliEntry}' run --timeout 2000 -- sh -c 'echo $$ > near/pid; while :; do echo x; sleep 0.01; done' > share/out`;
    const shell = spawn('sh', ['-c', script], {
      cwd: folder,
      env: { ...process.env, SPILLWAY_HOME: place.home },
      stdio: 'ignore',
    });
    const ended = new Promise((resolve) => shell.once('exit', resolve));
    await untilPasses(() => expect(statSync(join(folder, 'files', 'out')).size).toBeGreaterThan(0));
    const pid = Number(readFileSync(near('pid'), 'utf8'));
    share.freeze();
    await untilPasses(() => expect(() => process.kill(pid, 0)).toThrow());
    share.thaw();
    expect(await ended).toBe(124);
    // With nothing left to write, nobody waits for the share.
    const quiet = `exec '${process.execPath}' '${cliEntry}' run --timeout 2000 -- sh -c 'touch near/begun; exec sleep 60' > share/quiet`;
    const silent = spawn('sh', ['-c', quiet], {
      cwd: folder,
      env: { ...process.env, SPILLWAY_HOME: place.home },
      stdio: 'ignore',
    });
    const endedToo = new Promise((resolve) => silent.once('exit', resolve));
    await untilPasses(() => statSync(near('begun')));
    share.freeze();
    expect(await endedToo).toBe(124);
  });
});

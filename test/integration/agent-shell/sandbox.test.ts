/** Commands in a sandbox that lets them write to one folder of the home: they are recorded there, and change nothing else. */
import { spawn } from 'node:child_process';
import {
  chmodSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { makeSandboxFolder } from '../../../electron/agent-shell/install.ts';
import { createHost } from '../../../electron/host/create.ts';
import { type AgentShell, makeAgentShell, ran } from '../../fixtures/agents/shell.ts';
import { type Finished, finished } from '../../fixtures/cli.ts';

let place: AgentShell;
let codex: string;
beforeEach(() => {
  place = makeAgentShell();
  makeSandboxFolder(place.home, 'codex');
  // Its entry looks whether Codex started the shell.
  codex = join(place.root, 'codex');
  writeFileSync(codex, '#!/bin/sh\n/bin/bash -c "$1"\nexit $?\n', { mode: 0o700 });
});
afterEach(() => {
  close(false);
  place.remove();
});

/** Lets nothing be written in the home but in the folder for it, or all again. */
function close(isClosed: boolean): void {
  for (const name of ['bin', 'captures', 'run/agents'])
    mkdirSync(join(place.home, name), { recursive: true, mode: 0o700 });
  const below = readdirSync(place.home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((folder) => !folder.includes('/sandboxes'));
  for (const folder of [...below, place.home]) chmodSync(folder, isClosed ? 0o500 : 0o700);
}

/** Runs the command as Codex does, without root's rights, in a sandbox made of permissions. */
async function sandboxed(command: string, isClosed = true): Promise<Finished> {
  close(false);
  const entry = place.entry('codex');
  close(isClosed);
  const without = ['setpriv', '--bounding-set=-dac_override,-dac_read_search', '--inh-caps=-all'];
  const [first, ...rest] = process.geteuid?.() === 0 ? [...without, codex, command] : [codex, command];
  const env = {
    ...process.env,
    BASH_ENV: entry,
    SHLVL: '2',
    CODEX_THREAD_ID: 'thread-one',
    CODEX_SESSION_ID: 'thread-one',
  };
  return finished(spawn(first!, rest, { cwd: place.files, env }));
}

/** Every file below a folder, as paths. */
function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

const sandboxFiles = () => filesIn(join(place.home, 'sandboxes', 'codex'));

describe.runIf(process.platform === 'linux')('in a sandbox', () => {
  test.each([
    ['short', 'echo out; echo err >&2; exit 3', 'out\n'],
    ['that lasts', 'echo out; echo err >&2; sleep 0.3; exit 3', 'out\n'],
    ['with much output', 'seq 1 20000; exit 3', /^1\n[\s\S]*20000\n$/],
  ])('a command %s is recorded in the folder for it, and listed outside', async (_, command, out) => {
    const { status } = await sandboxed(command);
    expect(status).toBe(3);
    expect(filesIn(join(place.home, 'captures'))).toEqual([]);
    expect(sandboxFiles().length).toBeGreaterThan(1);
    const host = await createHost({ home: place.home, watch: false, publish: false, threads: 0 });
    const { outputs } = await host.list({});
    expect(outputs).toMatchObject([
      { command, status: 'failed', exit_code: 3, session: 'codex files thread-one', warnings: [] },
    ]);
    expect(outputs[0]!.agent).toMatchObject({ name: 'codex', session: 'thread-one' });
    const { content } = await host.read({
      artifact_id: outputs[0]!.artifact_id,
      stream: 'stdout',
      limit: 1e6,
    });
    expect(content).toEqual(typeof out === 'string' ? out : expect.stringMatching(out));
    await host.close();
  });

  test('a command that may write to the home is recorded among the others', async () => {
    expect((await sandboxed('echo out', false)).status).toBe(0);
    expect(sandboxFiles()).toEqual([]);
    expect(place.records()).toMatchObject([{ command: 'echo out', agent: { name: 'codex' } }]);
  });

  test('nothing is cleaned up, and nothing is made outside that folder', async () => {
    await sandboxed('true', false);
    const before = filesIn(place.home).filter((file) => !file.includes('/sandboxes/'));
    await sandboxed('echo one');
    expect(filesIn(place.home).filter((file) => !file.includes('/sandboxes/'))).toEqual(before);
  });
});

/** Leaves a mark outside when it is run. */
const EVIL = (mark: string) => `open my $mark, '>', '${mark}'; close $mark;\n`;

describe('a program that others may have changed does not run', () => {
  const core = () => join(place.home, 'bin/recorder/core.pl');
  test.each<[string, () => void]>([
    [
      'a link',
      () => {
        renameSync(core(), join(place.root, 'elsewhere'));
        symlinkSync(join(place.root, 'elsewhere'), core());
      },
    ],
    ['a file with another name, too', () => linkSync(core(), join(place.root, 'elsewhere'))],
    ['a file that the group can write to', () => chmodSync(core(), 0o660)],
    ['a file that everybody can write to', () => chmodSync(core(), 0o606)],
  ])('the core that is %s', async (_, change) => {
    const mark = join(place.root, 'mark');
    writeFileSync(core(), EVIL(mark) + readFileSync(core(), 'utf8'));
    change();
    const result = await ran(place.shell, ['-c', 'echo out; exit 7'], { cwd: place.files });
    expect(result).toMatchObject({ status: 7, stdout: 'out\n', stderr: '' });
    expect(filesIn(place.root)).not.toContain(mark);
    expect(place.records()).toEqual([]);
  });

  test('a part of it', async () => {
    const mark = join(place.root, 'mark');
    const part = join(place.home, 'bin/recorder/lasting.pl');
    writeFileSync(part, EVIL(mark) + readFileSync(part, 'utf8'));
    chmodSync(part, 0o666);
    const result = await ran(place.shell, ['-c', 'sleep 0.3; echo out; exit 7'], { cwd: place.files });
    expect(result).toMatchObject({ status: 7, stdout: 'out\n', stderr: '' });
    expect(filesIn(place.root)).not.toContain(mark);
  });
});

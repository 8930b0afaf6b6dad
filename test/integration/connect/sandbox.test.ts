/**
 * Codex lets commands in its sandbox write to the folder for their captures alone. Earlier versions of Spillway let them
 * write to all of its home, from where programs and settings are read.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  linkSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { tomlFormat } from '../../../electron/agents/formats/toml.ts';
import type { ClientState, ConnectResult } from '../../../shared/agents.ts';
import { type ClientHome, CONFIGS, makeClientHome } from '../../fixtures/agents/client-homes.ts';
import { cliEntry, type Finished, finished } from '../../fixtures/cli.ts';

let person: ClientHome;
beforeEach(() => {
  person = makeClientHome();
});
afterEach(() => person.remove());

const CONFIG = '.codex/config.toml';
const spillway = (...args: string[]): Promise<Finished> =>
  finished(spawn(process.execPath, [cliEntry, ...args], { cwd: person.folder, env: person.env }));

async function connected(...args: string[]): Promise<ConnectResult> {
  const { stdout, stderr, status } = await spillway('connect', 'codex', ...args, '--json');
  expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
  return JSON.parse(stdout).clients[0] as ConnectResult;
}

const roots = () => {
  const { sandbox_workspace_write: table } = tomlFormat.parse(person.read(CONFIG)) as {
    sandbox_workspace_write?: { writable_roots?: string[] };
  };
  return table?.writable_roots ?? [];
};
const own = () => join(person.home, 'sandboxes', 'codex');
const ledger = () => join(person.home, 'connect', 'codex.json');

async function state(): Promise<ClientState> {
  const { clients } = JSON.parse((await spillway('connect', '--json')).stdout) as { clients: ClientState[] };
  return clients.find(({ client }) => client === 'codex')!;
}

async function findings(): Promise<{ name: string; status: string; found: string; todo: string | null }[]> {
  const { checks } = JSON.parse((await spillway('doctor', '--json')).stdout);
  return checks.filter(({ name, status }: { name: string; status: string }) => {
    return ['agents', 'recorder'].includes(name) && status !== 'ok';
  });
}

/** Leaves files as an earlier version did, which named the home. */
async function connectedOnce(): Promise<void> {
  await connected('--record');
  const text = person.read(CONFIG).replace(own(), person.home);
  person.write(CONFIG, text);
  const known = JSON.parse(readFileSync(ledger(), 'utf8'));
  known.files[0].written = createHash('sha256').update(text).digest('hex');
  for (const setting of known.files[0].settings) if (setting.value === own()) setting.value = person.home;
  writeFileSync(ledger(), JSON.stringify(known));
  rmSync(join(person.home, 'sandboxes'), { recursive: true });
  expect(roots()).toEqual(['/data', person.home]);
}

test('commands in its sandbox may write to their own folder, which holds nothing else', async () => {
  await connected('--record');
  expect(roots()).toEqual(['/data', own()]);
  expect(statSync(own()).mode & 0o777).toBe(0o700);
  expect(await findings()).toEqual([]);
  await connected('--remove');
  expect(person.read(CONFIG)).toBe(CONFIGS[CONFIG]);
  expect(existsSync(join(person.home, 'sandboxes'))).toBe(false);
});

describe('what an earlier version wrote', () => {
  test('is named, and replaced when Codex is connected again, which says so', async () => {
    await connectedOnce();
    expect(await state()).toMatchObject({ state: 'outdated' });
    expect(await findings()).toContainEqual({
      ...{ name: 'agents', status: 'warn', todo: 'spillway connect codex --record' },
      found: expect.stringContaining(`can change all of ${person.home}, and so what runs outside it`),
    });
    const { stdout } = await spillway('connect', 'codex', '--record', '--print');
    expect(stdout).toContain(own());
    const { notes } = await connected('--record');
    expect(notes.join()).toContain(
      `until now commands in the sandbox of Codex could change all of ${person.home}`,
    );
    expect(roots()).toEqual(['/data', own()]);
    expect(await state()).toMatchObject({ state: 'connected', record: 'record' });
    expect(await findings()).toEqual([]);
    expect((await connected('--record')).notes.join()).not.toContain('until now');
  });

  test.each(['--record', null])('and then removed, it leaves what was there before (%s)', async (again) => {
    await connectedOnce();
    if (again !== null) await connected(again);
    await connected('--remove');
    expect(person.read(CONFIG)).toBe(CONFIGS[CONFIG]);
  });

  test('goes from a file that was edited since', async () => {
    await connectedOnce();
    person.write(CONFIG, `${person.read(CONFIG)}\n[theirs]\nkey = 1\n`);
    await connected('--record');
    expect(roots()).toEqual(['/data', own()]);
    await connected('--remove');
    expect(roots()).toEqual(['/data']);
    expect(person.read(CONFIG)).toContain('[theirs]');
  });

  test.each(['--record', '--remove'])('goes without the note of what was changed (%s)', async (option) => {
    await connectedOnce();
    renameSync(ledger(), `${ledger()}.gone`);
    await connected(option);
    expect(roots()).toEqual(option === '--record' ? ['/data', own()] : ['/data']);
  });
});

test.each([
  ['the home', (home: string) => home],
  ['a folder above it', (home: string) => join(home, '..')],
])('%s that the person lets it write to stays, and is named', async (_, folderOf) => {
  const root = folderOf(person.home);
  person.write(CONFIG, CONFIGS[CONFIG]!.replace('"/data"', JSON.stringify(root)));
  const before = person.read(CONFIG);
  await connected('--record');
  expect(roots()).toEqual([root, own()]);
  expect(await findings()).toMatchObject([
    { found: expect.stringContaining(`${root} is among the writable_roots`) },
  ]);
  await connected('--remove');
  expect(person.read(CONFIG)).toBe(before);
});

describe.skipIf(process.platform === 'win32')('a program that is not as it was made', () => {
  const core = () => join(person.home, 'bin/recorder/core.pl');
  test.each<[string, () => string]>([
    [
      'has other content',
      () => {
        writeFileSync(core(), `BEGIN { open my $mark, '>', '${person.home}/mark' }\n`);
        return core();
      },
    ],
    [
      'others can write to',
      () => {
        chmodSync(core(), 0o606);
        return core();
      },
    ],
    [
      'has another name, too',
      () => {
        linkSync(core(), join(person.home, 'mine'));
        return core();
      },
    ],
    [
      'is none of ours',
      () => {
        writeFileSync(join(person.home, 'bin/agents/more.bash'), '');
        return join(person.home, 'bin/agents/more.bash');
      },
    ],
    [
      'leads an agent elsewhere',
      () => {
        writeFileSync(join(person.home, 'bin/agents/codex.bash'), 'true\n');
        return join(person.home, 'bin/agents/codex.bash');
      },
    ],
    [
      'is the shell of others',
      () => {
        writeFileSync(join(person.home, 'bin/spillway-shell'), '#!/bin/sh\n');
        return join(person.home, 'bin/spillway-shell');
      },
    ],
  ])('as one that %s is named, not run, and made anew', async (_, change) => {
    await connected('--record');
    const path = change();
    expect(await findings()).toMatchObject([
      {
        name: 'recorder',
        found: expect.stringContaining(`${path}: not as this version of Spillway makes it`),
      },
    ]);
    expect(existsSync(join(person.home, 'mark'))).toBe(false);
    await connected('--record');
    expect(await findings()).toEqual([]);
  });
});

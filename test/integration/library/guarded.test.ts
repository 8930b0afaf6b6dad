/** Captures that grow without end: which are recognised, and who is warned. */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createHost, type LocalHost } from '../../../electron/host/create.ts';
import { readWarnings, Warnings } from '../../../electron/host/guard.ts';
import { type Owner, ownerOf } from '../../../electron/store/format/owner.ts';
import { openersOf } from '../../../electron/store/openers.ts';
import type { Artifact } from '../../../shared/artifact.ts';
import { AgentHome, SESSION, SLUG } from '../../fixtures/agents/homes.ts';
import { cliEntry } from '../../fixtures/cli.ts';
import { untilPasses } from '../../fixtures/until.ts';

const ELSEWHERE = { boot: 'another', pids: 'pid:[1]', machine: 'another' };
const CAPTURE = `tmp/claude-1001/${SLUG}/${SESSION}/tasks/b1.output`;

let agents: AgentHome;
let host: LocalHost | null = null;
let child: ChildProcess | null = null;
const home = () => join(agents.folder, 'spillway');

beforeEach(() => {
  agents = new AgentHome();
});
afterEach(async () => {
  child?.kill('SIGKILL');
  await host?.close();
  [host, child] = [null, null];
  agents.remove();
});

/** Starts a program whose output is the file, as an agent's shell tool does. */
function printInto(path: string, program: string, ...args: string[]): ChildProcess {
  const fd = openSync(path, 'a');
  const started = spawn(program, args, { stdio: ['ignore', fd, fd] });
  closeSync(fd);
  return started;
}

describe.skipIf(process.platform !== 'linux')('a capture that reads itself', () => {
  it('is recognised, stops being followed, and is named in the window and for agents', async () => {
    const path = agents.write(CAPTURE, 'on\n');
    host = await createHost({ home: home(), watch: true, publish: true, threads: 0, user: agents.user });
    const said: string[] = [];
    host.watchNotices((notice) => notice.type === 'message' && said.push(notice.text));
    await untilPasses(async () => expect((await host!.list({})).outputs).toHaveLength(1));
    child = printInto(path, 'tail', '-c', '+1', '-f', path);
    writeFileSync(path, 'x'.repeat(9 * 1024 * 1024), { flag: 'a' });
    const listed = async () => (await host!.list({})).outputs[0]!;
    await untilPasses(async () =>
      expect((await listed()).warnings.join()).toMatch(/^This file reads itself: process \d+ \(tail\)/),
    );
    expect(said.join('\n')).toContain(`${path} of Claude Code reads itself`);
    const [warning] = readWarnings(home(), 0);
    expect(warning!.text).toMatch(/^A capture of Claude Code \(b1\.output\) reads itself/);
    expect(warning!.text).not.toContain(agents.folder);
    // It grows on, and the list does not.
    const shown = (await listed()).streams[0]!.total_bytes;
    child.kill('SIGKILL');
    await untilPasses(() => expect(statSync(path).size).toBeGreaterThan(shown));
    writeFileSync(path, 'more', { flag: 'a' });
    const other = agents.write(CAPTURE.replace('b1', 'b2'), 'seen after it\n');
    await untilPasses(async () =>
      expect((await host!.list({})).outputs.map(({ streams }) => streams[0]!.file_path)).toContain(other),
    );
    const again = (await host!.list({})).outputs.find(({ streams }) => streams[0]!.file_path === path)!;
    expect(again.streams[0]!.total_bytes).toBe(shown);
  });

  it('is told apart from one that a command prints into', async () => {
    const path = agents.write(CAPTURE, 'on\n');
    child = printInto(path, 'sleep', '60');
    await untilPasses(async () =>
      expect(openersOf(path)).toMatchObject([
        { pid: child!.pid, name: 'sleep', reads: false, writes: true, printsInto: true },
      ]),
    );
  });
});

describe('a capture of an agent that others may not read', () => {
  it('is warned of without an inspector, by name and once, and nothing of it is listed', async () => {
    writeFileSync(join(home(), 'config.json'), JSON.stringify({ growthWarnBytes: 1024 * 1024 }));
    const path = agents.write(CAPTURE, 'on\n');
    const serving = { home: home(), watch: true, threads: 0, user: agents.user };
    host = await createHost(serving);
    const other = await createHost(serving);
    try {
      const asAgent = { access: 'agent' } as const;
      for (const one of [host, other]) expect((await one.list({}, asAgent)).outputs).toEqual([]);
      await untilPasses(async () => expect((await host!.list({})).outputs).toHaveLength(1));
      const [{ artifact_id, command }] = (await host.list({})).outputs as [Artifact];
      expect(command).toBeNull();
      await expect(host.inspect({ artifact_id }, asAgent)).rejects.toThrow(/no artifact/);
      await untilPasses(() => {
        writeFileSync(path, 'x'.repeat(1024 * 1024), { flag: 'a' });
        expect(readWarnings(home(), 0)).not.toEqual([]);
      });
      expect(readWarnings(home(), 0).map(({ text }) => text)).toEqual([
        expect.stringMatching(/^A capture of Claude Code \(b1\.output\) grew by \d+ MiB in \d+ s/),
      ]);
    } finally {
      await other.close();
    }
  });
});

it('a server that an agent started for itself tells of such growth, and names the file', async () => {
  writeFileSync(join(home(), 'config.json'), JSON.stringify({ growthWarnBytes: 1024 * 1024 }));
  const path = agents.write(CAPTURE, 'on\n');
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'legacy' } });
  const env = { ...agents.env, PATH: process.env.PATH!, SPILLWAY_HOME: home() };
  const [command, args] = [process.execPath, [cliEntry, 'mcp']];
  await client.connect(
    new StdioClientTransport({ command, args, env, cwd: agents.folder, stderr: 'ignore' }),
  );
  try {
    await untilPasses(async () => {
      writeFileSync(path, 'x'.repeat(1024 * 1024), { flag: 'a' });
      const { content } = await client.callTool({ name: 'list_outputs', arguments: {} });
      const { notices } = JSON.parse((content as { text: string }[])[0]!.text) as { notices?: string[] };
      expect(notices).toEqual([
        expect.stringMatching(/^A capture of Claude Code \(b1\.output\) grew by \d+ MiB in \d+ s/),
      ]);
    });
  } finally {
    await client.close();
  }
});

describe('warnings', () => {
  it('of a process are read by others of the home, each once, until the process ends', () => {
    const warnings = new Warnings(home());
    expect(warnings.note({ about: '/a', at: Date.now() - 5, text: 'a grows' })).toBe(true);
    expect(warnings.note({ about: '/b', at: Date.now(), text: 'b grows' })).toBe(true);
    const told = readWarnings(home(), 0);
    expect(told.map(({ text }) => text)).toEqual(['a grows', 'b grows']);
    expect(readWarnings(home(), told[0]!.at).map(({ text }) => text)).toEqual(['b grows']);
    expect(readWarnings(home(), 0, Date.now() + 3_600_000)).toEqual([]);
    warnings.close();
    expect(readWarnings(home(), 0)).toEqual([]);
  });

  it('that another process has given are not repeated', () => {
    plant(process.ppid, { owner: ownerOf(process.ppid) });
    const warnings = new Warnings(home());
    expect(warnings.note({ about: '/a', at: Date.now(), text: 'a grows' })).toBe(false);
    expect(warnings.note({ about: '/b', at: Date.now(), text: 'b grows' })).toBe(true);
    warnings.close();
  });

  it.skipIf(process.platform !== 'linux').each([
    ['had the same id', { owner: { ...ownerOf(process.ppid), started: 'another boot/1' } }],
    ['does not say who it is', {}],
    ['has another id', { owner: ownerOf(process.pid) }],
    ['ran in another container', { owner: { pid: process.ppid, started: null, place: ELSEWHERE } }],
  ])('of a process that %s are none', (_, of) => {
    plant(process.ppid, of);
    expect(readWarnings(home(), 0)).toEqual([]);
  });

  it('are short and few, not of the future, and in a file of the home', () => {
    const owner = ownerOf(process.ppid);
    plant(process.ppid, { owner, text: 'x'.repeat(100_000) });
    expect(readWarnings(home(), 0)).toEqual([]);
    plant(process.ppid, { owner, at: Date.now() + 60_000 });
    expect(readWarnings(home(), 0)).toEqual([]);
    plant(process.ppid, { owner }, 'elsewhere.json');
    rmSync(join(home(), `run/warnings-${process.ppid}.json`));
    symlinkSync(join(agents.folder, 'elsewhere.json'), join(home(), `run/warnings-${process.ppid}.json`));
    expect(readWarnings(home(), 0)).toEqual([]);
    const warnings = new Warnings(home());
    warnings.note({ about: '/a', at: Date.now(), text: 'y'.repeat(100_000) });
    expect(readWarnings(home(), 0).map(({ text }) => text.length)).toEqual([500]);
    warnings.close();
  });
});

/** Writes a file of warnings as a process would. */
function plant(
  pid: number,
  { text = 'a grows', at = Date.now(), ...rest }: { owner?: Owner; text?: string; at?: number },
  path = `spillway/run/warnings-${pid}.json`,
): void {
  agents.write(path, JSON.stringify({ version: 1, ...rest, warnings: [{ about: '/a', at, text }] }));
}

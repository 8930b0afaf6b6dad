/** Agents' captures that are kept: pinned by a person, or rescued when their owner deletes them. */
import { spawn } from 'node:child_process';
import {
  appendFileSync,
  closeSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
} from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createHost, type LocalHost } from '../../../electron/host/create.ts';
import type { Artifact } from '../../../shared/artifact.ts';
import type { Rescue } from '../../../shared/sources.ts';
import { AgentHome, jsonLines, numbers, PROJECT, SESSION, SLUG } from '../../fixtures/agents/homes.ts';
import { untilPasses } from '../../fixtures/until.ts';

const TASKS = `tmp/claude-1001/${SLUG}/${SESSION}/tasks`;
const TRANSCRIPT = `home/.claude/projects/${SLUG}/${SESSION}.jsonl`;

let agents: AgentHome;
let host: LocalHost;
beforeEach(async () => {
  agents = new AgentHome();
  agents.write(`home/.claude/sessions/${process.pid}.json`, JSON.stringify({ sessionId: SESSION }));
  host = await open();
});
afterEach(async () => {
  await host.close();
  agents.remove();
});

const open = () =>
  createHost({
    home: `${agents.folder}/spillway`,
    watch: true,
    publish: true,
    threads: 0,
    user: agents.user,
  });
const listed = async (): Promise<Artifact[]> => (await host.list({})).outputs;
const captures = async () => (await listed()).filter(({ kind }) => kind !== 'file');
const fileListed = async () => (await listed()).find(({ kind }) => kind === 'file')!;
const rescue = (names: string[], how: Rescue) => host.setSources({ names, rescue: how });
const textOf = async ({ artifact_id }: Artifact) =>
  (await host.read({ artifact_id, limit: 1_000_000 })).content;

/** Paths that this process, which has the host, has open. */
const opened = () =>
  readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/self/fd/${fd}`)];
    } catch {
      return [];
    }
  });

/** Runs a command as the agent does: the file lives while the command runs. */
async function foreground(id: string, output: string, exitCode: number): Promise<void> {
  const call = `toolu_${id}`;
  const at = () => new Date().toISOString();
  const say = (value: unknown) => appendFileSync(`${agents.folder}/${TRANSCRIPT}`, jsonLines([value]));
  agents.write(TRANSCRIPT, '');
  say({
    cwd: PROJECT,
    timestamp: at(),
    message: { content: [{ type: 'tool_use', id: call, input: { command: `make ${id}` } }] },
  });
  const path = agents.write(`${TASKS}/${id}.output`, output);
  await untilPasses(async () => {
    // The file of the command before may still be listed.
    const own = (await listed()).find(({ streams: [stream] }) => stream?.file_path === path);
    expect(own?.agent?.session).toBe(SESSION);
  });
  rmSync(path);
  say({
    cwd: PROJECT,
    timestamp: at(),
    message: {
      content: [
        {
          type: 'tool_result',
          tool_use_id: call,
          is_error: exitCode > 0,
          content: `Exit code ${exitCode}\n…`,
        },
      ],
    },
  });
}

describe('rescue', () => {
  it('of what failed keeps a failing command whole when its file is deleted, with its facts', async () => {
    await rescue(['claude-code'], 'failed');
    await foreground('b1', `${numbers(20_000)}oops\n`, 3);
    await untilPasses(async () => expect(await captures()).toMatchObject([{ status: 'failed' }]));
    const [kept] = await captures();
    expect(kept).toMatchObject({
      kind: 'cmd',
      command: 'make b1',
      cwd: PROJECT,
      status: 'failed',
      exit_code: 3,
      agent: { name: 'claude-code', session: SESSION },
      origin: `${agents.folder}/${TASKS}/b1.output`,
    });
    expect((await textOf(kept!)).endsWith('20000\noops\n')).toBe(true);
    expect(kept!.streams[0]!.total_bytes).toBe(numbers(20_000).length + 5);
  });

  it('of what failed lets go of what succeeded', async () => {
    await rescue(['claude-code'], 'failed');
    await foreground('b2', 'fine\n', 0);
    await foreground('b3', 'bad\n', 1);
    await untilPasses(async () => expect(await captures()).toHaveLength(1));
    expect((await captures())[0]).toMatchObject({ command: 'make b3' });
  });

  it('of everything keeps what an agent deletes, also what was there before it was allowed', async () => {
    const path = agents.write('tmp/pi-bash-1.log', 'text\n');
    await untilPasses(async () => expect(await fileListed()).toBeDefined());
    await rescue(['pi'], 'all');
    rmSync(path);
    await untilPasses(async () => expect(await captures()).toHaveLength(1));
    await untilPasses(async () => expect(await textOf((await captures())[0]!)).toBe('text\n'));
  });

  it('is off until it is allowed, and keeps nothing of a source that is switched off', async () => {
    const path = agents.write('tmp/pi-bash-1.log', 'text\n');
    await untilPasses(async () => expect(await fileListed()).toBeDefined());
    rmSync(path);
    await untilPasses(async () => expect(await listed()).toEqual([]));
    await rescue(['pi'], 'all');
    agents.write('tmp/pi-bash-2.log', 'text\n');
    await untilPasses(async () => expect(await fileListed()).toBeDefined());
    await host.setSources({ names: ['pi'], enabled: false });
    await untilPasses(async () => expect(await listed()).toEqual([]));
  });
});

describe('several commands of one turn', () => {
  const at = () => new Date().toISOString();
  const say = (value: object) =>
    appendFileSync(
      `${agents.folder}/${TRANSCRIPT}`,
      jsonLines([{ cwd: PROJECT, timestamp: at(), ...value }]),
    );
  /** Writes the turn's calls, as the agent does before it runs the first. */
  const ask = (commands: Record<string, string>) => {
    agents.write(TRANSCRIPT, '');
    for (const [id, command] of Object.entries(commands))
      say({ message: { content: [{ type: 'tool_use', id, input: { command } }] } });
  };
  const answer = (id: string, exitCode: number, printed: string) => {
    const content = exitCode > 0 ? `Exit code ${exitCode}\n${printed.trim()}` : printed.trim();
    const part = { type: 'tool_result', tool_use_id: id, is_error: exitCode > 0, content };
    say({ message: { content: [part] } });
  };
  const live = async (id: string, printed: string) => {
    const path = agents.write(`${TASKS}/${id}.output`, printed);
    await untilPasses(async () => expect((await fileListed())?.agent?.session).toBe(SESSION));
    return path;
  };
  const gone = () => untilPasses(async () => expect(await fileListed()).toBeUndefined());

  it('each keep their own output, by what they printed', async () => {
    await rescue(['claude-code'], 'failed');
    ask({ t1: 'make one', t2: 'make two', t3: 'make three', t4: 'make four' });
    const ends = [
      ['t1', 1],
      ['t2', 0],
      ['t3', 3],
      ['t4', 4],
    ] as const;
    for (const [id, code] of ends) {
      const printed = `\u001b[31moutput of ${id}\u001b[0m\n`;
      const path = await live(`b${id}`, printed);
      rmSync(path);
      answer(id, code, `output of ${id}\n`);
      await gone();
    }
    await untilPasses(async () => expect(await captures()).toHaveLength(3));
    const kept = (await captures()).map(({ command, exit_code }) => [command, exit_code]);
    expect(kept.sort()).toEqual([
      ['make four', 4],
      ['make one', 1],
      ['make three', 3],
    ]);
  });

  it('each keep their own output when the agent ends with them, without what was not known before', async () => {
    await rescue(['claude-code'], 'failed');
    ask({ t1: 'make one', t2: 'make two' });
    const path = await live('b2', 'output of t2\n');
    await untilPasses(async () => expect((await fileListed())!.warnings.join()).toContain('not known'));
    rmSync(path);
    rmSync(`${agents.folder}/home/.claude/sessions/${process.pid}.json`);
    answer('t1', 1, 'output of t1\n');
    answer('t2', 2, 'output of t2\n');
    await untilPasses(async () => expect(await captures()).toHaveLength(1));
    expect((await captures())[0]).toMatchObject({ command: 'make two', exit_code: 2, warnings: [] });
  });

  it.runIf(process.platform === 'linux')('are told apart by their processes while they run', async () => {
    ask({ t1: 'make one', t2: "make 'two'", t3: 'make three' });
    const path = `${agents.folder}/${TASKS}/b1.output`;
    agents.write(`${TASKS}/b1.output`, '');
    const file = openSync(path, 'a');
    // Its own words do not run it: it waits.
    const line = `read; true && eval 'make '"'"'two'"'"'' < /dev/null && pwd -P >| /dev/null`;
    const child = spawn('/bin/bash', ['-c', line], { stdio: ['pipe', file, file] });
    closeSync(file);
    appendFileSync(path, 'x\n');
    await untilPasses(async () => expect(await fileListed()).toMatchObject({ command: "make 'two'" }));
    child.kill('SIGKILL');
  });

  it('that printed the same are not guessed at, and kept if one of them failed', async () => {
    await rescue(['claude-code'], 'failed');
    ask({ t1: 'make one', t2: 'make two' });
    const path = await live('b1', 'same\n');
    expect((await fileListed())!.command).toBeNull();
    rmSync(path);
    answer('t1', 0, 'same\n');
    answer('t2', 1, 'same\n');
    await untilPasses(async () => expect(await captures()).toHaveLength(1));
    const [kept] = await captures();
    expect(kept).toMatchObject({ command: null, exit_code: null });
    expect(kept!.warnings.join()).toContain(
      'which of 2 commands printed this is not known: "make one", "make two"',
    );
  });
});

describe('what rescue misses', () => {
  const missed = async () => (await host.sources({})).sources.find(({ name }) => name === 'pi')!.rescued;
  const said: string[] = [];

  beforeEach(async () => {
    said.length = 0;
    host.watchNotices((notice) => notice.type === 'message' && said.push(notice.text));
  });

  it.runIf(process.platform === 'linux')(
    'beyond the quota is counted, and said with its reason, also after a restart',
    async () => {
      // It takes effect while the host runs.
      agents.write('spillway/config.json', JSON.stringify({ rescueQuotaBytes: 1000 }));
      await rescue(['pi'], 'all');
      for (const [id, bytes] of [
        ['1', 600],
        ['2', 500],
        ['3', 300],
      ] as const) {
        const path = agents.write(`tmp/pi-bash-${id}.log`, 'x'.repeat(bytes));
        // Others open it for a moment; what rescues it keeps it open.
        await untilPasses(async () => {
          for (let look = 0; look < 6; look += 1) {
            expect(opened()).toContain(path);
            await new Promise((resolve) => setTimeout(resolve, 25));
          }
        });
        rmSync(path);
        await untilPasses(async () => expect(await fileListed()).toBeUndefined());
        await untilPasses(async () => {
          const { kept = 0, missed: lost = 0 } = (await missed()) ?? {};
          expect(kept + lost).toBe(Number(id));
        });
      }
      const told = { kept: 2, kept_bytes: 900, missed: 1, missed_bytes: 500 };
      expect(await missed()).toMatchObject({ ...told, why: expect.stringContaining('rescueQuotaBytes') });
      expect(said.join()).toMatch(/pi deleted 500 .* not kept, because .* of its output are kept/);
      await host.close();
      host = await open();
      expect(await missed()).toMatchObject(told);
    },
  );

  it('counts files that were gone before they could be opened', async () => {
    await rescue(['pi'], 'all');
    // Gone as soon as they are made: no look comes in between.
    for (let i = 0; i < 20; i += 1) {
      rmSync(agents.write(`tmp/pi-bash-a${i}.log`, 'short'));
      rmSync(agents.write(`tmp/other-${i}.log`, 'short'));
    }
    await untilPasses(async () => expect((await missed())?.missed).toBe(20));
    expect((await missed())!.why).toMatch(/as soon as it was made/);
  });
});

describe('a pin', () => {
  it('copies a capture, notes its origin, and leaves the file alone', async () => {
    const path = agents.write(
      'tmp/cline/proceed-while-running-1-a.log',
      '[Running command: npm test]\nfailing\n[Command completed with exit code 1]\n',
    );
    await untilPasses(async () => expect(await fileListed()).toMatchObject({ exit_code: 1 }));
    const before = lstatSync(path);
    const { artifact_id: file } = await fileListed();
    const { artifact_id, changed } = await host.pin({ artifact_id: file });
    expect(changed).toBe(true);
    await untilPasses(async () =>
      expect(await captures()).toMatchObject([
        { artifact_id, pinned: true, origin: path, command: 'npm test', exit_code: 1, status: 'failed' },
      ]),
    );
    expect(await textOf((await captures())[0]!)).toBe('failing\n');
    const { ino, size, nlink, mtimeMs, ctimeMs } = lstatSync(path);
    expect({ ino, size, nlink, mtimeMs, ctimeMs }).toMatchObject({
      ino: before.ino,
      size: before.size,
      nlink: 1,
      mtimeMs: before.mtimeMs,
      ctimeMs: before.ctimeMs,
    });
    expect(readFileSync(path, 'utf8')).toMatch(/^\[Running command/);
  });

  it('gives agents the copy, and the path of its origin only where they may read that', async () => {
    const path = agents.write('tmp/cline/proceed-while-running-1-a.log', '[Running command: npm test]\n');
    await untilPasses(async () => expect(await fileListed()).toBeDefined());
    await host.pin({ artifact_id: (await fileListed()).artifact_id });
    const asAgent = async () =>
      (await host.list({}, { access: 'agent' })).outputs.map(({ kind, origin }) => ({ kind, origin }));
    await untilPasses(async () => expect(await asAgent()).toEqual([{ kind: 'cmd', origin: null }]));
    await host.setSources({ names: ['cline'], mcp: true });
    await untilPasses(async () => expect(await asAgent()).toContainEqual({ kind: 'cmd', origin: path }));
  });
});

describe('a pin of a file that a person opened', () => {
  it('keeps a copy of it, once, and leaves the file alone', async () => {
    const path = agents.write('build/out.log', 'one\ntwo\n');
    const [opened] = await host.openPath({ path });
    const { artifact_id } = await host.pin({ artifact_id: opened!.artifact_id });
    await untilPasses(async () =>
      expect(await captures()).toMatchObject([{ artifact_id, kind: 'capture', pinned: true, origin: path }]),
    );
    expect(await textOf((await captures())[0]!)).toBe('one\ntwo\n');
    expect(await host.pin({ artifact_id: opened!.artifact_id })).toMatchObject({
      artifact_id,
      changed: false,
    });
    rmSync(path);
    expect(await textOf((await captures())[0]!)).toBe('one\ntwo\n');
  });
});

describe('an open capture that its owner deletes', () => {
  it('stays readable and says that it is gone', async () => {
    const path = agents.write('tmp/pi-bash-1.log', 'text\n');
    await untilPasses(async () => expect(await fileListed()).toBeDefined());
    const document = { artifact_id: (await fileListed()).artifact_id };
    let condition = '';
    const stop = host.watchDocument(
      document,
      (state) => {
        condition = state.condition;
      },
      () => {},
    );
    await untilPasses(() => expect(condition).toBe('ok'));
    rmSync(path);
    await untilPasses(() => expect(condition).toBe('vanished'));
    const { rows } = await host.rows({ document, start_line: 1, count: 1 });
    expect(rows[0]!.text).toBe('text');
    stop();
  });
});

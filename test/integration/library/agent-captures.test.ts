/** Agents' captures while they are watched: from the first byte to the deletion. */
import { createHash } from 'node:crypto';
import { appendFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createHost, type LocalHost } from '../../../electron/host/create.ts';
import type { Artifact } from '../../../shared/artifact.ts';
import type { SourceChange } from '../../../shared/sources.ts';
import { AgentHome, numbers, PROJECT, SESSION, SLUG } from '../../fixtures/agents/homes.ts';
import { untilPasses } from '../../fixtures/until.ts';

const TASKS = `tmp/claude-1001/${SLUG}/${SESSION}/tasks`;
const TERMINALS = 'home/.cursor/projects/acme/terminals';

let agents: AgentHome;
let host: LocalHost;
let listed: Map<string, Artifact>;

beforeEach(async () => {
  agents = new AgentHome();
  await start();
});
afterEach(async () => {
  await host.close();
  agents.remove();
});

async function start(publish = true): Promise<void> {
  host = await createHost({
    home: join(agents.folder, 'spillway'),
    watch: true,
    publish,
    threads: 0,
    user: agents.user,
  });
  listed = new Map();
  host.watchLibrary(({ reset, changed, removed }) => {
    if (reset) listed.clear();
    for (const id of removed) listed.delete(id);
    for (const artifact of changed) listed.set(artifact.artifact_id, artifact);
  });
}

const artifacts = () => [...listed.values()];
const paths = () => artifacts().map(({ streams }) => streams[0]!.file_path!.slice(agents.folder.length + 1));
const only = () => artifacts()[0]!;
const textOf = async () => (await host.inspect({ artifact_id: only().artifact_id, mode: 'head' })).content;

it("a foreground command of Qwen Code's own folder has it as its project", async () => {
  const hash = createHash('sha256').update(PROJECT).digest('hex');
  const chat = { sessionId: SESSION, cwd: PROJECT };
  agents.write(`home/.qwen/projects/${SLUG}/chats/${SESSION}.jsonl`, [chat]);
  const text = (folder: string) => `Command: make\nDirectory: ${folder}\nOutput: x\nExit Code: 0\n`;
  agents.write(`home/.qwen/tmp/${hash}/run_shell_command_0123456789ab.output`, text('(root)'));
  await untilPasses(() => expect(only()).toMatchObject({ cwd: PROJECT, agent: { project: PROJECT } }));
  agents.write(`home/.qwen/tmp/${hash}/run_shell_command_0123456789ac.output`, text(`${PROJECT}/sub`));
  await untilPasses(() =>
    expect(
      artifacts()
        .map(({ cwd, agent }) => [cwd, agent?.project])
        .sort(),
    ).toEqual([
      [PROJECT, PROJECT],
      [`${PROJECT}/sub`, PROJECT],
    ]),
  );
});

describe('a capture', () => {
  it('is listed when its directory appears, grows, ends with its footer, and leaves when it is deleted', async () => {
    const path = agents.write(`${TASKS}/b92wlmxk1.output`, 'tick 1\n');
    await untilPasses(() => expect(paths()).toEqual([`${TASKS}/b92wlmxk1.output`]));
    expect(only()).toMatchObject({ source: 'claude-code', agent: { session: SESSION } });
    expect(await textOf()).toBe('tick 1');

    appendFileSync(path, 'tick 2\n');
    await untilPasses(async () => expect(await textOf()).toBe('tick 1\ntick 2'));
    appendFileSync(path, '\n[exited with code 4]\n');
    await untilPasses(() => expect(only()).toMatchObject({ status: 'failed', exit_code: 4 }));
    expect(await textOf()).toBe('tick 1\ntick 2');

    rmSync(path);
    await untilPasses(() => expect(paths()).toEqual([]));
  });

  it('is not one when a link has its name, or takes its place', async () => {
    const secret = agents.write('home/secret.txt', 'secret\n');
    const path = agents.write(`${TASKS}/b1.output`, 'text\n');
    await untilPasses(() => expect(paths()).toHaveLength(1));
    symlinkSync(secret, join(agents.folder, TASKS, 'b2.output'));
    rmSync(path);
    symlinkSync(secret, path);
    agents.write(`${TASKS}/b3.output`, 'text\n');
    await untilPasses(() => expect(paths()).toEqual([`${TASKS}/b3.output`]));
  });

  it('follows rotation and replacement', async () => {
    const path = agents.write('tmp/pi-bash-7d920db01e6fb6fe.log', numbers(10));
    await untilPasses(() => expect(only().streams[0]!.total_bytes).toBe(21));
    renameSync(path, `${path}.1`);
    writeFileSync(path, 'anew\n');
    await untilPasses(() => expect(only().streams[0]!.total_bytes).toBe(5));
    expect(paths()).toEqual(['tmp/pi-bash-7d920db01e6fb6fe.log']);
    expect(await textOf()).toBe('anew');
  });

  it('keeps its text while its header is rewritten in place', async () => {
    const header = (ms: string) =>
      `---\npid: ${process.pid}\ncwd: "/w"\ncommand: "npm run dev"\nrunning_for_ms: ${ms.padEnd(9)}\n---\n`;
    const path = agents.write(`${TERMINALS}/7.txt`, `${header('5000')}ready\n`);
    await untilPasses(() => expect(paths()).toHaveLength(1));
    const states: { generation: number; notice?: unknown }[] = [];
    const stop = host.watchDocument(
      { artifact_id: only().artifact_id },
      (state) => states.push(state),
      () => {},
    );
    await untilPasses(() => expect(states.length).toBeGreaterThan(0));
    writeFileSync(path, `${header('10000')}ready\n`, { flag: 'r+' });
    writeFileSync(path, `${header('15000')}ready\nmore\n`, { flag: 'r+' });
    await untilPasses(async () => expect(await textOf()).toBe('ready\nmore'));
    expect(new Set(states.map(({ generation }) => generation)).size).toBe(1);
    stop();
    await untilPasses(() => expect(only()).toMatchObject({ command: 'npm run dev', status: 'running' }));
  });

  it('with half a header, or one of a future version, is shown as it is', async () => {
    agents.write(`${TERMINALS}/1.txt`, '---\npid: 12');
    await untilPasses(() => expect(paths()).toHaveLength(1));
    expect(await textOf()).toBe('---\npid: 12');
    agents.write(`${TERMINALS}/1.txt`, '=== terminal v9 ===\ntext\n');
    await untilPasses(async () => expect(await textOf()).toBe('=== terminal v9 ===\ntext'));
  });
});

describe('the switch of a source', () => {
  const set = (change: Omit<SourceChange, 'names'>) => host.setSources({ names: ['pi'], ...change });

  beforeEach(async () => {
    agents.write('tmp/pi-bash-1.log', 'text\n');
    await untilPasses(() => expect(paths()).toEqual(['tmp/pi-bash-1.log']));
  });

  it('tells which folders were found, and stays undecided until a person decides', async () => {
    expect(await host.sources({})).toMatchObject({
      undecided: true,
      sources: [{ name: 'pi', title: 'pi', enabled: true, mcp: false, rescue: 'off', captures: 1, bytes: 5 }],
    });
    expect(await set({ enabled: true })).toMatchObject({ undecided: false });
  });

  it('takes its captures off the list and puts them back, also in the next process', async () => {
    await set({ enabled: false });
    await untilPasses(() => expect(paths()).toEqual([]));
    await host.close();
    await start();
    expect((await host.list({})).outputs).toEqual([]);
    await set({ enabled: true });
    await untilPasses(() => expect(paths()).toEqual(['tmp/pi-bash-1.log']));
  });

  it('keeps them from agents until it lets them in', async () => {
    const byAgent = async () => (await host.list({}, { access: 'agent' })).outputs.length;
    const path = join(agents.temporary, 'pi-bash-1.log');
    expect(await byAgent()).toBe(0);
    await expect(host.inspect({ file_path: path }, { access: 'agent' })).rejects.toThrow(
      /no readable output/,
    );
    await set({ mcp: true });
    await untilPasses(async () => expect(await byAgent()).toBe(1));
    expect((await host.inspect({ file_path: path }, { access: 'agent' })).content).toBe('text');
    await set({ mcp: false });
    await untilPasses(async () => expect(await byAgent()).toBe(0));
  });

  it('is only guarded against growth by a process that serves an agent which may not read it', async () => {
    const byAgent = async () => (await host.list({}, { access: 'agent' })).outputs.length;
    await host.close();
    await start(false);
    expect(await byAgent()).toBe(0);
    await set({ mcp: true });
    expect(await byAgent()).toBe(1);
  });

  it('of no known source names those there are', async () => {
    await expect(host.setSources({ names: ['nano'], enabled: false })).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it('leaves everything else in config.json as it was', async () => {
    const config = agents.write(
      'spillway/config.json',
      '{\n  "retentionHours": 5,\n  "sources": ["~/logs"]\n}\n',
    );
    await set({ mcp: true });
    const text = (await import('node:fs')).readFileSync(config, 'utf8');
    expect(JSON.parse(text)).toEqual({
      retentionHours: 5,
      sources: ['~/logs', { kind: 'pi', enabled: true, mcp: true }],
    });
    expect(text).toMatch(/^\{\n {2}"retentionHours": 5,\n/);
  });
});

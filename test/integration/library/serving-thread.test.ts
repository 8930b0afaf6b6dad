/** The thread that serves everybody touches no file of a disk that may not answer, whatever is asked about it. */
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createHost, type LocalHost } from '../../../electron/host/create.ts';
import type { ClientsApi } from '../../../electron/host/host.ts';
import { noteFileCalls } from '../../fixtures/file-calls.ts';
import { makeFolder, removeFolder } from '../../fixtures/folder.ts';
import { untilPasses } from '../../fixtures/until.ts';

let folder: string;
let disk: string;
let noted: ReturnType<typeof noteFileCalls>;
let host: LocalHost | null = null;
const at = (...names: string[]) => join(disk, ...names);
/** What the test itself does with files is not noted. */
const doing = (work: () => void) => {
  const before = noted.calls.length;
  work();
  expect(noted.calls.length).toBeGreaterThan(before);
  noted.calls.splice(before);
};

beforeEach(async () => {
  folder = makeFolder();
  disk = join(folder, 'disk');
  mkdirSync(at('logs', 'inner'), { recursive: true });
  mkdirSync(join(folder, 'home'), { mode: 0o700 });
  for (const name of ['a.log', 'b.log', 'inner/c.log'])
    writeFileSync(at('logs', name), '2026-01-13T10:30:00Z one\nerror: two\n');
  noted = noteFileCalls(disk);
});
afterEach(async () => {
  await host?.close();
  host = null;
  noted.end();
  removeFolder(folder);
});

async function start(
  config: object,
  env: Record<string, string> = { SPILLWAY_FIND_AGENTS: '0' },
  clients?: ClientsApi,
) {
  writeFileSync(join(folder, 'home', 'config.json'), JSON.stringify(config));
  const user = { home: at('user'), temporary: at('tmp'), env, platform: 'linux' } as const;
  const options = { home: join(folder, 'home'), watch: true, publish: true, threads: 1, user };
  host = await createHost({ ...options, ...(clients ? { clients } : {}) });
  return host;
}

describe.runIf(process.platform === 'linux')('the thread that serves', () => {
  test('lists, follows and reads a source without touching it', async () => {
    const { inspect, read, rows, list, watchDocument, watchSummary } = await start({ sources: [at('logs')] });
    const labels = async () => (await list({})).outputs.map(({ label }) => label).sort();
    await untilPasses(async () => expect(await labels()).toEqual(['a.log', 'b.log', 'c.log']));
    const id = (await list({})).outputs.find(({ label }) => label === 'a.log')!.artifact_id;
    const ref = { artifact_id: id };
    let told = '';
    const stops = [
      watchDocument(
        ref,
        ({ total_lines, condition }) => {
          told = `${total_lines} ${condition}`;
        },
        () => {},
      ),
      watchSummary(
        { document: ref },
        () => {},
        () => {},
      ),
    ];
    await untilPasses(() => expect(told).toBe('2 ok'));
    doing(() => appendFileSync(at('logs', 'a.log'), 'three\n'));
    await untilPasses(() => expect(told).toBe('3 ok'));
    for (const mode of ['head', 'tail', 'summary', 'failure'] as const) await inspect({ ...ref, mode });
    expect((await inspect({ ...ref, mode: 'grep', pattern: 'two' })).content).toContain('two');
    expect((await read({ ...ref, offset: 0, limit: 10 })).content).toBe('2026-01-13');
    expect((await rows({ document: ref, start_line: 1, count: 3 })).rows.length).toBe(3);
    expect(await host!.lineAtTime({ document: ref, time: Date.parse('2026-01-13T10:30:00Z') })).toBe(1);
    doing(() => truncateSync(at('logs', 'a.log'), 4));
    await untilPasses(() => expect(told).toBe('1 ok'));
    doing(() => {
      writeFileSync(at('logs', 'new.log'), 'new\nnew\n');
      renameSync(at('logs', 'new.log'), at('logs', 'a.log'));
      writeFileSync(at('logs', 'packed.log.gz'), gzipSync('packed\n'));
      writeFileSync(at('logs', 'inner', 'd.log'), 'd\n');
      chmodSync(at('logs', 'b.log'), 0o600);
    });
    await untilPasses(() => expect(told).toBe('2 ok'));
    await untilPasses(async () => expect(await labels()).toContain('d.log'));
    const packed = await inspect({ file_path: at('logs', 'packed.log.gz'), mode: 'head' });
    expect(packed.content).toBe('packed');
    doing(() => rmSync(at('logs', 'inner'), { recursive: true }));
    await untilPasses(async () => expect(await labels()).toEqual(['a.log', 'b.log', 'packed.log.gz']));
    for (const stop of stops) stop();
    await host!.close();
    expect(noted.calls).toEqual([]);
  });

  test('opens paths, explains missing ones and starts an editor without touching them', async () => {
    const { openPath, removeSource, inspect, openInEditor, pin, list } = await start({
      editor: '/bin/true {file}',
    });
    doing(() => symlinkSync(at('nowhere'), at('logs', 'link')));
    await openPath({ path: at('logs', 'a.log') });
    await openPath({ path: at('logs', 'inner') });
    for (const name of ['a.lo', 'link', 'inner'])
      await expect(inspect({ file_path: at('logs', name), mode: 'head' })).rejects.toThrow();
    const [{ artifact_id } = { artifact_id: '' }] = (await list({})).outputs;
    await openInEditor({ artifact_id, longer: [], path: at('logs', 'b.log'), line: 1, column: 1 });
    await pin({ artifact_id });
    const asAgent = { access: 'agent' } as const;
    await expect(inspect({ file_path: at('logs', 'b.log') }, asAgent)).rejects.toThrow(/no readable output/);
    await expect(inspect({ artifact_id }, asAgent)).rejects.toThrow(/no artifact/);
    await removeSource({ path: at('logs', 'a.log') });
    await host!.close();
    expect(noted.calls).toEqual([]);
  });

  test('finds, describes, guards and rescues what agents write without touching it', async () => {
    const rescue = { kind: 'pi', enabled: true, mcp: true, rescue: 'all' };
    doing(() => mkdirSync(at('tmp')));
    const { list, sources } = await start({ sources: [rescue] }, {});
    doing(() => writeFileSync(at('tmp', 'pi-bash-1.log'), 'one\n'));
    const found = async () => (await list({})).outputs.filter(({ agent }) => agent?.name === 'pi');
    await untilPasses(async () => expect(await found()).toMatchObject([{ kind: 'file' }]));
    // As much as makes the guard ask who writes it.
    doing(() => appendFileSync(at('tmp', 'pi-bash-1.log'), Buffer.alloc(9 * 1024 * 1024, 'x\n')));
    await untilPasses(async () =>
      expect((await found())[0]?.streams[0]?.total_bytes).toBeGreaterThan(9 * 1024 * 1024),
    );
    expect((await sources({})).sources.find(({ name }) => name === 'pi')?.folders).toEqual([at('tmp')]);
    doing(() => rmSync(at('tmp', 'pi-bash-1.log')));
    await untilPasses(async () => expect(await found()).toMatchObject([{ kind: 'capture' }]));
    await host!.close();
    expect(noted.calls).toEqual([]);
  });

  test("compares agents' transcripts with what was recorded without touching them", async () => {
    const agents = ['claude-code', 'codex', 'gemini', 'opencode', 'copilot'];
    const states = agents.map((client) => ({ client, record: 'record', connected_ms: 0 }));
    const timestamp = new Date().toISOString();
    const parts = [
      { type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'make' } },
      { type: 'tool_result', tool_use_id: 't1', content: 'ok' },
    ];
    const text = parts.map((part) => `${JSON.stringify({ timestamp, message: { content: [part] } })}\n`);
    const project = at('user', '.claude', 'projects', '-p');
    doing(() => {
      mkdirSync(project, { recursive: true });
      writeFileSync(join(project, '4842b901-a646-493b-a1f8-74c4b43529a5.jsonl'), text.join(''));
      for (const path of ['.codex/sessions/2026/01/13', '.gemini/tmp/p/chats', '.copilot/session-state/s'])
        mkdirSync(at('user', path), { recursive: true });
      for (const path of ['.codex/sessions/2026/01/13/a.jsonl', '.gemini/tmp/p/chats/a.jsonl'])
        writeFileSync(at('user', path), '\n');
      writeFileSync(at('user', '.copilot/session-state/s/events.jsonl'), '\n');
      mkdirSync(at('user', '.local/share/opencode'), { recursive: true });
      writeFileSync(at('user', '.local/share/opencode/opencode.db'), '\n');
    });
    const api = { clients: async () => states } as unknown as ClientsApi;
    const { clients } = await start({}, undefined, api);
    const sessions = (await clients({})).map(({ last_session }) => last_session);
    const missing = [{ command: 'make', why: null }];
    expect(sessions).toEqual([{ commands: 1, recorded: 0, missing }, null, null, null, null]);
    await host!.close();
    expect(noted.calls).toEqual([]);
  });
});

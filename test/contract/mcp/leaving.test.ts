/** The end of an agent's connection (CONTRACT 6): its processes end, its captures stay unless ephemeral. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readActivity } from '../../../electron/host/activity.ts';
import { AgentJournal } from '../../../electron/host/agents.ts';
import type { Host } from '../../../electron/host/host.ts';
import { createAgent } from '../../../electron/mcp/agent.ts';
import type { Commands } from '../../../electron/mcp/commands/commands.ts';
import { serveMcpSocket } from '../../../electron/mcp/socket.ts';
import { cliEntry, type Place, runCli } from '../../fixtures/cli.ts';
import { connectClient, REVISIONS, socketTransport } from '../../fixtures/mcp/client.ts';
import { readAgents } from '../../fixtures/mcp/read-agents.ts';
import { caller, family, isAlive, leaver, pidsIn } from '../../fixtures/mcp/run.ts';
import { type ServedMcp, serveMcp } from '../../fixtures/mcp/served.ts';
import { untilPasses } from '../../fixtures/until.ts';

let mcp: ServedMcp;
let place: Place;
let host: Host;
let commands: Commands;

beforeAll(async () => {
  mcp = await serveMcp();
  ({ place, host, commands } = mcp);
});

afterAll(() => mcp?.close());

test("a person's terminal is read as they saw it, and as it is now", async () => {
  const before = new Date().toISOString();
  const script = "echo first; echo second; printf 'no\\ryes\\n'; printf '\\033[2J\\033[Hon the screen'";
  await runCli(['terminal', '--name', 'work', '--', 'sh', '-c', script], place);
  const client = await connectClient(socketTransport(mcp.path), '2025-11-25');
  const call = caller(client);
  const tail = await call('get_terminal_output', { lines: 3 });
  expect(tail.structured).toBeUndefined();
  expect(tail.head).toMatchObject({ mode: 'tail', name: 'work', stream: 'output' });
  expect(tail.head).not.toHaveProperty('running');
  expect(Date.parse(tail.head.last_activity)).toBeGreaterThanOrEqual(Date.parse(tail.head.started_at));
  expect(tail.blocks[0]).toContain('yes');
  expect(tail.blocks[0]).not.toContain('no');
  const terminal_id = tail.head.artifact_id;
  const head = await call('get_terminal_output', { terminal_id, mode: 'head', lines: 2 });
  expect(head.blocks).toEqual(['first\nsecond']);
  const all = await call('get_terminal_output', { terminal_id, mode: 'all' });
  expect(all.blocks[0]).toMatch(/^first\nsecond\nyes/);
  const since = await call('get_terminal_output', { terminal_id, since_timestamp: before });
  expect(since.blocks[0]).toMatch(/^first\nsecond/);
  const later = await call('get_terminal_output', { terminal_id, since_timestamp: new Date().toISOString() });
  expect(later).toMatchObject({ head: { mode: 'since' }, blocks: ['(no lines)'] });
  const ignored = { lines: 7, since_timestamp: before };
  expect((await call('get_terminal_output', { terminal_id, mode: 'all', ...ignored })).head.note).toBe(
    '`lines` means nothing in mode all and was ignored: for it, use mode tail or head; ' +
      '`since_timestamp` means nothing in mode all and was ignored: for it, use mode since',
  );
  const usual = { lines: 100, since_timestamp: '' };
  expect((await call('get_terminal_output', { terminal_id, mode: 'all', ...usual })).head).not.toHaveProperty(
    'note',
  );
  const screen = await call('get_terminal_output', { terminal_id, mode: 'screen' });
  expect(screen.blocks[0]).toMatch(/^on the screen/);
  for (const args of [{ mode: 'since' }, { terminal_id: 'terminal-x' }, { since_timestamp: 'yesterday' }]) {
    const refused = await call('get_terminal_output', args);
    expect(refused.isError).toBe(true);
    expect(refused.head).toMatch(/: /);
  }
  await client.close();
});

describe('with its connection', () => {
  test('what an agent runs ends, and its session too', async () => {
    const client = await connectClient(socketTransport(mcp.path), '2025-11-25');
    const file = join(place.files, 'left');
    const { head } = await caller(client)('run_command', { command: family(file), background: true });
    await untilPasses(() => expect(pidsIn(file)).toHaveLength(2));
    await client.close();
    await untilPasses(() => expect(pidsIn(file).filter(isAlive)).toEqual([]));
    await untilPasses(async () => {
      const { outputs } = await host.list({ query: head.artifact_id });
      expect(outputs[0]).toMatchObject({ status: 'cancelled' });
      const sessions = await host.sessions();
      expect(sessions.find(({ session }) => session === outputs[0]!.session)?.ended_at).not.toBeNull();
    });
  });

  test('two agents have two sessions', async () => {
    const sessions = [];
    for (let agent = 0; agent < 2; agent += 1) {
      const client = await connectClient(socketTransport(mcp.path), '2026-07-28');
      const { head } = await caller(client)('run_command', { command: 'true' });
      const { outputs } = await host.list({ query: head.artifact_id });
      sessions.push(outputs[0]!.session);
      await client.close();
    }
    expect(sessions[0]).toMatch(/^mcp-/);
    expect(sessions[0]).not.toBe(sessions[1]);
  });

  test('what it did is published for the window, without what it printed', async () => {
    const journal = new AgentJournal(place.home);
    const own = await serveMcpSocket({
      runDir: join(place.home, 'run-journal'),
      createAgent: () =>
        createAgent(host, { home: place.home, commands, version: '1.0.0', journal, transport: 'socket' }),
    });
    for (const revision of REVISIONS) {
      const client = await connectClient(socketTransport(own.path), revision);
      const call = caller(client);
      const { head } = await call('run_command', {
        command: 'echo',
        args: ['printed'],
        env: { KEY: 'hush' },
      });
      await call('inspect_output', { artifact_id: head.artifact_id, pattern: '(', start_line: 2, lines: 4 });
      await client.close();
      await untilPasses(() => {
        const [process] = readAgents(place.home);
        const agent = process!.agents.at(-1)!;
        expect(agent).toMatchObject({ transport: 'socket', client: { name: 'test' }, call_count: 2 });
        expect(agent.left_at).not.toBeNull();
        expect(agent.calls).toMatchObject([
          { tool: 'run_command', what: 'echo printed', artifact_id: head.artifact_id, ok: true },
          {
            ...{ tool: 'inspect_output', artifact_id: head.artifact_id, ok: false },
            what: '( 2- lines=4',
          },
        ]);
        expect(process).toMatchObject({ pid: globalThis.process.pid, alive: true });
      });
    }
    expect(JSON.stringify(readAgents(place.home))).not.toContain('hush');
    await own.close();
    journal.close();
    const entries = readActivity(place.home);
    expect(entries).toMatchObject(
      REVISIONS.flatMap(() => [
        {
          ...{ agent: 'test 1', tool: 'run_command', what: 'echo printed', ok: true },
          reads: [{ stream: 'stdout', lines: [[1, 1]], made: true }],
        },
        { agent: 'test 1', tool: 'inspect_output', what: '( 2- lines=4', reads: [], ok: false },
      ]),
    );
    const artifact_id = entries[0]!.reads[0]!.artifact_id;
    expect(await host.seen({ artifact_id })).toMatchObject({
      ...{ total_lines: 1, unread: false, agents: [{ agent: 'test 1', calls: 1, lines: 1, share: 1 }] },
    });
    expect(JSON.stringify(entries)).not.toContain('hush');
  });

  test('a session that was begun as ephemeral leaves nothing', async () => {
    const client = await connectClient(socketTransport(mcp.path), '2025-11-25');
    const call = caller(client);
    await call('use_session', { session: 'for a while', ephemeral: true });
    const { head } = await call('run_command', { command: 'seq 1 9999' });
    expect(existsSync(head.stdout.file_path)).toBe(true);
    await client.close();
    await untilPasses(() => expect(existsSync(head.stdout.file_path)).toBe(false));
  });

  const stdio = (args: string[]) =>
    new StdioClientTransport({
      command: process.execPath,
      args: [cliEntry, 'mcp', ...args],
      env: { ...(process.env as Record<string, string>), SPILLWAY_HOME: place.home },
      cwd: place.files,
      stderr: 'ignore',
    });

  test('spillway mcp runs in its client directory and takes what it runs with it', async () => {
    const transport = stdio([]);
    const client = await connectClient(transport, '2025-11-25');
    const call = caller(client);
    expect((await call('run_command', { command: 'pwd' })).blocks).toEqual([place.files]);
    const file = join(place.files, 'left-by-stdio');
    await call('run_command', { command: family(file), background: true });
    await untilPasses(() => expect(pidsIn(file)).toHaveLength(2));
    const { pid } = transport;
    await client.close();
    await untilPasses(() => expect([...pidsIn(file), pid!].filter(isAlive)).toEqual([]));
  });

  test.skipIf(process.platform !== 'linux')(
    'spillway mcp that is killed takes what it runs with it, and leaves what it recorded',
    async () => {
      const transport = stdio([]);
      const call = caller(await connectClient(transport, '2025-11-25'));
      const file = join(place.files, 'left-by-killed');
      const stubborn = `trap '' TERM; echo $$ >> ${file}; ${family(file)}; sleep 300`;
      const { head } = await call('run_command', { command: stubborn, background: true });
      await call('run_command', { command: leaver(`${file}-2`), background: true });
      await untilPasses(() => expect([...pidsIn(file), ...pidsIn(`${file}-2`)]).toHaveLength(6));
      process.kill(transport.pid!, 'SIGKILL');
      await untilPasses(() => expect([...pidsIn(file), ...pidsIn(`${file}-2`)].filter(isAlive)).toEqual([]));
      const { stdout } = await runCli(['inspect', head.artifact_id], place);
      expect(stdout).toBe('ready\n');
      const listed = JSON.parse((await runCli(['list', '--json'], place)).stdout).outputs;
      const found = listed.find((one: { artifact_id: string }) => one.artifact_id === head.artifact_id);
      expect(found.status).toBe('interrupted');
    },
  );

  test('an ephemeral one leaves nothing; a named one leaves its captures', async () => {
    const ephemeral = await connectClient(stdio(['--ephemeral']), '2025-11-25');
    const gone = await caller(ephemeral)('run_command', { command: 'seq 1 9999' });
    expect(existsSync(gone.head.stdout.file_path)).toBe(true);
    await ephemeral.close();
    await untilPasses(() => expect(existsSync(gone.head.stdout.file_path)).toBe(false));
    const named = await connectClient(stdio(['--session', 'kept']), '2025-11-25');
    const kept = await caller(named)('run_command', { command: 'seq 1 9999' });
    await named.close();
    expect(existsSync(kept.head.stdout.file_path)).toBe(true);
    expect((await host.list({ session: 'kept' })).outputs).toHaveLength(1);
  });

  test('with --no-run there is nothing to run commands with', async () => {
    const client = await connectClient(stdio(['--no-run']), '2025-11-25');
    const names = (await client.listTools()).tools.map(({ name }) => name);
    expect(names).toContain('wait_for_output');
    expect(names).not.toContain('run_command');
    expect(names).not.toContain('stop_command');
    expect(client.getInstructions()).not.toContain('run_command');
    await client.close();
  });
});

describe('what a command that has ended left behind', () => {
  const leave = async (name: string) => {
    const client = await connectClient(socketTransport(mcp.path), '2025-11-25');
    const call = caller(client);
    const file = join(place.files, name);
    const { head, blocks } = await call('run_command', { command: leaver(file), session: name });
    expect(head).toMatchObject({ success: true, exit_code: 0 });
    expect(blocks).toEqual(['ready']);
    expect(pidsIn(file).filter(isAlive)).toHaveLength(3);
    return { client, call, file, artifact_id: head.artifact_id };
  };

  test('is ended by stop_command, which says so once', async () => {
    const { client, call, file, artifact_id } = await leave('left-stopped');
    const stopped = await call('stop_command', { artifact_id });
    expect(stopped.head).toMatchObject({ stopped: true, status: 'succeeded', exit_code: 0 });
    expect(pidsIn(file).filter(isAlive)).toEqual([]);
    const again = await call('stop_command', { artifact_id });
    expect(again.head).toMatchObject({ stopped: false, status: 'succeeded' });
    const { head } = await call('cleanup_outputs', { artifact_ids: [artifact_id] });
    expect(head).toMatchObject({ removed_count: 1, stayed_count: 0 });
    await client.close();
  });

  test('is not said to be stopped when it has ended by itself', async () => {
    const client = await connectClient(socketTransport(mcp.path), '2025-11-25');
    const call = caller(client);
    const file = join(place.files, 'left-over');
    const { head } = await call('run_command', { command: `sleep 0.5 & echo $! > ${file}`, session: 'over' });
    await untilPasses(() => expect(pidsIn(file).filter(isAlive)).toEqual([]));
    const { artifact_id } = head;
    await untilPasses(async () => {
      const stopped = await call('stop_command', { artifact_id });
      expect(stopped.head).toMatchObject({ stopped: false, status: 'succeeded' });
    });
    const ended = await call('end_session', { session: 'over' });
    expect(ended.head).toMatchObject({ stopped: [] });
    await client.close();
  });

  test('is ended with its session, which can then be deleted', async () => {
    const { client, call, file, artifact_id } = await leave('left-session');
    const { head } = await call('end_session', { session: 'left-session', delete: true });
    expect(head).toMatchObject({ stopped: [artifact_id], removed_count: 1, stayed_count: 0 });
    expect(pidsIn(file).filter(isAlive)).toEqual([]);
    expect((await host.list({ session: 'left-session' })).outputs).toEqual([]);
    await client.close();
  });

  test('ends with the connection', async () => {
    const { client, file } = await leave('left-connection');
    await client.close();
    await untilPasses(() => expect(pidsIn(file).filter(isAlive)).toEqual([]));
  });
});

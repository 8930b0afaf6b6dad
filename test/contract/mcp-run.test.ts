/** Commands over MCP (CONTRACT 6): what an agent is told of them, how they end, and what they leave. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client, Progress } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Place, runCli } from '../fixtures/cli.ts';
import { connectClient, REVISIONS, socketTransport } from '../fixtures/mcp.ts';
import { type Call, type Called, caller, family, isAlive, pidsIn } from '../fixtures/mcp-run.ts';
import { type ServedMcp, serveMcp } from '../fixtures/served-mcp.ts';
import { untilPasses } from '../fixtures/until.ts';

let mcp: ServedMcp;
let place: Place;

beforeAll(async () => {
  mcp = await serveMcp();
  ({ place } = mcp);
});

afterAll(() => mcp?.close());

describe.each(REVISIONS)('in %s', (revision) => {
  let client: Client;
  let call: Call;

  beforeAll(async () => {
    client = await connectClient(socketTransport(mcp.path), revision);
    call = caller(client);
  });

  afterAll(() => client.close());

  test('statistics and cleanup are the very objects that the command line prints', async () => {
    for (const [tool, words] of [
      ['storage_stats', ['stats', '--json']],
      ['cleanup_outputs', ['cleanup', '--dry-run', '--json']],
    ] as const) {
      const { structured } = await call(tool, tool === 'cleanup_outputs' ? { dry_run: true } : {});
      const printed = JSON.parse((await runCli([...words], place)).stdout);
      expect(Object.keys(printed).sort(), tool).toEqual(Object.keys(structured as object).sort());
    }
  });

  test('cleaning up a session that is not there removes nothing, and names the nearest', async () => {
    const session = `release-${revision}`;
    await call('use_session', { session });
    const { head } = await call('run_command', { command: 'echo kept' });
    const mistyped = `relaese-${revision}`;
    const { head: answer, structured } = await call('cleanup_outputs', {
      session: mistyped,
      older_than_hours: 0,
    });
    expect(structured).toEqual(answer);
    expect(answer).toMatchObject({ removed_count: 0, stayed_count: 0 });
    expect(answer.warnings).toHaveLength(1);
    expect(answer.warnings[0]).toContain(
      `there is no session "${mistyped}": the nearest: release-${revision}`,
    );
    const printed = await runCli(['cleanup', '--older-than', '0', '--session', mistyped, '--json'], place);
    expect(JSON.parse(printed.stdout)).toEqual(answer);
    expect(printed).toMatchObject({ status: 0, stderr: `spillway: ${answer.warnings[0]}\n` });
    const own = await call('cleanup_outputs', { session, dry_run: true, keep: [head.artifact_id] });
    expect(own.head).toMatchObject({ warnings: [], stayed_count: 1 });
  });

  test('a connection may clean up before it has anything', async () => {
    const other = await connectClient(socketTransport(mcp.path), revision);
    try {
      const { head } = await caller(other)('cleanup_outputs', { older_than_hours: 0 });
      expect(head).toMatchObject({ removed_count: 0, warnings: [] });
    } finally {
      await other.close();
    }
  });

  test('an id that is not there is answered with the newest ones that are', async () => {
    await call('run_command', { command: 'echo newest' });
    for (const tool of ['wait_for_output', 'inspect_output', 'read_command_output']) {
      const answer = await call(tool, { artifact_id: 'nothing of the kind' });
      expect(answer.isError, tool).toBe(true);
      expect(answer.head, tool).toMatch(/: the newest: cmd-|: the newest: tool-/);
    }
  });

  test('a short output comes whole: the head, then a block for each stream', async () => {
    const { head, blocks, structured } = await call('run_command', {
      command: 'echo out; echo err >&2; exit 3',
    });
    expect(structured).toBeUndefined();
    expect(head).toMatchObject({
      command: 'echo out; echo err >&2; exit 3',
      exit_code: 3,
      success: false,
      stdout: { total_lines: 1, total_bytes: 4, returned_lines: 1 },
      stderr: { total_lines: 1, total_bytes: 4 },
      parts: [
        { stream: 'stdout', start_line: 1, end_line: 1 },
        { stream: 'stderr', start_line: 1, end_line: 1 },
      ],
    });
    expect(head.artifact_id).toMatch(/^cmd-echo/);
    expect(head.duration_ms).toBeGreaterThanOrEqual(0);
    for (const said of ['timed_out', 'cached', 'error', 'warnings']) expect(head).not.toHaveProperty(said);
    expect(blocks).toEqual(['[stdout, lines 1-1 of 1]\nout\n', '[stderr, lines 1-1 of 1]\nerr']);
  });

  test('arguments go to the program as they are: no shell, and no option of ours, sees them', async () => {
    const args = ['$HOME', '; exit 9', '`id`', '--help', '', '-', 'a\nb', '*'];
    const { head, blocks } = await call('run_command', { command: 'printf', args: ['<%s>', ...args] });
    expect(head.exit_code).toBe(0);
    expect(blocks[0]).toBe(args.map((arg) => `<${arg}>`).join(''));
  });

  test('a long output comes as its beginning and end, and all of it is there to be read', async () => {
    const { head, blocks } = await call('run_command', { command: 'seq', args: ['1', '9999'] });
    expect(head.stdout).toMatchObject({ total_lines: 9999, returned_lines: 500, truncated: true });
    expect(head.parts).toEqual([
      { stream: 'stdout', start_line: 1, end_line: 300 },
      { stream: 'stdout', start_line: 9800, end_line: 9999 },
    ]);
    expect(blocks[0]).toMatch(/^\[stdout, lines 1-300 of 9999\]\n1\n[\s\S]*\n300\n$/);
    expect(blocks[1]).toMatch(/^\[stdout, lines 9800-9999 of 9999\]\n9800\n[\s\S]*\n9999$/);
    expect(readFileSync(head.stdout.file_path, 'utf8')).toHaveLength(48_888);
    const found = await call('inspect_output', {
      artifact_id: head.artifact_id,
      pattern: '^77$',
      context_lines: 0,
    });
    expect(found.blocks).toEqual(['77:77']);
  });

  test('limits of lines and of size are kept to, and lifted when it is asked for', async () => {
    const command = { command: 'seq 1 9999; seq 1 9999 >&2' };
    const few = await call('run_command', { ...command, max_output_lines: 5, max_error_lines: 10 });
    expect(few.head.stdout.returned_lines).toBe(5);
    expect(few.head.stderr.returned_lines).toBe(10);
    const small = await call('run_command', { ...command, preview_size: 'small', max_error_lines: 1 });
    expect(small.head.stdout.returned_bytes).toBeLessThanOrEqual(2048);
    const full = await call('run_command', { ...command, include_full_output: true });
    const bytes = Buffer.byteLength(JSON.stringify(full.head) + full.blocks.join(''));
    expect(bytes).toBeGreaterThan(15_000);
    expect(bytes).toBeLessThanOrEqual(16_384);
  });

  test('a command that is not there fails as in a shell, and says what to do', async () => {
    const { head, isError } = await call('run_command', { command: 'no-such-program', args: ['x'] });
    expect(isError).toBe(false);
    expect(head).toMatchObject({ exit_code: 127, success: false });
    expect(head).not.toHaveProperty('artifact_id');
    expect(head.error).toMatch(/no-such-program.*: /);
  });

  test('past its time it is ended with all it started, and what it printed is kept', async () => {
    const file = join(place.files, `timed-${revision}`);
    const within = async (timeout: number): Promise<Called> => {
      const called = await call('run_command', { command: family(file), timeout });
      expect(called.head).toMatchObject({ timed_out: true, success: false });
      expect(called.head).not.toHaveProperty('exit_code');
      expect(called.head.error).toContain(`time-out of ${timeout} ms`);
      // On a busy machine it may have had no time to begin.
      return called.blocks.length === 0 && timeout < 30_000 ? within(timeout * 4) : called;
    };
    const { head, blocks } = await within(700);
    expect(blocks).toEqual(['ready']);
    for (const pid of pidsIn(file)) expect(isAlive(pid)).toBe(false);
    const { head: view } = await call('inspect_output', { artifact_id: head.artifact_id });
    expect(view).toMatchObject({ total_lines: 1 });
    expect(view).not.toHaveProperty('running');
  });

  test('a call that is cancelled ends its command with all it started', async () => {
    const file = join(place.files, `cancelled-${revision}`);
    const cancelling = new AbortController();
    const asked = call('run_command', { command: family(file) }, { signal: cancelling.signal });
    const failed = expect(asked).rejects.toThrow();
    await untilPasses(() => expect(pidsIn(file)).toHaveLength(2));
    cancelling.abort();
    await failed;
    await untilPasses(() => expect(pidsIn(file).filter(isAlive)).toEqual([]));
    await untilPasses(async () => {
      const { head } = await call('list_outputs', { status: 'cancelled', query: file });
      expect(head.outputs.map(({ command }: { command: string }) => command)).toEqual([family(file)]);
    });
  });

  test('progress tells how far it is while it runs', async () => {
    const heard: Progress[] = [];
    const onprogress = (progress: Progress) => void heard.push(progress);
    const file = join(place.files, `go-${revision}`);
    const asked = call(
      'run_command',
      { command: `echo one; until test -e ${file}; do sleep 0.05; done` },
      { onprogress },
    );
    await untilPasses(() => expect(heard.length).toBeGreaterThan(1));
    writeFileSync(file, '');
    await asked;
    expect(heard[0]!.message).toMatch(/running as cmd-echo.*1 lines?, 4 B so far/);
    expect(heard.map(({ progress }) => progress)).toEqual(
      heard.map(({ progress }) => progress).toSorted((a, b) => a - b),
    );
  });

  test('in the background it runs on: lines are waited for, then it is stopped', async () => {
    const go = join(place.files, `on-${revision}`);
    const file = join(place.files, `family-${revision}`);
    const started = await call('run_command', {
      command: `echo begun; until test -e ${go}; do sleep 0.05; done; echo listening on 80; ${family(file)}`,
      background: true,
    });
    const { artifact_id } = started.head;
    expect(started.head).toMatchObject({ status: 'running', pid: expect.any(Number) });
    expect(started.head).not.toHaveProperty('success');
    const there = await call('wait_for_output', { artifact_id, pattern: 'BEGUN' });
    expect(there).toMatchObject({
      head: { reason: 'matched', line_number: 1, running: true },
      blocks: ['begun'],
    });
    const late = await call('wait_for_output', { artifact_id, pattern: 'listening', timeout: 100 });
    expect(late).toMatchObject({
      head: { reason: 'timed_out', status: 'running' },
      blocks: [],
    });
    const waiting = call('wait_for_output', { artifact_id, pattern: 'listening on \\d+' });
    writeFileSync(go, '');
    expect(await waiting).toMatchObject({
      head: { reason: 'matched', line_number: 2 },
      blocks: ['listening on 80'],
    });
    await call('wait_for_output', { artifact_id, pattern: 'ready' });
    const stopped = await call('stop_command', { artifact_id });
    expect(stopped.head).toMatchObject({ stopped: true, status: 'cancelled', signal: 'SIGTERM' });
    expect(stopped.structured).toEqual(stopped.head);
    expect(pidsIn(file).filter(isAlive)).toEqual([]);
    const again = await call('stop_command', { artifact_id });
    expect(again.head).toMatchObject({ stopped: false, status: 'cancelled' });
    const ended = await call('wait_for_output', { artifact_id, pattern: 'never' });
    expect(ended.head).toMatchObject({ reason: 'exited', status: 'cancelled' });
  });

  test.each([
    ['stdout', ''],
    ['stderr', ' >&2'],
  ])('a line of %s that has not ended yet is waited for, too', async (stream, to) => {
    const go = join(place.files, `asks-${stream}-${revision}`);
    const { head } = await call('run_command', {
      command: `echo begun; until test -e ${go}; do sleep 0.05; done; printf '\\033[1mName\\033[0m> '${to}; sleep 300`,
      background: true,
    });
    const { artifact_id } = head;
    const asked = { artifact_id, pattern: '^name> ' };
    const early = await call('wait_for_output', { ...asked, timeout: 0 });
    expect(early.head).toMatchObject({ reason: 'timed_out', stream: 'combined' });
    const waiting = call('wait_for_output', asked);
    writeFileSync(go, '');
    const matched = {
      head: { reason: 'matched', stream, line_number: stream === 'stdout' ? 2 : 1, running: true },
      blocks: ['Name> '],
    };
    expect(await waiting).toMatchObject(matched);
    // It is there by now.
    expect(await call('wait_for_output', { ...asked, timeout: 0 })).toMatchObject(matched);
    // In what order lines came is known a moment later.
    await untilPasses(async () => {
      const whole = await call('wait_for_output', { artifact_id, pattern: 'begun' });
      expect(whole.head).toMatchObject({ reason: 'matched', stream: 'combined', line_number: 1 });
    });
    const combined = await call('inspect_output', { artifact_id });
    expect(combined.blocks).toEqual(['begun']);
    await call('stop_command', { artifact_id });
    const ended = await call('wait_for_output', asked);
    expect(ended).toMatchObject({
      head: { reason: 'matched', stream: 'combined', line_number: 2 },
      blocks: ['Name> '],
    });
  });

  test('waiting ends when the command does', async () => {
    const { head } = await call('run_command', { command: 'sleep 0.4; exit 5', background: true });
    const waited = await call('wait_for_output', { artifact_id: head.artifact_id });
    expect(waited.head).toMatchObject({ reason: 'exited', status: 'failed', exit_code: 5 });
  });

  test('an equal run of late may answer, cut anew to what is asked for now', async () => {
    const command = { command: `echo ${revision}; date +%N; seq 1 50` };
    const first = await call('run_command', { ...command, max_age_seconds: 60 });
    expect(first.head.cached).toBeUndefined();
    const again = await call('run_command', { ...command, max_age_seconds: 60, max_output_lines: 3 });
    expect(again.head).toMatchObject({ cached: true, artifact_id: first.head.artifact_id });
    expect(again.head.stdout).toMatchObject({ returned_lines: 3, total_lines: 52, truncated: true });
    const nanoseconds = first.blocks[0]!.split('\n')[1]!;
    expect(again.blocks[0]!.split('\n')).toContain(nanoseconds);
    const asked = await call('run_command', command);
    expect(asked.head.cached).toBeUndefined();
    expect(asked.head.artifact_id).not.toBe(first.head.artifact_id);
    const elsewhere = await call('run_command', { ...command, max_age_seconds: 60, cwd: '/' });
    expect(elsewhere.head.cached).toBeUndefined();
    const otherwise = await call('run_command', { ...command, max_age_seconds: 60, env: { A: 'b' } });
    expect(otherwise.head.cached).toBeUndefined();
  });

  test('what failed, or was cleaned up, does not answer', async () => {
    const failing = { command: `echo ${revision} fails; exit 1`, max_age_seconds: 60 };
    await call('run_command', failing);
    expect((await call('run_command', failing)).head.cached).toBeUndefined();
    const gone = { command: `echo ${revision} goes`, max_age_seconds: 60 };
    const { head } = await call('run_command', gone);
    await call('cleanup_outputs', { artifact_ids: [head.artifact_id] });
    expect((await call('run_command', gone)).head.cached).toBeUndefined();
  });

  test('equal runs that are under way at once are run once, where that is allowed', async () => {
    const file = join(place.files, `once-${revision}`);
    const command = { command: `echo ran >> ${file}; sleep 0.6; cat ${file}`, max_age_seconds: 60 };
    const runs = await Promise.all([1, 2, 3].map(() => call('run_command', command)));
    expect(runs.map(({ blocks }) => blocks)).toEqual([['ran'], ['ran'], ['ran']]);
    expect(runs.filter(({ head }) => head.cached)).toHaveLength(2);
    expect(new Set(runs.map(({ head }) => head.artifact_id)).size).toBe(1);
  });

  test('who leaves a shared run does not end it for the others', async () => {
    const go = join(place.files, `shared-go-${revision}`);
    const command = { command: `until test -e ${go}; do sleep 0.05; done; echo done`, max_age_seconds: 60 };
    const leaving = new AbortController();
    const left = call('run_command', command, { signal: leaving.signal });
    const failed = expect(left).rejects.toThrow();
    await untilPasses(async () => {
      const { head } = await call('list_outputs', { status: 'running' });
      expect(head.outputs.map((output: { command: string }) => output.command)).toContain(command.command);
    });
    const stays = call('run_command', command);
    // A call behind it on the same connection: by then it has joined.
    await call('storage_stats');
    leaving.abort();
    await failed;
    writeFileSync(go, '');
    expect(await stays).toMatchObject({ head: { success: true, cached: true }, blocks: ['done'] });
  });

  test('a session has its own directory and variables, and ends with what runs in it', async () => {
    const session = `task ${revision} ../../x`;
    const used = await call('use_session', { session, cwd: '/', env: { GREETING: 'hello there' } });
    expect(used.structured).toMatchObject({ session, cwd: '/', env_names: ['GREETING'] });
    expect(JSON.stringify(used)).not.toContain('hello there');
    const run = await call('run_command', { command: 'echo $GREETING; pwd' });
    expect(run.blocks).toEqual(['hello there\n/']);
    const own = await call('run_command', { command: 'echo $GREETING', env: { GREETING: 'mine' } });
    expect(own.blocks).toEqual(['mine']);
    const { head: background } = await call('run_command', { command: 'sleep 300', background: true });
    const { head: listed } = await call('list_outputs', { session });
    expect(listed.outputs).toHaveLength(3);
    const ended = await call('end_session', { delete: true });
    expect(ended.head).toMatchObject({
      session,
      deleted: true,
      stopped: [background.artifact_id],
      removed_count: 3,
    });
    expect((await call('list_outputs', { session })).head.outputs).toEqual([]);
    expect((await call('run_command', { command: 'echo $GREETING' })).blocks).toEqual(['(no lines)']);
  });

  test('content that is at hand is captured: short whole, long as a preview', async () => {
    const short = await call('capture_output', { content: 'a\n\tb\r\n', source: 'a tool' });
    expect(short.head).toMatchObject({
      status: 'inline',
      total_lines: 2,
      total_bytes: 6,
    });
    expect(short.blocks).toEqual(['a\n\tb\r\n']);
    const long = 'line of a document\n'.repeat(2000);
    const { head, blocks } = await call('capture_output', {
      content: long,
      source: 'x',
      content_type: 'log',
    });
    expect(head).toMatchObject({
      status: 'captured',
      truncated: true,
      total_lines: 2000,
      content_type: 'log',
    });
    expect(head.parts.length).toBe(2);
    expect(blocks.length).toBe(2);
    expect(readFileSync(head.file_path, 'utf8')).toBe(long);
    const exactly = await call('capture_output', { content: 'x'.repeat(100), inline_threshold: 100 });
    expect(exactly.head.status).toBe('inline');
    expect(
      (await call('capture_output', { content: 'x'.repeat(101), inline_threshold: 100 })).head.status,
    ).toBe('captured');
    const nothing = await call('capture_output', { content: '' });
    expect(nothing).toMatchObject({ head: { status: 'inline', total_bytes: 0 }, blocks: [] });
  });

  test('a terminal that nobody recorded is said not to be there', async () => {
    const { head, isError } = await call('get_terminal_output');
    expect(isError).toBe(true);
    expect(head).toMatch(/no terminal has been recorded: start one with: spillway terminal/);
  });

  test.each([
    ['run_command', {}, /`command`/],
    ['run_command', { command: 'x', timeout: -1 }, /`timeout`.*at least 0/],
    ['run_command', { command: 'x', args: 'y' }, /`args`/],
    ['run_command', { command: 'x', env: { 'A=B': 'c' } }, /`env`/],
    ['run_command', { command: 'x', env: { A: 'b\0c' } }, /`env`/],
    ['run_command', { command: 'x', cwd: 'a\0b' }, /`cwd`/],
    ['run_command', { command: 'x', preview_size: 'huge' }, /small, medium, large/],
    ['wait_for_output', { artifact_id: 'cmd-x-2026-01-13T10-30-00-abc123' }, /no artifact has the id/],
    ['stop_command', { artifact_id: 'cmd-x-2026-01-13T10-30-00-abc123' }, /no artifact has the id/],
    ['use_session', { session: 'x', env: { A: 1 } }, /env\.A must be a string: it is 1/],
    ['capture_output', {}, /`content`/],
    ['cleanup_outputs', { artifact_ids: ['../../x'] }, /\.\.\/\.\.\/x/],
  ])('%s of %j is an error that says what to do next', async (name, args, wanted) => {
    const { head, isError, structured } = await call(name, args);
    expect(isError).toBe(true);
    expect(head).toMatch(wanted);
    expect(head).toMatch(/: /);
    expect(structured).toBeUndefined();
  });
});

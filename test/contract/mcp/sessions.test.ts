/** Sessions, cleanup and captured content over MCP. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { runCli } from '../../fixtures/cli.ts';
import { connectClient, REVISIONS, socketTransport } from '../../fixtures/mcp/client.ts';
import { caller } from '../../fixtures/mcp/run.ts';
import { call, connectIn, mcp, place, setUpMcpRun } from '../../fixtures/mcp/run-clients.ts';

setUpMcpRun();

describe.each(REVISIONS)('in %s', (revision) => {
  connectIn(revision);

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
    const [warning] = answer.warnings as string[];
    expect(warning).toMatch(
      new RegExp(`^there is no session "${mistyped}": the nearest (is|are) release-${revision}`),
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
      expect(answer.head, tool).toMatch(/: the newest (is|are) (cmd|tool)-/);
    }
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
    expect((await call('run_command', { command: 'echo $GREETING' })).blocks).toEqual(['(1 blank line)']);
  });

  test('thousands of variables are counted where a reply has no room for their names', async () => {
    const env = Object.fromEntries(Array.from({ length: 3000 }, (_, i) => [`V${i}`, 'x']));
    const used = await call('use_session', { session: `many ${revision}`, env });
    await call('run_command', { command: 'true' });
    const { head } = await call('list_outputs', { limit: 1 });
    for (const { env_names } of [used.head, head.outputs[0]]) {
      expect(Buffer.byteLength(JSON.stringify(env_names))).toBeLessThan(4000);
      expect(env_names.slice(0, 2)).toEqual(['V0', 'V1']);
      expect(env_names.at(-1)).toBe(`… and ${3000 - env_names.length + 1} more`);
    }
    await call('end_session', { delete: true });
  });

  test('a session that holds nothing yet ends as any other, an unknown one does not', async () => {
    for (let time = 0; time < 2; time += 1) {
      const { head, isError } = await call('end_session');
      expect(isError).toBeFalsy();
      expect(head).toMatchObject({
        session: expect.stringMatching(/^mcp-/),
        deleted: false,
        removed_count: 0,
      });
      expect(head).toMatchObject({ stopped: [], removed: [] });
    }
    const unknown = await call('end_session', { session: 'nobody made this' });
    expect(unknown).toMatchObject({
      isError: true,
      head: expect.stringMatching(/no session "nobody made this"/),
    });
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
    const line = await call('capture_output', { content: 'y'.repeat(6000) });
    expect(line.head).toMatchObject({
      truncated: true,
      parts: [
        ['output', 1, 1],
        ['output', 1, 1],
      ],
    });
    expect(line.blocks[0]).toMatch(/^\[output, lines 1-1 of 1: only the beginning of line 1\]\ny/);
    const nothing = await call('capture_output', { content: '' });
    expect(nothing).toMatchObject({ head: { status: 'inline', total_bytes: 0 }, blocks: [] });
  });

  test('a terminal that nobody recorded is said not to be there', async () => {
    const { head, isError } = await call('get_terminal_output');
    expect(isError).toBe(true);
    expect(head).toMatch(/no terminal has been recorded: start one with `spillway terminal`/);
  });

  test('a name that is too long is told so in characters, and not repeated whole', async () => {
    const { head, isError } = await call('use_session', { session: 'x'.repeat(5000) });
    expect(isError).toBe(true);
    expect(head).toMatch(/`session` cannot be "x{39}…": give at most 1000 characters/);
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

/** Commands over MCP (CONTRACT 6): the replies about them, how they end, and what stays afterwards. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Progress } from '@modelcontextprotocol/client';
import { describe, expect, test } from 'vitest';
import { REVISIONS } from '../../fixtures/mcp/client.ts';
import { type Called, family, isAlive, pidsIn } from '../../fixtures/mcp/run.ts';
import { call, connectIn, place, setUpMcpRun } from '../../fixtures/mcp/run-clients.ts';
import { untilPasses } from '../../fixtures/until.ts';

setUpMcpRun();

describe.each(REVISIONS)('in %s', (revision) => {
  connectIn(revision);

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
        ['stdout', 1, 1],
        ['stderr', 1, 1],
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
      ['stdout', 1, 300],
      ['stdout', 9800, 9999],
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

  test('list_outputs shortens a command that is a whole script, and its arguments', async () => {
    const session = `scripts-${revision}`;
    const script = `cat <<'END'\n${'a line of the script\n'.repeat(3000)}END\n`;
    await call('run_command', { command: script, session });
    await call('run_command', {
      command: 'sh',
      args: ['-c', script, ...Array(99).fill('x')],
      session,
    });
    const { head } = await call('list_outputs', { session });
    expect(head.outputs).toHaveLength(2);
    expect(head.outputs[1].command).toMatch(/^cat <<'END'\n[\s\S]*…[\s\S]*END\n$/);
    expect(head.outputs[0].args).toHaveLength(3);
    for (const { command, args } of head.outputs)
      expect(`${command} ${args.join(' ')}`.length).toBeLessThanOrEqual(210);
  });

  test('a command that timed out is answered with what would let it end', async () => {
    const { head } = await call('run_command', { command: 'sleep 30', timeout: 100 });
    expect(head).toMatchObject({ timed_out: true, success: false });
    expect(head.error).toMatch(/: give a larger `timeout`, or `background`/);
  });

  test('a line of the shell beside arguments is answered with how to run it', async () => {
    const { head } = await call('run_command', { command: 'echo hi there', args: ['x'] });
    expect(head).toMatchObject({ exit_code: 127, success: false });
    expect(head.error).toMatch(/leave out `args`$/);
    const unknown = await call('run_command', { command: 'no-such-program', args: ['x'] });
    expect(unknown.head.error).not.toContain('args');
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
    // It is there when this test is tried again.
    rmSync(file, { force: true });
    const asked = call(
      'run_command',
      { command: `echo one; until test -e ${file}; do sleep 0.05; done` },
      { onprogress },
    );
    // On a busy machine the first progress may come before any output.
    await untilPasses(() => {
      expect(heard.length).toBeGreaterThan(1);
      expect(heard.at(-1)!.message).toMatch(/running as cmd-echo.*1 lines?, 4 B so far/);
    });
    writeFileSync(file, '');
    await asked;
    expect(heard.map(({ progress }) => progress)).toEqual(
      heard.map(({ progress }) => progress).toSorted((a, b) => a - b),
    );
  });
});

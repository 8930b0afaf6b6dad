/** Commands over MCP that run in the background, are waited for, or answer for equal ones. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { REVISIONS } from '../../fixtures/mcp/client.ts';
import { family, isAlive, pidsIn } from '../../fixtures/mcp/run.ts';
import { call, connectIn, place, setUpMcpRun } from '../../fixtures/mcp/run-clients.ts';
import { untilPasses } from '../../fixtures/until.ts';

setUpMcpRun();

describe.each(REVISIONS)('in %s', (revision) => {
  connectIn(revision);

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

  test('a pattern may be plain text, as the error for an invalid expression says', async () => {
    const { artifact_id } = (await call('run_command', { command: 'echo "done (0 errors"' })).head;
    const invalid = await call('wait_for_output', { artifact_id, pattern: 'done (' });
    expect(invalid.isError).toBe(true);
    expect(invalid.head).toMatch(/search for it as plain text with fixed/);
    const plain = await call('wait_for_output', { artifact_id, pattern: 'done (', fixed: true });
    expect(plain).toMatchObject({ head: { reason: 'matched', line_number: 1 }, blocks: ['done (0 errors'] });
    // Without a pattern it says nothing.
    const end = await call('wait_for_output', { artifact_id, fixed: true });
    expect(end.head).toMatchObject({ reason: 'exited' });
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

  test('a client that leaves a shared run does not end it for the others', async () => {
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
});

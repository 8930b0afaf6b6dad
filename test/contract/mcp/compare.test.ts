/** `compare_outputs` (CONTRACT 6): what changed since a command last passed. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { REVISIONS } from '../../fixtures/mcp/client.ts';
import { call, connectIn, place, setUpMcpRun } from '../../fixtures/mcp/run-clients.ts';

setUpMcpRun();

describe.each(REVISIONS)('in %s', (revision) => {
  connectIn(revision);

  const said = () => join(place.files, `said-${revision}`);
  const record = (...lines: string[]) => {
    writeFileSync(said(), `${lines.join('\n')}\n`);
    return call('run_command', { command: `cat ${said()}; ! grep -q bad ${said()}` });
  };

  test('finds the runs that passed, and gives findings as text behind a head', async () => {
    await record('begin', 'workers: 8', 'end');
    await record('begin', 'workers: 8', 'end');
    const { head: failed } = await record('begin', 'workers: 1', 'this is bad', 'end');
    const { head, blocks, structured, isError } = await call('compare_outputs');
    expect(isError).toBe(false);
    expect(structured).toBeUndefined();
    expect(head).toMatchObject({
      artifact_id: failed.artifact_id,
      baselines: [{ chosen: 'command' }, { chosen: 'command' }],
      lines: [[2, 3]],
      total_findings: 2,
    });
    expect(head).not.toHaveProperty('findings');
    expect(blocks).toHaveLength(1);
    const rows = blocks[0]!.split('\n');
    expect(rows).toContain('new           3  this is bad');
    expect(rows).toContain('changed       2  workers: 1');
    expect(rows).toContain('was           2  workers: [-8-]{+1+}');
  });

  test('takes `last` and `last-failed` for an id, as every tool does', async () => {
    await record('begin', 'end');
    const { head: failed } = await record('begin', 'this is bad', 'end');
    const { head: passed } = await record('begin', 'end');
    const { artifact_id: id } = failed;
    expect((await call('compare_outputs', { artifact_id: 'last-failed' })).head.artifact_id).toBe(id);
    const { head, blocks } = await call('inspect_output', { artifact_id: 'last-failed', pattern: 'bad' });
    expect(head.artifact_id).toBe(id);
    expect(blocks[0]).toContain('this is bad');
    expect((await call('inspect_output', { artifact_id: 'last' })).head.artifact_id).toBe(passed.artifact_id);
  });

  test('an empty list of baselines is refused in plain words', async () => {
    expect(await call('compare_outputs', { baselines: [] })).toMatchObject({
      isError: true,
      head: '`baselines` is an empty list: give at least 1, or leave it out',
    });
  });

  test('masks secrets before it marks what differs in them', async () => {
    const wasSecret = 'Tr0ub4dor3xyz';
    await record('begin', `connect password=${wasSecret} mode=fast`, 'end');
    await record('begin', `connect password=${wasSecret} mode=fast`, 'end');
    await record('begin', 'connect password=N3wSecret77 mode=slow', 'bad', 'end');
    const { head, blocks } = await call('compare_outputs');
    expect(blocks[0]).toContain('password=***********');
    expect(blocks[0]).not.toMatch(/Tr0ub4dor3xyz|N3wSecret77/);
    expect(head.redacted).toBeGreaterThan(0);
  });

  test('the reply to a failed command has the first findings, in a head of at most 700 characters', async () => {
    const wordy = 'this is bad in a line that is rather long, as messages of build tools are, '.repeat(4);
    await record('begin', 'mode: fast', 'end');
    const passed = await record('begin', 'mode: fast', 'end');
    expect(passed.head).not.toHaveProperty('changes');
    const { head } = await record('begin', 'mode: fast', wordy, `error: ${wordy}`, 'end');
    expect(head.changes).toMatch(/^new since \d passes: (?:this is|error: this is) bad/);
    expect(JSON.stringify(head).length).toBeLessThanOrEqual(700);
    const { head: explained } = await call('inspect_output', {
      artifact_id: head.artifact_id,
      mode: 'failure',
    });
    expect(explained.note).toMatch(/^new since \d passes: /);
    const { head: part } = await call('inspect_output', {
      ...{ artifact_id: head.artifact_id, mode: 'failure', start_line: 1 },
    });
    expect(part.note ?? '').not.toContain('new since');
    const { head: first } = await call('run_command', { command: `echo first time; exit 3 # ${revision}` });
    expect(first).not.toHaveProperty('changes');
  });

  test('keeps to max_chars, and to named baselines', async () => {
    const { head: passed } = await call('run_command', { command: 'echo begin; echo end' });
    const { head: failed } = await call('run_command', {
      command:
        'echo begin; for i in alpha beta gamma; do echo "$i $i was lost in $i"; echo "$i"; done; exit 3',
    });
    const asked = { artifact_id: failed.artifact_id, baselines: [passed.artifact_id] };
    const whole = await call('compare_outputs', asked);
    expect(whole.head.baselines).toMatchObject([{ artifact_id: passed.artifact_id, chosen: 'given' }]);
    const short = await call('compare_outputs', { ...asked, max_chars: 60 });
    expect(short.blocks[0]!.length).toBeLessThanOrEqual(60);
    expect(short.head).toMatchObject({ truncated: true, total_findings: whole.head.total_findings });
  });

  test('says what to do when no run has passed, and reads no path outside the sources', async () => {
    const { head } = await call('run_command', { command: `exit 4 # ${revision}` });
    const none = await call('compare_outputs', { artifact_id: head.artifact_id });
    expect(none).toMatchObject({
      isError: true,
      head: 'no run of this has passed here: name outputs to compare it with',
    });
    const outside = await call('compare_outputs', {
      artifact_id: head.artifact_id,
      baselines: ['/etc/passwd'],
    });
    expect(outside.isError).toBe(true);
    expect(outside.head).not.toContain('root:');
  });
});

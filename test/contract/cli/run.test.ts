/** spillway run: what it passes on, prints, records and keeps. */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ArtifactId } from '../../../shared/artifact.ts';
import { makePlace, runCli } from '../../fixtures/cli.ts';
import {
  cli,
  files,
  filesOf,
  json,
  place,
  recorded,
  setUpPlace,
} from '../../fixtures/set-up/recorded-cli.ts';

setUpPlace();

describe('run', () => {
  test('passes both streams through, byte for byte, and gives the command’s own status', async () => {
    const result = await cli(['run', '--', 'sh', '-c', 'printf "a\\0b\\377"; printf "err\\n" >&2; exit 7']);
    expect(result).toMatchObject({ status: 7, stderr: 'err\n' });
    expect(Buffer.from(result.stdout).includes(0)).toBe(true);
  });

  test('gives the command its standard input', async () => {
    expect(await cli(['run', '--', 'cat'], 'from outside\n')).toMatchObject({
      status: 0,
      stdout: 'from outside\n',
      stderr: '',
    });
  });

  test.each([
    ['exit 3', 3],
    ['kill -TERM $$', 143],
    ['kill -KILL $$', 137],
  ])('of %j ends with %d', async (script, status) => {
    expect((await cli(['run', '--', 'sh', '-c', script])).status).toBe(status);
  });

  test('ends with 127 when there is no such command, and says what to do', async () => {
    const result = await cli(['run', '--', 'no-such-command-anywhere']);
    expect(result.status).toBe(127);
    expect(result.stderr).toMatch(/^spillway: .+: .+/m);
    expect(result.stderr).not.toMatch(/\n\s+at /);
  });

  test('ends the whole process tree on time-out, with 124, and keeps what was written', async () => {
    const marker = `7${process.pid % 100_000}`;
    const result = await cli([
      'run', '--timeout', '700', '--json', '--',
      'sh', '-c', `echo before; sleep ${marker} & (setsid sleep ${marker} &); sleep ${marker}`,
    ]); // biome-ignore format: one argument beside another
    expect(result.status).toBe(124);
    const head = JSON.parse(result.stdout);
    expect(head).toMatchObject({ timed_out: true, success: false });
    expect(head.parts[0].content).toBe('before');
    expect(execFileSync('ps', ['-eo', 'args']).toString()).not.toContain(`sleep ${marker}`);
    const [artifact] = (await json('list', '--status', 'timed_out')).outputs;
    expect(artifact.artifact_id).toBe(head.artifact_id);
  });

  test('with --json prints the head of run_command, its parts with their content, and nothing else', async () => {
    const { head, status } = await recorded('echo out; echo err >&2');
    expect(status).toBe(0);
    expect(head).toMatchObject({
      command: 'sh',
      exit_code: 0,
      success: true,
      timed_out: false,
      cached: false,
      warnings: [],
      error: null,
      stdout: { file_path: null, total_lines: 1, total_bytes: 4, returned_lines: 1, truncated: false },
      stderr: { file_path: null, total_lines: 1, total_bytes: 4, dropped_bytes: 0 },
    });
    expect(ArtifactId.parse(head.artifact_id)).toMatch(/^cmd-/);
    expect(head.parts).toEqual([
      { stream: 'stdout', start_line: 1, end_line: 1, content: 'out' },
      { stream: 'stderr', start_line: 1, end_line: 1, content: 'err' },
    ]);
  });

  test('folds what stayed small into its record, and leaves no stream file', async () => {
    const { head } = await recorded('echo small');
    expect(filesOf(head.artifact_id).map((file) => file.replace(/.*(\.\w+\.json)$/, '$1'))).toEqual([
      '.meta.json',
    ]);
    expect(await cli(['inspect', head.artifact_id])).toMatchObject({ status: 0, stdout: 'small\n' });
  });

  test('spills what is one byte over the budget, and says so in one last line', async () => {
    const at = await cli(['run', '--', 'sh', '-c', 'head -c 4096 /dev/zero | tr "\\0" x']);
    expect(at.stderr).toBe('');
    const over = await cli(['run', '--', 'sh', '-c', 'head -c 4097 /dev/zero | tr "\\0" x']);
    expect(over.stdout).toBe('x'.repeat(4097));
    expect(over.stderr.trimEnd().split('\n')).toHaveLength(1);
    const [newest] = (await json('list', '--limit', '1')).outputs;
    expect(over.stderr).toContain(newest.artifact_id);
    expect(readFileSync(newest.streams[0].file_path, 'utf8')).toBe('x'.repeat(4097));
    expect((await cli(['run', '--quiet', '--', 'sh', '-c', 'seq 9000'])).stderr).toBe('');
  });

  test('previews the head and the tail in whole lines, and names what it left out only in numbers', async () => {
    const { head } = await recorded('seq -f "%040.0f" 100000');
    expect(head.stdout).toMatchObject({ total_lines: 100_000, total_bytes: 4_100_000, truncated: true });
    const [first, last] = head.parts;
    expect(head.parts).toHaveLength(2);
    expect(first).toMatchObject({ stream: 'stdout', start_line: 1 });
    expect(last).toMatchObject({ stream: 'stdout', end_line: 100_000 });
    for (const part of head.parts) {
      const wanted = Array.from(
        { length: part.end_line - part.start_line + 1 },
        (_, i) => part.start_line + i,
      );
      expect(part.content).toBe(wanted.map((line) => String(line).padStart(40, '0')).join('\n'));
    }
    const bytes = head.parts.map((part: { content: string }) => part.content.length);
    expect(bytes[0] + bytes[1]).toBeLessThanOrEqual(4096);
    expect(bytes[0] / (bytes[0] + bytes[1])).toBeCloseTo(0.6, 1);
    // Short lines: the line limit binds first.
    const { parts } = (await recorded('seq 100000')).head;
    expect(parts.map((part: { end_line: number }) => part.end_line)).toEqual([300, 100_000]);
    expect(parts[1].start_line).toBe(99_801);
  });

  test('never splits a character in a preview, and is not empty for one line larger than the budget', async () => {
    const { head } = await recorded('for i in $(seq 3000); do printf "é😀"; done');
    expect(head.parts.length).toBeGreaterThan(0);
    for (const { content } of head.parts) {
      expect(content).not.toBe('');
      expect(content.replaceAll(/é|😀/g, '')).toBe('');
    }
    expect(head.stdout.truncated).toBe(true);
  });

  test('keeps the streams apart, and combines them by arrival in whole lines', async () => {
    // Each is written once the one before it is on disk: on a busy machine they may else arrive at once.
    const stored = (what: string) =>
      `; until grep -qsx '${what}' "$SPILLWAY_HOME"/captures/*/*.log; do sleep 0.02; done`;
    const { head } = await recorded(
      [
        `echo one-1${stored('one-1')}`,
        `echo two-2 >&2${stored('two-2')}`,
        `printf thr${stored('thr')}`,
        `echo four-4 >&2${stored('four-4')}`,
        'echo ee-3',
      ].join('; '),
    );
    const view = (...stream: string[]) => cli(['inspect', head.artifact_id, ...stream]);
    expect((await view()).stdout).toBe('one-1\ntwo-2\nfour-4\nthree-3\n');
    expect((await view('--stream', 'stdout')).stdout).toBe('one-1\nthree-3\n');
    expect((await view('--stream', 'stderr')).stdout).toBe('two-2\nfour-4\n');
    expect((await json('inspect', head.artifact_id)).stream).toBe('combined');
    const wrong = await view('--stream', 'output');
    expect(wrong).toMatchObject({ status: 2 });
    expect(wrong.stderr).toMatch(/stdout/);
  });

  test('over the cap keeps the head and the end, and counts what is missing, with true line numbers', async () => {
    const { head } = await recorded('seq 100000', '--max-bytes', '20000');
    const { dropped_bytes, total_bytes, total_lines } = head.stdout;
    expect(total_bytes).toBeLessThanOrEqual(20_000);
    expect(total_bytes + dropped_bytes).toBe(588_895);
    expect(total_lines).toBe(100_000);
    const tail = await json(
      'inspect',
      head.artifact_id,
      '--stream',
      'stdout',
      '--mode',
      'tail',
      '--lines',
      '2',
    );
    expect(tail).toMatchObject({ start_line: 99_999, end_line: 100_000, content: '99999\n100000' });
    const grep = await cli([
      'inspect',
      head.artifact_id,
      '--mode',
      'grep',
      '--pattern',
      '^9999[89]$',
      '--context',
      '0',
    ]);
    expect(grep.stdout).toBe('99998:99998\n99999:99999\n');
    const inside = await json(
      'inspect',
      head.artifact_id,
      '--mode',
      'range',
      '--start',
      '50000',
      '--lines',
      '2',
    );
    expect(inside).toMatchObject({ content: '', lines_shown: 0 });
  });

  test.each([
    ['run', ['run', '--max-bytes', '20000', '--', 'sh', '-c', 'seq 100000']],
    ['run whose children go on', ['run', '--max-bytes', '20000', '--', 'sh', '-c', 'seq 100000; sleep 1 &']],
  ])(
    '%s says over the cap that what was kept is there, and that all of it is where it is',
    async (_, args) => {
      const over = await cli(args);
      expect(over.stderr).toMatch(/^spillway: what was kept is (cmd-\S+): spillway inspect \1\n$/m);
      expect(over.stderr).not.toContain('all of it');
      const all = await cli(args.with(2, '600000'));
      expect(all.stderr).toMatch(/^spillway: all of it is (cmd-\S+): spillway inspect \1\n$/m);
    },
  );

  test('goes on recording what children print after the command has ended', async () => {
    const go = join(place.files, 'go-on');
    const script = `(until [ -e '${go}' ]; do sleep 0.05; done; echo late) & echo now`;
    const result = await cli(['run', '--', 'sh', '-c', script]);
    expect(result.status).toBe(0);
    // Had it waited for the child, it would wait still.
    writeFileSync(go, '');
    const [newest] = (await json('list', '--kind', 'cmd', '--limit', '1')).outputs;
    await expect.poll(async () => (await cli(['inspect', newest.artifact_id])).stdout).toBe('now\nlate\n');
  });

  test('runs unrecorded, and says so, when the home is not private', async () => {
    const open = makePlace();
    chmodSync(open.home, 0o755);
    const result = await runCli(['run', '--', 'sh', '-c', 'echo works; exit 5'], open);
    expect(result).toMatchObject({ status: 5, stdout: 'works\n' });
    expect(result.stderr).toMatch(/^spillway: .*chmod 700/m);
    expect(existsSync(join(open.home, 'captures'))).toBe(false);
    open.remove();
  });

  test('takes nothing that a person names for a path', async () => {
    const session = '../../x/😀 and spaces';
    await cli(['run', '--session', session, '--', '/bin/echo', '../../../etc/passwd'], '');
    const { outputs } = await json('list', '--session', session);
    expect(outputs).toHaveLength(1);
    expect(outputs[0]).toMatchObject({ session, command: '/bin/echo', args: ['../../../etc/passwd'] });
    for (const folder of readdirSync(join(place.home, 'captures'))) expect(folder).toMatch(/^[\w.-]+$/);
    expect(statSync(join(place.home, 'captures')).mode & 0o777).toBe(0o700);
    for (const file of files()) expect(statSync(file).mode & 0o777).toBe(0o600);
  });
});

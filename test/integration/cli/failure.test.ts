/** Tries the command line on failed commands: cause, preview, `inspect --mode failure`. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { FailureView } from '../../../shared/views.ts';
import { makePlace, type Place } from '../../fixtures/cli.ts';
import { runCliCheaply, runCliHere } from '../../fixtures/cli-here.ts';
import { onlyCapture } from '../../fixtures/library/captured.ts';

const CAUSE = 'gen: schema/orders.json: duplicate id 4711 in definitions';
/** Prints 600 lines with the cause in their middle, and an end that does not say why. */
const SCRIPT = `
  i=0
  while [ $i -lt 600 ]; do
    [ $i -eq 300 ] && echo "${CAUSE}"
    echo "gen: schema/parcel$i.json pass 1 (no errors so far)"
    i=$((i + 1))
  done`;

let place: Place;
beforeEach(() => {
  place = makePlace();
});
afterEach(() => place.remove());

const run = (...args: string[]) => runCliCheaply(args, place);

describe('a command that failed', () => {
  test('is named with its cause on the last line, and in its record', async () => {
    const { status, stderr } = await run('run', '--', 'sh', '-c', `${SCRIPT}; exit 7`);
    const { record } = onlyCapture(place.home);
    expect(status).toBe(7);
    expect(stderr).toBe(
      `spillway: exit 7; line 301: ${CAUSE}; more: spillway inspect ${record.artifact_id} --mode failure\n`,
    );
    expect(record.cause).toEqual({ stream: 'stdout', line_number: 301, combined_line: 301, text: CAUSE });
  });

  test('is named with its number in both streams together, and in its own where there are two', async () => {
    const { stderr } = await run('run', '--', 'sh', '-c', `seq 9 >&2; sleep 0.3; ${SCRIPT}; exit 7`);
    const { artifact_id: id } = onlyCapture(place.home).record;
    expect(stderr).toContain(`exit 7; line 310 (301 of stdout): ${CAUSE}; more:`);
    const shown = await run('inspect', id, '--mode', 'failure');
    expect(shown.stdout).toMatch(`line 310 of combined: ${CAUSE}\n\n`);
    const line = await run('inspect', id, '--start', '310', '--end', '310');
    expect(line.stdout).toBe(`${CAUSE}\n`);
  });

  test.each([
    [
      'amid lines of the other stream',
      'seq 50; sleep 0.1; seq 4 >&2; echo "error: no disk" >&2; sleep 0.1; seq 70',
    ],
    ['without a line end', 'seq 5 >&2; printf "error: no disk" >&2; sleep 0.1; seq 70; sleep 0.1'],
    ['without a line end, beside another', 'printf here; sleep 0.1; seq 5 >&2; printf "error: no disk" >&2'],
    ['without a line end, before another', 'printf "error: no disk" >&2; sleep 0.1; printf here'],
  ])(
    'is named with the same line by its record, a view of either stream and of both: %s',
    async (_, script) => {
      await run('run', '--', 'sh', '-c', `${script}; exit 7`);
      const { artifact_id: id, cause } = onlyCapture(place.home).record;
      expect(cause).toMatchObject({ stream: 'stderr', text: 'error: no disk' });
      const inspected = async (...args: string[]) =>
        (await runCliHere(['inspect', id, ...args], place)).stdout;
      const at = String(cause!.combined_line);
      expect(await inspected('--start', at, '--end', at)).toBe('error: no disk\n');
      const named = async (stream: string) =>
        (await inspected('--mode', 'failure', '--stream', stream)).split('\n', 1)[0];
      expect(await named('combined')).toBe(`line ${at} of combined: error: no disk`);
      expect(await named('stderr')).toBe(`line ${cause!.line_number} of stderr: error: no disk`);
      expect(await named('stdout')).toBe(`line ${cause!.line_number} of stderr: error: no disk`);
    },
  );

  test('is named with its cause and the true line where not all of its output was kept', async () => {
    const script = 'seq 400000; echo fatal: boom; exit 3';
    const { stderr } = await run('run', '--max-bytes', '100000', '--', 'sh', '-c', script);
    const { artifact_id: id, cause } = onlyCapture(place.home).record;
    expect(cause).toEqual({
      stream: 'stdout',
      line_number: 400_001,
      combined_line: 400_001,
      text: 'fatal: boom',
    });
    expect(stderr).toBe(
      `spillway: exit 3; line 400,001: fatal: boom; what was kept: spillway inspect ${id} --mode failure\n`,
    );
    const shown = await run('inspect', id, '--mode', 'failure');
    expect(shown.stdout).toMatch(/^line 400001( of combined)?: fatal: boom\n\n/);
  });

  test.each([
    ['a NUL', 1, ''],
    ['many NULs', 1000, ' --as-text'],
  ])('is named with its cause in text with %s', async (_, count, option) => {
    const script = `for i in $(seq ${count}); do printf 'x\\0y\n'; done; ${SCRIPT}; exit 7`;
    const { stderr } = await run('run', '--', 'sh', '-c', script);
    const hint = /more: spillway (inspect .* --mode failure(.*))\n$/.exec(stderr)!;
    expect(stderr).toContain(`spillway: exit 7; line ${(301 + count).toLocaleString('en')}: ${CAUSE}; more:`);
    expect(hint[2]).toBe(option);
    const shown = await run(...hint[1]!.split(' '));
    expect(shown.stdout).toContain(CAUSE);
  });

  test('has a preview with the lines that explain it', async () => {
    const { stdout } = await run('run', '--json', '--', 'sh', '-c', `${SCRIPT}; echo stopped >&2; exit 7`);
    const head = JSON.parse(stdout);
    expect(head.cause).toEqual({ stream: 'stdout', line_number: 301, combined_line: 301, text: CAUSE });
    const part = head.parts.find((one: { content: string }) => one.content.split('\n').includes(CAUSE));
    expect(part).toMatchObject({ stream: 'stdout', why: 'reason' });
    expect(head.stdout.returned_bytes).toBeLessThanOrEqual(4096);
    expect(head.parts.at(-1)).toMatchObject({ stream: 'stderr', content: 'stopped' });
  });

  test.each([
    ['exit 4', [], 'exit 4; it printed nothing'],
    ['kill -9 $$', [], 'SIGKILL; it printed nothing'],
    ['seq 3; exit 4', ['--stream', 'stderr'], 'exit 4; it printed nothing to stderr'],
  ])('is said to have printed nothing: %s %j', async (script, options, said) => {
    await run('run', '--', 'sh', '-c', script);
    const asked = ['inspect', 'last-failed', '--mode', 'failure', ...options];
    expect(await runCliHere(asked, place)).toMatchObject({
      ...{ status: 0, stdout: '', stderr: `spillway: ${said}\n` },
    });
  });

  test('by its time-out has one, too', async () => {
    const { stdout } = await run(
      'run',
      '--json',
      '--timeout',
      '1500',
      '--',
      'sh',
      '-c',
      `${SCRIPT}; sleep 60`,
    );
    expect(JSON.parse(stdout)).toMatchObject({ timed_out: true, cause: { line_number: 301 } });
  });

  test('by its time-out is said to have, with its last line, where no line says what failed', async () => {
    const script = 'seq 3000; echo resolving hosts; sleep 60';
    const { stderr } = await run('run', '--timeout', '1500', '--', 'sh', '-c', script);
    const cause = 'timed out after 1.5 s; it last printed: resolving hosts';
    expect(stderr).toContain(`spillway: line 3,001: ${cause}; more:`);
    expect(onlyCapture(place.home).record.cause).toMatchObject({ line_number: 3001, text: cause });
    const { stdout } = await run('inspect', 'last', '--mode', 'failure');
    expect(stdout).toContain(`line 3001 of combined: ${cause}\n`);
    expect(stdout).toMatch(/^3001 . resolving hosts$/m);
  });
});

test.each([
  ['a capture', []],
  ['a file', ['build.log']],
])('the cause of %s is that of a range that has it', async (_of, [file]) => {
  const text = `note: cache skipped\nerror: no such host: db\n${'fetching\n'.repeat(40)}exit status 1\n`;
  writeFileSync(join(place.files, 'build.log'), text);
  if (file === undefined) await run('run', '--', 'sh', '-c', `cat ${join(place.files, 'build.log')}; exit 3`);
  const target = file === undefined ? 'last' : join(place.files, file);
  const causeFrom = async (start: string) => {
    const { stdout } = await run('inspect', target, '--mode', 'failure', '--start', start, '--json');
    return JSON.parse(stdout).cause?.line_number;
  };
  expect([await causeFrom('1'), await causeFrom('2')]).toEqual([2, 2]);
  expect(await causeFrom('3')).not.toBe(2);
});

test('a command that was killed is named with its cause', async () => {
  const { status, stderr } = await run('run', '--', 'sh', '-c', `${SCRIPT}; kill -KILL $$`);
  expect(status).toBe(137);
  expect(stderr).toContain(`line 301: ${CAUSE}; more:`);
  expect(onlyCapture(place.home).record.cause).toMatchObject({ line_number: 301 });
});

test('the beginning of an id with a typing error is answered with the id', async () => {
  await run('run', '--', 'sh', '-c', SCRIPT);
  const { artifact_id: id } = onlyCapture(place.home).record;
  const { status, stderr } = await run('inspect', id.slice(0, 12).replace('-', '_'));
  expect([status, stderr]).toEqual([2, expect.stringContaining(`the nearest is ${id}`)]);
});

test('a command that printed binary data and failed has no cause', async () => {
  const bytes = Buffer.from(Array.from({ length: 60_000 }, (_, i) => ((i * i * 31) >> 3) & 0xff));
  writeFileSync(join(place.files, 'picture.raw'), Buffer.concat([bytes, Buffer.from('\nfatal error: no\n')]));
  const { status, stderr } = await run('run', '--', 'sh', '-c', 'cat picture.raw; exit 3');
  expect([status, stderr.includes('fatal')]).toEqual([3, false]);
  expect(onlyCapture(place.home).record.cause).toBeNull();
});

test.each([
  ['exit 3', 'exit 3'],
  ['kill -9 $$', 'SIGKILL'],
])('a command without a cause is named with how it ended: %s', async (end, said) => {
  const { stderr } = await run('run', '--', 'sh', '-c', `seq 5000; ${end}`);
  const { artifact_id: id, cause } = onlyCapture(place.home).record;
  expect(cause).toBeNull();
  expect(stderr).toBe(`spillway: ${said}; all of it is ${id}: spillway inspect ${id}\n`);
});

test('a command that succeeded has head and tail, and no cause', async () => {
  const { stdout } = await run('run', '--json', '--', 'sh', '-c', SCRIPT);
  const { cause, parts } = JSON.parse(stdout);
  expect(cause).toBeNull();
  expect(parts.map((part: { why?: string }) => part.why)).toEqual([undefined, undefined]);
  expect(onlyCapture(place.home).record.cause).toBeNull();
});

describe('inspect --mode failure', () => {
  const lines = Array.from({ length: 2000 }, (_, i) => `step ${i}: read`);
  lines[400] = 'step 400: cannot open settings.toml';
  lines[1600] = 'step 1600: cannot open colours.toml';
  beforeEach(() => writeFileSync(join(place.files, 'app.log'), `${lines.join('\n')}\n`));

  const view = async (...options: string[]) =>
    FailureView.parse(
      JSON.parse((await run('inspect', 'app.log', '--mode', 'failure', '--json', ...options)).stdout),
    );

  test('shows whole lines with their numbers, the cause among them', async () => {
    const { cause, content, parts, lines_shown, truncated } = await view();
    expect(cause).toEqual({ stream: 'output', line_number: 401, text: lines[400] });
    const numbers = parts.flatMap(({ start_line, end_line }) =>
      Array.from({ length: end_line - start_line + 1 }, (_, i) => start_line + i),
    );
    expect(content.split('\n')).toEqual(numbers.map((number) => lines[number - 1]));
    expect(lines_shown).toBe(numbers.length);
    expect(truncated).toBe(true);
  });

  test('keeps to a range of lines', async () => {
    const { cause, start_line, end_line } = await view('--start', '1001', '--end', '1800');
    expect(cause?.line_number).toBe(1601);
    expect(start_line).toBeGreaterThan(1000);
    expect(end_line).toBeLessThanOrEqual(1800);
  });

  test('shows all of what fits', async () => {
    const { content, parts } = await view('--start', '399', '--end', '402');
    expect(content).toBe(lines.slice(398, 402).join('\n'));
    expect(parts).toMatchObject([{ start_line: 399, end_line: 402 }]);
  });

  test('prints the cause first, then numbered lines with the gaps between them', async () => {
    const range = ['--start', '395', '--end', '405'];
    const { status, stdout, stderr } = await run('inspect', 'app.log', '--mode', 'failure', ...range);
    const numbered = Array.from({ length: 11 }, (_, i) => `${`${395 + i}`.padStart(4)}   ${lines[394 + i]}`);
    numbered[6] = ` 401 > ${lines[400]}`;
    const shown = [`line 401: ${lines[400]}`, '', '       … 394 lines', ...numbered, '       … 1,595 lines'];
    expect(status).toBe(0);
    expect(stdout).toBe(`${shown.join('\n')}\n`);
    expect(stderr).toBe('spillway: no exit status is known: line 401 looks like the cause\n');
  });

  test('says that it only guesses where no command is known to have failed', async () => {
    expect(await view()).toMatchObject({
      likely: true,
      note: 'no exit status is known: line 401 looks like the cause',
    });
    await run('run', '--', 'sh', '-c', 'echo "error: no route to host"; exit 0');
    await run('run', '--', 'sh', '-c', 'echo "error: no route to host"; exit 1');
    const failed = await run('inspect', 'last', '--mode', 'failure', '--json');
    expect(JSON.parse(failed.stdout)).not.toHaveProperty('likely');
  });

  test('calls nothing a cause of a run that succeeded', async () => {
    await run('run', '--', 'sh', '-c', 'echo "error: no route to host"; exit 0');
    const { stdout, stderr } = await run('inspect', 'last', '--mode', 'failure');
    expect(stdout).toBe('1   error: no route to host\n');
    expect(stderr).toBe('spillway: the command succeeded: no line is called a cause\n');
    const json = await run('inspect', 'last', '--mode', 'failure', '--json');
    expect(JSON.parse(json.stdout)).toMatchObject({ cause: null });
  });

  test('takes from the end of a log how its job ended', async () => {
    const log = 'step 1\nerror: no route to host\nretrying\ndone\n';
    writeFileSync(join(place.files, 'passed.log'), `${log}Job succeeded\n`);
    const passed = await run('inspect', 'passed.log', '--mode', 'failure');
    expect(passed.stdout).toContain('2   error: no route to host\n');
    expect(passed.stderr).toBe('spillway: its end says that it passed: no line is called a cause\n');
    writeFileSync(join(place.files, 'failed.log'), `${log}ERROR: Job failed: exit code 1\n`);
    const failed = await run('inspect', 'failed.log', '--mode', 'failure', '--json');
    expect(JSON.parse(failed.stdout)).toMatchObject({ cause: { line_number: 2 } });
    expect(JSON.parse(failed.stdout)).not.toHaveProperty('likely');
  });

  test('says that no line looks like a cause', async () => {
    writeFileSync(join(place.files, 'data.csv'), 'a,b\n1,2\n3,4\n');
    const { status, stdout, stderr } = await run('inspect', 'data.csv', '--mode', 'failure');
    expect({ status, stdout }).toEqual({ status: 0, stdout: '1   a,b\n2   1,2\n3   3,4\n' });
    expect(stderr).toBe('spillway: no line looks like the cause of a failure\n');
  });
});

/** `spillway compare`: which runs it compares with, what it prints, and its exit status. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makePlace, type Place, runCli } from '../../fixtures/cli.ts';
import { runCliCheaply } from '../../fixtures/cli-here.ts';

let place: Place;
const run = (...args: string[]) => runCliCheaply(args, place);
const file = (name: string, ...lines: string[]) => {
  const path = join(place.files, name);
  writeFileSync(path, `${lines.join('\n')}\n`);
  return path;
};
/** Prints the lines of the file `said`, and fails if one of them is `bad`. */
const job = ['sh', '-c', 'cat said; ! grep -q bad said'];
const record = (...lines: string[]) => {
  file('said', ...lines);
  return run('run', '--quiet', '--cwd', place.files, '--', ...job);
};

beforeAll(() => {
  place = makePlace();
});
afterAll(() => place.remove());

test('compares the command that failed last with its runs that passed', async () => {
  await record('begin at 10:00:01', 'the mode of this run is fast', 'took 11ms');
  await record('begin at 11:00:02', 'the mode of this run is fast', 'took 48ms');
  await record('begin at 12:00:03', 'the mode of this run is bad', 'took 12ms');
  await run('run', '--quiet', '--cwd', place.files, '--', 'sh', '-c', 'echo another command');
  const { status, stdout, stderr } = await run('compare');
  expect(stdout).toBe(
    'new           2  the mode of this run is bad\nwas           2  the mode of this run is [-fast-]{+bad+}\n',
  );
  expect(stderr).toBe('spillway: compared with 2 runs that passed\n');
  expect(status).toBe(1);
});

test('--json gives the runs, the findings and the lines', async () => {
  const { status, stdout } = await run('compare', 'last-failed', '--json');
  expect(status).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({
    baselines: [{ chosen: 'command' }, { chosen: 'command' }],
    findings: [
      {
        ...{ kind: 'new', stream: 'combined', line_number: 2, text: 'the mode of this run is bad', count: 1 },
        ...{ baseline_text: 'the mode of this run is fast', baseline_line: 2 },
      },
    ],
    lines: [[2, 2]],
    total_findings: 1,
    truncated: false,
  });
});

test('says that the same failure came before', async () => {
  await record('begin at 13:00:03', 'error: bad mode', 'took 12ms');
  expect((await run('compare')).stderr).not.toContain('same failure');
  await record('begin at 14:00:03', 'error: bad mode', 'took 19ms');
  expect((await run('compare')).stderr).toMatch(
    /spillway: the same failure as [\d.]+ m?s before \(cmd-\S+\)\n/,
  );
  expect(JSON.parse((await run('compare', '--json')).stdout).note).toContain('the same failure as ');
});

test('the explanation of a failure says what is new since it passed', async () => {
  await record('begin at 15:00:01', 'mode: fast', 'took 11ms');
  await record('begin at 15:00:03', 'error: bad mode', 'took 12ms');
  const { stderr } = await run('inspect', 'last-failed', '--mode', 'failure');
  expect(stderr).toMatch(/^spillway: new since \d passes: error: bad mode/m);
});

test('the explanation of a failure says so if the passes had its cause, too', async () => {
  const noisy = (mode: string) => record('begin', 'ERROR: cannot load the plugin for maps', mode, 'end');
  await noisy('mode: fast');
  await noisy('mode: fast');
  await noisy('mode: bad');
  const { stdout, stderr } = await run('inspect', 'last-failed', '--mode', 'failure');
  expect(stdout).toContain('line 2 of combined: ERROR: cannot load the plugin');
  expect(stderr).toMatch(
    /^spillway: the \d passes had that cause, too: see line 3; new since \d passes: mode: bad/m,
  );
});

test('compares with the nearest command line if this one never passed, and says so', async () => {
  const other = join(place.files, 'other');
  mkdirSync(other);
  const build = (...args: string[]) =>
    run(
      'run',
      '--quiet',
      '--cwd',
      other,
      '--',
      'sh',
      '-c',
      'echo "$1"; test "$1" != broken',
      'build',
      ...args,
    );
  await build('whole', '--release');
  await build('broken', '--release');
  const { status, stderr } = await run('compare');
  expect(stderr).toContain('no run of this has passed here: compared with `sh -c ');
  expect(status).toBe(1);
});

test('notes a branch that differs from that of the passes', async () => {
  const repository = join(place.files, 'repository');
  mkdirSync(join(repository, '.git', 'logs'), { recursive: true });
  const build = (said: string) =>
    run('run', '--quiet', '--cwd', repository, '--', 'sh', '-c', 'cat said; ! grep -q bad said', said);
  const say = (text: string) => writeFileSync(join(repository, 'said'), text);
  say('well\n');
  await build('x');
  // The log has whole seconds.
  const seconds = Math.floor(Date.now() / 1000) + 1;
  await expect.poll(() => Date.now(), { timeout: 5000 }).toBeGreaterThan(seconds * 1000);
  const move = `0 1 A <a@example.com> ${seconds} +0000\tcheckout: moving from main to fix/a\n`;
  writeFileSync(join(repository, '.git', 'logs', 'HEAD'), move);
  say('bad\n');
  await build('x');
  expect((await run('compare')).stderr).toContain('it ran on the branch fix/a, what passed on main');
});

test('an exit status alone differs, too', async () => {
  const same = ['run', '--quiet', '--cwd', place.files, '--', 'sh', '-c', 'echo same; test ! -e broken'];
  await run(...same);
  file('broken');
  await run(...same);
  const { status, stderr } = await run('compare');
  expect(stderr).toContain('exited with 1 instead of 0');
  expect(status).toBe(1);
});

test('is no success where not all was compared', async () => {
  const long = (name: string, end: string) => file(name, 'begin', `rows ${'abc xyz '.repeat(2000)}${end}`);
  const { status, stderr } = await run('compare', long('green.log', 'of green'), long('red.log', 'of red'));
  expect(stderr).toContain('not all was compared: in the rest nothing is new');
  expect(status).toBe(2);
});

test('a file that it was given is named as it was given', async () => {
  const [before, after] = ['before.log', 'after.log'].map((name) => join(place.files, name));
  writeFileSync(before!, 'one\ntwo\n');
  writeFileSync(after!, 'one\ntwo\nbad\n');
  expect((await run('compare', after!, `${before}:1-2`)).stderr).toContain(
    `spillway: compared with ${before}:1-2\n`,
  );
});

test('prints what is new, then what changed, then what is gone', async () => {
  const pass = ['with 8 workers', 'compile a', 'compile b', 'all is well'];
  const passed = [file('before', ...pass), file('before that', ...pass)];
  const failed = file('after', 'with 1 workers', 'compile a', 'boom', 'make: *** [Makefile:4: x] Error 1');
  const { stdout } = await run('compare', failed, ...passed);
  expect(stdout.match(/^(?:new|changed|gone)/gm)).toEqual(['new', 'new', 'changed', 'gone']);
});

test('says that no run has passed, and what to do', async () => {
  await run('run', '--quiet', '--', 'ls', '/no/such/folder');
  const { status, stderr } = await run('compare');
  expect(stderr).toBe('spillway: no run of this has passed here: name outputs to compare it with\n');
  expect(status).toBe(2);
});

test('compares any files and ids; nothing that differs is 0', async () => {
  const one = file('one.log', 'begin', 'ready', 'end');
  const two = file('two.log', 'begin', 'end');
  expect(await run('compare', two, one)).toMatchObject({
    status: 1,
    stdout: 'gone          -  ready\n',
  });
  expect(await run('compare', one, one)).toMatchObject({ status: 0, stdout: '' });
  const twice = await run('compare', two, one, one, '--json');
  expect(JSON.parse(twice.stdout).baselines).toHaveLength(1);
  expect((await run('compare', 'last', one, two)).status).toBe(1);
  expect((await run('compare', one, join(place.files, 'missing.log'))).status).toBe(2);
});

test('compares lines of an output, by ID:from-to', async () => {
  const both = file('both.log', 'begin', 'ready', 'end', 'begin', 'quota reached', 'end');
  expect(await run('compare', `${both}:4-6`, `${both}:1-3`)).toMatchObject({
    status: 1,
    stdout: expect.stringMatching(/^new {11}5 {2}quota reached$/m),
  });
  expect((await run('compare', `${both}:1-3`, both)).stdout).toMatch(/^gone {10}- {2}quota reached$/m);
  expect(await run('compare', `${both}:4-`, `${both}:4-6`)).toMatchObject({ status: 0 });
  const beyond = await run('compare', `${both}:4-98`, `${both}:4-99`);
  expect(beyond.stderr.match(/"both\.log" ends at line 6/g)).toHaveLength(2);
});

test('refuses lines that are not there', async () => {
  const three = file('three.log', 'begin', 'ready', 'end');
  for (const [given, what] of [
    ['3-2', 'the range ends at line 2, before it starts at line 3'],
    ['4-9', 'line 4 does not exist: lines are numbered from 1 to 3'],
    ['0-1', 'line 0 does not exist'],
  ])
    for (const named of [
      [`${three}:${given}`, three],
      [three, `${three}:${given}`],
    ]) {
      const { status, stderr } = await run('compare', ...named);
      expect(stderr).toContain(what);
      expect(status).toBe(2);
    }
});

test('an output without any text lacks all that the passes print', async () => {
  writeFileSync(join(place.files, 'empty.log'), '');
  const full = file('full.log', 'begin', 'ready', 'end');
  const found = await run('compare', join(place.files, 'empty.log'), full);
  expect(found).toMatchObject({ status: 1, stdout: expect.stringMatching(/^gone .* begin /m) });
});

test('compares a log with its last rotation', async () => {
  const log = file('service.log', 'start', 'quota reached', 'end');
  writeFileSync(`${log}.1.gz`, gzipSync('start\nend\n'));
  const { status, stdout, stderr } = await run('compare', log);
  expect(stdout).toMatch(/^new {11}2 {2}quota reached$/m);
  expect(stderr).toContain('compared with its last rotation, ');
  expect(status).toBe(1);
});

test('reads UTF-16, and refuses a binary output', async () => {
  const text = (words: string) => Buffer.from(`\ufeffbegin\r\n${words}\r\n`, 'utf16le');
  writeFileSync(join(place.files, 'a.log'), text('quota reached'));
  writeFileSync(join(place.files, 'b.log'), text('all is well'));
  const [a, b] = [join(place.files, 'a.log'), join(place.files, 'b.log')];
  expect((await run('compare', a, b)).stdout).toMatch(/^new {11}2 {2}quota reached$/m);
  writeFileSync(join(place.files, 'c.bin'), Buffer.from([1, 0, 2, 0, 0, 3]));
  expect(await run('compare', join(place.files, 'c.bin'), b)).toMatchObject({
    status: 2,
    stderr: 'spillway: the output is binary: compare outputs of text\n',
  });
});

test('the last line of a failed run names what is new since it passed', async () => {
  const filler = (run: number) => Array.from({ length: 3000 }, (_, i) => `step of run ${run}: ${i} is over`);
  const recordLoud = (...lines: string[]) => {
    file('said', ...lines);
    return runCli(['run', '--cwd', place.files, '--', 'sh', '-c', 'cat said; ! grep -q broken said'], place);
  };
  await recordLoud(...filler(1), 'mode: fast');
  const { stderr: passed } = await recordLoud(...filler(2), 'mode: fast');
  expect(passed).not.toContain('new since');
  const said = /^spillway: exit 1; .*new since \d passes: mode: slow and broken; .*\n$/;
  // On a busy machine, `run` may give up waiting.
  for (let attempt = 1; ; attempt++) {
    const { stderr, status } = await recordLoud(...filler(3), 'mode: slow and broken');
    expect(status).toBe(1);
    if (attempt === 5) expect(stderr).toMatch(said);
    if (said.test(stderr)) break;
  }
});

test('works in a process of its own, without live escape sequences', async () => {
  const one = file('plain.log', 'begin', 'end');
  const two = file('wild.log', 'begin', 'a \u009b31mnew\u009bm title', 'end');
  const { status, stdout } = await runCli(['compare', two, one], place);
  expect(status).toBe(1);
  expect(stdout).toContain('title');
  rmSync(two);
});

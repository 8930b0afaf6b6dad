/** `spillway terminal`, as a person at a terminal meets it, and as a script does. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cliEntry, finished, makePlace, type Place, runCli, startCli } from '../../fixtures/cli.ts';
import { Person, recording, recordings, type TerminalStart } from '../../fixtures/terminal.ts';
import { until } from '../../fixtures/until.ts';

describe.skipIf(process.platform === 'win32')('a recorded terminal', () => {
  let place: Place;
  const people: Person[] = [];
  const sit = (start: TerminalStart = {}) => {
    const person = new Person(place, start);
    people.push(person);
    return person;
  };
  const inShell = (script: string) => sit({ args: ['--', '/bin/sh', '-c', script] });
  beforeEach(() => {
    place = makePlace();
  });
  afterEach(() => {
    for (const person of people.splice(0)) person.end();
    place.remove();
  });

  it('shows and records what the shell prints, and ends as the shell ends', async () => {
    const person = sit({ args: ['--name', 'my build', '--session', 'work'] });
    await person.runs('tty -s && echo on a $((1 + 1))nd terminal');
    expect(person.shown).toContain('on a 2nd terminal\r\n');
    person.enter('exit 7');
    expect(await person.exited).toEqual({ exitCode: 7, signal: null });
    const { record, bytes } = recording(place);
    expect(record).toMatchObject({
      ...{ kind: 'terminal', label: 'my build', command: '/bin/sh', args: [], cwd: place.files },
      ...{ session: 'work', status: 'finished', exit_code: 7, signal: null, recorder: null },
      ...{ terminal: { columns: 100, rows: 30 }, streams: [{ name: 'output', content_type: 'log' }] },
    });
    expect(person.shown).toContain(bytes.toString());
    expect(person.shown).toContain(`spillway: this terminal is ${record.artifact_id}`);
    expect(bytes.toString()).toContain('on a 2nd terminal\r\n');
  });

  it('has what was shown on disk while it runs', async () => {
    const person = sit();
    await person.runs('echo early');
    await until(() => recordings(place)[0]?.bytes.includes('early\r\n'));
    expect(recording(place).record).toMatchObject({ status: 'running', exit_code: null });
    expect(recording(place).record.recorder?.pid).toBe(person.pty.pid);
  });

  it('is left as it was found', async () => {
    const modes =
      'stty -a > before; "$NODE" "$CLI" terminal -- /bin/sh -c "exit 3"; echo "status $?"; stty -a > after; echo DO""NE';
    const env = { NODE: process.execPath, CLI: cliEntry };
    const person = sit({ command: ['/bin/sh', '-c', modes], env });
    await person.sees('DONE');
    expect(person.shown).toContain('status 3');
    const [before, after] = ['before', 'after'].map((name) => readFileSync(join(place.files, name), 'utf8'));
    expect(after).toBe(before);
  });

  it('is left as it was found when it is ended by a signal, and ends by that signal', async () => {
    const script =
      'stty -a > before; "$NODE" "$CLI" terminal -- /bin/sh; echo "status $?"; stty -a > after; echo DO""NE';
    const env = { NODE: process.execPath, CLI: cliEntry };
    const person = sit({ command: ['/bin/sh', '-c', script], env });
    await person.runs('echo inside $((40 + 2))', 'INSIDE');
    const { pid } = (await until(() => recordings(place)[0]?.record.recorder)) as {
      pid: number;
    };
    process.kill(pid, 'SIGTERM');
    await person.sees('DONE');
    expect(person.shown).toContain('status 143');
    const [before, after] = ['before', 'after'].map((name) => readFileSync(join(place.files, name), 'utf8'));
    expect(after).toBe(before);
    expect(recording(place).record).toMatchObject({ status: 'finished', recorder: null });
    expect(recording(place).bytes.toString()).toContain('inside 42');
  });

  it('is as large as the window, and stays so', async () => {
    const person = sit({ columns: 91, rows: 17 });
    await person.runs('stty size');
    expect(person.shown).toContain('17 91\r\n');
    person.pty.resize({ columns: 1, rows: 1 });
    await until(() => sizes(place).at(-1)?.columns === 1);
    person.pty.resize({ columns: 133, rows: 44 });
    await until(() => sizes(place).at(-1)?.columns === 133);
    await person.runs('stty size', 'LARGER');
    expect(person.shown).toContain('44 133\r\n');
    person.enter('exit');
    await person.exited;
    expect(recording(place).record.terminal).toEqual({ columns: 133, rows: 44 });
    expect(sizes(place).map(({ columns, rows }) => [columns, rows])).toEqual([
      [91, 17],
      [1, 1],
      [133, 44],
    ]);
  });

  it('shows a line feed as the program means it', async () => {
    const person = inShell("stty -opost; printf 'ab\\ncd'; stty opost; echo; echo DO''NE");
    await person.sees('DONE');
    expect(person.shown).toContain('ab\ncd');
    expect(person.shown).not.toContain('\r\r\n');
  });

  it('passes keys on as they are typed', async () => {
    const person = inShell('stty raw -echo; echo GO; dd bs=1 count=6 2>/dev/null | od -An -tx1; stty sane');
    await person.sees('GO');
    person.pty.write('\x03\x1a\x1cä\x7f');
    await person.sees('03 1a 1c c3 a4 7f');
  });

  it('erases whole characters where the line is edited by the system', async () => {
    const person = inShell('echo GO; read -r line; echo "[$line]"');
    await person.sees('GO');
    person.enter('aä\x7fb');
    await person.sees('[ab]');
  });

  it('interrupts what runs in it, and not itself', async () => {
    const person = sit();
    await person.runs('trap "echo caught" INT');
    person.enter('sh -c \'echo SLEEP""ING; exec sleep 1000\'');
    await person.sees('SLEEPING');
    person.pty.write('\x03');
    await person.sees('caught');
    await person.runs('echo still here', 'STILL');
  });

  it('records bytes that are no text, as they are', async () => {
    const person = inShell("printf '\\377\\376\\000bad\\303'; printf 'DO''NE'");
    await person.exited;
    expect(recording(place).bytes).toEqual(Buffer.from('fffe00626164c3444f4e45', 'hex'));
  });

  it('loses nothing of what was printed right before the end', async () => {
    for (let run = 0; run < 5; run += 1) {
      const { stdout } = await runCli(['terminal', '--', '/bin/sh', '-c', 'seq 30000'], place);
      const lines = stdout.split('\r\n');
      expect([lines.length, lines.at(-2)]).toEqual([30_001, '30000']);
    }
    for (const { bytes } of recordings(place)) expect(bytes.toString().split('\r\n')).toHaveLength(30_001);
  });

  it('ends with 128 and the signal that ended the shell', async () => {
    const person = inShell('kill -9 $$');
    expect((await person.exited).exitCode).toBe(137);
    expect(recording(place).record).toMatchObject({ exit_code: null, signal: 'SIGKILL' });
  });

  it('says what could not be found, and ends as a shell would', async () => {
    const missing = await runCli(['terminal', '--', 'no-such-shell'], place);
    expect(missing).toMatchObject({ status: 127, stdout: '' });
    expect(missing.stderr).toMatch(/^spillway: there is no command "no-such-shell": .+\n$/);
    writeFileSync(join(place.files, 'plain'), 'text');
    const plain = await runCli(['terminal', '--', './plain'], place);
    expect(plain).toMatchObject({ status: 126, stdout: '' });
    expect(plain.stderr).toContain('/plain" may not be run: allow it: chmod +x');
    expect(recordings(place)).toEqual([]);
  });

  it('takes another shell where the one that SHELL names is missing, and says so', async () => {
    const run = await runCli(['terminal'], place, { input: 'exit 4\n', env: { SHELL: '/no/such/shell' } });
    expect(run.status).toBe(4);
    expect(run.stderr).toContain('which SHELL names: /bin/sh is used');
  });

  it('takes its input from a pipe, to the end', async () => {
    const run = await runCli(['terminal', '--', '/bin/sh'], place, {
      input: 'echo from a $((2 - 1)) pipe\n',
    });
    expect(run).toMatchObject({ status: 0 });
    expect(run.stdout).toContain('from a 1 pipe\r\n');
  });

  it('says the end of its input again where the shell was busy and has not heard it', async () => {
    const shell = spawnSync('bash', ['-c', '']).status === 0 ? 'bash' : '/bin/sh';
    const input = 'sleep 0.5; read -r line; echo "got $line"\nthe next line\nsleep 0.5\n';
    const run = await runCli(['terminal', '--', shell], place, { input });
    expect(run).toMatchObject({ status: 0 });
    expect(run.stdout).toContain('got the next line\r\n');
  });

  it('gives the shell its own environment, without sizes that are not so', async () => {
    const env = { COLUMNS: '12', LINES: '3', SOME_NAME: 'some value' };
    const run = await runCli(
      ['terminal', '--', '/bin/sh', '-c', 'echo "$SOME_NAME,$COLUMNS,$PWD"; stty size'],
      place,
      { env },
    );
    expect(run.stdout).toBe(`some value,,${place.files}\r\n3 12\r\n`);
  });

  it('works where nothing can be recorded, and says why', async () => {
    chmodSync(place.home, 0o755);
    const person = sit();
    await person.sees(/this terminal is not recorded: .* chmod 700/);
    await person.runs('echo works all the same');
    person.enter('exit 6');
    expect((await person.exited).exitCode).toBe(6);
    expect(readdirSync(place.home)).toEqual(['config.json']);
  });

  it('is bounded whatever floods it, with the end kept', async () => {
    place.remove();
    place = makePlace({ maxStreamBytes: 200_000 });
    const person = inShell('yes | head -c 3000000; head -c 1000000 /dev/urandom; echo; echo the e""nd');
    await person.exited;
    const { record, bytes } = recording(place);
    expect(bytes.length).toBeLessThanOrEqual(200_000);
    expect(bytes.toString('latin1')).toMatch(/^y\r\n/);
    expect(bytes.toString('latin1')).toMatch(/\nthe end\r\n$/);
    expect(record.streams[0]?.gap?.bytes).toBeGreaterThan(3_000_000);
  });

  it('can be one of ten at once, each with its own recording', async () => {
    const ten = Array.from({ length: 10 }, (_, i) =>
      runCli(['terminal', '--name', `t${i}`, '--', '/bin/sh'], place, {
        input: `echo number $((${i} + 100))\nexit ${i}\n`,
      }),
    );
    const runs = await Promise.all(ten);
    expect(runs.map(({ status }) => status)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    const recorded = recordings(place);
    expect(recorded).toHaveLength(10);
    for (const { record, bytes } of recorded) {
      expect(bytes.toString()).toContain(`number ${Number(record.label.slice(1)) + 100}\r\n`);
    }
  });

  it('can run inside another one', async () => {
    const person = sit();
    await person.runs(
      `"${process.execPath}" "${cliEntry}" terminal --name inner -- /bin/sh -c 'echo in''side; exit 9'; echo "inner $?"`,
    );
    person.enter('exit');
    await person.exited;
    const [outer, inner] = recordings(place);
    expect(inner?.bytes.toString()).toBe('inside\r\n');
    expect(outer?.bytes.toString()).toContain('inner 9\r\n');
  });

  it('takes its shell along when it is killed, and what was shown is kept', async () => {
    const person = sit();
    await person.runs('echo before the end; echo $$ > pid');
    const shell = Number(readFileSync(join(place.files, 'pid'), 'utf8'));
    process.kill(person.pty.pid, 'SIGKILL');
    await until(() => !alive(shell));
    expect(recording(place).bytes.toString()).toContain('before the end\r\n');
    const { outputs } = JSON.parse((await runCli(['list', '--kind', 'terminal', '--json'], place)).stdout);
    expect(outputs).toMatchObject([{ kind: 'terminal', status: 'interrupted' }]);
  });

  it('goes on recording while whoever reads its screen stands still', async () => {
    const child = startCli(['terminal', '--', '/bin/sh', '-c', 'seq 200000; echo al""l'], place);
    child.stdin.end();
    // Nothing is read, and the pipe is full.
    await until(() => (recordings(place)[0]?.bytes.length ?? 0) > 100_000);
    expect((await finished(child)).stdout).toContain('all\r\n');
    expect(recording(place).bytes.toString()).toMatch(/200000\r\nall\r\n$/);
  });

  it('ends the shell when whoever reads its screen has gone', async () => {
    const child = spawn(
      process.execPath,
      [cliEntry, 'terminal', '--', '/bin/sh', '-c', 'echo $$ > pid; yes'],
      {
        cwd: place.files,
        env: { ...process.env, SPILLWAY_HOME: place.home },
        stdio: ['pipe', 'pipe', 'ignore'],
      },
    );
    child.stdout.once('data', () => child.stdout.destroy());
    await new Promise((resolve) => child.once('close', resolve));
    expect(alive(Number(readFileSync(join(place.files, 'pid'), 'utf8')))).toBe(false);
    expect(recording(place).record).toMatchObject({ status: 'finished', signal: 'SIGHUP' });
  });

  it('says what is the matter where there are no pseudo-terminals', async () => {
    // The bundle alone, without what lies beside it.
    const bundle = join(place.files, 'bundle');
    mkdirSync(bundle);
    const from = join(cliEntry, '..');
    execFileSync('sh', [
      '-c',
      `cp "${from}"/*.js "${bundle}"; echo '{"type":"module"}' > "${bundle}/package.json"`,
    ]);
    const child = spawn(process.execPath, [join(bundle, 'cli.js'), 'terminal'], {
      env: { ...process.env, SPILLWAY_HOME: place.home },
    });
    const run = await finished(child);
    expect(run).toMatchObject({ status: 2, stdout: '' });
    expect(run.stderr).toMatch(
      /^spillway: terminals do not work here \(its native part is not installed\): .+\n$/,
    );
  });
});

function sizes(place: Place): { columns: number; rows: number }[] {
  const { folder, record } = recording(place);
  return readFileSync(join(folder, `${record.artifact_id}.commands`), 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))
    .filter(({ type }) => type === 'resized');
}

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

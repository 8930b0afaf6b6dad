/** `spillway terminal` where something is missing, where it is flooded or killed, and where nobody reads. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cliEntry, finished, runCli, startCli } from '../../fixtures/cli.ts';
import { inShell, place, replacePlace, setUpSeats, sit } from '../../fixtures/set-up/seated-people.ts';
import { recording, recordings } from '../../fixtures/terminal/terminal.ts';
import { until } from '../../fixtures/until.ts';

describe.skipIf(process.platform === 'win32')('a recorded terminal', () => {
  setUpSeats();

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
    await person.sees(/this terminal is not recorded: .*chmod 700/);
    await person.runs('echo works all the same');
    person.enter('exit 6');
    expect((await person.exited).exitCode).toBe(6);
    expect(readdirSync(place.home)).toEqual(['config.json']);
  });

  it('is bounded whatever floods it, with the end kept', async () => {
    replacePlace({ maxStreamBytes: 200_000 });
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

  it('goes on recording while the reader of its screen stands still', async () => {
    const child = startCli(['terminal', '--', '/bin/sh', '-c', 'seq 200000; echo al""l'], place);
    child.stdin.end();
    // Nobody reads, and the pipe is full.
    await until(() => (recordings(place)[0]?.bytes.length ?? 0) > 100_000);
    expect((await finished(child)).stdout).toContain('all\r\n');
    expect(recording(place).bytes.toString()).toMatch(/200000\r\nall\r\n$/);
  });

  it('ends the shell when the reader of its screen has gone', async () => {
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
    // The bundle alone, without the files beside it.
    const bundle = join(place.files, 'bundle');
    mkdirSync(bundle);
    const from = join(cliEntry, '..');
    execFileSync('sh', [
      '-c',
      `cp "${from}"/*.js "${from}"/*.cjs "${bundle}"; echo '{"type":"module"}' > "${bundle}/package.json"`,
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

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

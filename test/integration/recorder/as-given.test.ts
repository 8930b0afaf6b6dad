/** `run` passes on what a shell would: words, variables, descriptors, the folder. */
import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cliEntry, makePlace, type Place, runCli } from '../../fixtures/cli.ts';
import { someOf } from '../../fixtures/sizes.ts';

let place: Place;

beforeAll(() => {
  place = makePlace();
});
afterAll(() => place.remove());

/** Runs a shell script with `spillway` as the command. Returns its standard output. */
const inShell = (script: string, env: NodeJS.ProcessEnv = {}): Buffer =>
  execFileSync('sh', ['-c', `spillway() { '${process.execPath}' '${cliEntry}' "$@"; }\n${script}`], {
    cwd: place.files,
    env: { ...process.env, SPILLWAY_HOME: place.home, ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  });

const onLinux = process.platform === 'linux';
const hasMake = spawnSync('make', ['--version']).status === 0;

describe.runIf(onLinux)('what is no UTF-8 reaches the command byte for byte', () => {
  test('among its words, whatever is beside them', () => {
    const script = `spillway run -- printf '<%s>' "$(printf 'caf\\351 ')" '' "a\nb" é '"$HOME"'`;
    expect(inShell(script).toString('latin1')).toBe(
      Buffer.from('<cafX ><><a\nb><é><"$HOME">').toString('latin1').replace('X', '\xe9'),
    );
  });

  test('in a variable, and those for a Perl stay its own', () => {
    const script = `WORD=$(printf 'v\\351') spillway run -- sh -c 'printf %s "$WORD $PERL5OPT"'`;
    expect(inShell(script, { PERL5OPT: '-Mno_such' }).toString('latin1')).toBe('v\xe9 -Mno_such');
  });

  test('as the name of the folder it runs in', () => {
    const script = `d=$(printf 'd\\351'); mkdir "$d"; cd "$d"
      printf '#!/bin/sh\necho here; pwd' >x; chmod +x x; spillway run -- ./x; PATH=.:$PATH spillway run -- x`;
    const folder = `${Buffer.from(place.files).toString('latin1')}/d\xe9`;
    expect(inShell(script).toString('latin1')).toBe(`here\n${folder}\nhere\n${folder}\n`);
  });
});

describe.runIf(onLinux)('started by Node without its launcher, the command still has', () => {
  test('the descriptors that were opened for it', () => {
    const shown = `sh -c 'echo x >&5 && echo five'`;
    expect(inShell(`spillway run --quiet -- ${shown} 5>/dev/null`).toString()).toBe('five\n');
    const all = Array.from({ length: 19 }, (_, index) => index + 3);
    // The shell writes to those above 9 by their names.
    const opened = `perl -e 'use POSIX; open my $f, ">", "f"; dup2(fileno $f, $_) for 3 .. 21; exec @ARGV'`;
    const open = `sh -c 'for fd in ${all.join(' ')}; do [ -e /proc/self/fd/$fd ] && echo $fd; done'`;
    const behind = `${opened} '${process.execPath}' '${cliEntry}' run --quiet -- ${open}`;
    expect(inShell(behind).toString()).toBe(inShell(`${opened} ${open}`).toString());
  });

  test('the limit of open files that the shell has set', () => {
    const script = `ulimit -Sn 300; spillway run --quiet -- sh -c 'ulimit -Sn; ulimit -Hn'; ulimit -Hn`;
    const [soft, hard, ours] = inShell(script).toString().split('\n');
    expect([soft, hard]).toEqual(['300', ours]);
  });
});

/** Runs a shell script with the command itself as `spillway`, so that Perl starts it. */
const launched = (script: string, env: NodeJS.ProcessEnv = {}) => {
  const { status, stdout, stderr } = spawnSync(
    'sh',
    ['-c', `spillway() { '${cliEntry}' "$@"; }\n${script}`],
    {
      cwd: place.files,
      env: { ...process.env, SPILLWAY_HOME: place.home, ...env },
    },
  );
  return { status, stdout: stdout.toString('latin1'), stderr: stderr.toString('latin1') };
};

describe.runIf(onLinux)('variables that a Node acts on are the command’s alone', () => {
  test.each([
    ['NODE_OPTIONS', '--require /gone.js'],
    ['NODE_OPTIONS', '--require ./preload.cjs'],
    ['NODE_OPTIONS', '--bogus'],
    ['NODE_OPTIONS', '--inspect=0'],
    ['NODE_V8_COVERAGE', 'coverage'],
    ['NODE_DEBUG', '*'],
    ['NODE_CHANNEL_FD', '99'],
    ['OPENSSL_CONF', './preload.cjs'],
  ])('%s=%s', (name, value) => {
    writeFileSync(join(place.files, 'preload.cjs'), "console.log('preloaded');\n");
    const script = `spillway run --quiet -- sh -c 'echo "$${name}"; echo err >&2; exit 3'`;
    const result = launched(script, { [name]: value });
    expect(result).toEqual({ status: 3, stdout: `${value}\n`, stderr: 'err\n' });
    expect(readdirSync(place.files)).not.toContain('coverage');
  });

  test.each([
    ['on pipes', ''],
    ['on a terminal', '--pty'],
  ])('with all bytes and in their order, %s', (_, option) => {
    const variables = `NODE_OPTIONS=--bogus A=1 NODE_X="$(printf '\\351=\n ')" 'b c.d=2' NODE_ENV= TERM=dumb Z=3`;
    const command = `env - PATH="$PATH" ${variables} "$@" env`;
    const both = `SPILLWAY_HOME='${place.home}'; export SPILLWAY_HOME; f() { ${command}; }`;
    const bare = launched(`${both}; f env SPILLWAY_HOME="$SPILLWAY_HOME"`).stdout;
    const behind = launched(
      `${both}; f env SPILLWAY_HOME="$SPILLWAY_HOME" '${cliEntry}' run --quiet ${option} --`,
    ).stdout;
    expect(bare).toContain('NODE_X=\xe9=');
    expect(behind.replaceAll('\r', '')).toBe(bare);
  });

  test('in a recorded terminal', () => {
    const terminal = `'${cliEntry}' terminal --quiet --no-integration -- sh -c 'echo "[$NODE_OPTIONS]"'`;
    const result = launched(`script -qec "$TERMINAL" /dev/null </dev/null`, {
      ...{ TERMINAL: terminal, NODE_OPTIONS: '--bogus', SHELL: '/bin/sh' },
    });
    expect(result.stdout).toContain('[--bogus]\r\n');
  });

  test('beside a recorder that outlives the command', async () => {
    const script = '(while [ ! -e late ]; do sleep 0.02; done; echo late) & echo early';
    const ran = launched(`spillway run -- sh -c '${script}' >out && touch late`, { NODE_OPTIONS: '--bogus' });
    expect(ran).toMatchObject({ status: 0, stdout: '' });
    const recorded = async () => (await runCli(['inspect', 'last'], place)).stdout;
    await expect.poll(recorded).toBe('early\nlate\n');
  });
});

describe.runIf(onLinux)('variables that a Perl acts on are the command’s alone', () => {
  test.each([
    { PERL5OPT: '-Mno_such' },
    { PERL5OPT: '-d', PERL5DB: 'BEGIN { die }' },
    { PERL5LIB: '.', PERLLIB: '.' },
    { LC_ALL: 'xx_XX.UTF-8' },
    { LC_ALL: 'xx_XX.UTF-8', PERL_BADLANG: '' },
    { LC_CTYPE: 'xx', PERL_BADLANG: '1' },
  ])('%o', (variables) => {
    // A module that the launcher would load with its standard input closed.
    writeFileSync(join(place.files, 'XSLoader.pm'), 'die "not the system\'s";\n');
    const command = `env sh -c 'env | grep -E "^(PERL|LC_)|BADLANG" | sort; exit 3' <&-`;
    const bare = launched(command, variables);
    expect(launched(`spillway run --quiet -- ${command}`, variables)).toEqual(bare);
    for (const [name, value] of Object.entries(variables))
      expect(bare.stdout).toContain(`${name}=${value}\n`);
  });

  test('also where nothing is run', () => {
    const variables = { LC_ALL: 'xx_XX.UTF-8', PERL5OPT: '-Mno_such' };
    expect(launched('spillway --version', variables)).toMatchObject({ status: 0, stderr: '' });
  });
});

test.runIf(onLinux)('on a terminal, words and folders are as given, too', () => {
  const words = `spillway run --pty -- printf '<%s>' "$(printf 'caf\\351')" ''`;
  expect(inShell(words).toString('latin1')).toBe('<caf\xe9><>');
  const named = `d=$(printf 'e\\351'); mkdir "$d"; cd "$d"; spillway run --pty -- sh -c 'pwd; rmdir "$PWD"; echo still'`;
  const folder = `${Buffer.from(place.files).toString('latin1')}/e\xe9`;
  expect(inShell(named).toString('latin1')).toBe(`${folder}\r\nstill\r\n`);
  const gone = 'mkdir away; cd away; rmdir ../away; spillway run --pty -- echo still';
  expect(inShell(gone).toString()).toBe('still\r\n');
});

test('a folder that has been deleted is one to run in, for what asks no more of it', () => {
  expect(inShell('mkdir gone; cd gone; rmdir ../gone; spillway run -- echo still').toString()).toBe(
    'still\n',
  );
});

describe.runIf(onLinux).each([
  ['on pipes', ''],
  ['on a terminal', '--pty'],
])('descriptors that were opened for the command, %s,', (_, option) => {
  const printed = (script: string) => inShell(script).toString().replaceAll('\r', '');

  test('are its own, for reading and writing', () => {
    inShell(`echo five >in; spillway run ${option} -- sh -c 'cat <&5 >&3; echo four >&4' 3>out3 4>out4 5<in`);
    expect(readFileSync(join(place.files, 'out3'), 'utf8')).toBe('five\n');
    expect(readFileSync(join(place.files, 'out4'), 'utf8')).toBe('four\n');
  });

  test('are its own behind a gap', () => {
    const script = `echo seven >in; spillway run ${option} -- sh -c 'cat <&7 >&9' 7<in 9>out9`;
    inShell(script);
    expect(readFileSync(join(place.files, 'out9'), 'utf8')).toBe('seven\n');
  });

  test('are all that it gets beside the three', () => {
    const many = Array.from({ length: 12 }, (_, i) =>
      Array.from({ length: i + 1 }, (_, j) => `${j + 3}>out`).join(' '),
    );
    for (const more of ['', ...someOf(many), '9>out', '3>out 7<&3 12>&3']) {
      const listed = `sh -c 'ls -1 /proc/self/fd' ${more}`;
      expect(printed(`spillway run ${option} -- ${listed}`), more).toBe(printed(listed));
    }
  });

  test('may lead where a standard one does', () => {
    expect(printed(`(exec 7>&1; spillway run ${option} -- sh -c 'echo seven >&7') | cat`)).toBe('seven\n');
  });

  test('are nobody else’s once it has let go of them, whatever it leaves in the background', () => {
    const script = '(exec 3>&-; until [ -e let-go ]; do sleep 0.02; done) & echo three >&3';
    const command = `spillway run ${option} -- sh -c '${script}' 3>&1 >/dev/null`;
    const reader = `timeout 20 sh -c 'cat; echo ended'`;
    expect(printed(`rm -f let-go; ${command} | ${reader}; touch let-go`)).toBe('three\nended\n');
  });

  test('may be a pair, as a make’s job server has', () => {
    const command = `spillway run ${option} -- sh -c 'dd bs=1 count=1 <&3 2>/dev/null; printf c >&4'`;
    expect(
      printed(`mkfifo pair; exec 3<>pair 4>pair; printf ab >&4; ${command}; dd bs=1 count=2 <&3; rm pair`),
    ).toBe('abc');
  });

  test.runIf(hasMake)('let a make take part in the jobs of the one that runs it', () => {
    const rule = `jobs:\n\t+@'${process.execPath}' '${cliEntry}' run ${option} -- $(MAKE) -f jobs.mk a b\n`;
    const jobs = `a:\n\t@until [ -e b-is-there ]; do sleep 0.02; done; rm b-is-there\nb:\n\t@touch b-is-there\n`;
    writeFileSync(join(place.files, 'jobs.mk'), rule + jobs);
    // With one job at a time, it would wait for ever.
    expect(printed('timeout 20 make -f jobs.mk -j2 --no-print-directory 2>&1; echo $?')).toBe('0\n');
  });
});

describe('a command that is given without --', () => {
  test('keeps the options behind its name', () => {
    expect(inShell('spillway run echo --json -n --quiet -- x').toString()).toBe('--json -n --quiet -- x\n');
  });

  test('leaves those before it to run', async () => {
    const result = await runCli(['run', '--json', 'echo', '--json'], place);
    expect(JSON.parse(result.stdout).parts).toMatchObject([{ content: '--json' }]);
    expect((await runCli(['run', '--jsn', 'echo'], place)).stderr).toMatch(/did you mean --json/);
  });
});

describe('what run says', () => {
  test('is on a line of its own behind output that did not end its line', async () => {
    const spilled = await runCli(['run', '--', 'sh', '-c', 'seq 5000 >&2; printf end >&2'], place);
    expect(spilled.stderr).toMatch(/\n5000\nend\nspillway: all of it is /);
    const ended = await runCli(['run', '--', 'sh', '-c', 'seq 5000 >&2; printf end'], place);
    expect(ended.stderr).toMatch(/\n5000\nspillway: all of it is /);
    const timedOut = await runCli(
      ['run', '--timeout', '1500', '--', 'sh', '-c', 'printf end >&2; sleep 60'],
      place,
    );
    expect(timedOut.stderr).toMatch(/^end\nspillway: .*time-out/);
  });

  test.each(['no/such/folder', 'a-file'])('is that there is no folder %s to run in', async (cwd) => {
    inShell('echo >a-file');
    const result = await runCli(['run', '--json', '--cwd', cwd, '--', 'echo', 'ran'], place);
    expect(result).toMatchObject({ status: 2, stdout: '' });
    expect(result.stderr).toBe(`spillway: there is no folder "${cwd}": give another with --cwd\n`);
  });

  test('for a missing command has, as JSON, every field that the head of another command has', async () => {
    const head = async (...command: string[]) =>
      JSON.parse((await runCli(['run', '--json', '--', ...command], place)).stdout);
    const none = await head('no-such-command-anywhere');
    const some = await head('true');
    expect(Object.keys(none).sort()).toEqual(Object.keys(some).sort());
    expect(none.stdout).toEqual(some.stdout);
  });
});

describe.runIf(onLinux)('a program that the system does not start gives 126 and the system’s reason', () => {
  const start = async (script: string, program = './x') => {
    inShell(`rm -f x y\n${script}`);
    return runCli(['run', '--', program], place);
  };

  test.each([
    ['is in a circle of links', 'ln -s y x; ln -s x y', 'ELOOP'],
    ['is read by what is in a circle of links', `ln -s y y; printf '#!%s/y' "$PWD" >x; chmod +x x`, 'ELOOP'],
    ['is below a file', '>y', 'ENOTDIR', './y/x'],
    ['has too long a name', '', 'ENAMETOOLONG', `./${'x'.repeat(300)}`],
  ])('where it %s', async (_, script, code, program = './x') => {
    const { status, stderr } = await start(script, program);
    expect({ status, stderr }).toMatchObject({ status: 126 });
    expect(stderr).toMatch(RegExp(`^spillway: "${program}" could not be started \\(${code}\\): [^(]+\n$`));
  });

  test('where it is open for writing', () => {
    const run = `spillway run -- ./x 2>&1`;
    const said = inShell(`rm -f x; cp "$(command -v sleep)" x; exec 5>>x; ${run}; echo $?`).toString();
    expect(said).toMatch(/^spillway: ".\/x" could not be started \(ETXTBSY\): .* writing.*\n126\n$/);
  });
});

test.runIf(onLinux)('a home where the system makes no folders keeps nothing from being run', async () => {
  for (const home of ['/proc/none', '/proc/none/of/it']) {
    const env = { SPILLWAY_HOME: home };
    const ran = await runCli(['run', '--', 'sh', '-c', 'echo ran; exit 3'], place, { env });
    expect(ran).toMatchObject({ status: 3, stdout: 'ran\n' });
    expect(ran.stderr).toMatch(/^spillway: this is not recorded: .*\/proc\/none.*: set SPILLWAY_HOME.*\n$/);
    expect(await runCli(['capture'], place, { env, input: 'in' })).toMatchObject({ status: 0, stdout: 'in' });
  }
});

test('a home is made with all that is above it, for its owner alone', async () => {
  const home = join(place.files, 'with a space', 'deep', 'home');
  expect(await runCli(['run', '--', 'true'], place, { env: { SPILLWAY_HOME: home } })).toMatchObject({
    stderr: '',
  });
  expect(readdirSync(join(home, 'captures'))).toHaveLength(1);
});

test.runIf(onLinux).each([
  ['there is no folder for temporary files where TMPDIR says', { TMPDIR: '/no/such/place' }],
  ['PATH leads nowhere', { PATH: '/no/such/place' }],
])('a command has real pipes also where %s', async (_, env) => {
  const script =
    'echo out >/dev/stdout; echo err >/dev/stderr; (while [ ! -e go ]; do /bin/sleep 0.02; done; echo late) &';
  const result = await runCli(['run', '--', '/bin/sh', '-c', script], place, { env });
  expect(result).toMatchObject({ status: 0, stdout: 'out\n', stderr: 'err\n' });
  writeFileSync(join(place.files, 'go'), '');
  const { stdout } = await runCli(['list', '--kind', 'cmd', '--json', '--limit', '1'], place);
  const { outputs } = JSON.parse(stdout);
  const recorded = async () => (await runCli(['inspect', outputs[0].artifact_id], place)).stdout;
  await expect.poll(recorded).toBe('out\nerr\nlate\n');
  rmSync(join(place.files, 'go'));
});

test('a command that is not there is told of one with a similar name only where that is there', async () => {
  const runsMakr = async () =>
    (await runCli(['run', '--', 'makr'], place, { env: { PATH: place.files } })).stderr;
  expect(await runsMakr()).toMatch(/no command "makr": check its name and PATH/);
  writeFileSync(join(place.files, 'make'), '#!/bin/sh\n', { mode: 0o755 });
  expect(await runsMakr()).toMatch(/no command "makr": did you mean make\?/);
});

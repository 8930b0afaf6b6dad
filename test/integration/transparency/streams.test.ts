/**
 * Each standard stream of a command is what it would be bare, wherever it and the others lead: 336 combinations, of
 * which each run compares one in seventeen, `npm test -- --full` all.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cliEntry, makePlace, type Place } from '../../fixtures/cli.ts';
import { onlyCapture, storedBytes } from '../../fixtures/library/captured.ts';
import { isOnTurn } from '../../fixtures/sizes.ts';
import { canCompare } from '../../fixtures/transparency/compare.ts';
import {
  type Doings,
  ERRORS,
  FACTS,
  INPUTS,
  OUTPUTS,
  type Streams,
  withStreams,
} from '../../fixtures/transparency/streams.ts';

let place: Place;
let count = 0;

beforeAll(() => {
  place = makePlace({ minFreeBytes: 0 });
  writeFileSync(
    join(place.files, 'no-perl.cjs'),
    `const fs = require('node:fs');
    const { existsSync } = fs;
    fs.existsSync = (path) => !/\\/perl$/.test(path) && existsSync(path);
    require('node:module').syncBuiltinESMExports();`,
  );
});
afterAll(() => place.remove());

const recorded = () => [cliEntry, 'run', '--quiet', '--'];

/** What a command sees and does bare, and what it does behind `start`. */
async function both(
  streams: Streams,
  command: readonly string[],
  { start = recorded(), doings = {} }: { start?: readonly string[]; doings?: Doings } = {},
) {
  count += 1;
  const folder = (kind: string) => join(place.files, `${kind}-${count}`);
  const env = { SPILLWAY_HOME: join(place.home, String(count)), LC_ALL: 'C', TERM: 'xterm' };
  const [bare, behind] = await Promise.all([
    withStreams(streams, command, folder('bare'), env, doings),
    withStreams(streams, [...start, ...command], folder('run'), env, doings),
  ]);
  return { bare, behind, home: env.SPILLWAY_HOME };
}

/** Its own name for stdout opens a socket not at all, and a file from its beginning. */
const factsOf = ({ stdout }: Streams) => [
  ...['perl', '-e', FACTS],
  ['file', 'closed', 'socket'].includes(stdout) ? '' : 'by name',
];

const all: Streams[] = INPUTS.flatMap((stdin) =>
  OUTPUTS.flatMap((stdout) => ERRORS.map((stderr) => ({ stdin, stdout, stderr }))),
);
const TERMINAL = { stdin: 'terminal', stdout: 'terminal', stderr: 'terminal' } as const;

describe.runIf(canCompare)('a command has the streams that it has bare', () => {
  test.concurrent.each(all.filter((_, index) => isOnTurn(index, 17)))(
    'with stdin $stdin, stdout $stdout, stderr $stderr',
    async (streams) => {
      const { bare, behind } = await both(streams, factsOf(streams));
      // Two openings of /dev/null are one file; our two pipes are not. Perl opens it by the number of a closed stream.
      const areNull = [streams.stdout, streams.stderr].every((kind) => ['null', 'closed'].includes(kind));
      if (areNull) bare.facts = bare.facts.replace('are one: yes', 'are one: no');
      expect(behind).toEqual(bare);
    },
  );

  test.concurrent.each(all.filter(({ stdin }) => stdin === 'pipe').filter((_, index) => isOnTurn(index, 17)))(
    'without Perl, with stdin $stdin, stdout $stdout, stderr $stderr',
    async (streams) => {
      const start = [process.execPath, '--require', join(place.files, 'no-perl.cjs'), ...recorded()];
      const { bare, behind } = await both(streams, factsOf(streams), { start });
      const seen = ({ screen, stdout, stderr, status, facts }: typeof bare) => ({
        ...{ screen, stdout, stderr, status },
        facts: facts.split('\n').filter((line) => /^[012]: /.test(line)),
      });
      // Node opens closed streams.
      if (!Object.values(streams).includes('closed')) expect(seen(behind)).toEqual(seen(bare));
    },
  );

  test.each([
    { stdin: 'pipe', stdout: 'terminal', stderr: 'terminal' },
    { stdin: 'terminal', stdout: 'file', stderr: 'terminal' },
    { stdin: 'terminal', stdout: 'terminal', stderr: 'file' },
  ] as const)(
    'and their sizes after the window changed, with stdin $stdin, stdout $stdout',
    async (streams) => {
      const script = String.raw`
      $SIG{WINCH} = sub { $changed++ };
      sub size { ioctl $_[0], 0x5413, my $size = "\0" x 8; join 'x', unpack 'S2', $size }
      open my $up, '>', 'up'; print $up 'up'; close $up;
      my ($shown) = grep { -t $_ } *STDOUT, *STDERR;
      for (1 .. 500) { last if $changed && size($shown) eq '40x90'; select undef, undef, undef, .02 }
      open my $facts, '>', 'facts'; print $facts size($shown);`;
      const meanwhile = "up(); ioctl $master, 0x5414, my $size = pack 'S4', 40, 90, 0, 0;";
      const { bare, behind } = await both(streams, ['perl', '-e', script], { doings: { meanwhile } });
      expect(bare.facts).toBe('40x90');
      expect(behind).toEqual(bare);
    },
  );

  test.each([
    ['Ctrl-C', '\x03'],
    ['Ctrl-\\', '\x1c'],
    ['Ctrl-Z', '\x1a'],
  ])('and %s of a terminal, though its stdin is a pipe', async (_, key) => {
    const script = String.raw`
      $| = 1;
      $SIG{$_} = sub { print "caught\n"; exit 9 } for qw(INT QUIT);
      $SIG{CONT} = sub { print "continued\n" };
      open my $up, '>', 'up'; print $up 'up'; close $up;
      select undef, undef, undef, .05 for 1 .. 40;
      print "end\n";`;
    const doings = { meanwhile: `up(); select undef, undef, undef, .2; syswrite $master, "${key}"` };
    const streams = { ...TERMINAL, stdin: 'pipe' } as const;
    const { bare, behind } = await both(streams, ['perl', '-e', script], { doings });
    expect(bare.screen).toContain(key === '\x1a' ? 'continued' : 'caught');
    expect(behind).toEqual(bare);
  });

  test('and a pager gets its keys, and the terminal is as it was', async () => {
    const pager = String.raw`
      use POSIX ();
      open my $tty, '+<', POSIX::ttyname(2);
      my ($was, $now) = map { my $modes = POSIX::Termios->new; $modes->getattr(fileno $tty); $modes } 1, 2;
      $now->setlflag($now->getlflag & ~(POSIX::ICANON() | POSIX::ECHO()));
      $now->setoflag($now->getoflag | POSIX::OPOST());
      $now->setattr(fileno $tty, POSIX::TCSADRAIN());
      syswrite STDOUT, "page\n";
      sysread $tty, my $key, 1;
      $was->setattr(fileno $tty, POSIX::TCSADRAIN());
      print "key: $key\n";`;
    const meanwhile =
      "for (1 .. 200) { select undef, undef, undef, .02; my $modes = POSIX::Termios->new; $modes->getattr(fileno $master); last unless $modes->getlflag & POSIX::ICANON() } syswrite $master, 'q'";
    const streams = { ...TERMINAL, stdin: 'pipe' } as const;
    const { bare, behind } = await both(streams, ['perl', '-e', pager], { doings: { meanwhile } });
    expect(bare.screen).toBe('page\r\nkey: q\r\n');
    expect(behind).toEqual(bare);
  });
});

describe.runIf(canCompare)('one open file description is one stream', () => {
  const ORDERED =
    '$| = 1; select STDERR; $| = 1; for (1 .. 200) { print STDOUT "out $_\\n"; print STDERR "err $_\\n" }';
  const inOrder = Array.from({ length: 200 }, (_, at) => `out ${at + 1}\nerr ${at + 1}\n`).join('');

  test.each(OUTPUTS.filter((kind) => kind !== 'closed'))('after >%s 2>&1', async (stdout) => {
    const streams = { stdin: 'null', stdout, stderr: 'same' } as const;
    const { bare, behind, home } = await both(streams, ['perl', '-e', ORDERED]);
    expect(behind).toEqual(bare);
    expect(storedBytes(onlyCapture(home), 'output').toString().replaceAll('\r', '')).toBe(inOrder);
  });

  test('when two openings append to one file', async () => {
    const script = 'exec "$@" >>both 2>>both';
    const streams = { stdin: 'null', stdout: 'null', stderr: 'null' } as const;
    const { home } = await both(streams, ['perl', '-e', ORDERED], {
      start: ['sh', '-c', script, 'sh', ...recorded()],
    });
    expect(storedBytes(onlyCapture(home), 'output').toString()).toBe(inOrder);
  });

  test('but two openings of a file, each at its own place in it, are two', async () => {
    const streams = { stdin: 'null', stdout: 'null', stderr: 'null' } as const;
    const { home } = await both(streams, ['perl', '-e', ORDERED], {
      start: ['sh', '-c', 'exec "$@" >both 2>both', 'sh', ...recorded()],
    });
    expect(onlyCapture(home).record.streams.map(({ name }) => name)).toEqual(['stdout', 'stderr']);
  });

  test('with a descriptor above 2, too', async () => {
    const script = 'for i in 1 2 3 4 5; do echo out; echo three >&3; echo err >&2; echo four >&4; done';
    const streams = { stdin: 'null', stdout: 'pipe', stderr: 'file' } as const;
    const inner = ['sh', '-c', `exec "$@" sh -c '${script}' 3>&1 4>&2`, 'sh'];
    const { bare, behind } = await both(streams, [], { start: [...inner, ...recorded()] }).then(
      async ({ behind, home }) => {
        const plain = await withStreams(streams, [...inner, 'env'], join(place.files, 'plain'));
        expect(storedBytes(onlyCapture(home), 'stdout').toString()).toBe('out\nthree\n'.repeat(5));
        return { bare: plain, behind };
      },
    );
    expect(behind).toEqual(bare);
  });
});

describe.runIf(canCompare)('at a terminal', () => {
  /** A script behind a shell that goes on at the terminal. */
  async function inShell(script: string, doings: Doings = {}) {
    count += 1;
    const env = { SPILLWAY_HOME: join(place.home, String(count)), LC_ALL: 'C', TERM: 'xterm' };
    const at = async (prefix: string, folder: string) =>
      withStreams(
        TERMINAL,
        ['bash', '-c', script.replaceAll('RUN ', prefix)],
        join(place.files, `${folder}-${count}`),
        env,
        doings,
      );
    const [bare, behind] = await Promise.all([at('', 'bare'), at(`${recorded().join(' ')} `, 'run')]);
    expect(behind).toEqual(bare);
    return behind;
  }

  test('keys typed before a command has started reach it, shown once', async () => {
    const { screen } = await inShell(`RUN sh -c 'read a; echo "got:[$a]"'`, { types: 'hello\n' });
    expect(screen).toBe('hello\r\ngot:[hello]\r\n');
  });

  test('and the end of input that was typed then', async () => {
    const { screen } = await inShell('sleep .2; RUN cat; echo end', { types: 'a\n\x04' });
    expect(screen).toBe('a\r\na\r\nend\r\n');
  });

  test.runIf(canType())('the next program reads keys that a command leaves', async () => {
    const { screen } = await inShell('RUN sleep 1; read a; echo "got:[$a]"; read b; echo "then:[$b]"', {
      meanwhile: 'select undef, undef, undef, .5; syswrite $master, "one\\ntwo\\n"',
    });
    expect(screen).toContain('got:[one]\r\nthen:[two]\r\n');
  });

  test('what a command sets there stays', async () => {
    await inShell(
      'RUN stty -echo erase ^H; stty -a; RUN stty echo; RUN stty cols 33 rows 9; stty -a; RUN stty sane; stty -a',
    );
  });

  test('a terminal without a size has none', async () => {
    await inShell('stty cols 0 rows 0; RUN stty size');
  });

  test('no name of a terminal is added', async () => {
    await inShell('unset TERM; RUN env | grep -c ^TERM=; RUN sh -c "echo [$TERM]"');
  });
});

/** Whether this system lets a program type. */
function canType(): boolean {
  try {
    return readFileSync('/proc/sys/dev/tty/legacy_tiocsti', 'utf8').trim() === '1';
  } catch {
    // Older systems let it.
    return true;
  }
}

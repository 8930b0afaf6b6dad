/** Output on two pipes, or sockets, reaches its reader, and the record, in the order in which it was printed. */
import { spawnSync } from 'node:child_process';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type AgentShell, makeAgentShell } from '../../fixtures/agents/shell.ts';

let place: AgentShell;
beforeEach(() => {
  place = makeAgentShell();
});
afterEach(() => place.remove());

/** Runs a shell's command as many times as asked, reads two pipes or sockets as they become readable, and prints what came each time. */
const READER = String.raw`
  my ($kind, $shell, $times, $command) = @ARGV;
  sub connected { $kind eq 'pipe' ? pipe $_[0], $_[1] : socketpair $_[0], $_[1], 1, 1, 0 }
  for (1 .. $times) {
    connected(my ($out, $to_out)); connected(my ($err, $to_err));
    unless (my $pid = fork) {
      open STDOUT, '>&', $to_out; open STDERR, '>&', $to_err;
      exec $shell, '-c', $command;
    }
    close $to_out; close $to_err;
    my ($came, %open) = ('', (fileno $out, $out, fileno $err, $err));
    while (%open) {
      my $ready = '';
      vec($ready, $_, 1) = 1 for keys %open;
      select $ready, undef, undef, undef;
      for (sort { $a <=> $b } grep { vec $ready, $_, 1 } keys %open) {
        sysread($open{$_}, $came, 65536, length $came) or delete $open{$_};
      }
    }
    wait;
    $came =~ tr/\n/ /;
    print "$came\n";
  }`;

function read(kind: string, shell: string, command: string, times: number): string[] {
  const { stdout } = spawnSync('perl', ['-e', READER, kind, shell, String(times), command], {
    cwd: place.files,
    encoding: 'utf8',
  });
  return stdout.trimEnd().split('\n');
}

const COMMANDS: [command: string, inOrder: string][] = [
  ['echo 1; echo 2 >&2; echo 3', '1 2 3 '],
  ['echo 1 >&2; echo 2; echo 3 >&2; echo 4', '1 2 3 4 '],
  [
    'for i in {1..20}; do echo $((2 * i - 1)); echo $((2 * i)) >&2; done',
    `${Array.from({ length: 40 }, (_, i) => i + 1).join(' ')} `,
  ],
];

test.runIf(process.platform === 'linux').each(
  ['pipe', 'socket'].flatMap((kind) => COMMANDS.map(([command, inOrder]) => ({ kind, command, inOrder }))),
  // Chance decides how often a reader on a busy machine sees both pipes at once, bare or recorded.
)('$kind: $command', { retry: 4 }, ({ kind, command, inOrder }) => {
  const share = (shell: string) => read(kind, shell, command, 30).filter((came) => came === inOrder).length;
  const recorded = share(place.shell);
  expect(recorded).toBeGreaterThanOrEqual(share('/bin/bash'));
  expect(recorded).toBeGreaterThan(10);
});

test.runIf(process.platform === 'linux')('a command with two sockets has its signals', () => {
  const blocked = 'grep SigBlk /proc/$$/status';
  expect(read('socket', place.shell, blocked, 1)).toEqual(read('socket', '/bin/bash', blocked, 1));
  // Its parent is the recorder, which passes on what it is sent.
  for (const name of ['IO', 'RTMAX']) {
    const sent = `trap 'echo told; exit' ${name}; kill -${name} $PPID; for i in {1..50}; do sleep 0.1; done`;
    expect(read('socket', place.shell, sent, 1)).toEqual(['told']);
  }
});

test.runIf(process.platform === 'linux')(
  'a reader that reads one pipe after the other gets all of both',
  () => {
    const command = 'for i in {1..3000}; do echo $i; echo $i >&2; done; echo end >&2';
    const script = `open STDERR, '>&', STDOUT; use IPC::Open3; use Symbol 'gensym';
    my $pid = open3(my $in, my $out, my $err = gensym, $ARGV[0], '-c', $ARGV[1]);
    my @err = <$err>; my @out = <$out>; waitpid $pid, 0; print scalar(@out), ' ', scalar(@err), ' ', $? >> 8`;
    const small = command.replace('3000', '300');
    const { stdout } = spawnSync('perl', ['-e', script, place.shell, small], {
      cwd: place.files,
      encoding: 'utf8',
    });
    expect(stdout).toBe('300 301 0');
  },
);

test.runIf(process.platform === 'linux')(
  'a slow reader gets the last of what a command that ended printed',
  () => {
    // The recorder stands still until the command has ended, and finds both pipes closed; its reader's one is still full.
    const command = `head -c 65536 /dev/zero; until [ -e full ]; do sleep 0.01; done; recorder=$PPID
    (exec > /dev/null 2>&1; until grep -q '^State:.Z' /proc/$$/status; do sleep 0.01; done; kill -CONT $recorder; touch over) &
    kill -STOP $recorder; head -c 60000 /dev/zero`;
    const script = `use IPC::Open3; use Symbol 'gensym';
    my $pid = open3(my $in, my $out, my $err = gensym, @ARGV);
    sub until_true { my $is_true = shift; for (1 .. shift) { return if $is_true->(); select undef, undef, undef, 0.01 } }
    my $left = pack 'i', 0;
    # FIONREAD
    until_true(sub { ioctl($out, 0x541B, $left) && unpack('i', $left) == 65536 }, 6000);
    open my $full, '>', 'full';
    until_true(sub { -e 'over' }, 6000);
    # It waits for its reader, or has gone.
    until_true(sub { open my $file, '<', "/proc/$pid/stat"; <$file> =~ /\\) Z/ }, 100);
    local $/; print length <$out>`;
    const { stdout } = spawnSync('perl', ['-e', script, place.shell, '-c', command], {
      cwd: place.files,
      encoding: 'utf8',
    });
    expect(stdout).toBe('125536');
  },
);

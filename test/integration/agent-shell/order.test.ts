/** Output on two pipes reaches its reader, and the record, in the order in which it was printed. */
import { spawnSync } from 'node:child_process';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type AgentShell, makeAgentShell } from '../../fixtures/agents/shell.ts';

let place: AgentShell;
beforeEach(() => {
  place = makeAgentShell();
});
afterEach(() => place.remove());

/** Runs a shell's command as many times as asked, reads two pipes as they become readable, and prints what came each time. */
const READER = String.raw`
  my ($shell, $times, $command) = @ARGV;
  for (1 .. $times) {
    pipe my ($out, $to_out); pipe my ($err, $to_err);
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

function read(shell: string, command: string, times: number): string[] {
  const { stdout } = spawnSync('perl', ['-e', READER, shell, String(times), command], {
    cwd: place.files,
    encoding: 'utf8',
  });
  return stdout.trimEnd().split('\n');
}

test.runIf(process.platform === 'linux').each([
  ['echo 1; echo 2 >&2; echo 3', '1 2 3 '],
  ['echo 1 >&2; echo 2; echo 3 >&2; echo 4', '1 2 3 4 '],
  [
    'for i in {1..20}; do echo $((2 * i - 1)); echo $((2 * i)) >&2; done',
    `${Array.from({ length: 40 }, (_, i) => i + 1).join(' ')} `,
  ],
])('%s', (command, inOrder) => {
  const share = (shell: string) => read(shell, command, 30).filter((came) => came === inOrder).length;
  const recorded = share(place.shell);
  expect(recorded).toBeGreaterThanOrEqual(share('/bin/bash'));
  expect(recorded).toBeGreaterThan(20);
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

/**
 * The Perl program that leads a command on pipes (pipe-leader.ts). Linux only.
 *
 * Arguments: the control socket's descriptor; `BLOCKED:IGNORED:…` (inherited.ts); descriptors for the command only; the
 * number of pipes; options (`group`: the command leads a process group; `reap=NR`: adopt the command's orphans, with
 * prctl's number; `ends=NR`: end all of them when Spillway dies); the command's path; its argv.
 *
 * It writes one line for each event: `pipes FD,FD` (read ends), `started PID`, `failed ERRNO`, `signal NUMBER` (also
 * reached the leader), `exited STATUS`, `killed SIGNAL`. It reads one byte, which says that the other side opened the
 * pipes.
 */
import { STARTER_PRELUDE } from './perl.ts';
import { GRACE_MS } from './process-tree.ts';

export const PIPE_LEADER_SCRIPT = String.raw`${STARTER_PRELUDE}
my ($control, $inherited, $given, $count, $options, $path, @words) = @ARGV;
$0 = "spillway: $words[0]";
open my $to, '+<&=', $control or exit 126;
fcntl $to, 2, 1;
sub report { syswrite $to, "@_\n" }
# PR_SET_CHILD_SUBREAPER
syscall $1 + 0, 36, 1, 0, 0, 0 if $options =~ /reap=(\d+)/;
my ($pid, @read, @write);
# Spillway was killed: nobody reads the command's output any more, nor could stop it. PR_SET_PDEATHSIG
$SIG{IO} = sub { exit 126 unless $pid; end_all() };
syscall $1 + 0, 1, 29, 0, 0, 0 if $options =~ /ends=(\d+)/;
for (1 .. $count) { pipe my $r, my $w or exit 126; push @read, $r; push @write, $w }
report('pipes', join ',', map { fileno $_ } @read);
sysread $to, my $go, 1 or exit 126;
close $_ for @read;
pipe my $starts, my $starting or exit 126;
# A signal for the whole group reaches us too: then nobody has to pass it on.
for my $number (1, 2, 3, 10, 12, 15) { $SIG{name($number)} = sub { report('signal', $number) } }
$pid = fork;
unless (defined $pid) { report('failed', $! + 0); exit 126 }
unless ($pid) {
  setpgrp 0, 0 if $options =~ /group/;
  $SIG{$_} = 'DEFAULT' for qw(HUP INT QUIT TERM USR1 USR2);
  # One pipe is for both streams.
  open STDOUT, '>&', $write[0];
  open STDERR, '>&', $write[-1];
  restore($inherited);
  { no warnings; exec { $path } @words }
  syswrite $starting, $! + 0;
  kill KILL => $$;
}
close $starting;
close $_ for @write;
# Else a reader of what the command writes to would not see it end.
close STDIN;
POSIX::close($_) for split /,/, $given;
if (sysread $starts, my $error, 8) { report('failed', $error); exit 126 }
report('started', $pid);
my $status;
while (1) {
  my $ended = waitpid -1, 0;
  $status = ${'$'}{^CHILD_ERROR_NATIVE} if $ended == $pid;
  last if $ended == $pid || $ended < 0 && $! != 4;
}
report(how_it_ended($status));
# SIGTERM, and SIGKILL after ${GRACE_MS / 1000} s, to the command's group and to what we adopted.
sub end_all {
  for my $round (0 .. 600) {
    my $signal = $round == 0 ? 'TERM' : $round * 100 >= ${GRACE_MS} ? 'KILL' : undef;
    if ($signal) {
      open my $file, '<', "/proc/$$/task/$$/children";
      kill $signal, $options =~ /group/ ? -$pid : $pid, split ' ', <$file> || '';
    }
    1 while waitpid(-1, 1) > 0;
    exit if waitpid(-1, 1) < 0;
    select undef, undef, undef, 0.1;
  }
  exit;
}
# What it abandoned can be found as long as we are its parent.
if ($options =~ /reap/) { 1 until waitpid(-1, 0) < 0 && $! != 4 }
`;

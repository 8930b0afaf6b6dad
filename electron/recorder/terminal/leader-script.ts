/**
 * The Perl program that leads the session of a command's terminal. Perl can start a command without changing its
 * environment, tell a signal from a status, and hand over a terminal; a shell can do none of these.
 *
 * led-command.ts starts it in a new session, on a terminal that no session controls yet. Its arguments, in order:
 * - file descriptors to close, which neither it nor the command gets
 * - file descriptors that only the command gets
 * - the pipe to report to
 * - the pipe whose end it waits for
 * - the settings of the person's terminal (line-settings.ts), or nothing
 * - the state that the command inherits (command/inherited.ts), or nothing
 * - prctl's number, which makes it adopt processes that leave the tree; or 0
 * - the command's path, then its argv
 *
 * It reports one event a line: `started PID`, `failed ERRNO`, `stopped SIGNAL`, `exited STATUS`, `killed SIGNAL`.
 * SIGUSR1 continues a stopped command.
 */
import { STARTER_PRELUDE } from '../command/perl.ts';

export const LEADER_SCRIPT = String.raw`${STARTER_PRELUDE}
my ($unmeant, $given, $report, $hold, $settings, $inherited, $reap, $path, @words) = @ARGV;
$0 = "spillway: $words[0]";
# PR_SET_CHILD_SUBREAPER
syscall $reap + 0, 36, 1, 0, 0, 0 if $reap;
POSIX::close($_) for split /,/, $unmeant;
# TIOCSCTTY: the terminal is our session's.
ioctl STDIN, $^O eq 'linux' ? 0x540E : 0x20007461, 0 or exit 126;
# On macOS, Node leaves it as it was opened: reads would not wait.
fcntl STDIN, 4, fcntl(STDIN, 3, 0) & ~($^O eq 'linux' ? 0x800 : 4) or exit 126;
# The modes that node-pty gives to others. Without a name here: IXANY, IMAXBEL and IUTF8; VEOL2.
my $modes = POSIX::Termios->new;
$modes->getattr(0);
$modes->setiflag($modes->getiflag | POSIX::BRKINT() | 0x6800);
$modes->setcflag($modes->getcflag | POSIX::HUPCL());
$modes->setlflag($modes->getlflag | POSIX::ECHOK());
$modes->setcc($_, 0xFF) for POSIX::VEOL(), $^O eq 'linux' ? 16 : 2;
# As the person has set theirs.
if (my ($input, $output, $control, $local, @keys) = map hex, split /:/, $settings) {
  $modes->setiflag($input);
  $modes->setoflag($output);
  $modes->setcflag($control);
  $modes->setlflag($local);
  $modes->setcc($_, $keys[$_]) for 0 .. 16;
}
$modes->setispeed(POSIX::B38400());
$modes->setospeed(POSIX::B38400());
$modes->setattr(0, POSIX::TCSANOW()) or exit 126;
open my $to, '>', $report or exit 126;
open my $held, '<', $hold or exit 126;
sub report { syswrite $to, "@_\n" }
pipe my $starts, my $starting or exit 126;
# Nobody may stop us when we take the terminal back.
$SIG{TTOU} = 'IGNORE';
my $pid = fork;
unless (defined $pid) { report('failed', $! + 0); exit 126 }
unless ($pid) {
  POSIX::setpgid(0, 0);
  POSIX::tcsetpgrp(0, $$);
  $SIG{TTOU} = 'DEFAULT';
  restore($inherited);
  exec { $path } @words;
  report('failed', $! + 0);
  POSIX::_exit(126);
}
# Whoever reads from what the command writes to must see it end.
POSIX::close($_) for split /,/, $given;
# As a shell does it when its window is closed.
$SIG{HUP} = sub { kill HUP => -$pid; kill CONT => -$pid };
$SIG{$_} = sub { } for qw(INT QUIT TERM TSTP);
$SIG{USR1} = sub { POSIX::tcsetpgrp(0, $pid); kill CONT => -$pid };
close $starting;
sysread $starts, my $nothing, 1;
report('started', $pid);
my $status;
while (waitpid($pid, POSIX::WUNTRACED()) > 0) {
  $status = ${'$'}{^CHILD_ERROR_NATIVE};
  last unless POSIX::WIFSTOPPED($status);
  POSIX::tcsetpgrp(0, getpgrp);
  report('stopped', POSIX::WSTOPSIG($status));
}
# When we end, the group that has the terminal is hung up: that is ours now, not its background children's.
POSIX::tcsetpgrp(0, getpgrp);
$SIG{$_} = 'IGNORE' for qw(HUP INT QUIT TERM TSTP USR1);
# Before the report: who hears of the end looks whether anybody is left at the terminal.
open STDIN, '<', '/dev/null';
open STDOUT, '>', '/dev/null';
open STDERR, '>', '/dev/null';
report(how_it_ended($status));
# On some systems, everybody loses the terminal with its leader.
sysread $held, $nothing, 1;
`;

/**
 * The Perl program that leads a command (leader.ts). Perl can start a command without changing its environment, make
 * real pipes, tell a signal from a status, and hand over a terminal; a shell can do none of these.
 *
 * Arguments:
 * - the control socket's descriptor
 * - the state that the command inherits (inherited.ts), or nothing
 * - descriptors that only the command gets; and those of them that are one with an output (`3=1`)
 * - outputs for stdout and stderr, or one for both: `p` for a pipe, or the descriptor of a terminal
 * - options, separated by blanks: `group`: the command leads a process group; `reap=NR`: adopt the command's orphans, with
 *   prctl's number; `ends=NR`: end all of them when Spillway dies; `close=FD,FD`: descriptors inherited by mistake;
 *   `tells=FD,FD`: our sides of terminals, on which a change of modes is reported;
 *   `session=SETTINGS`: lead the session of the terminal on stdin, with the settings of the person's terminal
 *   (`electron/recorder/terminal/pty.ts`) or the usual ones
 * - the command's path, then its argv
 *
 * It writes one line for each event: `ready FD,FD` (read ends), `started PID`, `failed ERRNO`, `signal NAME` (also
 * reached the leader), `stopped SIGNAL`, `exited STATUS`, `killed SIGNAL`; before an end on a terminal perhaps `set
 * SETTINGS` and `size COLUMNSxROWS` (the command has changed them), and `unread HEX` (keys that nobody read). It reads one byte, which says that
 * the other side opened the pipes. SIGUSR1 continues a stopped command.
 */
import { constants } from 'node:os';
import { STARTER_PRELUDE } from './perl.ts';
import { GRACE_MS } from './process-tree.ts';

/**
 * The signals that are passed on: all that Node can handle. Left out are those that Node needs itself (CHLD, PIPE, XFSZ),
 * that tell of a defect (ILL, BUS, FPE, SEGV), and that stop a process (TSTP, TTIN, TTOU). Some exist only on Linux.
 */
export const FORWARDED: readonly NodeJS.Signals[] = [
  ...(['SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGTERM', 'SIGUSR1', 'SIGUSR2', 'SIGALRM', 'SIGVTALRM'] as const),
  ...(['SIGPROF', 'SIGXCPU', 'SIGABRT', 'SIGTRAP', 'SIGSYS', 'SIGIO', 'SIGPWR', 'SIGSTKFLT'] as const),
  ...(['SIGWINCH', 'SIGCONT', 'SIGURG'] as const),
];

/** The same for the leader, which is a child of ours and runs on this system, too. */
const FORWARDED_NUMBERS: readonly number[] = FORWARDED.flatMap((name) => constants.signals[name] ?? []);

export const LEADER_SCRIPT = String.raw`${STARTER_PRELUDE}
my ($control, $inherited, $given, $shared, $outputs, $options, $path, @words) = @ARGV;
$0 = "spillway: $words[0]";
open my $to, '+<&=', $control or exit 126;
fcntl $to, 2, 1;
sub report { syswrite $to, "@_\n" }
my $session = $options =~ /session=/;
# PR_SET_CHILD_SUBREAPER
syscall $1 + 0, 36, 1, 0, 0, 0 if $options =~ /reap=(\d+)/;
sub list { $options =~ /$_[0]=(\S+)/ ? map { open my $file, '+<&=', $_; $file } split /,/, $1 : () }
close $_ for list('close');
my @tell = list('tells');
my ($pid, @read, @write);
# Spillway was killed: nobody reads the command's output any more, nor could stop it. PR_SET_PDEATHSIG
$SIG{IO} = sub { exit 126 unless $pid; end_all() };
syscall $1 + 0, 1, 29, 0, 0, 0 if $options =~ /ends=(\d+)/;
for (split / /, $outputs) {
  if ($_ eq 'p') { pipe my $r, my $w or exit 126; push @read, $r; push @write, $w }
  elsif ($_ == 0) { push @write, *STDIN }
  else { open my $w, '+<&=', $_ or exit 126; push @write, $w; block($w) }
}
# On Linux, Node has done it for STDIN.
block(*STDIN) if $session;
my $size = $session ? size() : '';
my $settings = $session ? take_terminal($options =~ /session=(\S+)/) : '';
report('ready', join ',', map { fileno $_ } @read);
sysread $to, my $go, 1 or exit 126;
close $_ for @read;
# TIOCPKT
for (@tell) { ioctl $_, 0x5420, my $on = pack 'i', 1; close $_ }
pipe my $starts, my $starting or exit 126;
# A signal for the whole group reaches us too: then nobody has to pass it on.
my @forwarded = map { name($_) } $session ? () : grep { $_ != 29 || $options !~ /ends=/ } ${FORWARDED_NUMBERS.join(', ')};
# The command misses what comes before its exec, which ends the pipe.
my ($started, @seen);
sub begun { my $bits = ''; vec($bits, fileno $starts, 1) = 1; select $bits, undef, undef, 0 }
for my $name (@forwarded) { $SIG{$name} = sub { if ($started) { report('signal', $name) } elsif (begun()) { push @seen, $name } } }
$pid = fork;
unless (defined $pid) { report('failed', $! + 0); exit 126 }
unless ($pid) {
  setpgrp 0, 0 if $session || $options =~ /group/;
  POSIX::tcsetpgrp(0, $$) if $session;
  $SIG{$_} = 'DEFAULT' for @forwarded, qw(HUP INT QUIT TERM USR1 TTOU IO);
  # One is for both streams.
  open STDOUT, '>&', $write[0];
  open STDERR, '>&', $write[-1];
  for (split /,/, $shared) { my ($fd, $of) = split /=/; POSIX::dup2($of, $fd) }
  restore($inherited);
  exec { $path } @words;
  syswrite $starting, $! + 0;
  kill KILL => $$;
}
close $starting;
# Whoever reads from what the command writes to must see it end.
close $_ for grep { fileno $_ } @write;
close STDIN unless $session;
POSIX::close($_) for split /,/, $given;
if ($session) {
  # As a shell does it when its window is closed.
  $SIG{HUP} = sub { kill HUP => -$pid; kill CONT => -$pid };
  $SIG{$_} = sub { } for qw(INT QUIT TERM TSTP);
  $SIG{USR1} = sub { POSIX::tcsetpgrp(0, $pid); kill CONT => -$pid };
}
my ($error, $got);
1 until defined($got = sysread $starts, $error, 8) || $! != 4;
if ($got) { report('failed', $error); exit 126 }
report('started', $pid);
$started = 1;
report('signal', $_) for @seen;
my $status;
while (1) {
  # Stops too, in a session: WUNTRACED.
  my $changed = waitpid -1, $session ? 2 : 0;
  last if $changed < 0 && $! != 4;
  next unless $changed == $pid;
  $status = ${'$'}{^CHILD_ERROR_NATIVE};
  last unless ($status & 255) == 127;
  POSIX::tcsetpgrp(0, getpgrp);
  report('stopped', $status >> 8 & 255);
}
leave_terminal() if $session;
report(how_it_ended($status));
# Others may still use the terminal, and on some systems everybody loses it with its leader.
if ($session) { 1 while sysread $to, $go, 1; exit }
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
# TIOCGWINSZ
sub size { my $size = "\0" x 8; ioctl STDIN, $^O eq 'linux' ? 0x5413 : 0x40087468, $size; join 'x', reverse unpack 'S2', $size }
# Reads and writes wait, as at any terminal.
sub block { fcntl $_[0], 4, fcntl($_[0], 3, 0) & ~($^O eq 'linux' ? 0x800 : 4) }
# Returns the settings that it has then.
sub take_terminal {
  # TIOCSCTTY: the terminal is our session's.
  ioctl STDIN, $^O eq 'linux' ? 0x540E : 0x20007461, 0 or exit 126;
  # Nobody may stop us when we take the terminal back.
  $SIG{TTOU} = 'IGNORE';
  my $modes = modes();
  my $settings = shift;
  if ($settings) { change($modes, $settings) }
  else {
    # The modes that node-pty gives to others. Without a name here: IXANY, IMAXBEL and IUTF8; VEOL2.
    $modes->setiflag($modes->getiflag | POSIX::BRKINT() | 0x6800);
    $modes->setcflag($modes->getcflag | POSIX::HUPCL());
    $modes->setlflag($modes->getlflag | POSIX::ECHOK());
    $modes->setcc($_, 0xFF) for POSIX::VEOL(), $^O eq 'linux' ? 16 : 2;
  }
  $modes->setispeed(POSIX::B38400());
  $modes->setospeed(POSIX::B38400());
  $modes->setattr(0, POSIX::TCSANOW()) or exit 126;
  return words_of(modes());
}
# Tells what the command has left there, and gives it back.
sub leave_terminal {
  # When we end, the group that has the terminal is hung up: that is ours now, not its background children's.
  POSIX::tcsetpgrp(0, getpgrp);
  $SIG{$_} = 'IGNORE' for qw(HUP INT QUIT TERM TSTP USR1);
  my $now = modes();
  report('set', words_of($now)) if words_of($now) ne $settings;
  report('size', size()) if size() ne $size;
  my $reading = modes();
  # A key that comes now was not shown in the meantime, either: it would be as characters, Ctrl-D as ^D.
  $reading->setlflag($reading->getlflag & ~(POSIX::ICANON() | POSIX::ECHO()));
  $reading->setcc(POSIX::VMIN(), 0);
  $reading->setcc(POSIX::VTIME(), 0);
  $reading->setattr(0, POSIX::TCSANOW());
  report('unread', unpack 'H*', $go) if sysread STDIN, $go, 4096;
  $now->setattr(0, POSIX::TCSANOW());
  # Before the end is told: who hears of it looks whether anybody is left at the terminal.
  open STDIN, '<', '/dev/null';
}
`;

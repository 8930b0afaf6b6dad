# Records a shell that an agent starts, and is that shell to the agent. Arguments: Spillway's home, the agent's name, `record`,
# `preview` or `redact`, the shell's path, and its words from argv[0] on. Whatever is wrong before the command has started, it runs
# bare, once. No module is loaded: POSIX alone takes 15 ms of processor.
#
# Compiling is most of what recording costs: `core` holds only what must be there before the command starts, `during` what
# records a short command, and is compiled while that runs. The rest, a file for each part in `rare`, is compiled when it is
# first used. Character classes are ASCII's (`/a`): compiling `[\w-]` for all of Unicode takes as long as a whole part.
# Parts share the variables declared with `our`.

our ($home, $agent, $mode, $shell, @words) = @ARGV;

# The process id of a shell that goes on itself (rare/beside.pl), and the process that started the shell.
our ($beside, $parent) = $shell =~ /^(\d+) (\d+)\z/;
$parent = getppid unless $beside;
our $umask = umask 077;
# The command's process id. Where the recorder was started as the leader of a group or session, so is the command
# (core/command.pl).
our ($child, $leads_group, $leads_session, $is_apart);
# Signals that somebody sent us, and when (milliseconds).
our %asked;
our @SIGNALS = qw(HUP INT QUIT TERM USR1 USR2 ALRM TRAP ABRT STKFLT CONT URG XCPU VTALRM PROF WINCH IO PWR SYS);
# How signals were handled when we were started: DEFAULT or IGNORE.
our %before;
@before{'CHLD', 'XFSZ', @SIGNALS} = @SIG{'CHLD', 'XFSZ', @SIGNALS};
# A limit on the size of files is the command's, and must not end the recorder.
$SIG{XFSZ} = 'IGNORE';

# Loads the rare part that has a missing function; @PARTS@ names them as `part:function`. If the part can't be read, the call
# does nothing.
sub AUTOLOAD {
  our $AUTOLOAD;
  my $name = substr $AUTOLOAD, 6;
  '@PARTS@' =~ / (\w+):$name /a && load_part($1) && defined &$name or die "no function $name\n";
  goto &$name;
}

# True when the part is there as a whole. A damaged file may compile, and yet lack functions: a part looks whether it has them,
# and returns its name.
sub load_part {
  my $path = "$home/bin/recorder/$_[0].pl";
  return is_ours($path) && do($path) eq $_[0];
}

# What is run must be a file that this user alone can change, by this name alone: who may write to another folder could
# have given it a name there.
sub is_ours {
  my @stat = lstat $_[0];
  return -f _ && $stat[4] == $> && $stat[3] == 1 && !($stat[2] & 022);
}

# Facts about the machine that Perl's modules also give, but load slowly.

our $is_linux = $^O eq 'linux';

# Numbers of system calls, by the machine that this Perl was compiled for (ELF's e_machine).
our $calls = {};
my $self;
if ($is_linux && open($self, '<', '/proc/self/exe') && sysread($self, $_, 20) == 20) {
  my $machine = unpack 'x18v', $_;
  @$calls{qw(clock_gettime statfs kcmp prctl getsid setsid exit_group rt_sigprocmask close dup3 read signalfd4)}
    = $machine == 62 ? qw(228 137 312 157 124 112 231 14 3 292 0 289)
    : $machine == 183 ? qw(113 43 272 167 156 157 94 135 57 24 63 74) : ();
}

# Returns seconds with their fraction; undef if the machine tells only whole seconds.
sub clock_seconds {
  my ($id) = @_;
  my $timespec = "\0" x 16;
  return undef unless $$calls{clock_gettime} && syscall($$calls{clock_gettime}, $id, $timespec) == 0;
  my ($seconds, $nanoseconds) = unpack 'q2', $timespec;
  return $seconds + $nanoseconds / 1e9;
}

# Milliseconds since the epoch: the start's, plus what a monotonic clock measured since, so that times never fall.
our $started_monotonic = clock_seconds(1);
our $started_wall = clock_seconds(0);
require Time::HiRes unless defined $started_wall;

sub now_ms {
  return 1000 * (defined $started_wall ? $started_wall + clock_seconds(1) - $started_monotonic : Time::HiRes::time());
}

sub iso_time {
  my ($ms) = @_;
  my ($second, $minute, $hour, $day, $month, $year) = gmtime $ms / 1000;
  return sprintf '%04d-%02d-%02dT%02d:%02d:%02d.%03dZ', $year + 1900, $month + 1, $day, $hour, $minute, $second, $ms % 1000;
}

# The kernel kills this process when the one that forked it dies, be it by SIGKILL.
sub die_with_parent {
  syscall($$calls{prctl}, 1, 9) if $$calls{prctl};
}

sub new_session {
  $$calls{setsid} ? syscall($$calls{setsid}) : setpgrp 0, 0;
}

# Settings of config.json that the recorder needs (rare/parse.pl reads them), and whether the home can be used.

our %DEFAULTS = (
  inlineBytes => 4096, maxOutputLines => 500, maxErrorLines => 750, maxStreamBytes => 1024 ** 3, minFreeBytes => undef,
  exclude => [], excludeFolders => [], wholeBytes => 24 * 1024,
);

sub read_settings {
  return -e "$home/config.json" ? configured_settings("$home/config.json") : \%DEFAULTS;
}

# Dies unless the home is a folder, is ours, and is closed to others.
sub check_home {
  my @stat = lstat $home;
  -d _ && $stat[4] == $> && !($stat[2] & 077) or die "$home is not Spillway's own\n";
}

# Records a shell that an agent starts, and is that shell to the agent. Arguments: Spillway's home, the agent's name, `record`
# or `preview`, the shell's path, and its words from argv[0] on. Whatever is wrong before the command has started, it runs
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
# (core/group.pl).
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

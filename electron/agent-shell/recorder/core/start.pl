# Records a shell that an agent starts, and is that shell to the agent. Arguments: Spillway's home, the agent's name, `record`
# or `preview`, the shell's path, and its words from argv[0] on. Whatever is wrong before the command has started, it runs
# bare, once. No module is loaded: POSIX alone takes 15 ms of processor.
#
# `core` is compiled each time, in a few milliseconds; the rest of it, a file for each part in `rare`, when it is first used.
# Parts share the variables declared with `our`.

our ($home, $agent, $mode, $shell, @words) = @ARGV;

our $umask = umask 077;
# The command's process; and whether we lead its group, so that what is sent to the group reaches both.
our ($child, $leads_group);
# Signals that somebody sent us, and when (milliseconds).
our %asked;
# How signals were handled when we were started: DEFAULT or IGNORE.
our %before = (XFSZ => $SIG{XFSZ});
# A limit on the size of files is the command's, and must not end the recorder.
$SIG{XFSZ} = 'IGNORE';
our @SIGNALS = qw(HUP INT QUIT TERM USR1 USR2 ALRM);
# Numbers of errors: %! would load a module.
our ($EINTR, $EAGAIN, $ENOSPC) = (4, $^O eq 'linux' ? 11 : 35, 28);

# A function that is not there yet is in one of the rare parts. Where that can't be read, nothing is done in its place.
our %rare_parts = (
  hash => 'make_session_folder remember plain_text sha256_hex',
  overflow => 'append_tail close_gap',
  parse => 'configured_settings is_excluded valid_text',
  preview => 'deliver_preview preview_is_due end_preview',
  rest => 'may_have_left has_writers go_on tidy our_command',
  signals => 'forward signal_names',
);

sub AUTOLOAD {
  our $AUTOLOAD;
  my $name = $AUTOLOAD =~ s/.*:://r;
  my ($part) = grep { $rare_parts{$_} =~ /\b$name\b/ } keys %rare_parts;
  die "no function $name\n" unless defined $part && load_part($part) && defined &$name;
  goto &$name;
}

# A damaged file may compile, and yet lack the functions.
sub load_part {
  my ($part) = @_;
  return do("$home/bin/recorder/$part.pl") && !grep { !defined &$_ } split / /, $rare_parts{$part};
}

# Runs the recorder's core, whose path is the first argument. If it is damaged, or is not this user's alone (as in
# recorder/core/start.pl), or dies before the command has started, the command runs bare.
# Perl complains about a damaged file in what the agent reads.
$SIG{__WARN__} = sub { };
my $core = shift;
my @core = lstat $core;
do $core if -f _ && $core[4] == $> && $core[3] == 1 && !($core[2] & 022);
# A string: it is compiled only when the core has failed.
eval q{
  # The shell goes on itself.
  exit if $ARGV[3] =~ /^\d/;
  # The command has started: it must not run again. Its pipes are closed, as nobody reads them any more.
  if ($child) {
    undef $capture;
    waitpid $child, 0;
    end_as($?);
  }
  # The core has begun, and knows what it changed.
  run_bare() if defined $umask;
  delete @ENV{"PERL_BADLANG", "PERL_SKIP_LOCALE_INIT"};
  $ENV{substr $_, 14} = delete $ENV{$_} for grep { /^SPILLWAY_KEPT_/ } keys %ENV;
  # Else the shell would lead here again.
  delete $ENV{BASH_ENV} if ($ENV{BASH_ENV} || "") =~ m{/bin/agents/[\w-]+\.bash$};
  exec { $ARGV[3] } @ARGV[4 .. $#ARGV];
};

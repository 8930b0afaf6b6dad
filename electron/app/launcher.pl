#!/usr/bin/env -S SPILLWAY_BADLANG=${PERL_BADLANG} PERL_BADLANG=0 /usr/bin/perl -t
q:/*:;
# Starts Node. To Node this file is JavaScript, and what follows a comment after the label `q`; to Perl, `q:/*:` is a
# string. The build puts it at the head of cli.js. Node, when it starts, resets signals to their defaults, unblocks
# them and raises the limit of open files, so what we inherited is read here and given to the command (inherited.ts).
# Where Node cannot run, `run` and `terminal` run their command all the same, unrecorded.
# Perl would run what PERL5OPT says, which is meant for the command; with -t it does not. It would warn of a locale that is
# not installed; with PERL_BADLANG=0 it does not. The build writes a shorter first line where the system lacks these.
# As `no warnings` does it, whose file Perl would read through a standard stream that is closed.
BEGIN { ${^WARNING_BITS} = "\0" }
# Perl reads this file by the lowest free number, which may be that of a standard stream that we were started without.
my $script = fileno DATA;
my %closed = map { $_ => 1 } grep { $_ == $script || !stat +(*STDIN, *STDOUT, *STDERR)[$_] } 0 .. 2;
# Nothing that is opened from here on gets their numbers. Where the command only prints, its standard output is one that
# cannot be written to: Node would open one that can, and the command would succeed.
my $prints = scalar @ARGV && $ARGV[0] =~ /^(?:inspect|read|list)$/;
sub null { open my $null, $prints && $_[0] == 1 ? '<' : '+<', '/dev/null'; $null }
my @null = map { null($_) } grep { $_ != $script } sort keys %closed;
if ($script < 3) {
  require XSLoader;
  XSLoader::load('POSIX');
  POSIX::close($script);
  push @null, null($script);
}
# Takes back what `env` set in the first line. A variable that it adds comes last.
if (defined(my $badlang = delete $ENV{SPILLWAY_BADLANG})) {
  my $was_set = $badlang ne '';
  if (!$was_set && open my $environ, '<', '/proc/self/environ') {
    local $/;
    $was_set = <$environ> =~ /\0SPILLWAY_BADLANG=\0\z/;
  }
  if ($was_set) { $ENV{PERL_BADLANG} = $badlang } else { delete $ENV{PERL_BADLANG} }
}
# Whether so many processes may still be started: the limit is the user's, and what others of theirs run is not known.
sub may_fork {
  my @forked;
  while (@forked < $_[0] && defined(my $forked = fork)) {
    unless ($forked) { sleep 1; kill KILL => $$ }
    push @forked, $forked;
  }
  kill KILL => @forked;
  waitpid $_, 0 for @forked;
  return @forked == $_[0];
}
my $self = $0;
for (1 .. 40) {
  last unless -l $self;
  my $target = readlink $self;
  $self = $target =~ m{^/} ? $target : ($self =~ m{^(.+/)}s ? $1 : '') . $target;
}
my @words = ($self);
my ($command, $needs) = (scalar @ARGV && $ARGV[0] eq 'run', '');
if ($command && open my $status, '<', '/proc/self/status') {
  my %masks = map { /^(Sig(?:Blk|Ign)):\s*([\da-f]+)/ ? ($1, $2) : () } <$status>;
  my ($soft, $hard, %limit) = (0, 0);
  if (open my $limits, '<', '/proc/self/limits') {
    while (<$limits>) {
      ($soft, $hard) = ($1, $2) if /^Max open files\s+(\S+)\s+(\S+)/;
      $limit{$1} = $2 if /^Max (address space|data size|processes|stack size)\s+(\d+)/;
    }
  }
  $_ eq 'unlimited' and $_ = '18446744073709551615' for $soft, $hard;
  # Descriptors that the command would have got: not those that close themselves, such as this file's.
  my ($free, @open) = $hard;
  if (opendir my $folder, '/proc/self/fd') {
    for my $fd (sort { $a <=> $b } grep /^\d+$/, readdir $folder) {
      $free--;
      open my $info, '<', "/proc/self/fdinfo/$fd" or next;
      push @open, $fd unless $closed{$fd} || grep { /^flags:\s*([0-7]+)/ && oct($1) & 02000000 } <$info>;
    }
  }
  # Which of them are one open file description, as after 2>&1: kcmp's number follows from the machine. Empty where the
  # system does not say.
  my ($kcmp, $one, @same) = (0, '');
  if (open my $program, '<', '/proc/self/exe') {
    read $program, my $head, 20;
    my $machine = length $head == 20 ? unpack 'x18 S', $head : 0;
    $kcmp = $machine == 62 ? 312 : $machine =~ /^(?:183|243|258)$/ ? 272 : 0;
  }
  for my $fd ($kcmp ? grep { $_ > 1 } @open : ()) {
    for my $of (grep { $_ < $fd && !$closed{$_} } 1, 2) {
      my $differs = syscall $kcmp, $$ + 0, $$ + 0, 0, $of, $fd;
      $one = '-' if $differs >= 0 && $one eq '';
      push @same, "$fd=$of" and last if $differs == 0;
    }
  }
  $one = join ',', @same if @same;
  ($words[0] = $self) =~ s{[^/]*$}{run.cjs};
  push @words, '--inherited=' . join ':', $masks{SigBlk}, $masks{SigIgn}, $soft, $hard, join(',', @open), $one;
  # Measured: with less, Node 20 aborts, hangs, or starts nothing and tells of no failure. It raises the soft limit of open
  # files to the hard one, and starts some 15 threads.
  my %needs = (
    "open files (ulimit -n $soft)" => $soft < 40 || $free < 40,
    'address space (ulimit -v)' => ($limit{'address space'} // 2e9) < 2e9,
    'memory for data (ulimit -d)' => ($limit{'data size'} // 3e8) < 3e8,
    'a smaller stack (ulimit -s)' => ($limit{'stack size'} // 0) > 1e9,
    'processes (ulimit -u)' => ($limit{processes} // 1e3) < 1e3 && !may_fork(24),
  );
  $needs = (sort grep { $needs{$_} } keys %needs)[0] || '';
}
($words[0] = $self) =~ s{[^/]*$}{run.cjs} if scalar @ARGV && $ARGV[0] eq 'terminal';
push @words, @ARGV;
my $records = scalar @ARGV && $ARGV[0] =~ /^(?:run|terminal|capture)$/;
unless ($needs) {
  # Node acts on these before our first line, but they are meant for the command (inherited.ts).
  my $theirs = qr/^(?:NODE_|OPENSSL_CONF$)/;
  my %given = $records && grep(/$theirs/, keys %ENV) ? %ENV : ();
  if (%given) {
    my ($environ, @names, %seen);
    if (open $environ, '<', '/proc/self/environ') { local $/ = "\0"; @names = map { /^([^=]+)=/ ? $1 : () } <$environ> }
    # A variable that is set anew comes last: so each is, in their order.
    for (grep { exists $given{$_} && !$seen{$_}++ } @names, keys %given) {
      delete $ENV{$_};
      $ENV{/$theirs/ ? "SPILLWAY_FOR_COMMAND_$_" : $_} = $given{$_};
    }
  }
  for my $node ('node', 'NODE_OF_THE_BUILD') { exec { $node } 'node', '--inspect-port=192.0.2.1:65535', @words }
  $needs = "Node.js on the PATH ($!)";
  %ENV = %given if %given;
}
if (scalar @ARGV && $ARGV[0] =~ /^(?:run|terminal)$/) {
  my ($at) = grep { $ARGV[$_] eq '--' } 0 .. $#ARGV;
  my @bare = defined $at ? @ARGV[$at + 1 .. $#ARGV] : ();
  my @options = defined $at ? @ARGV[1 .. $at - 1] : ();
  print STDERR "spillway: this is not recorded: it needs $needs\n" unless grep $_ eq '--quiet', @options;
  for (0 .. $#options) {
    my $folder = $options[$_] =~ /^--cwd=(.*)/s ? $1 : $options[$_] eq '--cwd' ? $options[$_ + 1] : next;
    chdir $folder or exit 2;
  }
  if (@bare) { exec { $bare[0] } @bare; print STDERR "spillway: $bare[0]: $!\n"; exit($! == 2 ? 127 : 126) }
}
print STDERR "spillway: it needs $needs\n";
exit 2;
__END__
*/;

# The order of it all.

restore_environment();
our $capture = eval { prepare() };
run_bare() unless $capture;

@before{'CHLD', @SIGNALS} = @SIG{'CHLD', @SIGNALS};
$SIG{CHLD} = 'DEFAULT';
$child = fork;
unless (defined $child) {
  remove_files($capture);
  $SIG{CHLD} = $before{CHLD} || 'DEFAULT';
  run_bare();
}
become_command() if $child == 0;

# It only wakes us.
$SIG{CHLD} = sub { };
for my $name (@SIGNALS) {
  next if ($before{$name} || '') eq 'IGNORE';
  # The home may have gone, and the rare parts with it.
  $SIG{$name} = sub { eval { forward($name); 1 } or kill $name, $child };
}
$SIG{PIPE} = 'IGNORE';
# Out of the command's group, where we may leave it: then a signal that reaches us was meant for the command alone.
$leads_group = getpgrp == $$;
setpgrp 0, 0 unless $leads_group;
let_go();
our $status = watch($capture, $child);
eval { finish($capture, $status) };
end_as($status);

sub prepare {
  my $given = command_argument(@words);
  return undef unless defined $given;
  my $command = command_of($agent, $given);
  return undef unless defined $command && $command =~ /\S/;
  my $cwd = readlink '/proc/self/cwd';
  $cwd = $ENV{PWD} unless defined $cwd;
  $cwd = '/' unless defined $cwd;
  check_home($home);
  # Held output must be released, whatever becomes of the home.
  load_part($_) or return undef for $mode eq 'preview' ? qw(preview rest) : ();
  my $settings = read_settings($home);
  my $has_exclusions = @{$$settings{exclude}} || @{$$settings{excludeFolders}};
  return undef if $has_exclusions && is_excluded($settings, $command, $cwd);
  my @outputs = look_at_outputs() or return undef;
  my $agent_session = agent_session($agent);
  my %capture = (
    home => $home, agent => $agent, agent_session => $agent_session, session => session_name($agent, $agent_session, $cwd),
    command => $command, cwd => $cwd, settings => $settings, outputs => \@outputs,
    names => @outputs == 1 ? ['output'] : ['stdout', 'stderr'],
  );
  my $capture = eval { open_capture(%capture) } or return undef;
  my $is_ready = eval {
    for my $output (@outputs) { connect_output($output) if $$output{kind} =~ /pipe|socket/ || $mode eq 'preview' && $$output{kind} eq 'file' }
    1;
  };
  return $capture if $is_ready;
  remove_files($capture);
  return undef;
}

sub run_bare {
  $SIG{XFSZ} = $before{XFSZ} || 'DEFAULT';
  umask $umask;
  exec { $shell } @words;
  print STDERR "spillway-shell: $shell cannot be started ($!)\n";
  exit 127;
}

# In the forked process.
sub become_command {
  die_with_parent();
  for my $name (keys %before) { $SIG{$name} = $before{$name} if defined $before{$name} && $before{$name} eq 'IGNORE' }
  $SIG{$_} = 'DEFAULT' for grep { ($before{$_} || '') ne 'IGNORE' } 'XFSZ', 'CHLD';
  for my $output (@{$$capture{outputs}}) {
    next unless $$output{write};
    for my $fd (@{$$output{fds}}) {
      # The second gets the first's description, so that both stay one.
      my $from = $fd == 2 && @{$$output{fds}} == 2 ? \*STDOUT : $$output{write};
      open $fd == 1 ? \*STDOUT : \*STDERR, '>&', $from;
    }
  }
  run_bare();
}

# Of what is the command's: its reader must see it end, its writer must hear that nobody reads. Another recorder that waits
# for the writers of a file must not take us for one (rare/rest.pl).
sub let_go {
  open STDIN, '<', '/dev/null';
  for my $output (@{$$capture{outputs}}) {
    close delete $$output{write} if $$output{write};
    if ($$output{shares_offset}) {
      open my $same, '>&', $$output{shares_offset} or next;
      $$output{shares_offset} = $same;
    }
    next unless $$output{to} || $$output{from};
    for my $fd (@{$$output{fds}}) { open $fd == 1 ? \*STDOUT : \*STDERR, '>', '/dev/null' }
  }
}

sub finish {
  my ($capture, $status) = @_;
  end_preview($capture, $status) if $mode eq 'preview';
  my $signal = $status & 127;
  my $exit = $status >> 8;
  # The table of names is loaded only where it may be needed.
  my @names = $signal || $exit > 128 ? signal_names() : ();
  my $end = $signal ? $names[$signal] : $exit > 128 && $exit - 128 <= $#names ? $names[$exit - 128] : '';
  my $is_cancelled = $asked{$end} && grep { $_ eq $end } qw(HUP INT QUIT TERM);
  # Stopping a command sends SIGKILL soon after SIGTERM.
  $is_cancelled ||= $signal == 9 && $asked{TERM} && now_ms() - $asked{TERM} < 5000;
  my %outcome = (
    status => $is_cancelled ? 'cancelled' : $status == 0 ? 'succeeded' : 'failed',
    exit_code => $signal ? undef : $exit,
    signal => $signal ? "SIG$names[$signal]" : undef,
    ended_ms => now_ms(),
  );
  my $has_more = grep { $$_{read} || $$_{from} && !$$_{to} && may_have_left($capture) && has_writers($capture, $_) } @{$$capture{outputs}};
  conclude($capture, %outcome, is_over => !$has_more);
  go_on($capture) if $has_more;
  tidy_by_the_way($capture);
}

# Ends as the command did.
sub end_as {
  my ($status) = @_;
  my $signal = $status & 127;
  if ($signal) {
    # Ours first: the home, and the table of names with it, may have gone.
    $SIG{$_} = 'DEFAULT' for @SIGNALS, 'PIPE', 'XFSZ';
    eval { $SIG{(signal_names())[$signal]} = 'DEFAULT' } unless $signal == 9;
    kill $signal, $$;
    select undef, undef, undef, 0.1;
  }
  exit($signal ? 128 + $signal : $status >> 8);
}

# At most every ten minutes.
sub tidy_by_the_way {
  my ($capture) = @_;
  my @stat = lstat "$home/run/tidied";
  tidy($capture) unless @stat && abs(time - $stat[9]) < 600;
}

# The order of it all.

restore_environment();
our $has_pipes;
our $LEAVES_OTHERS_MS = 200;
# A command that ends before this is recorded when it ends; files are made for one that lasts.
our $LASTS_MS = 100;
our $capture = eval { prepare() };
run_bare() unless $capture;

$SIG{CHLD} = 'DEFAULT';
$child = fork;
unless (defined $child) {
  remove_files($capture) if $$capture{has_files};
  run_bare();
}
become_command() if $child == 0;

# It only wakes us.
$SIG{CHLD} = sub { };
for my $name (@SIGNALS) {
  next if $before{$name} eq 'IGNORE';
  # The home may have gone, and the rare parts with it.
  $SIG{$name} = sub { eval { forward($name); 1 } or kill $name, $child };
}
$SIG{PIPE} = 'IGNORE';
# Out of the command's group, where we may leave it: then a signal that reaches us was meant for the command alone.
$leads_group = getpgrp == $$;
setpgrp 0, 0 unless $leads_group;
let_go();
our $status = wait_briefly();
$status = watch($capture) unless defined $status;
eval { finish($capture, $status) };
end_as($status);

# Returns the capture to record; undef if the command runs bare.
sub prepare {
  my $given = command_argument();
  my $command = defined $given ? command_of($given) : undef;
  return undef unless defined $command && $command =~ /\S/;
  my $cwd = readlink '/proc/self/cwd';
  $cwd = $ENV{PWD} || '/' unless defined $cwd;
  check_home();
  my $settings = read_settings();
  return undef if (@{$$settings{exclude}} || @{$$settings{excludeFolders}}) && is_excluded($settings, $command, $cwd);
  my @outputs = look_at_outputs() or return undef;
  my $agent_session = agent_session();
  my @names = @outputs == 1 ? 'output' : ('stdout', 'stderr');
  my $capture = {
    agent => $agent, agent_session => $agent_session, session => session_name($agent_session, $cwd), command => $command,
    cwd => $cwd, settings => $settings, outputs => \@outputs, batch => '', started_ms => now_ms(),
    streams => [map { { name => $names[$_], index => $_, arrived => 0, lines => 0, first => '', last => "\n" } } 0 .. $#names],
  };
  $has_pipes = $mode eq 'preview' || grep { $$_{kind} =~ /pipe|socket/ } @outputs;
  # Output that goes through Spillway must be read even if the home becomes unusable.
  return $has_pipes && !(load_part('watch') && connect_outputs($capture)) ? undef : $capture;
}

sub run_bare {
  $SIG{$_} = $before{$_} || 'DEFAULT' for 'XFSZ', 'CHLD';
  umask $umask;
  exec { $shell } @words;
  print STDERR "spillway-shell: $shell cannot be started ($!)\n";
  exit 127;
}

# In the forked process.
sub become_command {
  die_with_parent();
  command_outputs($capture) if $has_pipes;
  run_bare();
}

# Closes the command's own descriptors here, so that its reader sees the end of the output and its writer notices when
# nobody reads. Another recorder that waits for the writers of a file must not count this process (rare/rest.pl).
sub let_go {
  open STDIN, '<', '/dev/null';
  for my $output (@{$$capture{outputs}}) {
    close delete $$output{write} if $$output{write};
    if ($$output{shares_offset}) {
      open my $same, '>&', $$output{shares_offset} or next;
      $$output{shares_offset} = $same;
    }
    next if $$output{kind} eq 'none';
    for my $fd (@{$$output{fds}}) { open $fd == 1 ? \*STDOUT : \*STDERR, '>', '/dev/null' }
  }
}

# The status of a command that ends at once; undef for one that lasts or whose outputs are passed on (rare/watch.pl).
sub wait_briefly {
  return undef if $has_pipes;
  # SIGCHLD ends a pause, unless it came just before it.
  for my $pause (5, 10, 20, 30, $LASTS_MS - 65) {
    return $? if waitpid($child, 1) == $child;
    select undef, undef, undef, $pause / 1000;
  }
  return undef;
}

sub finish {
  my ($capture, $status) = @_;
  # Cutting a preview takes a while that is not the command's.
  my $ended = now_ms();
  read_file_output($capture, $_) for grep { $$_{from} && !$$_{to} } @{$$capture{outputs}};
  end_preview($capture, $status) if $mode eq 'preview';
  my %outcome = %asked || $status & 127 || $status >> 8 > 128 ? outcome_of($status)
    : (status => $status ? 'failed' : 'succeeded', exit_code => $status >> 8);
  my $has_more = grep { $$_{read} || $$_{from} && !$$_{to} && may_have_left($capture) && has_writers($capture, $_) } @{$$capture{outputs}};
  keep_in_files($capture) if $has_more;
  conclude($capture, %outcome, ended_ms => $ended, is_over => !$has_more);
  go_on($capture) if $has_more;
  # At most every ten minutes.
  my $tidied = (lstat "$home/run/tidied")[9];
  tidy($capture) unless $tidied && abs(time - $tidied) < 600;
}

# Whether the command may have left a background child.
sub may_have_left {
  my ($capture) = @_;
  return 1 if now_ms() - $$capture{started_ms} > $LEAVES_OTHERS_MS;
  return $$capture{command} =~ s/&&|[<>]&|&>//gr =~ /&|\b(?:nohup|setsid|daemon)/a;
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
  my $code = $signal ? 128 + $signal : $status >> 8;
  # Exits at once. Perl's own exit would first free all memory. No output waits in Perl's buffers.
  syscall($$calls{exit_group}, $code) if $$calls{exit_group};
  exit $code;
}

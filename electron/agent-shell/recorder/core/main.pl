# The order of it all.

restore_environment();
our $has_pipes;
# The signals that were blocked when we were started, if we block more (rare/pipes.pl).
our $blocked_before;
our $LEAVES_OTHERS_MS = 200;
# A command that ends before this is recorded when it ends; files are made for one that lasts.
our $LASTS_MS = 100;
record_beside() if $beside;
our $capture = eval { prepare() };
run_bare() unless $capture;

$leads_group = getpgrp == $$;
$leads_session = $leads_group && $$calls{getsid} && syscall($$calls{getsid}, 0) == $$;
# A command that has a terminal stays in the group that the terminal knows.
$is_apart = $leads_group && $$calls{setsid} && !open my $terminal, '<', '/dev/tty';
$SIG{CHLD} = 'DEFAULT';
# Else a command that looks for a process by its words would find this one, too.
$0 = 'spillway-recorder';
$child = fork;
unless (defined $child) {
  remove_files($capture) if $$capture{has_files};
  run_bare();
}
become_command() if $child == 0;

# It only wakes us.
$SIG{CHLD} = sub { };
for my $name (@SIGNALS) { $SIG{$name} = sub { pass_on_signal($name) } unless $before{$name} eq 'IGNORE' }
$SIG{PIPE} = 'IGNORE';
let_go();
# Out of a group that others share: then a signal that reaches us was meant for the command alone.
if ($leads_group) { stand_by() } else { setpgrp 0, 0 }
load_part('during') unless $has_pipes;
our $status = wait_briefly();
$status = watch($capture) unless defined $status;
eval { dismiss() } if $member;
eval { finish($capture, $status) };
end_as($status);

# Passes a signal on to the process or the group that it was sent to, unless the command is in that group and has it.
sub pass_on_signal {
  my ($name) = @_;
  $asked{$name} = now_ms();
  # The home may have gone, and the rare parts with it.
  my $is_for_group = $leads_group && (eval { reached_group($name) ? 1 : 0 } // $is_apart);
  return if $is_for_group && (!$is_apart || kill $name, -$child);
  kill $name, $child;
}

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
  my @names = @outputs == 1 ? 'output' : ('stdout', 'stderr');
  # Of a stream: `arrived` bytes and `lines` came, `first` are the first of them, and all until files are made (rare/lasting.pl),
  # `last` is the last character. `stopped` says why no more is stored.
  my $capture = {
    agent => $agent, agent_session => agent_session(), command => $command,
    cwd => $cwd, settings => $settings, outputs => \@outputs, batch => '', started_ms => now_ms(),
    streams => [map { { name => $names[$_], index => $_, arrived => 0, lines => 0, first => '', last => "\n" } } 0 .. $#names],
  };
  $has_pipes = $mode ne 'record' || grep { $$_{kind} =~ /pipe|socket/ } @outputs;
  # Output that goes through Spillway must be read even if the home becomes unusable.
  return $has_pipes && !(load_part('during') && load_part('watch') && connect_outputs($capture)) ? undef : $capture;
}

sub run_bare {
  $SIG{$_} = $before{$_} || 'DEFAULT' for 'XFSZ', 'CHLD';
  # SIG_SETMASK
  syscall $$calls{rt_sigprocmask}, 2, $blocked_before, 0, 8 if $blocked_before;
  umask $umask;
  exec { $shell } @words;
  print STDERR "spillway-shell: $shell cannot be started ($!)\n";
  exit 127;
}

# In the forked process.
sub become_command {
  die_with_parent();
  if ($is_apart) { $leads_session ? new_session() : setpgrp 0, 0 }
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
  end_masking($capture) if $mode eq 'redact';
  my %outcome = !defined $status ? (status => 'finished') : %asked || $status & 127 || $status >> 8 > 128 ? outcome_of($status)
    : (status => $status ? 'failed' : 'succeeded', exit_code => $status >> 8);
  my $has_more = grep { $$_{read} || $$_{from} && !$$_{to} && may_have_left($capture) && has_writers($capture, $_) } @{$$capture{outputs}};
  keep_in_files($capture) if $has_more;
  conclude($capture, %outcome, ended_ms => $ended, is_over => !$has_more);
  go_on($capture) if $has_more;
  # At most every ten minutes, and not by what runs in a sandbox.
  my $tidied = (lstat "$home/run/tidied")[9];
  tidy($capture) unless $$capture{is_sandboxed} || $tidied && abs(time - $tidied) < 600;
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

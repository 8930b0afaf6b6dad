# Finds the command as the agent wrote it in what the shell was given, and the agent's name.

# The shell's own argument that holds the command; undef when this is no `-c`.
sub command_argument {
  my $has_command;
  for (my $at = 1; $at < @words; $at++) {
    my $word = $words[$at];
    return $has_command ? $word : undef if $word !~ /^[-+]./ || $at > 1 && $words[$at - 1] eq '--';
    $has_command ||= $word =~ /^-[a-zA-Z]*c/a;
    # These have a value.
    $at++ if $word =~ /^(?:[-+][a-zA-Z]*[oO]|--rcfile|--init-file)\z/a;
  }
  return undef;
}

# Of each agent whose shell reads BASH_ENV: a variable of its tool's commands, its processes that have it too, what stdout leads
# to, and the envelope around a command (program.ts).
our %SHELLS = ('@SHELLS@');
our ($is_unknown_envelope, %parent_has);

# Returns undef unless the agent's shell tool made the call. Other commands run bare.
sub command_of {
  my ($given) = @_;
  my ($marker, $parents, $output, $head, $is_quoted, @tails) = @{$SHELLS{$agent} || return $given};
  my $command = $head && command_in_envelope($given, $head, $is_quoted, @tails);
  return $command if $head && defined $command;
  return undef unless $ENV{$marker} && (!defined $parent_has{$marker} || $parents && parent_name() =~ /^$parents/);
  return undef if $output && (readlink("/proc/$$/fd/1") || '') !~ /$output/;
  $is_unknown_envelope = $head;
  return $given;
}

sub parent_name {
  open my $file, '<', "/proc/$parent/comm" or return '';
  return scalar <$file>;
}

# The agent's own name for its conversation; else the process that is the agent.
sub agent_session {
  for my $name (qw(CODEX_SESSION_ID COPILOT_AGENT_SESSION_ID CLAUDE_CODE_SESSION_ID)) {
    return $ENV{$name} if ($ENV{$name} || '') =~ /^[\w.-]{1,64}$/a;
  }
  return $1 if $agent eq 'claude-code' && (readlink("/proc/$$/fd/1") || '') =~ m{/claude-\d+/[^/]+/([0-9a-f-]{36})/tasks/}a;
  return "pid-$parent";
}

# The environment as it would be without us: as the agent itself was started, in what leads here.
sub restore_environment {
  delete @ENV{'PERL_BADLANG', 'PERL_SKIP_LOCALE_INIT'};
  $ENV{substr $_, 14} = delete $ENV{$_} for grep { /^SPILLWAY_KEPT_/ } keys %ENV;
  my $ours = $ENV{BASH_ENV};
  if (open my $file, '<', "/proc/$parent/environ") {
    local $/ = "\0";
    my $marker = $SHELLS{$agent} ? $SHELLS{$agent}[0] : '_';
    while (<$file>) { $parent_has{$1} = $2 if /^(BASH_ENV|SHLVL|_|$marker)=(.*)\0/s }
    for my $name (defined $ours ? 'SHLVL' : (), '_') {
      if (defined $parent_has{$name}) { $ENV{$name} = $parent_has{$name} } else { delete $ENV{$name} }
    }
  }
  return unless defined $ours && $ours =~ m{/bin/agents/[\w-]+\.bash$}a;
  delete $ENV{BASH_ENV};
  $ENV{BASH_ENV} = $parent_has{BASH_ENV} if defined $parent_has{BASH_ENV} && $parent_has{BASH_ENV} ne $ours;
}

# Finds out what the command's standard output and error are, and how to record each.
#
# - A regular file, on Linux, stays the command's own. The recorder reads what the command wrote there, so it cannot delay,
#   reorder or lose anything.
# - A pipe or socket is replaced by one of the same kind, and its bytes are passed on as they arrive (rare/pipes.pl).
# - A terminal and /dev/null stay as they are and are not recorded.

# Returns a list of {fds, kind, id, from}; empty if nothing is to be recorded.
sub look_at_outputs {
  my ($one, $other) = my @outputs = map { look_at($_) } 1, 2;
  return () if grep { $$_{kind} eq 'terminal' } @outputs;
  return () unless grep { $$_{kind} ne 'none' } @outputs;
  return @outputs unless $$one{kind} ne 'none' && "$$one{kind} $$one{id}" eq "$$other{kind} $$other{id}";
  # Two descriptions of one socket or file share no offset; of one pipe they come to the same.
  return @outputs if $$one{kind} eq 'socket' && !same_description(1, 2);
  $$one{fds} = [1, 2];
  return $one;
}

sub look_at {
  my ($fd) = @_;
  my $handle = $fd == 1 ? \*STDOUT : \*STDERR;
  my @stat = stat $handle;
  my $kind = !@stat ? 'none' : -f _ ? 'file' : -p _ ? 'pipe' : -S _ ? 'socket' : -t $handle ? 'terminal' : 'none';
  my %output = (fds => [$fd], kind => $kind, id => "@stat[0, 1]");
  return \%output unless $kind eq 'file';
  unless (open $output{from}, '<', "/proc/$$/fd/$fd") {
    $output{kind} = 'pipe';
    return \%output;
  }
  # An appended file grows at its end; any other is written at the offset that we share.
  # F_GETFL and O_APPEND.
  $output{shares_offset} = $handle unless fcntl($handle, 3, 0) & 02000;
  $output{at} = $output{shares_offset} ? 0 + sysseek $handle, 0, 1 : $stat[7];
  return \%output;
}

# Reads what was written to a file since the last look. Returns true if there was any.
sub read_file_output {
  my ($capture, $output) = @_;
  my $end = 0 + ($$output{shares_offset} ? sysseek $$output{shares_offset}, 0, 1 : -s $$output{from});
  # The file was truncated. Append what it gets now to what is stored.
  $$output{at} = $end if $end < $$output{at};
  my $has_come = 0;
  while ($$output{at} < $end) {
    sysseek $$output{from}, $$output{at}, 0;
    my $most = $end - $$output{at} < 65536 ? $end - $$output{at} : 65536;
    my $got = sysread $$output{from}, my $bytes, $most;
    last unless $got;
    $$output{at} += $got;
    $has_come = 1;
    store($capture, stream_of($capture, $output), $bytes);
  }
  return $has_come;
}

sub stream_of {
  my ($capture, $output) = @_;
  return $$capture{streams}[$$output{fds}[0] - 1] || $$capture{streams}[0];
}

# Stands in for the command's process group, where the agent made the recorder the leader of one.
#
# The command then leads a group of its own, and a session if the recorder does, so that `$$` names both as without us. The
# agent knows the recorder's group. Two processes make one of the two groups:
#
# - A member of the recorder's group blocks all signals. A signal that is pending there was sent to the group, any other to the
#   recorder alone. When the recorder has ended and the command's group has not, it passes on what its group gets.
# - A watchdog outside kills the command's group when the recorder and the member are gone: SIGKILL for their group does that.
#   The command does not wait until it stands there: in the first milliseconds SIGKILL ends the command's shell alone.

our ($member, $watchdog, $recorder_ended, $recorder_lives, $group_ended, $group_lives);

sub stand_by {
  return unless $$calls{rt_sigprocmask} && pipe($recorder_ended, $recorder_lives) && pipe $group_ended, $group_lives;
  $member = start_member();
  return unless $is_apart;
  $watchdog = fork;
  return if !defined $watchdog || $watchdog;
  new_session();
  wait_for($group_ended);
  kill 'KILL', -$child;
  leave();
}

sub start_member {
  my $pid = fork;
  return $pid if !defined $pid || $pid;
  wait_for($recorder_ended, $group_lives);
  eval { pass_on_to_group() } if $is_apart;
  leave();
}

# Blocks all signals until the other end of a pipe is closed. Keeps a second descriptor, and no other.
sub wait_for {
  my ($ended, $kept) = map { fileno $_ } @_;
  syscall $$calls{rt_sigprocmask}, 0, my $all = "\xff" x 8, 0, 8;
  syscall $$calls{dup3}, $ended, 0, 0;
  syscall $$calls{dup3}, $kept, 1, 0 if $kept;
  # close_range, since Linux 5.9.
  if (syscall(436, 2, ~0, 0) != 0) { syscall $$calls{close}, $_ for 2 .. 255 }
  syscall $$calls{read}, 0, $all, 1;
}

# Without Perl's own cleaning up.
sub leave {
  syscall $$calls{exit_group}, 0;
}

# Ends both, unless the command's group lives on.
sub dismiss {
  return if $is_apart && kill(0, -$child) && is_group_there();
  kill 'KILL', grep { defined } $member, $watchdog;
  waitpid $_, 0 for grep { defined } $member, $watchdog;
}

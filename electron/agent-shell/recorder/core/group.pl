# Stands in for the command's process group, where the agent made the recorder the leader of one.
#
# The command then leads a group of its own, and a session if the recorder does, so that `$$` names both as without us. The
# agent knows the recorder's group. Two processes make one of the two groups:
#
# - A member of the recorder's group blocks all signals. A signal that is pending there was sent to the group, any other to the
#   recorder alone. When the recorder has ended and the command's group has not, it passes on what its group gets.
# - A watchdog outside kills the command's group when the recorder and the member are gone: SIGKILL for their group does that.

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

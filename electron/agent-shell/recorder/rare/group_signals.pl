# Tells signals to the recorder's process group from signals to the recorder, and passes on the former when the recorder has
# ended (core/command.pl).

our ($FIRST_POLL_SECONDS, $LAST_POLL_SECONDS) = (1, 30);
# Signals that the group got and the recorder has yet to handle.
our %pending;

# Whether a signal was sent to the whole group. Where that is not known, it is taken as sent to the group if the command is not
# in it.
sub reached_group {
  my ($name) = @_;
  return $is_apart unless $member;
  # The kernel signals the members of a group one after another.
  look_at_member() or select(undef, undef, undef, 0.001), look_at_member() unless $pending{$name};
  return delete $pending{$name};
}

sub look_at_member {
  my @names = signal_names();
  open my $file, '<', "/proc/$member/status" or return 0;
  my ($set) = map { /^ShdPnd:\s*([0-9a-f]+)$/ ? hex $1 : () } <$file>;
  return 0 unless $set;
  $pending{$names[$_]} = 1 for grep { $set >> $_ - 1 & 1 } 1 .. $#names;
  # What is pending stays so: another takes its place.
  my $former = $member;
  $member = start_member();
  kill 'KILL', $former;
  waitpid $former, 0;
  return 1;
}

# In the member, which has the recorder's handlers.
sub pass_on_to_group {
  for my $name (@SIGNALS) { $SIG{$name} = sub { kill $name, -$child } }
  syscall $$calls{rt_sigprocmask}, 1, my $all = "\xff" x 8, 0, 8;
  my $pause = $FIRST_POLL_SECONDS;
  while (is_group_there()) {
    select undef, undef, undef, $pause;
    $pause = $pause * 1.5 < $LAST_POLL_SECONDS ? $pause * 1.5 : $LAST_POLL_SECONDS;
  }
}

# Whether a process of the command's group runs. Where nothing collects orphans, zombies stay in it.
sub is_group_there {
  kill 0, -$child or return 0;
  opendir my $processes, '/proc' or return 1;
  for my $pid (grep { /^\d/ } readdir $processes) {
    open my $file, '<', "/proc/$pid/stat" or next;
    my ($state, $group) = (<$file> // '') =~ /.*\) (\S) \d+ (\d+)/s ? ($1, $2) : next;
    return 1 if $group == $child && $state !~ /[ZX]/;
  }
  return 0;
}

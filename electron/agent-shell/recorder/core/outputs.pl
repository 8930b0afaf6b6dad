# The command's standard output and error: what they are, and how each is heard.
#
# - A regular file, on Linux, stays the command's own: what it writes there is read behind it, so that nothing of ours can
#   hold it up, reorder or lose it.
# - A pipe or socket is replaced by one of the same kind, and what comes is passed on as it comes.
# - A terminal, and what nobody reads (/dev/null), stay as they are and are not recorded.

# A list of {fds, kind, from}; empty when nothing is to be recorded.
sub look_at_outputs {
  my @outputs = map { look_at($_) } 1, 2;
  return () if grep { $$_{kind} eq 'terminal' } @outputs;
  return () unless grep { $$_{kind} ne 'none' } @outputs;
  my ($one, $other) = @outputs;
  my $are_one = $$one{kind} eq $$other{kind} && $$one{kind} ne 'none' && $$one{id} eq $$other{id};
  # Two descriptions of one socket or file share no offset; of one pipe they come to the same.
  $are_one = 0 if $are_one && $$one{kind} eq 'socket' && !same_description(1, 2);
  return @outputs unless $are_one;
  $$one{fds} = [1, 2];
  return $one;
}

sub look_at {
  my ($fd) = @_;
  my $handle = $fd == 1 ? \*STDOUT : \*STDERR;
  my @stat = stat $handle;
  return { fds => [$fd], kind => 'none', id => '' } unless @stat;
  my $kind = -t $handle ? 'terminal' : -p _ ? 'pipe' : -S _ ? 'socket' : -f _ ? 'file' : 'none';
  my %output = (fds => [$fd], kind => $kind, id => "$stat[0]/$stat[1]");
  return \%output unless $kind eq 'file';
  unless (open $output{from}, '<:raw', "/proc/$$/fd/$fd") {
    $output{kind} = 'pipe';
    return \%output;
  }
  # An appended file grows at its end; any other is written at the offset that we share.
  my $flags = first_flags($fd);
  $output{shares_offset} = $handle unless defined $flags && $flags & 02000;
  $output{at} = $output{shares_offset} ? sysseek($handle, 0, 1) : $stat[7];
  $output{at} = 0 + $output{at};
  return \%output;
}

sub first_flags {
  my ($fd) = @_;
  open my $file, '<', "/proc/self/fdinfo/$fd" or return undef;
  while (my $line = <$file>) { return oct $1 if $line =~ /^flags:\s*(\d+)/ }
  return undef;
}

# Gives an output that is to be passed on two ends of its own: `read` for us, `write` for the command.
sub connect_output {
  my ($output) = @_;
  my $fd = $$output{fds}[0];
  if ($$output{kind} eq 'socket') {
    # As Node and others make them for their children; a pipe could be opened by name, a socket can't.
    socketpair $$output{read}, $$output{write}, 1, 1, 0 or die "no sockets ($!)\n";
    shutdown $$output{read}, 1;
  }
  else { pipe $$output{read}, $$output{write} or die "no pipes ($!)\n" }
  open $$output{to}, '>&', $fd == 1 ? \*STDOUT : \*STDERR or die "no descriptors ($!)\n";
  $$output{pending} = '';
}

# What a file has got since it was last looked at.
sub read_file_output {
  my ($output, $take) = @_;
  my $end = $$output{shares_offset} ? sysseek($$output{shares_offset}, 0, 1) : -s $$output{from};
  $end = 0 + ($end || 0);
  # It was truncated: what comes now comes behind what we have.
  $$output{at} = $end if $end < $$output{at};
  while ($$output{at} < $end) {
    sysseek $$output{from}, $$output{at}, 0;
    my $most = $end - $$output{at} < 65536 ? $end - $$output{at} : 65536;
    my $bytes = "";
    my $got = sysread $$output{from}, $bytes, $most;
    last unless $got;
    $$output{at} += $got;
    $take->($output, $bytes);
  }
}

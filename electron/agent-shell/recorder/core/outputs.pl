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

# Handles signals to the recorder, and ends the recorder as a signal ended the command.

# Returns the outcome of a command that a signal ended or reached, or whose status may stand for a signal.
sub outcome_of {
  my ($status) = @_;
  my ($signal, $exit) = ($status & 127, $status >> 8);
  my @names = signal_names();
  my $end = $signal ? $names[$signal] : $exit > 128 && $exit - 128 <= $#names ? $names[$exit - 128] : '';
  my $is_cancelled = $asked{$end} && grep { $_ eq $end } qw(HUP INT QUIT TERM);
  # Stopping a command sends SIGKILL soon after SIGTERM.
  $is_cancelled ||= $signal == 9 && $asked{TERM} && now_ms() - $asked{TERM} < 5000;
  return (
    status => $is_cancelled ? 'cancelled' : $status == 0 ? 'succeeded' : 'failed',
    exit_code => $signal ? undef : $exit,
    signal => $signal ? "SIG$names[$signal]" : undef,
  );
}

# Passes a signal on to the command, unless it was sent to the whole group and so reached the command already.
sub forward {
  my ($name) = @_;
  $asked{$name} = now_ms();
  if ($leads_group) {
    # A shell that has left its trap has no handlers any more.
    return if handles($child, $name);
    # A command without a handler has died by now if it got the signal.
    select undef, undef, undef, 0.02;
    return if handles($child, $name);
  }
  kill $name, $child;
}

sub handles {
  my ($pid, $name) = @_;
  my @names = signal_names();
  my ($number) = grep { $names[$_] eq $name } 0 .. $#names;
  open my $file, '<', "/proc/$pid/status" or return 0;
  while (my $line = <$file>) { return hex($1) >> $number - 1 & 1 if $line =~ /^SigCgt:\s*[0-9a-f]*?([0-9a-f]{8})$/ }
  return 0;
}

sub signal_names {
  return $is_linux
    ? qw(ZERO HUP INT QUIT ILL TRAP ABRT BUS FPE KILL USR1 SEGV USR2 PIPE ALRM TERM STKFLT CHLD CONT STOP TSTP TTIN TTOU URG XCPU XFSZ VTALRM PROF WINCH IO PWR SYS)
    : qw(ZERO HUP INT QUIT ILL TRAP ABRT EMT FPE KILL BUS SEGV SYS PIPE ALRM TERM URG STOP TSTP CONT CHLD TTIN TTOU IO XCPU XFSZ VTALRM PROF WINCH INFO USR1 USR2);
}

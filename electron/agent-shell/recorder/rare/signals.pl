# How a signal ended the command, and what signals are called.

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

sub signal_names {
  return $is_linux
    ? qw(ZERO HUP INT QUIT ILL TRAP ABRT BUS FPE KILL USR1 SEGV USR2 PIPE ALRM TERM STKFLT CHLD CONT STOP TSTP TTIN TTOU URG XCPU XFSZ VTALRM PROF WINCH IO PWR SYS)
    : qw(ZERO HUP INT QUIT ILL TRAP ABRT EMT FPE KILL BUS SEGV SYS PIPE ALRM TERM URG STOP TSTP CONT CHLD TTIN TTOU IO XCPU XFSZ VTALRM PROF WINCH INFO USR1 USR2);
}

# With --record=redact: the secrets in an output are masked before it reaches the agent, by a Node of ours that runs beside the
# command (electron/agent-shell/mask-output.ts). What it has not answered after 100 ms passes with the most usual forms masked
# (during.pl), and that is said.

our $HOLD_MS = 100;
our $MOST_HELD_BYTES = 262144;
# Output waits for what answers no more: at 256 KiB in 100 ms, for two seconds.
our $MOST_AHEAD_BYTES = 4194304;
# Ends of pipes; undefined where nothing answers.
our ($to_mask, $from_mask);
our ($unsent, $answers) = ('', '');

sub start_masking {
  my ($node, $cli) = our_command();
  return unless defined $cli && -e $cli && pipe(my $in, $to_mask) && pipe $from_mask, my $out;
  my $pid = fork;
  if (defined $pid && $pid == 0) {
    # Signals to the command's group are not for it. It ends when nobody can ask it any more.
    new_session();
    chdir '/';
    open STDIN, '<&', $in;
    open STDOUT, '>&', $out;
    open STDERR, '>', '/dev/null';
    become_node($node, $cli, 'mask-output', $home);
    kill 9, $$;
  }
  # O_WRONLY | O_NONBLOCK
  fcntl $to_mask, 4, $is_linux ? 04001 : 5;
  stop_masking() unless defined $pid;
}

# Of an output: `held` are the bytes that wait, `due` their lengths and when they pass at the latest, `ahead` how many passed before
# they were answered.
sub hold_to_mask {
  my ($capture, $output, $bytes) = @_;
  $$output{held} .= $bytes;
  $$output{ahead} ||= 0;
  push @{$$output{due}}, [length $bytes, $to_mask ? now_ms() + $HOLD_MS : 0];
  ask_to_mask($output, $bytes);
  release_overdue($capture) unless $to_mask;
}

sub ask_to_mask {
  my ($output, $bytes) = @_;
  return unless $to_mask;
  # Its place among the outputs.
  $unsent .= pack('CV', $$output{fds}[0] - 1, length $bytes) . $bytes;
  send_to_mask();
}

sub send_to_mask {
  my $written = syswrite $to_mask, $unsent;
  if (defined $written) { substr($unsent, 0, $written) = '' }
  elsif ($! != $EINTR && $! != $EAGAIN) { stop_masking() }
}

sub stop_masking {
  close $_ for grep { defined } $to_mask, $from_mask;
  ($to_mask, $from_mask, $unsent) = (undef, undef, '');
}

# Takes answers that have come: an output's index, how many bytes, how many secrets, and the bytes.
sub read_masked {
  my ($capture) = @_;
  my $got = sysread $from_mask, $answers, $READ_BYTES, length $answers;
  return stop_masking() if defined $got ? $got == 0 : $! != $EINTR && $! != $EAGAIN;
  while (length $answers >= 9) {
    my ($index, $length, $count) = unpack 'CVV', $answers;
    last if length $answers < 9 + $length;
    my $bytes = substr substr($answers, 0, 9 + $length, ''), 9;
    my $output = $$capture{outputs}[$index];
    my $late = $$output{ahead} < $length ? $$output{ahead} : $length;
    $$output{ahead} -= $late;
    next if $late == $length;
    $$capture{masked} += $count;
    release($capture, $output, $length - $late, substr $bytes, $late);
  }
}

# Passes on `bytes` instead of as many that were held.
sub release {
  my ($capture, $output, $length, $bytes) = @_;
  substr($$output{held}, 0, $length) = '';
  while ($length > 0 && @{$$output{due}}) {
    my $first = $$output{due}[0];
    my $part = $$first[0] < $length ? $$first[0] : $length;
    $length -= $part;
    shift @{$$output{due}} unless $$first[0] -= $part;
  }
  $$output{pending} .= $bytes;
  send_on($capture, $output);
}

# What has waited too long passes now.
sub release_overdue {
  my ($capture) = @_;
  my $now = now_ms();
  for my $output (@{$$capture{outputs}}) {
    my $length = 0;
    for (@{$$output{due} || []}) { last if $to_mask && $$_[1] > $now; $length += $$_[0] }
    next unless $length;
    my $bytes = substr $$output{held}, 0, $length;
    $$capture{unchecked} += ($bytes =~ tr/\n//) || 1;
    $$output{ahead} += $length if $to_mask;
    release($capture, $output, $length, join '', map { masked($_) } unpack '(a32768)*', $bytes);
    stop_masking() if $$output{ahead} > $MOST_AHEAD_BYTES;
  }
}

# Those that hold bytes, or have ended without its having been told.
sub masking_is_due {
  my ($capture) = @_;
  for my $output (@{$$capture{outputs}}) {
    next if !$$output{to} || $$output{read} || $$output{has_ended}++;
    ask_to_mask($output, '');
  }
  release_overdue($capture);
}

sub holds {
  my ($output) = @_;
  return defined $$output{held} && $$output{held} ne '';
}

# Seconds until something has waited long enough; at most those given.
sub until_due {
  my ($most, @outputs) = @_;
  for my $output (@outputs) {
    next unless @{$$output{due} || []};
    my $left = ($$output{due}[0][1] - now_ms()) / 1000;
    $most = $left < 0 ? 0 : $left if $left < $most;
  }
  return $most;
}

# The command has ended, and what it printed has passed.
sub end_masking {
  my ($capture) = @_;
  my ($last) = reverse grep { $$_{to} } @{$$capture{outputs}};
  my ($masked, $unchecked) = ($$capture{masked} || 0, $$capture{unchecked} || 0);
  if ($last && ($masked || $unchecked)) {
    my @said = $masked ? ($masked == 1 ? '1 secret is masked' : "$masked secrets are masked") : ();
    push @said, ($unchecked == 1 ? '1 line was' : "$unchecked lines were") . ' looked through for the most usual secrets alone, to save time'
      if $unchecked;
    $$last{pending} .= 'spillway: ' . join('; ', @said) . "\n";
    write_out($last);
  }
  close_ended($capture);
  stop_masking() unless grep { $$_{read} } @{$$capture{outputs}};
}

# Waits for a command that lasts, or whose outputs are passed on, and hears its outputs meanwhile.

our $POLL_SECONDS = 0.04;
# Numbers of errors: %! would load a module.
our $EINTR = 4;

# Returns the command's status as waitpid gives it. Outputs that its background children hold open stay open.
sub watch {
  my ($capture) = @_;
  my $pause = 0.002;
  while (1) {
    my $has_more = !$$capture{has_files} && !$$capture{is_lost} || grep { $$_{read} || $$_{kind} eq 'file' } @{$$capture{outputs}};
    # WNOHANG while there may be something to do. Not WUNTRACED: if we stopped with a command that stops itself, we could
    # not see that something continues it.
    my $seen = waitpid $child, $has_more ? 1 : 0;
    if ($seen == $child) {
      my $status = $?;
      hear_the_rest($capture);
      return $status;
    }
    # Somebody else waited for it: how it ended is not known.
    return 255 << 8 if $seen == -1 && $! != $EINTR;
    $pause = hear($capture, $pause) ? 0.002 : $pause * 1.5 < $POLL_SECONDS ? $pause * 1.5 : $POLL_SECONDS;
    if ($$capture{has_files}) { give_sign($capture) }
    elsif (now_ms() - $$capture{started_ms} >= $LASTS_MS) { keep_in_files($capture) }
  }
}

# Reads output and passes it on; waits for it up to the given seconds. Returns true if any came.
sub hear {
  my ($capture, $pause) = @_;
  my @files = grep { $$_{from} && !$$_{to} } @{$$capture{outputs}};
  my $has_come = 0;
  if ($has_pipes) { $has_come = hear_pipes($capture, $pause, scalar @files) } else { select undef, undef, undef, $pause }
  for my $output (@files) { $has_come = read_file_output($capture, $output) || $has_come }
  preview_is_due($capture) if $mode eq 'preview';
  masking_is_due($capture) if $mode eq 'redact';
  flush_times($capture) if $$capture{has_files} && !$has_come;
  return $has_come;
}

# The command has ended; what it printed is there, and what its background children print is somebody else's.
sub hear_the_rest {
  my ($capture) = @_;
  hear_pipes_to_their_end($capture) if $has_pipes;
  hear($capture, 0);
}

# Moves output from memory to files. If no file can be made, the command goes on and nothing is recorded.
sub keep_in_files {
  my ($capture) = @_;
  return if $$capture{has_files} || $$capture{is_lost};
  eval { make_files($capture); 1 } or $$capture{is_lost} = 1;
}

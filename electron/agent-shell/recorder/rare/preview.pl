# What of the output reaches the agent, and when.

sub wants_preview { $mode eq 'preview' }

# Seconds until something is due besides what comes.
sub wait_seconds { $_[1] }

sub on_time { }

sub deliver {
  my ($capture, $output, $bytes) = @_;
  $$output{pending} .= $bytes;
}

# Waits for the command and hears its outputs meanwhile.

our $ONE_PAGE_BYTES = 4096;      # What a pipe or socket that can be written to takes without making us wait.
our $READ_BYTES = 65536;
our $PATIENCE_SECONDS = 0.01;
our $POLL_SECONDS = 0.04;

# The command's status, as waitpid gives it. What its background children still hold open stays open.
sub watch {
  my ($capture, $child) = @_;
  my $pause = 0.002;
  while (1) {
    my $seen = waitpid $child, has_open_outputs($capture) ? 3 : 2;
    if ($seen == $child) {
      if (($? & 0xff) == 0x7f) { my $signal = $? >> 8; kill $signal, $$; kill CONT => $child; next }
      my $status = $?;
      hear_the_rest($capture);
      return $status;
    }
    # Somebody else waited for it: how it ended is not known.
    return 255 << 8 if $seen == -1 && $! != $EINTR;
    $pause = hear($capture, $pause) ? 0.002 : $pause * 1.5 < $POLL_SECONDS ? $pause * 1.5 : $POLL_SECONDS;
    give_sign($capture);
  }
}

sub has_open_outputs {
  my ($capture) = @_;
  return grep { $$_{read} || $$_{kind} eq 'file' } @{$$capture{outputs}};
}

# Takes what has come and passes it on; waits up to so many seconds for it. True when something came.
sub hear {
  my ($capture, $pause) = @_;
  my @open = grep { $$_{read} || $$_{to} && $$_{pending} ne '' } @{$$capture{outputs}};
  my @files = grep { $$_{from} && !$$_{to} } @{$$capture{outputs}};
  my ($reads, $writes) = ('', '');
  for my $output (@open) {
    if ($$output{pending} ne '') { vec($writes, fileno $$output{to}, 1) = 1 }
    elsif ($$output{read}) { vec($reads, fileno $$output{read}, 1) = 1 }
  }
  my $most = @files ? $pause : $pause < 0.1 && $pause > 0 ? 0.1 : $pause;
  my $ready = select $reads, $writes, undef, $most;
  my $has_come = 0;
  if (defined $ready && $ready > 0) {
    for my $output (@open) {
      if ($$output{pending} ne '') { pass_on($output, @open == 1) if vec $writes, fileno $$output{to}, 1 }
      elsif ($$output{read} && vec $reads, fileno $$output{read}, 1) { $has_come = read_output($capture, $output, @open == 1) || $has_come }
    }
  }
  for my $output (@files) {
    read_file_output($output, sub { $has_come = 1; store($capture, stream_of($capture, $_[0]), $_[1]) });
  }
  preview_is_due($capture) if $mode eq 'preview';
  flush_times($capture) if !$has_come && @{$$capture{batch} || []};
  return $has_come;
}

sub stream_of {
  my ($capture, $output) = @_;
  return $$capture{streams}[@{$$capture{streams}} == 2 && $$output{fds}[0] == 2 ? 1 : 0];
}

sub read_output {
  my ($capture, $output, $is_alone) = @_;
  my $bytes = "";
  my $got = sysread $$output{read}, $bytes, $READ_BYTES;
  return 0 if !defined $got && ($! == $EINTR || $! == $EAGAIN);
  unless ($got) {
    close delete $$output{read};
    # Where its reader must see it end now, and nothing is held back for the end.
    close delete $$output{to} unless $mode eq 'preview';
    return 0;
  }
  store($capture, stream_of($capture, $output), $bytes);
  if ($mode eq 'preview') { deliver_preview($capture, $output, $bytes) } else { $$output{pending} .= $bytes }
  pass_on($output, $is_alone) if $is_alone && $$output{pending} ne '';
  return 1;
}

# Writes some of what waits: all of it where nothing else could be heard meanwhile.
sub pass_on {
  my ($output, $is_alone) = @_;
  my $length = $is_alone ? length $$output{pending} : $ONE_PAGE_BYTES;
  my $written = syswrite $$output{to}, $$output{pending}, $length;
  if (defined $written) { substr($$output{pending}, 0, $written) = ''; return }
  return if $! == $EINTR || $! == $EAGAIN;
  # Its reader has gone: the command hears that as it would have, by writing.
  close delete $$output{read} if $$output{read};
  $$output{pending} = '';
}

# The command has ended; what it printed is there, and what its background children print is somebody else's.
sub hear_the_rest {
  my ($capture) = @_;
  my $patience = $PATIENCE_SECONDS;
  while (my @open = grep { $$_{read} } @{$$capture{outputs}}) {
    my $is_waiting = grep { $$_{pending} ne '' } @open;
    next if hear($capture, $is_waiting ? 1 : 0) || $is_waiting;
    last unless grep { $$_{read} } @{$$capture{outputs}};
    last if $patience <= 0;
    select undef, undef, undef, 0.002;
    $patience -= 0.002;
  }
  hear($capture, 0);
}

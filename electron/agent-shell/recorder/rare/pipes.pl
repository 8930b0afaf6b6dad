# Outputs that are pipes or sockets: the command gets others of the same kind, and what comes is passed on.

our $ONE_PAGE_BYTES = 4096;      # What a pipe or socket that can be written to takes without making us wait.
our $EAGAIN = $is_linux ? 11 : 35;
our $READ_BYTES = 65536;
our $PATIENCE_SECONDS = 0.01;

# Whether two of our descriptors share one open file description (its offset and flags).
sub same_description {
  my ($one, $other) = @_;
  return 0 unless $$calls{kcmp};
  return syscall($$calls{kcmp}, $$, $$, 0, $one, $other) == 0;
}

# False when the outputs can't be passed on: then nothing is recorded. Held output must be released, whatever becomes of the
# home, so all that previews need is there before the command.
sub connect_outputs {
  my ($capture) = @_;
  if ($mode eq 'preview') {
    load_part($_) or return 0 for qw(preview rest lasting);
    make_files($capture);
  }
  my @passed_on = grep { $$_{kind} =~ /pipe|socket/ || $mode eq 'preview' && $$_{kind} eq 'file' } @{$$capture{outputs}};
  return 1 if eval { connect_output($_) for @passed_on; 1 };
  remove_files($capture) if $$capture{has_files};
  return 0;
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

# In the command's process.
sub command_outputs {
  my ($capture) = @_;
  for my $output (@{$$capture{outputs}}) {
    next unless $$output{write};
    for my $fd (@{$$output{fds}}) {
      # The second gets the first's description, so that both stay one.
      my $from = $fd == 2 && @{$$output{fds}} == 2 ? \*STDOUT : $$output{write};
      open $fd == 1 ? \*STDOUT : \*STDERR, '>&', $from;
    }
  }
}

# Takes what has come and passes it on; waits up to so many seconds for it. True when something came.
sub hear_pipes {
  my ($capture, $pause, $has_files) = @_;
  my @open = grep { $$_{read} || $$_{to} && $$_{pending} ne '' } @{$$capture{outputs}};
  my ($reads, $writes) = ('', '');
  for my $output (@open) {
    if ($$output{pending} ne '') { vec($writes, fileno $$output{to}, 1) = 1 }
    elsif ($$output{read}) { vec($reads, fileno $$output{read}, 1) = 1 }
  }
  my $most = $has_files ? $pause : $pause < 0.1 && $pause > 0 ? 0.1 : $pause;
  my $ready = select $reads, $writes, undef, $most;
  my $has_come = 0;
  if (defined $ready && $ready > 0) {
    for my $output (@open) {
      if ($$output{pending} ne '') { pass_on($output, @open == 1) if vec $writes, fileno $$output{to}, 1 }
      elsif ($$output{read} && vec $reads, fileno $$output{read}, 1) { $has_come = read_output($capture, $output, @open == 1) || $has_come }
    }
  }
  return $has_come;
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

# What the command printed is there when it has ended, but may not have been read.
sub hear_pipes_to_their_end {
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
}

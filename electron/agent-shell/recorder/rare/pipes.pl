# Replaces outputs that are pipes or sockets by new ones of the same kind, and passes their bytes on.

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

# Returns false if the outputs can't be passed on; then nothing is recorded. Held output must be released even if the home
# becomes unusable, so everything that a preview needs is loaded before the command starts.
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

# Gives an output two new ends: `read` for the recorder, `write` for the command.
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
      # Share one description between both descriptors, as they did before.
      my $from = $fd == 2 && @{$$output{fds}} == 2 ? \*STDOUT : $$output{write};
      open $fd == 1 ? \*STDOUT : \*STDERR, '>&', $from;
    }
  }
}

# Reads output and passes it on; waits for it up to the given seconds. Returns true if any came.
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
    # Its reader must see the end now. Only a preview still has output to send.
    close delete $$output{to} unless $mode eq 'preview';
    return 0;
  }
  store($capture, stream_of($capture, $output), $bytes);
  if ($mode eq 'preview') { deliver_preview($capture, $output, $bytes) } else { $$output{pending} .= $bytes }
  pass_on($output, $is_alone) if $is_alone && $$output{pending} ne '';
  return 1;
}

# Writes some of the pending bytes; all of them if no other output is open.
sub pass_on {
  my ($output, $is_alone) = @_;
  my $length = $is_alone ? length $$output{pending} : $ONE_PAGE_BYTES;
  my $written = syswrite $$output{to}, $$output{pending}, $length;
  if (defined $written) { substr($$output{pending}, 0, $written) = ''; return }
  return if $! == $EINTR || $! == $EAGAIN;
  # Its reader has closed it. Close it for the command too, so that its next write fails as it would have.
  close delete $$output{read} if $$output{read};
  $$output{pending} = '';
}

# Reads what the command printed before it ended, and may still be in the pipes.
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

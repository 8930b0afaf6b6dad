# Replaces outputs that are pipes or sockets by new ones of the same kind, and passes their bytes on.

our $ONE_PAGE_BYTES = 4096;      # What a pipe that can be written to takes without making us wait.
our $DONT_WAIT = $is_linux ? 0x40 : 0x80;
our $EAGAIN = $is_linux ? 11 : 35;
our $READ_BYTES = 65536;
our $PATIENCE_SECONDS = 0.01;
our $FIRST_ORDERING_MS = 100;
our $SIGNALS_BYTES = 16384;
our $SIGNAL_MS = 0.01;            # What a write that we are told of costs its writer and us.
our $RESTS_FOR_MS = 5;
our ($SIGIO, $WRITTEN_SIGNAL) = (29, 64);
our ($last_passed, $order, %order_of);
# As long as it can be: to grow it would lose the time in which a second write comes.
our $buffer = ' ' x $READ_BYTES;
our ($ordered_ms, $is_told) = (0, 1);

# Whether two of our descriptors share one open file description (its offset and flags).
sub same_description {
  my ($one, $other) = @_;
  return 0 unless $$calls{kcmp};
  return syscall($$calls{kcmp}, $$, $$, 0, $one, $other) == 0;
}

# Returns false if the outputs can't be passed on; then nothing is recorded. Held output must be released even if the home
# becomes unusable, so everything that holds some is loaded before the command starts.
sub connect_outputs {
  my ($capture) = @_;
  if ($mode eq 'preview') {
    load_part($_) or return 0 for qw(preview rest lasting);
    make_files($capture);
  }
  elsif ($mode eq 'redact') {
    load_part($_) or return 0 for qw(redact rest);
    start_masking();
  }
  my @passed_on = grep { $$_{kind} =~ /pipe|socket/ || $mode ne 'record' && $$_{kind} eq 'file' } @{$$capture{outputs}};
  return 1 if eval { connect_output($_) for @passed_on; watch_order(@passed_on); 1 };
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
  # A description of the pipe that is ours alone: writing to it need not wait. O_WRONLY | O_NONBLOCK
  $$output{is_own} = $is_linux && -p ($fd == 1 ? *STDOUT : *STDERR) && sysopen $$output{to}, "/proc/$$/fd/$fd", 04001;
  $$output{is_own} || open $$output{to}, '>&', $fd == 1 ? \*STDOUT : \*STDERR or die "no descriptors ($!)\n";
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

# Those of which more may come, or still has to reach the agent.
sub open_outputs {
  my ($capture) = @_;
  return grep { $$_{read} || $$_{to} && is_waiting($_) } @{$$capture{outputs}};
}

sub is_waiting {
  my ($output) = @_;
  return $$output{pending} ne '' || $mode eq 'redact' && holds($output);
}

# Reads output and passes it on; waits for it up to the given seconds. Returns true if any came.
sub hear_pipes {
  my ($capture, $pause, $has_files) = @_;
  my @open = open_outputs($capture);
  my ($reads, $writes) = ('', '');
  for my $output (@open) {
    if ($$output{pending} ne '') { vec($writes, fileno $$output{to}, 1) = 1 }
    elsif ($$output{read} && ($mode ne 'redact' || length($$output{held} || '') < $MOST_HELD_BYTES)) { vec($reads, fileno $$output{read}, 1) = 1 }
  }
  # The event of what was read already must not be taken for the next write's.
  vec($reads, fileno $order, 1) = 1 if $order;
  my $most = $has_files ? $pause : $pause < 0.1 && $pause > 0 ? 0.1 : $pause;
  if ($mode eq 'redact') {
    vec($reads, fileno $from_mask, 1) = 1 if $from_mask;
    vec($writes, fileno $to_mask, 1) = 1 if $to_mask && $unsent ne '';
    $most = until_due($most, @open);
  }
  my $ready = select my $readable = $reads, my $writable = $writes, undef, $most;
  return 0 unless defined $ready && $ready > 0;
  if ($mode eq 'redact') {
    send_to_mask() if $to_mask && $unsent ne '' && vec $writable, fileno $to_mask, 1;
    read_masked($capture) if $from_mask && vec $readable, fileno $from_mask, 1;
  }
  my @came = read_outputs($readable, @open);
  my @bursts = read_bursts();
  for my $output (@open) { pass_on($output) if vec $writable, fileno $$output{to}, 1 }
  if ($order && (@bursts || !$is_told)) {
    # A command that writes without a pause would be held up.
    my $left = ms_for_order($capture);
    if ($is_told ? $left < 0 : $left > $RESTS_FOR_MS) {
      $is_told = !$is_told;
      be_told($_, $is_told) for grep { $$_{read} } @open;
    }
  }
  if (@bursts > 1 && ms_for_order($capture) > 0) {
    my ($since, $before) = (now_ms(), $ordered_ms);
    # What was written meanwhile may have to go in between.
    select $readable = $reads, undef, undef, 0;
    push @came, read_outputs($readable, @open);
    push @bursts, read_bursts();
    for (in_order(\@came, @bursts)) { take($capture, @$_) }
    $ordered_ms = $before + now_ms() - $since;
  }
  else { for (@came) { take($capture, @$_) } }
  # Its reader must see the end now. Only what we change may still have a line to send.
  for my $output ($mode eq 'record' ? @open : ()) { close delete $$output{to} if !$$output{read} && $$output{pending} eq '' }
  return scalar @came;
}

# Returns pairs of an output and its bytes.
sub read_outputs {
  my ($readable, @open) = @_;
  my @came;
  for my $output (@open) {
    next unless $$output{read} && vec $readable, fileno $$output{read}, 1;
    my $bytes = read_output($output);
    push @came, [$output, $bytes] if $bytes ne '';
  }
  return @came;
}

# Returns what can be read; '' if there is nothing, or the command has closed it.
sub read_output {
  my ($output) = @_;
  my $got = sysread $$output{read}, $buffer, $READ_BYTES;
  return $got ? $buffer : '' if $got || !defined $got && ($! == $EINTR || $! == $EAGAIN);
  close delete $$output{read};
  return '';
}

sub take {
  my ($capture, $output, $bytes) = @_;
  store($capture, stream_of($capture, $output), $bytes);
  if ($mode eq 'preview') { deliver_preview($capture, $output, $bytes) }
  elsif ($mode eq 'redact') { hold_to_mask($capture, $output, $bytes) }
  else { $$output{pending} .= $bytes }
  send_on($capture, $output);
}

sub send_on {
  my ($capture, $output) = @_;
  return if $$output{pending} eq '';
  let_read($capture, $last_passed) if $last_passed && $last_passed != $output;
  $last_passed = $output;
  pass_on($output);
}

# Prepares to learn in which order two outputs are written to: at each write the kernel queues a signal for us.
sub watch_order {
  my (@outputs) = @_;
  return unless $$calls{signalfd4} && @outputs == 2;
  # SIGIO comes instead of a signal for which there is no room in the queue.
  my $signals = pack 'Q', 1 << $WRITTEN_SIGNAL - 1 | 1 << $SIGIO - 1;
  # Non-blocking, and closed in the command.
  my $fd = syscall $$calls{signalfd4}, -1, $signals, 8, 02004000;
  return unless $fd >= 0 && open $order, '<&=', $fd;
  syscall $$calls{rt_sigprocmask}, 0, $signals, $blocked_before = "\0" x 8, 8;
  for my $output (@outputs) {
    # F_SETSIG
    fcntl $$output{read}, 10, $WRITTEN_SIGNAL;
    $order_of{fileno $$output{read}} = $output;
    be_told($output, 1);
  }
  signal_to_us(@outputs);
}

sub signal_to_us {
  # F_SETOWN
  fcntl $$_{read}, 8, 0 + $$ for grep { $$_{read} } @_;
}

sub be_told {
  my ($output, $of_writes) = @_;
  # F_GETFL, F_SETFL, O_ASYNC
  my $flags = fcntl $$output{read}, 3, 0;
  fcntl $$output{read}, 4, $of_writes ? 020000 | $flags : ~020000 & $flags;
}

# Returns the outputs that were written to, in order; writes to one that follow each other count as one.
sub read_bursts {
  my @written;
  while ($order && sysread $order, my $signals, $SIGNALS_BYTES) {
    # Of each: the signal, why it came, and a file descriptor.
    my @told = unpack '(L x4 l x8 l x104)*', $signals;
    $ordered_ms += $SIGNAL_MS * @told / 3;
    for (my $at = 0; $at < @told; $at += 3) {
      my ($signal, $code, $fd) = @told[$at .. $at + 2];
      # Somebody sent it (SI_USER and the like).
      if ($code <= 0) { pass_on_signal($signal == $SIGIO ? 'IO' : $signal) if $child }
      # POLL_IN
      elsif ($code == 1 && $signal == $WRITTEN_SIGNAL) { push @written, $fd unless @written && $written[-1] == $fd }
    }
  }
  return map { $order_of{$_} || () } @written;
}

# Puts what came on two outputs in the order in which it was written. A burst is taken to be a line or more.
sub in_order {
  my ($came, @bursts) = @_;
  return @$came if @bursts < 2;
  my %left;
  push @{$left{$$_[0]}}, $$_[1] =~ /[^\n]*\n|[^\n]+\z/g for @$came;
  my %bursts;
  $bursts{$_}++ for @bursts;
  my @pieces;
  for my $output (@bursts) {
    my $lines = $left{$output} or next;
    # The first burst is the one that woke us, and had the most time to grow.
    my $count = @$lines - --$bursts{$output};
    push @pieces, [$output, join '', splice @$lines, 0, $count > 1 ? $count : 1] if @$lines;
  }
  return @pieces, map { [$$_[0], join '', splice @{$left{$$_[0]}}] } grep { @{$left{$$_[0]}} } @$came;
}

# All that is done for the order may take a tenth of the command's time, and what a busy machine needs at the beginning.
sub ms_for_order {
  my ($capture) = @_;
  return $FIRST_ORDERING_MS + (now_ms() - $$capture{started_ms}) / 10 - $ordered_ms;
}

# Waits until an output's reader has read what it was given, so that it has that before what comes on another output.
sub let_read {
  my ($capture, $output) = @_;
  return if !$$output{to} || $$output{pending} ne '';
  # SIOCOUTQ, FIONREAD
  my $question = $$output{kind} eq 'socket' ? 0x5411 : 0x541B;
  my ($since, $before) = (now_ms(), $ordered_ms);
  while (ms_for_order($capture) > 0) {
    my $left = pack 'i', 0;
    last unless ioctl($$output{to}, $question, $left) && unpack 'i', $left;
    select undef, undef, undef, 0.0001;
    $ordered_ms = $before + now_ms() - $since;
  }
}

# Writes as many of the pending bytes as can be written without waiting.
sub pass_on {
  my ($output) = @_;
  my $written;
  if ($$output{kind} eq 'socket') { $written = send $$output{to}, $$output{pending}, $DONT_WAIT }
  elsif ($$output{is_own} || $$output{kind} eq 'file') { $written = syswrite $$output{to}, $$output{pending} }
  else {
    vec(my $writes = '', fileno $$output{to}, 1) = 1;
    return unless select undef, $writes, undef, 0;
    $written = syswrite $$output{to}, $$output{pending}, $ONE_PAGE_BYTES;
  }
  if (defined $written) { substr($$output{pending}, 0, $written) = ''; return }
  return if $! == $EINTR || $! == $EAGAIN;
  # Its reader has closed it. Close it for the command too, so that its next write fails as it would have.
  close delete $$output{read} if $$output{read};
  $$output{pending} = '';
}

# Writes all that is pending.
sub write_out {
  my ($output) = @_;
  while ($$output{pending} ne '') {
    my $is_ready = '';
    vec($is_ready, fileno $$output{to}, 1) = 1;
    select undef, $is_ready, undef, 1;
    pass_on($output);
  }
}

# Their readers see the end now.
sub close_ended {
  my ($capture) = @_;
  for my $output (@{$$capture{outputs}}) { close delete $$output{to} if $$output{to} && !$$output{read} }
}

# Reads what the command printed before it ended, and may still be in the pipes; passes on all of it.
sub hear_pipes_to_their_end {
  my ($capture) = @_;
  my $patience = $PATIENCE_SECONDS;
  while (my @open = open_outputs($capture)) {
    my $is_waiting = grep { is_waiting($_) } @open;
    next if hear($capture, $is_waiting ? 1 : 0) || $is_waiting;
    last if $patience <= 0;
    select undef, undef, undef, 0.002;
    $patience -= 0.002;
  }
}

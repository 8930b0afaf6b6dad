# With previews: what of a command's output reaches the agent, and when. The first bytes pass as they come. More are held back:
# up to a size all of it comes byte for byte, at the end or after a second of silence. Longer output comes as an excerpt.

our $AT_ONCE_BYTES = 4096;
our $SILENCE_MS = 1000;
our $RECENT_BYTES = 1024;
our $EXCERPT_SECONDS = 15;
# How much each agent passes on to its model, of a command that succeeded and of one that failed.
our %PASSES = ('@PASSES@');
our $MOST_RANGES = 100;

sub deliver_preview {
  my ($capture, $output, $bytes) = @_;
  if ($$capture{is_over_for_agent}) { $$output{pending} .= $bytes; return }
  my $stream = stream_of($capture, $output);
  my $passed = $$output{passed} ||= 0;
  $$output{is_released} ||= release_unstored($output, $stream, length $bytes) if $$stream{stopped};
  if ($$output{is_released}) { pass_now($output, $bytes); return }
  my $room = $passed < $AT_ONCE_BYTES ? $AT_ONCE_BYTES - $passed : 0;
  pass_now($output, substr $bytes, 0, $room, '') if $room;
  $$output{heard_ms} = now_ms();
  $$output{held} .= $bytes;
  return if $$stream{arrived} <= $$capture{settings}{wholeBytes};
  # All of it is in the stream's file; the end is kept for whoever waits for a prompt.
  $$output{is_long} = 1;
  $$output{is_new} = 1 if length $bytes;
  $$output{held} = substr $$output{held}, -$RECENT_BYTES if length $$output{held} > $RECENT_BYTES;
}

sub pass_now {
  my ($output, $bytes) = @_;
  $$output{pending} .= $bytes;
  $$output{passed} += length $bytes;
}

# Passes everything on from here, because output could not be stored (a full disk), and an excerpt would lose it. The last bytes
# that arrived are not in the file, or only in part.
sub release_unstored {
  my ($output, $stream, $last_bytes) = @_;
  my $end = $$stream{arrived} - $last_bytes;
  return 0 if $$stream{stored} < $end;
  release_whole($output, $stream, $end);
  $$output{held} = '';
  $$output{is_long} = 0;
  return 1;
}

# Releases held output after some silence, so that servers and prompts stay live. Of long output, releases the last lines.
sub preview_is_due {
  my ($capture) = @_;
  for my $output (@{$$capture{outputs}}) {
    next unless $$output{read} && defined $$output{held} && $$output{held} ne '' && now_ms() - $$output{heard_ms} >= $SILENCE_MS;
    if (!$$output{is_long}) { pass_now($output, $$output{held}); $$output{held} = ''; next }
    next unless delete $$output{is_new};
    my $recent = $$output{held} =~ s/\A[^\n]*\n(?=.)//sr;
    my $lines = ${stream_of($capture, $output)}{lines};
    my $so_far = grouped($lines) . ($lines == 1 ? ' line' : ' lines');
    note_lines($output, $lines, $recent);
    $$output{pending} .= "\n[spillway: $so_far so far; the last of them:]\n$recent";
  }
}

# Notes which lines are in a text, the last of which is the given one.
sub note_lines {
  my ($output, $last, $text) = @_;
  my $count = $text =~ tr/\n//;
  push @{$$output{shown}}, $last - $count + 1 . "-$last" if $count && @{$$output{shown} || []} < $MOST_RANGES;
}

# The command has ended. Where no excerpt can be had, all comes byte for byte.
sub end_preview {
  my ($capture, $status) = @_;
  $$capture{is_over_for_agent} = 1;
  my $has_excerpt = 0;
  for my $output (@{$$capture{outputs}}) {
    next unless $$output{to};
    my $stream = stream_of($capture, $output);
    if (!$$output{is_long}) { $$output{pending} .= $$output{held} if defined $$output{held} }
    else {
      # A stream over its cap: the file ends with its head as yet.
      my $end = $$stream{arrived} > $$stream{stored} ? $$output{held} =~ s/\A[^\n]*\n(?=.)//sr : '';
      note_lines($output, $$stream{lines}, $end);
      my $excerpt = eval { excerpt($stream, $output, $status) };
      if (defined $excerpt) {
        $$output{pending} .= $excerpt;
        $$output{pending} .= "[the last lines]\n$end" if $end ne '';
        $has_excerpt = 1;
      }
      else { release_whole($output, $stream, $$stream{stored}) }
    }
    $$output{held} = '';
    write_out($output);
  }
  my ($last) = reverse grep { $$_{to} } @{$$capture{outputs}};
  if ($has_excerpt && $last) { $$last{pending} .= closing_line($capture, $status); write_out($last) }
  close_ended($capture);
}

# All streams count: each is kept.
sub closing_line {
  my ($capture, $status) = @_;
  my $total = 0;
  $total += $$_{lines} + ($$_{last} eq "\n" || $$_{arrived} == 0 ? 0 : 1) for @{$$capture{streams}};
  my $kept = grouped($total) . ($total == 1 ? ' line' : ' lines');
  my $end = $status & 127 ? 'signal ' . ($status & 127) : 'exit ' . ($status >> 8);
  my $way = has_command() ? "spillway inspect $$capture{id} --pattern RE" : "inspect_output with artifact_id $$capture{id}";
  return "spillway: $kept kept; $end; more: $way\n";
}

# Without the command, the agent still has the tool.
sub has_command {
  return grep { $_ ne '' && -f "$_/spillway" && -x _ } split /:/, $ENV{PATH} // '';
}

sub grouped {
  my ($number) = @_;
  1 while $number =~ s/^(\d+)(\d{3})/$1,$2/;
  return $number;
}

sub release_whole {
  my ($output, $stream, $end) = @_;
  # Not by its path: the home may have gone.
  sysseek $$stream{handle}, $$output{passed}, 0;
  while ($$output{passed} < $end) {
    my $left = $end - $$output{passed};
    my $bytes = '';
    sysread $$stream{handle}, $bytes, $left < 65536 ? $left : 65536 or last;
    pass_now($output, $bytes);
    write_out($output);
  }
  sysseek $$stream{handle}, 0, 2;
}

# Chosen by Spillway's own command, in Node. Notes in the stream which of its lines reach the agent's model.
sub excerpt {
  my ($stream, $output, $status) = @_;
  my ($node, $cli) = our_command();
  return undef unless defined $cli && -e $cli;
  pipe my ($from), my ($to) or return undef;
  my $pid = fork;
  return undef unless defined $pid;
  if ($pid == 0) {
    open STDIN, '<', '/dev/null';
    open STDERR, '>', '/dev/null';
    open STDOUT, '>&', $to;
    my $passes = ($PASSES{$agent} || ['', ''])->[$status ? 1 : 0];
    become_node($node, $cli, 'excerpt-for-agent', $$stream{path}, $$output{passed}, $status, $passes, join ',', @{$$output{shown} || []});
    kill 9, $$;
  }
  close $to;
  my ($text, $end) = ('', now_ms() + 1000 * $EXCERPT_SECONDS);
  while (1) {
    my $is_ready = '';
    vec($is_ready, fileno $from, 1) = 1;
    my $left = ($end - now_ms()) / 1000;
    if ($left <= 0) { kill 9, $pid; waitpid $pid, 0; return undef }
    next unless select($is_ready, undef, undef, $left) > 0;
    my $got = sysread $from, $text, 65536, length $text;
    last if defined $got && $got == 0;
  }
  waitpid $pid, 0;
  return undef unless $? == 0 && $text ne '';
  $$stream{excerpt} = $text =~ s/\A(\{"bytes":\d+,"lines":\[[\d,\[\]]*\]\})\n// ? $1 : '{"bytes":0,"lines":[]}';
  return $text;
}

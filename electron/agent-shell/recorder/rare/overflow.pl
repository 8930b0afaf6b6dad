# Streams larger than maxStreamBytes: their beginning and their end are kept.

# Writes output beyond the cap to segments beside the file, and keeps the last two (contents/join-tail.ts).
sub append_tail {
  my ($capture, $stream, $bytes) = @_;
  my $size = $$stream{tail_bytes} > $SEGMENT_BYTES ? $$stream{tail_bytes} : $SEGMENT_BYTES;
  $size -= $size % 2;
  my $start = $$stream{arrived} > $$stream{stored} ? $$stream{arrived} : $$stream{stored};
  my $line = $$stream{arrived} > $$stream{stored} ? $$stream{lines} : $$stream{stored_lines};
  while (length $bytes) {
    my $segments = $$stream{segments} ||= [];
    if (!@$segments || $$segments[-1]{stored} >= $size) {
      my $path = "$$stream{path}.tail.$start.$line";
      my %segment = (name => $$stream{name}, path => $path, start => $start, stored => 0, stored_lines => 0);
      sysopen $segment{handle}, $path, $EXCLUSIVE, 0600 or return stop_storing($stream, "writing failed ($!)");
      push @$segments, \%segment;
      unlink ${shift @$segments}{path} if @$segments > 2;
    }
    my $part = substr $bytes, 0, $size - $$segments[-1]{stored}, '';
    append($$segments[-1], $part);
    return stop_storing($stream, $$segments[-1]{stopped} =~ s/^.*?: //r) if $$segments[-1]{stopped};
    $start += length $part;
    $line += $part =~ tr/\n//;
  }
}

# Puts the kept end after the kept beginning, both cut at line ends (electron/store/contents/join-tail.ts).
sub close_gap {
  my ($capture, $stream) = @_;
  my ($arrived, $stored) = @$stream{qw(arrived stored)};
  return if $arrived == $stored;
  my $tail = '';
  for my $segment (@{$$stream{segments} || []}) {
    open my $file, '<:raw', $$segment{path} or next;
    local $/;
    $tail .= <$file>;
  }
  $tail = substr $tail, -$$stream{tail_bytes} if length $tail > $$stream{tail_bytes};
  my $dropped = $arrived - $stored - length $tail;
  my $dropped_lines = $$stream{lines} - $$stream{stored_lines} - ($tail =~ tr/\n//);
  if ($dropped > 0 && $dropped_lines > 0 && $tail =~ /\n/) {
    my $cut = index($tail, "\n") + 1;
    substr($tail, 0, $cut) = '';
    $dropped += $cut;
    $dropped_lines += 1;
    my $unfinished = unfinished_line($stream);
    $stored -= $unfinished if $unfinished < $stored;
    $dropped += $unfinished if $unfinished < $$stream{stored};
  }
  $$stream{gap} = $dropped > 0
    ? qq({"offset":$stored,"line":$$stream{stored_lines},"bytes":$dropped,"lines":$dropped_lines}) : undef;
  # The record learns of the gap before the file changes: a crash between is mended.
  write_record($capture) if $dropped > 0;
  truncate $$stream{handle}, $stored;
  seek $$stream{handle}, $stored, 0;
  $$stream{stored} = $stored;
  append($stream, $tail);
  unlink map { $$_{path} } @{$$stream{segments} || []};
}

# Returns the stored bytes after the last line end, at most one block.
sub unfinished_line {
  my ($stream) = @_;
  open my $file, '<:raw', $$stream{path} or return 0;
  my $block = $$stream{stored} < 1048576 ? $$stream{stored} : 1048576;
  sysseek $file, $$stream{stored} - $block, 0;
  my $bytes = ""; sysread $file, $bytes, $block;
  my $end = rindex $bytes, "\n";
  return $end < 0 ? 0 : length($bytes) - $end - 1;
}

# The files of a command that lasts, or prints much, in the store's format (electron/store/format/): its record, a file for each
# stream, the times of arrival. Making them may die, and then nothing was made; what goes wrong later is said in the record.

our $EXCLUSIVE_READABLE = $is_linux ? 0302 : 0xA02;    # O_RDWR | O_CREAT | O_EXCL
our $ENOSPC = 28;
our $TAIL_BYTES = 8 * 1024 * 1024;
our $SEGMENT_BYTES = 1024 * 1024;
our $SNIFF_BYTES = 64 * 1024;
our $LOOK_AT_SPACE_BYTES = 4 * 1024 * 1024;
our $TIMES_LAG_MS = 50;
our $SIGN_OF_LIFE_MS = 5 * 60 * 1000;

sub make_files {
  my ($capture) = @_;
  in_a_folder($capture, sub { start_files($capture) }) or die "no files can be made\n";
  for my $stream (@{$$capture{streams}}) {
    my ($first, $arrived, $lines) = @$stream{qw(first arrived lines)};
    @$stream{qw(first arrived lines)} = ('', 0, 0);
    write_stream($capture, $stream, $first) if $first ne '';
    @$stream{qw(arrived lines)} = ($arrived, $lines);
  }
  flush_times($capture);
}

sub start_files {
  my ($capture) = @_;
  return 1 if eval { open_files($capture); 1 };
  remove_files($capture);
  delete @$capture{'times', 'has_files'};
  return 0;
}

sub open_files {
  my ($capture) = @_;
  my $folder = $$capture{folder};
  for (1 .. 20) {
    $$capture{id} = new_id($capture);
    last if !-e record_path($capture) && sysopen $$capture{times}, "$folder/$$capture{id}.times", $EXCLUSIVE, 0600;
  }
  die "$folder cannot be written ($!)\n" unless $$capture{times};
  open_stream($capture, $_) for @{$$capture{streams}};
  $$capture{owner} = owner_json();
  write_record($capture) or die "$folder cannot be written ($!)\n";
  $$capture{has_files} = 1;
}

sub remove_files {
  my ($capture) = @_;
  return unless $$capture{times};
  unlink "$$capture{folder}/$$capture{id}.times", record_path($capture), map { $$_{path} || () } @{$$capture{streams}};
}

# A stream's file: `stored` bytes with `stored_lines` line ends are in it. If `is_capped`, its first `head_bytes` stay, and the last
# `tail_bytes` are kept in `segments` (rare/overflow.pl) until `gap`, what the record says of the bytes between, is known. `unasked`
# bytes were stored since `asked_ms`, when the disk's room was last asked for. `is_folded`: the record itself holds the text.
sub open_stream {
  my ($capture, $stream) = @_;
  my $file = $$stream{name} eq 'output' ? "$$capture{id}.log" : "$$capture{id}.$$stream{name}.log";
  my $cap = $$capture{settings}{maxStreamBytes};
  my $tail = $cap / 2 < $TAIL_BYTES ? int $cap / 2 : $TAIL_BYTES;
  my $head = $cap - $tail;
  my $path = "$$capture{folder}/$file";
  sysopen $$stream{handle}, $path, $EXCLUSIVE_READABLE, 0600 or die "$path cannot be made ($!)\n";
  @$stream{qw(file path head_bytes tail_bytes is_capped stored stored_lines is_binary unasked)}
    = ($file, $path, $head - $head % 2, $tail, $cap > 0, 0, 0, 0, $LOOK_AT_SPACE_BYTES);
}

# Takes what arrived, before it is counted; never dies.
sub write_stream {
  my ($capture, $stream, $bytes) = @_;
  my $room = $$stream{is_capped} ? $$stream{head_bytes} - $$stream{stored} : length $bytes;
  my $in_head = $$stream{arrived} > $$stream{stored} || $$stream{stopped} ? 0 : $room < length $bytes ? $room : length $bytes;
  if ($$stream{arrived} < $SNIFF_BYTES) {
    $$stream{first} .= substr $bytes, 0, $$capture{settings}{inlineBytes} if length $$stream{first} <= $$capture{settings}{inlineBytes};
    $$stream{is_binary} ||= index(substr($bytes, 0, $SNIFF_BYTES - $$stream{arrived}), "\0") >= 0;
  }
  return if $$stream{stopped} || !has_space($capture, $stream, length $bytes);
  append($stream, $in_head == length $bytes ? $bytes : substr $bytes, 0, $in_head) if $in_head > 0;
  return if $in_head == length $bytes || $$stream{stopped};
  eval { append_tail($capture, $stream, substr $bytes, $in_head); 1 } or stop_storing($stream, 'the recorder was removed');
}

sub append {
  my ($stream, $bytes) = @_;
  my $done = 0;
  while ($done < length $bytes) {
    my $written = syswrite $$stream{handle}, $bytes, length($bytes) - $done, $done;
    unless (defined $written) {
      next if $! == $EINTR;
      stop_storing($stream, $! == $ENOSPC ? 'the disk is full' : "writing failed ($!)");
      last;
    }
    $done += $written;
  }
  $$stream{stored} += $done;
  $$stream{stored_lines} += substr($bytes, 0, $done) =~ tr/\n//;
}

sub stop_storing {
  my ($stream, $reason) = @_;
  return if $$stream{stopped};
  $$stream{stopped} = "$$stream{name} is not stored from some point on: $reason";
  # The end of a stream whose middle is missing is of no use, and the disk may need the room.
  unlink map { $$_{path} } @{$$stream{segments} || []};
  $$stream{segments} = [];
}

# Below minFreeBytes nothing more is written (electron/recorder/streams/stream-file.ts).
sub has_space {
  my ($capture, $stream, $bytes) = @_;
  $$stream{unasked} += $bytes;
  return 1 if $$stream{unasked} < $LOOK_AT_SPACE_BYTES && now_ms() - $$stream{asked_ms} < 1000;
  @$stream{qw(unasked asked_ms)} = (0, now_ms());
  my ($free, $all) = disk_space($$capture{folder}) or return 1;
  my $keep = $$capture{settings}{minFreeBytes};
  $keep = $all * 0.05 < 1024 ** 3 ? $all * 0.05 : 1024 ** 3 unless defined $keep;
  return 1 if $keep == 0 || $free - $keep >= $bytes;
  stop_storing($stream, sprintf 'only %d MiB are free on the disk (minFreeBytes is %d MiB)', $free / 1048576, $keep / 1048576);
  return 0;
}

# Bytes free for us, and bytes in all, of the disk that holds the folder; nothing where the system does not tell.
sub disk_space {
  my ($folder) = @_;
  my $result = "\0" x 120;
  return () unless $$calls{statfs} && syscall($$calls{statfs}, "$folder\0", $result) == 0;
  my (undef, $block, $blocks, undef, $available) = unpack 'q5', $result;
  return ($available * $block, $blocks * $block);
}

# Writes the times that were noted; given the time of the last one, only when they are due.
sub flush_times {
  my ($capture, $now) = @_;
  if (defined $now) {
    $$capture{batch_ms} ||= $now;
    return if $now - $$capture{batch_ms} < $TIMES_LAG_MS && length $$capture{batch} < 4096;
  }
  my $bytes = $$capture{batch};
  @$capture{'batch', 'batch_ms'} = ('', 0);
  return if $$capture{times_broken} || $bytes eq '';
  $$capture{all_times} .= $bytes if length($$capture{all_times} ||= '') < 65536;
  my $written = syswrite $$capture{times}, $bytes;
  # A part of a record would shift all that follow.
  $$capture{times_broken} = 1 unless defined $written && $written == length $bytes;
}

# Where nothing arrives, the file's own time says that it is still waited for.
sub give_sign {
  my ($capture) = @_;
  my $now = now_ms();
  return if $now - ($$capture{sign_ms} ||= $now) < $SIGN_OF_LIFE_MS;
  $$capture{sign_ms} = $now;
  utime undef, undef, "$$capture{folder}/$$capture{id}.times";
}

# Writes the last record, and removes the files that it makes needless.
sub conclude_files {
  my ($capture) = @_;
  flush_times($capture);
  # Keep a capture deleted that somebody deleted while it was recorded.
  return unless -e record_path($capture);
  return write_record($capture) unless $$capture{is_over};
  $$capture{owner} = undef;
  for my $stream (@{$$capture{streams}}) {
    $$stream{is_folded} = fits_record($capture, $stream);
    close_gap($capture, $stream) unless $$stream{is_folded};
  }
  my @folded = grep { $$_{is_folded} } @{$$capture{streams}};
  delete $$_{stopped} for @folded;
  my $all_folded = @folded == @{$$capture{streams}};
  $$capture{folded_times} = base64($$capture{all_times} || '') if $all_folded;
  # Only now: until the record holds them, the files do.
  unlink map({ $$_{path} } @folded), $all_folded ? "$$capture{folder}/$$capture{id}.times" : () if write_record($capture);
}

sub first_line_of {
  my ($path) = @_;
  open my $file, '<:raw', $path or return undef;
  my $line = <$file>;
  chomp $line if defined $line;
  return $line;
}

# Which process this is, so that a later one with the same number is not taken for it (electron/store/format/owner.ts).
sub owner_json {
  my $boot = first_line_of('/proc/sys/kernel/random/boot_id');
  my $stat = first_line_of("/proc/$$/stat");
  my $pids = readlink '/proc/self/ns/pid';
  return qq({"pid":$$,"started":null,"place":null}) unless defined $boot && defined $stat && defined $pids;
  my $started = (split ' ', substr $stat, rindex($stat, ')') + 2)[19];
  my $id = first_line_of('/etc/machine-id');
  my $host = first_line_of('/proc/sys/kernel/hostname');
  my $machine = defined $id && $id =~ m{^[0-9a-f]{32}$} ? machine_of($id, $host) : undef;
  return sprintf '{"pid":%d,"started":%s,"place":{"boot":%s,"pids":%s,"machine":%s}}',
    $$, json("$boot/$started"), json($boot), json($pids), json($machine);
}

# Not the machine's id itself, which is not to be given away, says machine-id(5).
sub machine_of {
  my ($id, $host) = @_;
  my $known = known_as("machine $id $host");
  return defined $known ? $known : remember("machine $id $host", substr sha256_hex("spillway $id $host"), 0, 16);
}

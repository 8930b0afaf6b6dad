# The files of one capture, in the store's format (electron/store/format/): its record, a file for each stream, the
# times of arrival. Making them may die, and then nothing was made; what goes wrong later is said in the record.

our $EXCLUSIVE = $is_linux ? 0301 : 0xA01;       # O_WRONLY | O_CREAT | O_EXCL
our $EXCLUSIVE_READABLE = $is_linux ? 0302 : 0xA02;    # O_RDWR | O_CREAT | O_EXCL
our $TAIL_BYTES = 8 * 1024 * 1024;
our $SEGMENT_BYTES = 1024 * 1024;
our $SNIFF_BYTES = 64 * 1024;
our $LOOK_AT_SPACE_BYTES = 4 * 1024 * 1024;
our $TIMES_LAG_MS = 50;
our $SIGN_OF_LIFE_MS = 5 * 60 * 1000;

# Given: home, session, agent, agent_session, command, cwd, settings, and the names of the streams.
sub open_capture {
  my $capture = { @_ };
  return $capture if eval { make_files($capture); 1 };
  remove_files($capture) if defined $$capture{id};
  die $@;
}

sub make_files {
  my ($capture) = @_;
  $$capture{started_ms} = now_ms();
  my $folder = $$capture{folder} = session_folder(@$capture{qw(home session started_ms)});
  for (1 .. 20) {
    my $id = new_id($$capture{command}, $$capture{started_ms});
    next if -e "$folder/$id.meta.json" || !sysopen $$capture{times}, "$folder/$id.times", $EXCLUSIVE, 0600;
    $$capture{id} = $id;
    last;
  }
  die "$folder cannot be written ($!)\n" unless defined $$capture{id};
  push @{$$capture{streams}}, open_stream($capture, $_) for @{$$capture{names}};
  $$capture{owner} = owner_json();
  write_record($capture) or die "$folder cannot be written ($!)\n";
}

sub remove_files {
  my ($capture) = @_;
  my $path = "$$capture{folder}/$$capture{id}";
  unlink "$path.times", "$path.meta.json", map { $$_{path} } @{$$capture{streams} || []};
}

# Made already, as a link says; else made now. Dies where that can't be.
sub session_folder {
  my ($home, $session, $now) = @_;
  my $name = known_as("session $session");
  return "$home/captures/$name" if defined $name && -d "$home/captures/$name";
  return make_session_folder($home, $session, $now);
}

# What was computed before and remembered (rare/hash.pl); undef when it was not.
sub known_as {
  my $link = $_[0] =~ s{([^A-Za-z0-9. -])}{sprintf '%%%02x', ord $1}gre;
  return readlink "$home/run/agents/$link";
}

sub slug {
  my ($text) = @_;
  $text = plain_text($text) if $text =~ m{[^\x00-\x7f]};
  $text =~ s/[^A-Za-z0-9._-]+/_/g;
  $text =~ s/^[._-]+//;
  $text = substr $text, 0, 60;
  $text =~ s/[._-]+$//;
  return $text eq '' ? 'unnamed' : $text;
}

sub random_hex {
  return join '', map { sprintf '%x', int rand 16 } 1 .. shift;
}

sub new_id {
  my ($command, $now) = @_;
  my $stamp = substr iso_time($now), 0, 19;
  $stamp =~ tr/:/-/;
  return join '-', 'cmd', slug(label_of($command)), $stamp, random_hex(6);
}

sub open_stream {
  my ($capture, $name) = @_;
  my $file = $name eq 'output' ? "$$capture{id}.log" : "$$capture{id}.$name.log";
  my $cap = $$capture{settings}{maxStreamBytes};
  my $tail = $cap / 2 < $TAIL_BYTES ? int $cap / 2 : $TAIL_BYTES;
  my $head = $cap - $tail;
  my %stream = (
    name => $name, file => $file, path => "$$capture{folder}/$file", index => $name eq "stderr" ? 1 : 0,
    head_bytes => $head - $head % 2, tail_bytes => $tail, is_capped => $cap > 0,
    arrived => 0, lines => 0, stored => 0, stored_lines => 0, first => '', last => '', is_binary => 0, unasked => $LOOK_AT_SPACE_BYTES,
  );
  sysopen $stream{handle}, $stream{path}, $EXCLUSIVE_READABLE, 0600 or die "$stream{path} cannot be made ($!)\n";
  return \%stream;
}

# Takes what arrived; never dies.
sub store {
  my ($capture, $stream, $bytes) = @_;
  my $lines = $bytes =~ tr/\n//;
  my $room = $$stream{is_capped} ? $$stream{head_bytes} - $$stream{stored} : length $bytes;
  my $in_head = $$stream{arrived} > $$stream{stored} || $$stream{stopped} ? 0 : $room < length $bytes ? $room : length $bytes;
  if ($$stream{arrived} < $SNIFF_BYTES) {
    $$stream{first} .= substr $bytes, 0, $$capture{settings}{inlineBytes} if length $$stream{first} <= $$capture{settings}{inlineBytes};
    $$stream{is_binary} ||= index(substr($bytes, 0, $SNIFF_BYTES - $$stream{arrived}), "\0") >= 0;
  }
  if (!$$stream{stopped} && has_space($capture, $stream, length $bytes)) {
    append($stream, $in_head == length $bytes ? $bytes : substr $bytes, 0, $in_head) if $in_head > 0;
    if ($in_head < length $bytes && !$$stream{stopped}) {
      eval { append_tail($capture, $stream, substr $bytes, $in_head); 1 } or stop_storing($stream, 'the recorder was removed');
    }
  }
  $$stream{arrived} += length $bytes;
  $$stream{lines} += $lines;
  $$stream{last} = substr $bytes, -1;
  note_time($capture, $stream);
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

# Below minFreeBytes nothing more is written (electron/recorder/streams/space-guard.ts).
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

# One record of 16 bytes for a moment and stream (electron/store/format/times.ts), written in batches.
sub note_time {
  my ($capture, $stream) = @_;
  my $now = int now_ms();
  my $record = pack('VvCCQ<', $now % 4294967296, int($now / 4294967296), $$stream{index}, 0, $$stream{arrived});
  my $batch = $$capture{batch} ||= [];
  my $last = @$batch ? substr $$batch[-1], 0, 7 : '';
  pop @$batch if $last eq substr $record, 0, 7;
  $$capture{batch_ms} = $now unless @$batch;
  push @$batch, $record;
  flush_times($capture) if $now - $$capture{batch_ms} >= $TIMES_LAG_MS || @$batch >= 256;
}

sub flush_times {
  my ($capture) = @_;
  my $bytes = join '', @{$$capture{batch} || []};
  $$capture{batch} = [];
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

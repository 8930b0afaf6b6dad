# The record of a capture (electron/store/format/record.ts), replaced atomically by its one writer.

our $EXCLUSIVE = $is_linux ? 0301 : 0xA01;       # O_WRONLY | O_CREAT | O_EXCL

sub write_record {
  my ($capture) = @_;
  my $path = record_path($capture);
  my $temporary = sprintf '%s.%08x.tmp', $path, rand 2 ** 32;
  my $is_written = write_file($temporary, record_json($capture)) && rename $temporary, $path;
  unlink $temporary unless $is_written;
  return $is_written;
}

sub write_file {
  my ($path, $bytes) = @_;
  sysopen my $file, $path, $EXCLUSIVE, 0600 or return 0;
  return (syswrite $file, $bytes) == length $bytes && close $file;
}

sub record_json {
  my ($capture) = @_;
  my ($started, $ended, $status, $exit) = @$capture{qw(started_ms ended_ms status exit_code)};
  return sprintf '{"version":1,"artifact_id":%s,"kind":"cmd","label":%s,"command":%s,"args":[],"cwd":%s,"env_names":null,'
    . '"session":%s,"agent":{"name":%s,"session":%s},"status":%s,"signal":%s,"started_at":%s,"ended_at":%s,"exit_code":%s,'
    . '"duration_ms":%s,"recorder":%s,"stop":%s,"warnings":[%s],"streams":[%s],"times":%s,"terminal":null}',
    map({ json($_) } @$capture{qw(id label command cwd session agent agent_session)},
      $status || 'running', $$capture{signal}, iso_time($started), defined $ended ? iso_time($ended) : undef),
    defined $exit ? $exit : 'null', defined $ended ? int($ended - $started + 0.5) : 'null', $$capture{owner} || 'null',
    defined $status ? 'null' : '"recorder"', join(',', map { json($_) } map { $$_{stopped} || () } @{$$capture{streams}}),
    join(',', map { stream_json($capture, $_) } @{$$capture{streams}}), json($$capture{folded_times});
}

sub stream_json {
  my ($capture, $stream) = @_;
  my ($arrived, $is_folded) = @$stream{qw(arrived is_folded)};
  return sprintf '{"name":"%s","file":%s,"folded":%s,"total_bytes":%d,"total_lines":%s,"gap":%s,"content_type":"%s"}',
    $$stream{name}, $is_folded ? ('null', json(base64($$stream{first})), $arrived) : (json($$stream{file}), 'null', $$stream{stored}),
    $$capture{is_over} ? $$stream{lines} + ($arrived && $$stream{last} ne "\n") : 'null', $$stream{gap} || 'null',
    !$arrived ? 'unknown' : $$stream{is_binary} ? 'binary' : 'text';
}

# JSON strings and base64, without a module.

# A string or undef, as JSON. Bytes that are not UTF-8 become U+FFFD.
sub json {
  my ($text) = @_;
  return 'null' unless defined $text;
  $text = valid_text($text) if $text =~ /[^\x00-\x7f]/ && !utf8::decode(my $copy = $text);
  $text =~ s/(["\\])/\\$1/g;
  $text =~ s/([\x00-\x1f\x7f])/sprintf '\u%04x', ord $1/ge;
  return qq("$text");
}

sub base64 {
  my ($bytes) = @_;
  # uuencode is base64 with another alphabet, and a length before each line.
  my $text = pack 'u', $bytes;
  $text =~ s/^.|\n//gm;
  $text =~ tr#`!-_#A-Za-z0-9+/#;
  substr($text, -$_) = '=' x $_ for grep { $_ } -length($bytes) % 3;
  return $text;
}

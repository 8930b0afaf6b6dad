# A capture in memory. A command that lasts, or prints much, gets files (rare/lasting.pl); of any other only the record is
# written, when it has ended.

# Takes what arrived; never dies.
sub store {
  my ($capture, $stream, $bytes) = @_;
  keep_in_files($capture) if $$stream{arrived} + length $bytes > $$capture{settings}{inlineBytes};
  if ($$capture{has_files}) { write_stream($capture, $stream, $bytes) }
  elsif (!$$capture{is_lost}) { $$stream{first} .= $bytes }
  $$stream{arrived} += length $bytes;
  $$stream{lines} += $bytes =~ tr/\n//;
  $$stream{last} = substr $bytes, -1;
  note_time($capture, $stream);
}

# One record of 16 bytes for a moment and stream (electron/store/format/times.ts), written in batches.
sub note_time {
  my ($capture, $stream) = @_;
  my $now = int now_ms();
  # Six bytes for the milliseconds, two for the stream.
  my $moment = pack 'Q<', $now + $$stream{index} * 2 ** 48;
  substr($$capture{batch}, -16) = '' if length $$capture{batch} && substr($$capture{batch}, -16, 8) eq $moment;
  $$capture{batch} .= $moment . pack 'Q<', $$stream{arrived};
  flush_times($capture, $now) if $$capture{has_files};
}

# Says how the command ended; `is_over`: and that nothing more will come.
sub conclude {
  my ($capture, %outcome) = @_;
  @$capture{keys %outcome} = values %outcome;
  keep_in_files($capture) if grep { !fits_record($capture, $_) } @{$$capture{streams}};
  return if $$capture{is_lost};
  remember("envelope $agent", iso_time(now_ms())) if $is_unknown_envelope;
  return conclude_files($capture) if $$capture{has_files};
  @$_{'is_folded', 'is_binary'} = (1, $$_{first} =~ /\0/) for @{$$capture{streams}};
  $$capture{folded_times} = base64($$capture{batch});
  in_a_folder($capture, sub {
    do { $$capture{id} = new_id($capture) } while -e record_path($capture);
    write_record($capture);
  });
}

sub fits_record {
  my ($capture, $stream) = @_;
  my $limit = $$capture{settings}{$$stream{name} eq 'stderr' ? 'maxErrorLines' : 'maxOutputLines'};
  return $$stream{arrived} <= $$capture{settings}{inlineBytes} && $$stream{lines} + ($$stream{last} ne "\n") <= $limit;
}

# Lets `make` write into the session's folder among our captures. A sandbox may let nothing be written there: then among
# those of the agent's sandbox (electron/store/format/places.ts). True when something was made.
sub in_a_folder {
  my ($capture, $make) = @_;
  return 1 if eval { $$capture{folder} = session_folder($capture, "$home/captures"); $make->() };
  my $root = "$home/sandboxes/$agent";
  return $$capture{is_sandboxed} = $agent =~ /^[\w-]+$/a && -d $root
    && eval { $$capture{folder} = session_folder($capture, $root); $make->() };
}

# Made already, as a link says; else made now. Dies where that can't be.
sub session_folder {
  my ($capture, $root) = @_;
  $$capture{session} = session_name(@$capture{qw(agent_session cwd)}) unless defined $$capture{session};
  my $name = known_as("session $$capture{session}");
  return "$root/$name" if defined $name && -d "$root/$name";
  return make_session_folder($root, $$capture{session}, $$capture{started_ms});
}

# Returns a value that rare/hash.pl computed and stored earlier; undef if there is none.
sub known_as {
  my $link = $_[0] =~ s{([^A-Za-z0-9. -])}{sprintf '%%%02x', ord $1}gre;
  return readlink "$home/run/agents/$link";
}

# Captures of one conversation in one project lie together.
sub session_name {
  my ($agent_session, $cwd) = @_;
  return $ENV{SPILLWAY_SESSION} if ($ENV{SPILLWAY_SESSION} || '') ne '';
  # The nearest folder with a repository.
  my $folder = $cwd;
  $folder =~ s{/[^/]*$}{} while $folder =~ m{^/.} && !-e "$folder/.git";
  # Where there is none, the one in which the conversation began.
  my $began = "project $agent $agent_session";
  my $project = $folder =~ m{^/.} ? undef : known_as($began);
  unless (defined $project) {
    ($project) = ($folder =~ m{^/.} ? $folder : $cwd) =~ m{([^/]+)/*$};
    $project = 'root' unless defined $project;
    $project =~ s/[^\x20-\x7e]/_/g;
    remember($began, $project) unless $folder =~ m{^/.};
  }
  return join ' ', $agent, $project, substr $agent_session, $agent_session =~ /^pid-/ ? 0 : -12;
}

sub slug {
  my ($text) = @_;
  $text = plain_text($text) if $text =~ /[^\x00-\x7f]/;
  $text =~ tr/A-Za-z0-9._-/_/cs;
  $text =~ s/^[._-]+//;
  $text = substr($text, 0, 60) =~ s/[._-]+$//r;
  return $text eq '' ? 'unnamed' : $text;
}

sub new_id {
  my ($capture) = @_;
  my $stamp = substr iso_time($$capture{started_ms}), 0, 19;
  $stamp =~ tr/:/-/;
  return sprintf 'cmd-%s-%s-%06x', slug($$capture{label} = label_of(masked($$capture{command}))), $stamp, rand 16 ** 6;
}

sub record_path {
  my ($capture) = @_;
  return "$$capture{folder}/$$capture{id}.meta.json";
}

# Names a command for lists and ids, as electron/host/recording/run-request.ts does: test/fixtures/labels.ts has cases for both.

# The label of a shell line's first command that does more than prepare the next one: `npm test` of `cd web && CI=1 npm test -- -v`.
sub label_of {
  my ($line) = @_;
  my ($is_target, @words, @before) = 0;
  for my $token (substr($line, 0, 4096) =~ /((?:[^ \t\r\n'"\\;&|<>()]+|'[^']*'|"[^"\\]*(?:\\.[^"\\]*)*"|\\.)+|[;&|<>()\n])/gs, ';') {
    if ($token =~ /^[<>]\z/) { $is_target = 1 }
    elsif ($token !~ /^[;&|()\n]\z/) {
      push @words, $token unless $is_target || !@words && $token =~ /^\w+\+?=/a;
      $is_target = 0;
    }
    elsif (@words) {
      last if $words[0] !~ /^(?:cd|pushd|export|set|shopt|source|\.|umask|ulimit|unset|trap)\z/;
      (@before, @words) = @words;
    }
  }
  my ($name, @arguments) = @words ? @words : @before ? @before : 'sh';
  $name =~ tr/'"//d;
  $name =~ s{^.*[/\\](?=.)}{}s;
  return join ' ', $name, grep { /^[A-Za-z][\w:.-]{0,30}\z/a } splice @arguments, 0, 2;
}

# A command line with its secrets masked, byte by byte: the most usual forms of shared/secrets/rules.ts. They are in no file
# beside the streams.
sub masked {
  my ($text) = @_;
  return $text unless length $text < 65536 && $text =~ /[A-Za-z0-9]{6}/;
  $text =~ s/(?<![A-Za-z0-9_])(?:gh[pousr]_|github_pat_|gl(?:pat|dt|rt|ptt|cbt)-|sk-|[sr]k_(?:live|test)_|xox[a-z]-|npm_|pypi-|AIza|ya29\.|SG\.|hf_|hv[sbr]\.|dop_v1_|dckr_pat_|shp[a-z]{2}_|gl(?:c|sa)_|lin_api_|tskey-|A[KS]IA|dapi|gsk_|r8_)(?=[\w.+\/=-]*\d)[\w.+\/=-]{15,}/'*' x length $&/ge;
  $text =~ s/(?<![A-Za-z0-9_])ey[\w-]{12,}\.ey[\w-]{8,}\.[\w-]{8,}/'*' x length $&/ge;
  $text =~ s/(:\/\/[^\s:\/@"']*:)([^\s\/@"'\$*]+)(?=@)/$1 . '*' x length $2/ge;
  $text =~ s/(\bauthorization["']?\s*[:=]\s*["']?(?:(?:basic|bearer|token)\s+)?)([^\s"'\$*]{6,})/$1 . '*' x length $2/gie;
  $text =~ s/((?:token|secret|passw(?:or)?d|passphrase|(?:api|access|private|auth)[-_]?key)(?:[-_](?:access[-_]?)?key(?:[-_]base)?)?\\?["']?\s*[=:]\s*\\?["']?|--(?:[\w-]+-)?(?:token|secret|password|api-key)[ =]["']?|_(?:KEY|PASS|PWD)=["']?)([^\s"'\$<{*;|&()]{4,})/$1 . '*' x length $2/gie;
  return $text;
}

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
  local $$capture{command} = masked($$capture{command});
  my $excerpts = $mode eq 'preview' ? ',"excerpts":[' . join(',', map { $$_{excerpt} || 'null' } @{$$capture{streams}}) . ']' : '';
  return sprintf '{"version":1,"artifact_id":%s,"kind":"cmd","label":%s,"command":%s,"args":[],"cwd":%s,"env_names":null,'
    . '"session":%s,"agent":{"name":%s,"session":%s,"recorded":{"mode":%s%s}},"status":%s,"signal":%s,"started_at":%s,"ended_at":%s,"exit_code":%s,'
    . '"duration_ms":%s,"recorder":%s,"stop":%s,"warnings":[%s],"streams":[%s],"times":%s,"terminal":null}',
    map({ json($_) } @$capture{qw(id label command cwd session agent agent_session)}, $mode), $excerpts, map({ json($_) }
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

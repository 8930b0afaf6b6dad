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
  return sprintf 'cmd-%s-%s-%06x', slug($$capture{label} = label_of($$capture{command})), $stamp, rand 16 ** 6;
}

sub record_path {
  my ($capture) = @_;
  return "$$capture{folder}/$$capture{id}.meta.json";
}

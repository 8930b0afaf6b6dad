# The record of a capture (electron/store/format/record.ts), replaced atomically by its one writer.

sub write_record {
  my ($capture) = @_;
  my $path = "$$capture{folder}/$$capture{id}.meta.json";
  my $temporary = "$path." . random_hex(8) . '.tmp';
  my $is_written = write_file($temporary, record_json($capture)) && rename $temporary, $path;
  unlink $temporary unless $is_written;
  return $is_written;
}

sub write_file {
  my ($path, $bytes) = @_;
  sysopen my $file, $path, $EXCLUSIVE, 0600 or return 0;
  my $written = syswrite $file, $bytes;
  return defined $written && $written == length $bytes && close $file;
}

sub record_json {
  my ($capture) = @_;
  my ($status, $exit, $signal, $ended) = @$capture{qw(status exit_code signal ended_ms)};
  my $duration = defined $ended ? int($ended - $$capture{started_ms} + 0.5) : 'null';
  my @warnings = (@{$$capture{warnings} || []}, map { $$_{stopped} || () } @{$$capture{streams}});
  return '{' . join(',',
    '"version":1', '"artifact_id":' . json($$capture{id}), '"kind":"cmd"', '"label":' . json(label_of($$capture{command})),
    '"command":' . json($$capture{command}), '"args":[]', '"cwd":' . json($$capture{cwd}), '"env_names":null',
    '"session":' . json($$capture{session}),
    '"agent":{"name":' . json($$capture{agent}) . ',"session":' . json($$capture{agent_session}) . '}',
    '"status":' . json($status || 'running'), '"exit_code":' . (defined $exit ? $exit : 'null'), '"signal":' . json($signal),
    '"started_at":' . json(iso_time($$capture{started_ms})), '"ended_at":' . (defined $ended ? json(iso_time($ended)) : 'null'),
    qq("duration_ms":$duration), '"warnings":' . json_list(@warnings),
    '"recorder":' . ($$capture{owner} || 'null'), '"stop":' . (defined $status ? 'null' : '"recorder"'),
    '"streams":[' . join(',', map { stream_json($capture, $_) } @{$$capture{streams}}) . ']',
    '"times":' . json($$capture{folded_times}), '"terminal":null') . '}';
}

sub stream_json {
  my ($capture, $stream) = @_;
  my $is_folded = $$stream{is_folded};
  my $lines = $$capture{is_over} ? $$stream{lines} + ($$stream{arrived} > 0 && $$stream{last} ne "\n" ? 1 : 0) : 'null';
  my $type = $$stream{arrived} == 0 ? 'unknown' : $$stream{is_binary} ? 'binary' : 'text';
  my $gap = $$stream{gap} ? sprintf '{"offset":%d,"line":%d,"bytes":%d,"lines":%d}', @{$$stream{gap}} : 'null';
  return '{' . join(',', '"name":' . json($$stream{name}), '"file":' . ($is_folded ? 'null' : json($$stream{file})),
    '"folded":' . ($is_folded ? json(base64($$stream{first})) : 'null'),
    '"total_bytes":' . ($is_folded ? $$stream{arrived} : $$stream{stored}), qq("total_lines":$lines,"gap":$gap,"content_type":"$type")) . '}';
}

# Says how the command ended; `is_over`: and that nothing more will come.
sub conclude {
  my ($capture, %outcome) = @_;
  @$capture{keys %outcome} = values %outcome;
  flush_times($capture);
  # Deleted while it was recorded: it stays deleted.
  return unless -e "$$capture{folder}/$$capture{id}.meta.json";
  return write_record($capture) unless $$capture{is_over};
  $$capture{owner} = undef;
  for my $stream (@{$$capture{streams}}) {
    my $limit = $$capture{settings}{$$stream{name} eq 'stderr' ? 'maxErrorLines' : 'maxOutputLines'};
    my $lines = $$stream{lines} + ($$stream{last} eq "\n" ? 0 : 1);
    $$stream{is_folded} = $$stream{arrived} <= $$capture{settings}{inlineBytes} && $lines <= $limit;
    close_gap($capture, $stream) unless $$stream{is_folded};
  }
  my @folded = grep { $$_{is_folded} } @{$$capture{streams}};
  delete $$_{stopped} for @folded;
  my $all_folded = @folded == @{$$capture{streams}};
  $$capture{folded_times} = base64($$capture{all_times} || '') if $all_folded;
  # Only now: until the record holds them, the files do.
  unlink map({ $$_{path} } @folded), $all_folded ? "$$capture{folder}/$$capture{id}.times" : () if write_record($capture);
}

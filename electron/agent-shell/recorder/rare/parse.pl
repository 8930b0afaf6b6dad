# Reads JSON. The program's rare parts are compiled when they are first used.

our %PREVIEW_BYTES = (small => 2048, medium => 4096, large => 8192);

# An invalid setting gets its default; `spillway doctor` names it.
sub configured_settings {
  my ($path) = @_;
  my $given = eval { read_config($path) };
  $given = {} unless ref $given eq 'HASH';
  my %settings = %DEFAULTS;
  for my $name (qw(maxOutputLines maxErrorLines maxStreamBytes minFreeBytes)) {
    $settings{$name} = $$given{$name} if defined $$given{$name} && $$given{$name} =~ /^\d+$/;
  }
  $settings{wholeBytes} = $$given{recordWholeBytes} if defined $$given{recordWholeBytes} && $$given{recordWholeBytes} =~ /^\d+$/;
  $settings{inlineBytes} = $PREVIEW_BYTES{$$given{previewSize} || 'medium'} || 4096;
  $settings{exclude} = $$given{recordExclude} if ref $$given{recordExclude} eq 'ARRAY';
  $settings{excludeFolders} = $$given{recordExcludeFolders} if ref $$given{recordExcludeFolders} eq 'ARRAY';
  return \%settings;
}

sub is_excluded {
  my ($settings, $command, $cwd) = @_;
  for my $pattern (@{$$settings{exclude}}) {
    return 1 if eval { $command =~ /$pattern/ };
  }
  for my $folder (@{$$settings{excludeFolders}}) {
    (my $path = $folder) =~ s{^~(?=/|$)}{$ENV{HOME}};
    $path =~ s{/+$}{};
    return 1 if $cwd eq $path || index($cwd, "$path/") == 0;
  }
  return 0;
}

sub read_config {
  my ($path) = @_;
  open my $file, '<:raw', $path or return {};
  local $/;
  return parse_json(scalar <$file>);
}

# What a JSON text holds. Dies where it can't be understood. true and false are 1 and 0.
sub parse_json {
  my ($text) = @_;
  $text =~ s/^\xef\xbb\xbf//;
  my $value = parse_value(\$text);
  $text =~ /\G\s*\z/gc or die "not JSON\n";
  return $value;
}

sub parse_value {
  my ($text) = @_;
  $$text =~ /\G\s*/gc;
  return parse_string($text) if $$text =~ /\G"/gc;
  return $1 if $$text =~ /\G(-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)/gc;
  return { true => 1, false => 0, null => undef }->{$1} if $$text =~ /\G(true|false|null)/gc;
  return parse_items($text, ']') if $$text =~ /\G\[/gc;
  return { parse_items($text, '}') } if $$text =~ /\G\{/gc;
  die "not JSON\n";
}

# Of an object: names and values in turn.
sub parse_items {
  my ($text, $end) = @_;
  my @items;
  until ($$text =~ /\G\s*\Q$end\E/gc) {
    $$text =~ /\G\s*,/gc || die "not JSON\n" if @items;
    if ($end eq '}') {
      $$text =~ /\G\s*"/gc or die "not JSON\n";
      push @items, parse_string($text);
      $$text =~ /\G\s*:/gc or die "not JSON\n";
    }
    push @items, scalar parse_value($text);
  }
  return $end eq '}' ? @items : \@items;
}

sub parse_string {
  my ($text) = @_;
  $$text =~ /\G((?:[^"\\]|\\.)*)"/gcs or die "not JSON\n";
  my $string = $1;
  my %long = (n => "\n", r => "\r", t => "\t", b => "\b", f => "\f");
  $string =~ s/\\(?:u([0-9a-fA-F]{4})|(.))/defined $1 ? unicode(hex $1) : exists $long{$2} ? $long{$2} : $2/ges;
  return $string;
}

sub unicode {
  my $character = chr shift;
  utf8::encode($character);
  return $character;
}


# Bytes that are not UTF-8 as U+FFFD.
sub valid_text {
  my ($text) = @_;
  $text =~ s/\G((?:[\x00-\x7f]|[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}|\xed[\x80-\x9f][\x80-\xbf]|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2})*)(.?)/length $2 ? "$1\xef\xbf\xbd" : $1/seg;
  return $text;
}

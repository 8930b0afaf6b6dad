# JSON strings and base64, without a module.

# A string or undef, as JSON. Bytes that are not UTF-8 become U+FFFD.
sub json {
  my ($text) = @_;
  return 'null' unless defined $text;
  my $copy = $text;
  unless (utf8::decode($copy)) {
    $text = valid_text($text);
  }
  my %short = ("\n" => '\n', "\r" => '\r', "\t" => '\t', '"' => '\"', '\\' => '\\\\');
  $text =~ s/([\x00-\x1f"\\\x7f])/$short{$1} || sprintf '\u%04x', ord $1/ge;
  return qq("$text");
}

sub json_list {
  return '[' . join(',', map { json($_) } @_) . ']';
}

sub base64 {
  my ($bytes) = @_;
  my $text = '';
  # uuencode is base64 with another alphabet, and a length before each line.
  for (my $at = 0; $at < length $bytes; $at += 45) {
    my $line = substr pack('u', substr $bytes, $at, 45), 1;
    chomp $line;
    $text .= $line;
  }
  $text =~ tr#`!-_#A-Za-z0-9+/#;
  my $padding = (3 - length($bytes) % 3) % 3;
  substr($text, -$padding) = '=' x $padding if $padding;
  return $text;
}

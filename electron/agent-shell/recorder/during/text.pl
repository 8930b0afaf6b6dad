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

# Commands out of what some agents wrap them in. A pattern for all of it would take long for long commands, and Perl gives up one
# that repeats a group more than 65,534 times.

sub command_in_envelope {
  my ($given, $head, $is_quoted, @tails) = @_;
  $given =~ /$head/g or return undef;
  my $from = pos $given;
  for my $tail (@tails) {
    my $to = rindex $given, $tail;
    next if $to < $from;
    my $command = substr $given, $from, $to - $from;
    return $is_quoted ? unquote($command) : $command;
  }
  return undef;
}

# Returns undef if the text is more than one word.
sub unquote {
  my ($word) = @_;
  my $text = '';
  while ($word =~ /\G(?:([^\s'"\\;&|<>()]+)|'([^']*)'|"([^"\\]*+(?:\\.[^"\\]*+)*+)"|\\(.))/gcs) {
    if (defined $3) { $text .= $3 =~ s/\\([\$`"\\\n])/$1/gr }
    else { $text .= defined $1 ? $1 : defined $2 ? $2 : $4 }
  }
  return ($word =~ /\G\z/) ? $text : undef;
}

# Commands out of what some agents wrap them in.

sub command_in_envelope {
  my ($given) = @_;
  # A script of Codex's own restores its snapshot of the shell, then starts this one.
  return $given =~ /__CODEX_SNAPSHOT/ ? undef : $given if $agent eq 'codex';
  # Gemini: shopt …; ( trap … EXIT; COMMAND ); __code=$?; …
  return $given =~ /^shopt -u .*?\(\s*trap [^\n]*? EXIT[;\n]\s*(.*?)\s*\)[;\n]\s*__code=\$\?/s ? $1 : undef;
}

sub unquote {
  my ($word) = @_;
  my $text = '';
  while ($word =~ /\G(?:([^'"\\]+)|'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.))/gs) {
    if (defined $3) { $text .= $3 =~ s/\\([\$`"\\\n])/$1/gr }
    else { $text .= defined $1 ? $1 : defined $2 ? $2 : $4 }
  }
  return $text;
}

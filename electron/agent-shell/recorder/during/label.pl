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

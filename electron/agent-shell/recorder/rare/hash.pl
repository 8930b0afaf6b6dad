# Where captures of a session lie: found out once, and remembered as a link.

# A slug for people, and a hash that keeps apart what slugs do not.
sub make_session_folder {
  my ($root, $session, $now) = @_;
  my $name = substr(slug($session), 0, 40) . '-' . substr sha256_hex($session), 0, 8;
  my $folder = "$root/$name";
  for my $path ($root, $folder) {
    mkdir $path, 0700 unless -d $path;
    die "$path is not a folder of Spillway's own\n" if -l $path || !-d $path;
  }
  remember("session $session", $name);
  my $record = "$folder/session.json";
  return $folder if -e $record;
  my $temporary = sprintf '%s.%08x.tmp', $record, rand 2 ** 32;
  my $time = json(iso_time($now));
  write_file($temporary, '{"version":1,"name":' . json($session)
    . qq(,"created_at":$time,"ended_at":null,"ephemeral":false,"owner":null,"cwd":null,"env":{}})) or die "$folder cannot be written ($!)\n";
  # A link, unlike a rename, does not replace what another process was quicker to write.
  link $temporary, $record;
  unlink $temporary;
  return $folder;
}

# Links whose session has gone go too (rest.pl).
sub remember {
  my ($what, $value) = @_;
  my $link = $what =~ s{([^A-Za-z0-9. -])}{sprintf '%%%02x', ord $1}gre;
  mkdir $_, 0700 for "$home/run", "$home/run/agents";
  symlink $value, "$home/run/agents/$link" if length $link < 250;
  return $value;
}

sub plain_text {
  my ($text) = @_;
  return $text unless utf8::decode($text);
  require Unicode::Normalize;
  return Unicode::Normalize::NFKD($text);
}

# FIPS 180-4. For short texts: a block takes a quarter of a millisecond, loading Digest::SHA eight.
sub sha256_hex {
  my ($text) = @_;
  my @primes = grep { my $n = $_; !grep { $n % $_ == 0 } 2 .. sqrt $n } 2 .. 311;
  my $fraction = sub { my $root = shift; int(($root - int $root) * 4294967296) };
  my @round = map { $fraction->($_ ** (1 / 3)) } @primes[0 .. 63];
  my @hash = map { $fraction->(sqrt $_) } @primes[0 .. 7];
  my $bits = 8 * length $text;
  $text .= "\x80" . "\0" x ((55 - length $text) % 64) . pack 'N2', int($bits / 4294967296), $bits % 4294967296;
  my $rotate = sub { ($_[0] >> $_[1] | $_[0] << 32 - $_[1]) & 0xffffffff };
  while ($text =~ /(.{64})/gs) {
    my @word = unpack 'N16', $1;
    for my $at (16 .. 63) {
      my ($near, $far) = @word[$at - 2, $at - 15];
      my $first = $rotate->($far, 7) ^ $rotate->($far, 18) ^ $far >> 3;
      my $second = $rotate->($near, 17) ^ $rotate->($near, 19) ^ $near >> 10;
      $word[$at] = ($word[$at - 16] + $first + $word[$at - 7] + $second) & 0xffffffff;
    }
    my ($a, $b, $c, $d, $e, $f, $g, $h) = @hash;
    for my $at (0 .. 63) {
      my $first = $h + ($rotate->($e, 6) ^ $rotate->($e, 11) ^ $rotate->($e, 25)) + ($e & $f ^ ~$e & 0xffffffff & $g) + $round[$at] + $word[$at];
      my $second = ($rotate->($a, 2) ^ $rotate->($a, 13) ^ $rotate->($a, 22)) + ($a & $b ^ $a & $c ^ $b & $c);
      ($h, $g, $f, $e, $d, $c, $b, $a) = ($g, $f, $e, ($d + $first) & 0xffffffff, $c, $b, $a, ($first + $second) & 0xffffffff);
    }
    my @sum = ($a, $b, $c, $d, $e, $f, $g, $h);
    @hash = map { ($hash[$_] + $sum[$_]) & 0xffffffff } 0 .. 7;
  }
  return join '', map { sprintf '%08x', $_ } @hash;
}

# Settings of config.json that the recorder needs (rare/parse.pl reads them), and whether the home can be used.

our %DEFAULTS = (
  inlineBytes => 4096, maxOutputLines => 500, maxErrorLines => 750, maxStreamBytes => 1024 ** 3, minFreeBytes => undef,
  exclude => [], excludeFolders => [], wholeBytes => 24 * 1024,
);

sub read_settings {
  my ($home) = @_;
  return -e "$home/config.json" ? configured_settings("$home/config.json") : {%DEFAULTS};
}

# Dies with the reason unless the home is there, is ours, and is closed to others.
sub check_home {
  my ($home) = @_;
  my @stat = lstat $home or die "$home is not there\n";
  die "$home is not a folder\n" unless -d _;
  die "$home belongs to another user\n" unless $stat[4] == $>;
  die "$home is open to others\n" if $stat[2] & 077;
}

# Settings of config.json that the recorder needs (rare/parse.pl reads them), and whether the home can be used.

our %DEFAULTS = (
  inlineBytes => 4096, maxOutputLines => 500, maxErrorLines => 750, maxStreamBytes => 1024 ** 3, minFreeBytes => undef,
  exclude => [], excludeFolders => [], wholeBytes => 24 * 1024,
);

sub read_settings {
  return -e "$home/config.json" ? configured_settings("$home/config.json") : \%DEFAULTS;
}

# Dies unless the home is a folder, is ours, and is closed to others.
sub check_home {
  my @stat = lstat $home;
  -d _ && $stat[4] == $> && !($stat[2] & 077) or die "$home is not Spillway's own\n";
}

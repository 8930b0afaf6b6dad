# The settings that matter here, of config.json; what is not understood is the default's (`spillway doctor` names it).

our %PREVIEW_BYTES = (small => 2048, medium => 4096, large => 8192);

sub read_settings {
  my ($home) = @_;
  my $given = -e "$home/config.json" ? eval { read_config("$home/config.json") } : {};
  $given = {} unless ref $given eq 'HASH';
  my $number = sub { my ($name, $default) = @_; defined $$given{$name} && $$given{$name} =~ /^\d+$/ ? $$given{$name} : $default };
  my $list = sub { ref $$given{$_[0]} eq 'ARRAY' ? $$given{$_[0]} : [] };
  return {
    inlineBytes => $PREVIEW_BYTES{$$given{previewSize} || 'medium'} || 4096,
    maxOutputLines => $number->('maxOutputLines', 500),
    maxErrorLines => $number->('maxErrorLines', 750),
    maxStreamBytes => $number->('maxStreamBytes', 1024 ** 3),
    minFreeBytes => $number->('minFreeBytes', undef),
    exclude => $list->('recordExclude'),
    excludeFolders => $list->('recordExcludeFolders'),
    wholeBytes => $number->('recordWholeBytes', 24 * 1024),
  };
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

# Dies with the reason unless the home is there, is ours, and is closed to others.
sub check_home {
  my ($home) = @_;
  my @stat = lstat $home or die "$home is not there\n";
  die "$home is not a folder\n" unless -d _;
  die "$home belongs to another user\n" unless $stat[4] == $>;
  die "$home is open to others\n" if $stat[2] & 077;
}

# Goes on after the command has ended: records its background children, and cleans up the home.

# Whether a process that the command may have left has this file as its output. Recorders do not (core/main.pl, let_go);
# processes that are older than the command were not left by it, such as the shell that started us.
sub has_writers {
  my ($capture, $output) = @_;
  my $own = readlink "/proc/$$/fd/" . fileno($$output{from});
  return 0 unless defined $own;
  my ($parent, $since) = origin($capture);
  opendir my $processes, '/proc' or return 0;
  for my $pid (grep { /^\d+$/ && $_ != $$ && $_ != $parent } readdir $processes) {
    for my $fd (1, 2) {
      my $link = readlink "/proc/$pid/fd/$fd";
      next unless defined $link && $link eq $own;
      my $ticks = started_ticks($pid);
      return 1 if defined $ticks && $ticks >= $since;
    }
  }
  return 0;
}

# Returns the process that started the recorder, and when. The started process must call it first.
sub origin {
  my ($capture) = @_;
  return @{$$capture{origin} ||= [getppid, started_ticks($$) || 0]};
}

# Returns when the process was started, in the system's clock ticks.
sub started_ticks {
  my $stat = first_line_of('/proc/' . shift . '/stat');
  return defined $stat ? (split ' ', substr $stat, rindex($stat, ')') + 2)[19] : undef;
}

# No event tells when the writers of a file end, so the recorder looks. A look reads all of /proc and a child may live for days,
# so looks become rarer.
our ($FIRST_LOOK_MS, $LONGEST_LOOK_MS) = (500, 5000);
our ($FIRST_PAUSE_SECONDS, $LONGEST_PAUSE_SECONDS) = (0.1, 1);

# Starts a process that passes on and records the output of background children, while the agent already gets the status.
sub go_on {
  my ($capture) = @_;
  origin($capture);
  pipe my($ready), my($is_ready) or return;
  my $pid = fork;
  return unless defined $pid;
  if ($pid) {
    close $is_ready;
    my $nothing = ""; sysread $ready, $nothing, 1;
    return;
  }
  $SIG{$_} = 'IGNORE' for 'HUP', 'INT', 'QUIT', 'TERM';
  new_session();
  chdir '/';
  # They tell that the recorder has ended (core/command.pl).
  our ($recorder_lives, $group_lives);
  close $_ for grep { defined } $recorder_lives, $group_lives;
  if ($$capture{has_files}) {
    $$capture{owner} = owner_json();
    write_record($capture);
  }
  close $is_ready;
  my ($looked, $look_ms, $pause) = (now_ms(), $FIRST_LOOK_MS, $FIRST_PAUSE_SECONDS);
  while (1) {
    my @files = grep { $$_{from} && !$$_{to} } @{$$capture{outputs}};
    my @open = $has_pipes ? open_outputs($capture) : ();
    if (@files && now_ms() - $looked > $look_ms) {
      $looked = now_ms();
      $look_ms = $look_ms * 1.5 < $LONGEST_LOOK_MS ? $look_ms * 1.5 : $LONGEST_LOOK_MS;
      $$_{is_done} = !has_writers($capture, $_) for @files;
    }
    last unless @open || grep { !$$_{is_done} } @files;
    my $has_come = hear($capture, @files ? $pause : 60);
    $pause = $has_come ? $FIRST_PAUSE_SECONDS : $pause * 1.5 < $LONGEST_PAUSE_SECONDS ? $pause * 1.5 : $LONGEST_PAUSE_SECONDS;
    give_sign($capture) if $$capture{has_files};
  }
  conclude($capture, is_over => 1);
  exit 0;
}

# Captures that are old enough go, whoever records (electron/host/lifecycle/tidy-by-the-way.ts).
sub tidy {
  my ($capture) = @_;
  my $marker = "$home/run/tidied";
  my ($node, $cli) = our_command();
  return unless defined $cli && -e $cli;
  unless (-e $marker) { mkdir "$home/run", 0700; write_file($marker, ''); return }
  utime undef, undef, $marker;
  my $pid = fork;
  return if !defined $pid || $pid;
  new_session();
  chdir $home;
  for my $handle (*STDIN, *STDOUT, *STDERR) { open $handle, '+<', '/dev/null' }
  for my $output (@{$$capture{outputs}}) { close $$output{$_} for grep { ref $$output{$_} } qw(read to from) }
  forget_sessions();
  $ENV{SPILLWAY_HOME} = $home;
  become_node($node, $cli, 'tidy-home');
}

# Returns only when that fails. Node acts on some variables before our first line; they are meant for commands.
sub become_node {
  my ($node, @words) = @_;
  delete @ENV{'BASH_ENV', 'OPENSSL_CONF', grep { /^NODE_/ } keys %ENV};
  exec { $node } $node, "--inspect-port=192.0.2.1:65535", @words;
}

# Removes links to sessions that have gone, and to the projects of conversations of a week ago.
sub forget_sessions {
  opendir my $links, "$home/run/agents" or return;
  for my $name (readdir $links) {
    my $link = "$home/run/agents/$name";
    if ($name =~ /^session /) {
      my $folder = readlink $link;
      unlink $link unless defined $folder && -d "$home/captures/$folder";
    }
    elsif ($name =~ /^project /) { unlink $link if time - ((lstat $link)[9] || 0) > 7 * 24 * 3600 }
  }
}

# Node and Spillway's own command, where `connect` found them.
sub our_command {
  is_ours("$home/bin/spillway-command") && open my $file, '<:raw', "$home/bin/spillway-command" or return ();
  chomp(my @lines = <$file>);
  return @lines;
}

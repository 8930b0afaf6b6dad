# Records a login shell, which must not be started a second time: its profile has been read, and may have printed or taken long.
# The shell goes on as it is, with pipes of ours as its outputs, and a process beside it reads them. That is nobody's parent: it
# learns the exit status from the kernel (Linux 6.15), or while the shell ends.

our $OPENS_SECONDS = 1;
our $LOOK_AGAIN_MS = 100;

# Prints what the shell has to do, if it is recorded.
sub record_beside {
  open my $answer, '>&', \*STDOUT or leave();
  # A socket cannot be opened.
  for my $fd (1, 2) { open $fd == 1 ? \*STDOUT : \*STDERR, '>>', "/proc/$beside/fd/$fd" or leave() }
  # Before the shell can end.
  my $pidfd = syscall 434, 0 + $beside, 0;
  # The shell would have ended before an excerpt is there.
  $mode = 'record';
  our $capture = eval { prepare() };
  my $pid = $capture ? fork : undef;
  leave() unless defined $pid;
  unless ($pid) {
    close $answer;
    eval { record_other($capture, $beside, $pidfd) };
    leave();
  }
  my @piped = grep { $$_{write} } @{$$capture{outputs}};
  my @paths = map { "/proc/$pid/fd/" . fileno $$_{write} } @piped;
  my @redirections = map { "$piped[$_]{fds}[0]>$paths[$_]" . ($piped[$_]{fds}[1] ? ' 2>&1' : '') } 0 .. $#piped;
  my $if_there = join ' && ', map { "-w $_" } @paths;
  my @lines = @piped ? "[[ $if_there ]] && exec @redirections" : ();
  # What leads here must not lead the command's own shells here.
  my ($level, $env) = @parent_has{'SHLVL', 'BASH_ENV'};
  push @lines, 'SHLVL=' . (($level || 0) =~ /^\d+\z/ ? ($level || 0) + 1 : 1);
  push @lines, defined $env && $env ne $ENV{BASH_ENV} ? 'BASH_ENV=' . ($env =~ s/'/'\\''/gr =~ s/.*/'$&'/sr) : 'unset BASH_ENV';
  syswrite $answer, join '', map { "$_\n" } @lines;
  leave();
}

sub record_other {
  my ($capture, $shell, $pidfd) = @_;
  $SIG{$_} = 'IGNORE' for 'HUP', 'INT', 'QUIT', 'TERM', 'PIPE';
  new_session();
  chdir '/';
  signal_to_us(@{$$capture{outputs}}) if $has_pipes;
  open my $handle, '<&=', $pidfd if $pidfd >= 0;
  wait_until_opened($capture, $shell) or return;
  let_go();
  my ($looked, $pause) = (0, 0.002);
  my $status;
  while (1) {
    my $has_come = hear($capture, $pause);
    $pause = $has_come ? 0.002 : $pause * 1.5 < $POLL_SECONDS ? $pause * 1.5 : $POLL_SECONDS;
    my $now = now_ms();
    if (!$has_come || $now - $looked > $LOOK_AGAIN_MS) {
      $looked = $now;
      my ($has_ended, $seen) = status_of($shell, $handle);
      $status = $seen;
      last if $has_ended;
    }
    if ($$capture{has_files}) { give_sign($capture) }
    elsif ($now - $$capture{started_ms} >= $LASTS_MS) { keep_in_files($capture) }
  }
  hear_the_rest($capture);
  finish($capture, $status);
}

# False if the shell does not open the pipes: then it has its own outputs, and nothing is recorded.
sub wait_until_opened {
  my ($capture, $shell) = @_;
  my ($output) = grep { $$_{write} } @{$$capture{outputs}} or return 1;
  my $own = readlink '/proc/self/fd/' . fileno $$output{write};
  my $until = now_ms() + 1000 * $OPENS_SECONDS;
  while (now_ms() < $until) {
    my $theirs = readlink "/proc/$shell/fd/$$output{fds}[0]";
    return 1 if !defined $theirs || $theirs eq $own;
    select undef, undef, undef, 0.001;
  }
  return 0;
}

# Returns whether the process has ended, and its status as waitpid gives it; undef where nothing tells.
sub status_of {
  my ($pid, $pidfd) = @_;
  if (open my $file, '<', "/proc/$pid/stat") {
    my ($state, @fields) = split ' ', (<$file> // '') =~ s/.*\) //sr;
    # PF_EXITING in `flags`; `num_threads`; `exit_code` is the last field.
    return 0 unless !defined $state || $state eq 'Z' || $fields[5] & 4 && $fields[16] <= 1;
    return (1, $fields[-1]) if defined $state;
  }
  # PIDFD_GET_INFO, of struct pidfd_info's first 64 bytes: the status comes when the parent has waited.
  my $info = pack 'Q x56', 8;
  return (1, undef) unless $pidfd && ioctl $pidfd, 0xC040FF0B, $info;
  return unpack('Q', $info) & 8 ? (1, unpack 'x60 l', $info) : (1, undef);
}

# What Perl's modules would tell of the machine.

our $is_linux = $^O eq 'linux';

# Numbers of system calls, by the machine that this Perl was compiled for (ELF's e_machine).
our %calls_by_machine = (
  62  => { clock_gettime => 228, statfs => 137, kcmp => 312, prctl => 157, setsid => 112 },
  183 => { clock_gettime => 113, statfs => 43,  kcmp => 272, prctl => 167, setsid => 157 },
);
our $calls = {};
if ($is_linux && open my $self, '<:raw', '/proc/self/exe') {
  $calls = $calls_by_machine{unpack 'v', substr $_, 18, 2} || {} if sysread($self, $_, 20) == 20;
}

# Seconds, with their fraction; null where only whole seconds are known.
sub clock_seconds {
  my ($id) = @_;
  my $timespec = "\0" x 16;
  return undef unless $$calls{clock_gettime} && syscall($$calls{clock_gettime}, $id, $timespec) == 0;
  my ($seconds, $nanoseconds) = unpack 'q2', $timespec;
  return $seconds + $nanoseconds / 1e9;
}

# Milliseconds since the epoch: the start's, plus what a monotonic clock measured since, so that times never fall.
our $started_monotonic = clock_seconds(1);
our $started_wall = clock_seconds(0);
unless (defined $started_monotonic && defined $started_wall) {
  require Time::HiRes;
  $started_wall = Time::HiRes::time();
}

sub now_ms {
  my $monotonic = defined $started_monotonic ? clock_seconds(1) : undef;
  return 1000 * ($started_wall + $monotonic - $started_monotonic) if defined $monotonic;
  return 1000 * Time::HiRes::time();
}

sub iso_time {
  my ($ms) = @_;
  my ($second, $minute, $hour, $day, $month, $year) = gmtime int $ms / 1000;
  return sprintf '%04d-%02d-%02dT%02d:%02d:%02d.%03dZ', $year + 1900, $month + 1, $day, $hour, $minute, $second, $ms % 1000;
}

# Bytes free for us, and bytes in all, of the disk that holds the folder; nothing where the system does not tell.
sub disk_space {
  my ($folder) = @_;
  my $result = "\0" x 120;
  return () unless $$calls{statfs} && syscall($$calls{statfs}, "$folder\0", $result) == 0;
  my (undef, $block, $blocks, undef, $available) = unpack 'q5', $result;
  return ($available * $block, $blocks * $block);
}

# Whether two of our descriptors share one open file description (its offset and flags).
sub same_description {
  my ($one, $other) = @_;
  return 0 unless $$calls{kcmp};
  return syscall($$calls{kcmp}, $$, $$, 0, $one, $other) == 0;
}

# The kernel kills this process when the one that forked it dies, be it by SIGKILL.
sub die_with_parent {
  syscall($$calls{prctl}, 1, 9) if $$calls{prctl};
}

sub new_session {
  $$calls{setsid} ? syscall($$calls{setsid}) : setpgrp 0, 0;
}

sub first_line_of {
  my ($path) = @_;
  open my $file, '<:raw', $path or return undef;
  my $line = <$file>;
  chomp $line if defined $line;
  return $line;
}

# Which process this is, so that a later one with the same number is not taken for it (electron/store/format/owner.ts).
sub owner_json {
  my $boot = first_line_of('/proc/sys/kernel/random/boot_id');
  my $stat = first_line_of("/proc/$$/stat");
  my $pids = readlink '/proc/self/ns/pid';
  return qq({"pid":$$,"started":null,"place":null}) unless defined $boot && defined $stat && defined $pids;
  my $started = (split ' ', substr $stat, rindex($stat, ')') + 2)[19];
  my $id = first_line_of('/etc/machine-id');
  my $host = first_line_of('/proc/sys/kernel/hostname');
  my $machine = defined $id && $id =~ m{^[0-9a-f]{32}$} ? machine_of($id, $host) : undef;
  return sprintf '{"pid":%d,"started":%s,"place":{"boot":%s,"pids":%s,"machine":%s}}',
    $$, json("$boot/$started"), json($boot), json($pids), json($machine);
}

# Not the machine's id itself, which is not to be given away, says machine-id(5).
sub machine_of {
  my ($id, $host) = @_;
  my $known = known_as("machine $id $host");
  return defined $known ? $known : remember("machine $id $host", substr sha256_hex("spillway $id $host"), 0, 16);
}

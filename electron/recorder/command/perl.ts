/**
 * Runs small Perl programs. Perl is on nearly every machine, starts in 2 ms, and does what Node can't: set its
 * signal mask, make real pipes, hand over a terminal.
 */
import { existsSync } from 'node:fs';

/** Where systems install Perl. A `perl` on a person's PATH may be a slow wrapper script. */
const PERLS = ['/usr/bin/perl', '/bin/perl', '/usr/local/bin/perl', '/run/current-system/sw/bin/perl'];

/** Returns Perl's path, or null if there is none. */
export function findPerl(): string | null {
  return PERLS.find((path) => existsSync(path)) ?? null;
}

export interface PerlStart {
  args: string[];
  env: NodeJS.ProcessEnv;
}

/**
 * Returns the arguments and environment that run a script with `words` in @ARGV. Variables meant for the command's own
 * Perl (PERL5OPT and the like) are renamed for ours, one byte longer; the script finds them in %ENV as they were.
 */
export function inPerl(script: string, words: readonly string[], env: NodeJS.ProcessEnv): PerlStart {
  const names = Object.keys(env);
  if (!names.some((name) => /^_*PERL/.test(name))) {
    // Unchanged, the environment keeps its order. Without its locale Perl would warn.
    return { args: ['-f', '-e', `delete $ENV{PERL_BADLANG};${script}`, '--', ...words], env: quiet(env) };
  }
  const kept = Object.entries(env).map(([name, value]) => [/^_*PERL/.test(name) ? `_${name}` : name, value]);
  return {
    args: ['-f', '-e', `${PUT_BACK}${script}`, '--', ...words],
    env: quiet(Object.fromEntries(kept)),
  };
}

/** Suppresses the warning about a locale that is not installed. */
function quiet(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return { ...env, PERL_BADLANG: '0' };
}

const PUT_BACK = `
{
  delete $ENV{PERL_BADLANG};
  my @names = grep /^_+PERL/, keys %ENV;
  my @values = delete @ENV{@names};
  @ENV{map { substr $_, 1 } @names} = @values;
}
`;

/** Returns the system call's number, or 0 if unknown. */
export function prctlNumber(): number {
  const numbers: Partial<Record<string, number>> = { x64: 157, arm64: 167, riscv64: 167, loong64: 167 };
  return process.platform === 'linux' ? (numbers[process.arch] ?? 0) : 0;
}

/**
 * Subroutines for a process that starts a command. POSIX is loaded on first use, as loading it takes as long as all the
 * rest, and without its Perl part, which takes 12 ms. `restore` applies the signals and limits of `wordForPerl`
 * (inherited.ts) to this process. Only Linux restores anything, so signal names are Linux's.
 */
export const STARTER_PRELUDE = `
{
  package POSIX;
  sub AUTOLOAD {
    my $name = our $AUTOLOAD;
    die "there is no $name\n" if our $is_loaded++;
    require XSLoader;
    XSLoader::load('POSIX');
    goto &$name;
  }
}
my @names = qw(ZERO HUP INT QUIT ILL TRAP ABRT BUS FPE KILL USR1 SEGV USR2 PIPE ALRM TERM STKFLT CHLD CONT STOP TSTP
  TTIN TTOU URG XCPU XFSZ VTALRM PROF WINCH IO PWR SYS NUM32 NUM33 RTMIN);
sub name { my $number = shift; $names[$number] || ($number == 64 ? 'RTMAX' : "NUM$number") }
# Not KILL and STOP, and not the two that glibc keeps to itself.
sub signals { my $bits = hex shift; grep { $bits >> ($_ - 1) & 1 && !/^(9|19|32|33)$/ } 1 .. 64 }
sub restore {
  my ($blocked, $ignored, $soft, $hard, $prlimit, $closed) = split /:/, shift;
  defined $ignored or return;
  $SIG{name($_)} = 'IGNORE' for signals($ignored);
  # Who started us unblocked them all.
  my @blocked = signals($blocked);
  POSIX::sigprocmask(POSIX::SIG_SETMASK(), POSIX::SigSet->new(@blocked)) if @blocked;
  my $limit = pack 'QQ', $soft, $hard;
  syscall $prlimit + 0, 0, 7, $limit, 0 if $prlimit;
  POSIX::close($_) for split //, $closed;
}
# How the terminal on stdin is set, in words like those of stty -g, and back.
sub modes {
  # Loads the module: a method would not.
  POSIX::TCSANOW();
  my $modes = POSIX::Termios->new;
  $modes->getattr(0);
  return $modes;
}
sub words_of {
  my $modes = shift;
  join ':', map { sprintf '%x', $_ } $modes->getiflag, $modes->getoflag, $modes->getcflag, $modes->getlflag, map { $modes->getcc($_) } 0 .. 16;
}
sub change {
  my ($modes, $words) = @_;
  my ($input, $output, $control, $local, @keys) = map hex, split /:/, $words;
  $modes->setiflag($input);
  $modes->setoflag($output);
  $modes->setcflag($control);
  $modes->setlflag($local);
  $modes->setcc($_, $keys[$_]) for 0 .. 16;
}
# RT signals have no name that Node knows.
sub how_it_ended {
  my $status = shift;
  $status & 127 ? ('killed', $status & 127) : ('exited', $status >> 8 & 255);
}
`;

/**
 * Small programs of ours in Perl: found on nearly every machine, it can do to a process what Node can't, and starts in a few
 * milliseconds.
 */
import { existsSync } from 'node:fs';

/** Where systems have it; a person's own may be a script that takes its time. */
const PERLS = ['/usr/bin/perl', '/bin/perl', '/usr/local/bin/perl', '/run/current-system/sw/bin/perl'];

export function findPerl(): string | null {
  return PERLS.find((path) => existsSync(path)) ?? null;
}

export interface PerlStart {
  args: string[];
  env: NodeJS.ProcessEnv;
}

/**
 * A script with its words, in @ARGV, and its environment. What is meant for a Perl in there must not reach this one, so it is
 * put aside under other names, one byte longer; the script finds it under its own in %ENV.
 */
export function inPerl(script: string, words: readonly string[], env: NodeJS.ProcessEnv): PerlStart {
  const kept = Object.entries(env).map(([name, value]) => [/^_*PERL/.test(name) ? `_${name}` : name, value]);
  return {
    args: ['-f', '-e', `${PUT_BACK}${script}`, '--', ...words],
    // Else it would warn of a locale that is not installed.
    env: { ...Object.fromEntries(kept), PERL_BADLANG: '0' },
  };
}

const PUT_BACK = `
{
  delete $ENV{PERL_BADLANG};
  my @names = grep /^_+PERL/, keys %ENV;
  my @values = delete @ENV{@names};
  @ENV{map { substr $_, 1 } @names} = @values;
}
`;

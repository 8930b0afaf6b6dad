/** Finds invalid patterns of `recordExclude`. It asks Perl, which applies them (electron/agent-shell/). */
import { spawnSync } from 'node:child_process';
import { findPerl } from '../../recorder/command/perl.ts';

interface BadPattern {
  index: number;
  /** Perl's words, such as `Unmatched [`. */
  reason: string;
}

/** Settings are read for each request, patterns change rarely. */
let last: { key: string; bad: BadPattern[] } | null = null;

/** Returns none without Perl, since no command is recorded then. */
export function badPatterns(patterns: readonly string[]): BadPattern[] {
  if (patterns.length === 0) return [];
  const key = JSON.stringify(patterns);
  if (last?.key !== key) last = { key, bad: askPerl(patterns) };
  return last.bad;
}

const CHECK = `local $SIG{__WARN__} = sub { };
for my $at (0 .. $#ARGV) { my $pattern = $ARGV[$at]; eval { '' =~ /$pattern/; 1 } or print "$at $@" }`;

function askPerl(patterns: readonly string[]): BadPattern[] {
  const perl = findPerl();
  // No process can be given a NUL.
  if (perl === null || patterns.some((pattern) => pattern.includes('\0'))) return [];
  const { stdout } = spawnSync(perl, ['-f', '-e', CHECK, '--', ...patterns], {
    ...{ env: {}, encoding: 'utf8', timeout: 2000, stdio: ['ignore', 'pipe', 'ignore'] },
  });
  return [...(stdout ?? '').matchAll(/^(\d+) (.*?)(?: in regex[;,].*| at -e line .*)?$/gm)].map(
    ([, index, reason]) => ({ index: Number(index), reason: reason! }),
  );
}

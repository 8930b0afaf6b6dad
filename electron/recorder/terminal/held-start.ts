/**
 * Holds the start of a program on a terminal until it is released, so that input written before is echoed before the
 * program prints (measured: otherwise one echo in five came later).
 */
import { mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findPerl, inPerl, type PerlStart } from '../command/perl.ts';

export interface HeldStart extends PerlStart {
  /** The program to start instead. */
  file: string;
  /** Lets the program start. May be called again. */
  release(): void;
}

/** Starts without a release after 2 s. */
const SCRIPT = `
my $waits = shift;
for (1 .. 1000) { -d $waits or last; select undef, undef, undef, .002 }
{ no warnings; exec { $ARGV[0] } @ARGV }
exit 127;
`;

/** Returns null without Perl, or if no temporary folder can be made. */
export function holdStart(file: string, args: readonly string[], env: NodeJS.ProcessEnv): HeldStart | null {
  const perl = findPerl();
  if (perl === null) return null;
  let folder: string;
  try {
    folder = mkdtempSync(join(tmpdir(), 'spillway-start-'));
  } catch {
    return null;
  }
  const release = () => {
    try {
      rmdirSync(folder);
    } catch {
      // It was released.
    }
  };
  return { file: perl, ...inPerl(SCRIPT, [folder, file, ...args], env), release };
}

/** The start of a terminal: what is held back until the command runs, and the echo of keys that came before. */
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
exec { $ARGV[0] } @ARGV;
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

/**
 * Keeps keys typed before the shell started from being echoed twice: first by the person's terminal, then by the
 * shell's terminal, as its first output.
 */
export class EarlyEcho {
  #expected: Buffer = Buffer.alloc(0);
  #passed = () => {};

  /**
   * `typed`: bytes from the person's terminal, with LF line ends. Calls `passed` once no more echo is expected.
   */
  expect(typed: Buffer, passed: () => void): void {
    this.#expected = Buffer.from(typed.toString('latin1').replaceAll(CONTROL, echoOf), 'latin1');
    this.#passed = passed;
  }

  /** Returns the bytes for the screen, without the expected echo. */
  without(bytes: Buffer): Buffer {
    const expected = this.#expected;
    if (expected.length === 0 || bytes.length === 0) return bytes;
    const length = Math.min(expected.length, bytes.length);
    if (!bytes.subarray(0, length).equals(expected.subarray(0, length))) {
      this.#expected = Buffer.alloc(0);
      this.#passed();
      return bytes;
    }
    this.#expected = expected.subarray(length);
    if (this.#expected.length === 0) this.#passed();
    return bytes.subarray(length);
  }
}

/** All control characters but the tab, which is echoed unchanged. */
const CONTROL = /[\x00-\x08\x0a-\x1f\x7f]/g;

/** Returns the echo of a terminal with the usual settings (ECHOCTL, ONLCR; termios(3)). */
function echoOf(character: string): string {
  if (character === '\n' || character === '\r') return '\r\n';
  return `^${String.fromCharCode(character.charCodeAt(0) ^ 0x40)}`;
}

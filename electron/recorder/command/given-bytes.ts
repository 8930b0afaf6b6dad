/**
 * Passes arguments and variables to a command byte for byte. Node replaces bytes that are not UTF-8 with U+FFFD, and
 * passes only strings to children. So a small Perl program gets such words in hexadecimal.
 */
import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { pathText } from '../../reader/bytes/path-text.ts';
import { nameForCommand } from './inherited.ts';
import { inPerl } from './perl.ts';

export interface Words {
  /** The program's path. */
  path: string;
  /** Its argv[0]. */
  name: string;
  args: readonly string[];
  env: NodeJS.ProcessEnv;
}

/** Our own command line and environment, as the launcher got it. */
export interface Given {
  words: readonly Buffer[];
  /** `NAME=value`. */
  variables: readonly Buffer[];
}

/** Linux accepts words of up to 128 KiB, including the final NUL; other systems accept longer ones. */
const MAX_WORD_BYTES = 128 * 1024 - 1;

/**
 * Returns `command` unchanged if its bytes are intact or can't be restored. `perl` is null without Perl.
 */
export function asGiven(command: Words, perl: string | null, given: () => Given | null = ours): Words {
  const { path, name, args, env } = command;
  const hasLost = args.some(isLossy) || Object.values(env).some((value) => isLossy(value ?? ''));
  const real = hasLost && perl !== null ? given() : null;
  if (real === null || perl === null) return command;
  const words = wordsIn(real, args);
  const variables = variablesIn(real, env);
  if (words === null && variables.length === 0) return command;
  const encoded = [
    ...variables.map((variable) => `v${variable.toString('hex')}`),
    `w${path}`,
    `w${name}`,
    ...args.map((arg, index) => (isLossy(arg) && words ? `x${words[index]!.toString('hex')}` : `w${arg}`)),
  ];
  const started = inPerl(SCRIPT, encoded, env);
  const all = [...encoded, ...Object.entries(started.env).map(([key, value]) => `${key}=${value}`)];
  // A word is too long: start the command with U+FFFD rather than not at all.
  if (all.some((word) => Buffer.byteLength(word) > MAX_WORD_BYTES)) return command;
  return { path: perl, name: 'perl', ...started };
}

/** Returns our own arguments. Arguments that are not UTF-8 become names that can be opened (path-text.ts). */
export function namesAsGiven(args: readonly string[], given: () => Given | null = ours): readonly string[] {
  const real = args.some(isLossy) ? given() : null;
  const words = real && wordsIn(real, args);
  return words === null
    ? args
    : args.map((arg, index) => (isUtf8(words[index]!) ? arg : pathText(words[index]!)));
}

const SCRIPT = `
while (@ARGV && $ARGV[0] =~ /^v/) {
  my ($name, $value) = split /=/, pack('H*', substr(shift @ARGV, 1)), 2;
  $ENV{$name} = $value;
}
my ($path, @words) = map { /^x/ ? pack('H*', substr($_, 1)) : substr($_, 1) } @ARGV;
exec { $path } @words;
print STDERR "spillway: $words[0] could not be started: $!\\n";
exit($! == 2 ? 127 : 126);
`;

function isLossy(text: string): boolean {
  return text.includes('\uFFFD');
}

/** Returns the end of our own command line, if the arguments were read from it. */
function wordsIn({ words }: Given, args: readonly string[]): readonly Buffer[] | null {
  if (!args.some(isLossy) || words.length < args.length) return null;
  const last = words.slice(words.length - args.length);
  return last.every((word, index) => word.toString() === args[index]) ? last : null;
}

function variablesIn({ variables }: Given, env: NodeJS.ProcessEnv): Buffer[] {
  return variables.filter((variable) => {
    const text = variable.toString();
    const at = text.indexOf('=');
    return at > 0 && isLossy(text.slice(at)) && env[text.slice(0, at)] === text.slice(at + 1);
  });
}

/** Null if the system does not say. */
function ours(): Given | null {
  try {
    return {
      words: terminated(readFileSync('/proc/self/cmdline')),
      variables: terminated(readFileSync('/proc/self/environ')).map((variable) =>
        Buffer.from(nameForCommand(variable.toString('latin1')), 'latin1'),
      ),
    };
  } catch {
    return null;
  }
}

/** Each ends with a NUL. */
function terminated(bytes: Buffer): Buffer[] {
  const found: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf(0, at);
    found.push(bytes.subarray(at, end < 0 ? bytes.length : end));
    at = end < 0 ? bytes.length : end + 1;
  }
  return found;
}

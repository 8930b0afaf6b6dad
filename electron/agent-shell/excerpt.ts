/**
 * Makes the excerpt that replaces a long output for an agent: the lines that explain a failure, or the last lines.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { usualSecrets } from '../../shared/secrets/mask.ts';
import { formatCount, plural } from '../../shared/text/format.ts';
import { explain, scanned } from '../reader/failure/explain.ts';
import type { RankedLine } from '../reader/failure/explanation.ts';
import { type FailureText, LogLines } from '../reader/failure/log-lines.ts';

/** Limit on the excerpt's lines, not counting the `[lines …]` headings. */
const EXCERPT_BYTES = 6 * 1024;
/** Last lines of the output; they are always included. */
const TAIL_LINES = 12;
const LINE_CHARS = 500;

type ShownLine = Pick<RankedLine, 'number' | 'text'>;

/**
 * Returns the text that follows the first `passed` bytes of the file at `path`, which the agent already has.
 * `failed` says that the command's exit status was not 0. Throws on read errors.
 */
export function excerptOf(path: string, passed: number, failed: boolean): string {
  const file = openSync(path, 'r');
  try {
    const text: FailureText = {
      size: fstatSync(file).size,
      read: (bytes, position) => readSync(file, bytes, 0, bytes.length, position),
    };
    const scanner = scanned(text);
    const lines = new LogLines(text, scanner.lines);
    lines.loadTail(EXCERPT_BYTES);
    const ranked = failed ? explain(scanner, text).ranked : [];
    const shown = choose([...lastLines(lines), ...ranked.filter((line) => line.offset >= passed)]);
    // An excerpt is for a model: what the agent has in full is as its command printed it.
    const excerpt = `${restOfLine(text, passed)}${laidOut(shown, scanner.lines)}`;
    return usualSecrets.mask(excerpt).text;
  } finally {
    closeSync(file);
  }
}

function lastLines(lines: LogLines): ShownLine[] {
  const last: ShownLine[] = [];
  for (let number = lines.total; number > 0 && last.length < TAIL_LINES; number -= 1) {
    const line = lines.get(number);
    if (line === null || line === undefined) break;
    last.push(line);
  }
  return last;
}

/** Returns as many candidates as fit, best first, then sorts them by line number and drops duplicates. */
function choose(candidates: readonly ShownLine[]): ShownLine[] {
  const chosen = new Map<number, ShownLine>();
  let bytes = 0;
  for (const { number, text: given } of candidates) {
    // Before it is cut: half a token is none.
    const { text } = usualSecrets.mask(given);
    const clipped = text.length > LINE_CHARS ? `${text.slice(0, LINE_CHARS)}…` : text;
    bytes += chosen.has(number) ? 0 : Buffer.byteLength(clipped) + 1;
    if (bytes > EXCERPT_BYTES && chosen.size > 0) break;
    chosen.set(number, { number, text: clipped });
  }
  return [...chosen.values()].sort((a, b) => a.number - b.number);
}

/** Returns the rest of the line that the agent has the beginning of. */
function restOfLine(text: FailureText, passed: number): string {
  const bytes = Buffer.alloc(LINE_CHARS);
  const got = bytes.subarray(0, Math.max(0, text.read(bytes, passed)));
  const end = got.indexOf(10);
  return end < 0 ? `${got.toString()}…\n` : got.subarray(0, end + 1).toString();
}

function laidOut(lines: readonly ShownLine[], total: number): string {
  const out = [`[spillway: ${plural(total, 'line')}; from here on an excerpt, its parts numbered]`];
  lines.forEach(({ number, text }, index) => {
    if (index === 0 || lines[index - 1]!.number !== number - 1) {
      let last = number;
      for (let next = index + 1; lines[next]?.number === last + 1; next += 1) last += 1;
      out.push(`[lines ${formatCount(number)}-${formatCount(last)}]`);
    }
    out.push(text);
  });
  return `${out.join('\n')}\n`;
}

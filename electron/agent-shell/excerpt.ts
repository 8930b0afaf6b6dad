/**
 * Makes the excerpt that replaces a long output for an agent: the lines that explain a failure, or the last lines.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { usualSecrets } from '../../shared/secrets/mask.ts';
import { formatCount, plural } from '../../shared/text/format.ts';
import { cutExplanation } from '../reader/failure/cut.ts';
import { explain, scanned } from '../reader/failure/explain.ts';
import type { Explanation } from '../reader/failure/explanation.ts';
import { type FailureText, LogLines } from '../reader/failure/log-lines.ts';

/** Limit on the excerpt's lines, not counting the `[lines …]` headings. */
const EXCERPT_BYTES = 6 * 1024;
/** Last lines of the output; they are always included. */
const TAIL_LINES = 12;
/** Most bytes of the rest of a line that the agent has the beginning of. */
const REST_BYTES = 500;

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
    const explanation = failed ? explain(scanner, text) : null;
    const { parts, errors_left_out: left } = cutFor(explanation, text, scanner.lines, passed);
    const errors = left > 0 ? ` without ${plural(left, 'distinct error line')}` : '';
    const head = `[spillway: ${plural(scanner.lines, 'line')}; from here on an excerpt${errors}, its parts numbered]`;
    const shown = parts.map(
      ({ start_line, end_line, content }) =>
        `[lines ${formatCount(start_line)}-${formatCount(end_line)}]\n${content}`,
    );
    // An excerpt is for a model: what the agent has in full is as its command printed it.
    return usualSecrets.mask(`${restOfLine(text, passed)}${[head, ...shown].join('\n')}\n`).text;
  } finally {
    closeSync(file);
  }
}

/** The last lines come first. Lines that explain the failure get the room that is left. */
function cutFor(explanation: Explanation | null, text: FailureText, total: number, passed: number) {
  const lines = new LogLines(text, total);
  lines.loadTail(EXCERPT_BYTES);
  const last = lines.last(TAIL_LINES);
  const tail = new Set(last.map(({ number }) => number));
  const explaining = explanation?.ranked.filter(
    ({ number, offset }) => offset >= passed && !tail.has(number),
  );
  const ranked = [...last, ...(explaining ?? [])].map((line, rank) => ({
    ...line,
    rank,
    why: null,
    // Before it is cut: half a token is none.
    text: usualSecrets.mask(line.text).text,
  }));
  const essential = new Set([...tail, ...(explanation?.essential ?? [])]);
  const isBlank = (number: number) => lines.get(number)?.text.trim() === '';
  const blank = new Set([
    ...last.map(({ number }) => number - 1).filter(isBlank),
    ...(explanation?.blank ?? []),
  ]);
  const isPlain = explanation?.isPlain ?? false;
  const limits = { bytes: EXCERPT_BYTES, lines: Infinity };
  return cutExplanation({ ranked, blank, essential, isPlain }, limits);
}

/** Returns the rest of the line that the agent has the beginning of. */
function restOfLine(text: FailureText, passed: number): string {
  const bytes = Buffer.alloc(REST_BYTES);
  const got = bytes.subarray(0, Math.max(0, text.read(bytes, passed)));
  const end = got.indexOf(10);
  return end < 0 ? `${got.toString()}…\n` : got.subarray(0, end + 1).toString();
}

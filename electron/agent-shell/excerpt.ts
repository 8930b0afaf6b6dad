/**
 * Makes the excerpt that replaces a long output for an agent: the lines that explain a failure, or the last lines.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import type { Lines } from '../../shared/artifact.ts';
import { usualSecrets } from '../../shared/secrets/mask.ts';
import { formatCount, plural } from '../../shared/text/format.ts';
import { cutExplanation, type ExplainingPart } from '../reader/failure/cut.ts';
import { explain, scanned } from '../reader/failure/explain.ts';
import type { Explanation } from '../reader/failure/explanation.ts';
import { type FailureText, LogLines } from '../reader/failure/log-lines.ts';

/** Limit on the excerpt's lines, not counting the `[lines …]` headings. */
const EXCERPT_BYTES = 6 * 1024;
/** Last lines of the output; they are always included. */
const TAIL_LINES = 12;
/** Most bytes of the rest of a line that the agent has the beginning of. */
const REST_BYTES = 500;
/** Ends a line that is cut. */
const CUT = '…\n';

interface Excerpt {
  /** Follows the bytes that the agent already has. */
  text: string;
  /** What the agent's model gets, of those bytes and of the text. */
  reached: { bytes: number; lines: Lines[] };
}

/** What the agent is known to do with its output. */
interface Reader {
  /** Bytes that its shell passes on whole, of longer output from the beginning and the end, and those it keeps. */
  passes?: string | undefined;
  /** Ranges of lines that it got in between: `12-20,41-60`. */
  shown?: string | undefined;
}

/**
 * Returns what follows the first `passed` bytes of the file at `path`, which the agent already has. `failed` says that
 * the command's exit status was not 0. Throws on read errors.
 */
export function excerptOf(path: string, passed: number, failed: boolean, reader: Reader = {}): Excerpt {
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
    const heading = ({ start_line, end_line }: ExplainingPart) =>
      `[lines ${formatCount(start_line)}-${formatCount(end_line)}]`;
    const shown = parts.map((part) => `${heading(part)}\n${part.content}`);
    const rest = restOfLine(text, passed);
    const begun = Buffer.alloc(passed);
    const got = begun.toString('latin1', 0, Math.max(0, text.read(begun, 0)));
    const whole = `${got}${Buffer.from(rest).toString('latin1')}`.split('\n').slice(0, -1);
    const lines: DeliveredLine[] = [
      ...whole.map((line, i) => ({ bytes: line.length, number: i + 1 })),
      { bytes: head.length, number: null },
      ...parts.flatMap((part) => [
        { bytes: heading(part).length, number: null },
        ...part.content.split('\n').map((line, i, all) => ({
          bytes: Buffer.byteLength(line),
          number: part.clipped && i === all.length - 1 ? null : part.start_line + i,
        })),
      ]),
    ];
    if (rest.endsWith(CUT)) lines[whole.length - 1] = { bytes: whole.at(-1)!.length, number: null };
    return {
      // An excerpt is for a model: what the agent has in full is as its command printed it.
      text: usualSecrets.mask(`${rest}${[head, ...shown].join('\n')}\n`).text,
      reached: reachedOf(lines, reader),
    };
  } finally {
    closeSync(file);
  }
}

/** A line that the agent's shell gets, without its end. `number`: in the output, if it is a whole line of that. */
interface DeliveredLine {
  bytes: number;
  number: number | null;
}

/** About as many bytes follow the excerpt: the line that says how to go on. */
const CLOSING_BYTES = 110;

/** Returns what the agent's shell passes on of these lines. */
function reachedOf(lines: readonly DeliveredLine[], { passes = '', shown = '' }: Reader): Excerpt['reached'] {
  const total = lines.reduce((sum, { bytes }) => sum + bytes + 1, CLOSING_BYTES);
  const [whole = total, head = total, tail = total, kept = total] = passes
    .split(' ')
    .filter(Boolean)
    .map(Number);
  const isWhole = total <= whole;
  const end = isWhole ? total : Math.min(total, kept);
  const ranges: Lines[] = [];
  let at = 0;
  for (const { bytes, number } of lines) {
    const next = at + bytes + 1;
    if (number !== null && (isWhole || next <= head || (at >= end - tail && next <= end))) {
      const last = ranges.at(-1);
      if (last?.[1] === number - 1) last[1] = number;
      else ranges.push([number, number]);
    }
    at = next;
  }
  const between = isWhole ? shown.split(',').filter(Boolean) : [];
  for (const range of between) ranges.push(range.split('-').map(Number) as Lines);
  return { bytes: isWhole ? total : Math.min(end, head + tail), lines: ranges };
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
  return end < 0 ? `${got.toString()}${CUT}` : got.subarray(0, end + 1).toString();
}

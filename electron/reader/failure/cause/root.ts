/** Follows an exception to the one at its root, and the place of a failed assertion to what it says. */
import { SPEAKER } from '../lexicon/structure.ts';
import type { LogLine, LogLines } from '../log-lines.ts';

/** Bytes to read after an exception, for its stack and those of its causes. */
const TRACE_BYTES = 64 * 1024;
const STEP_BYTES = 16 * 1024;
const CAUSED_BY = /^Caused by: \S/u;
const INDENTED = /^\s+\S/u;

/** A place with the name of an exception alone: `tests/test_total.py:14: AssertionError`. */
const BARE_PLACE = /^\S+:\d+: [A-Z][\w.]*$/u;
/** A line of a report that says why an assertion failed. */
const REPORTED = /^E\s+\S/u;
const HEADING = /^(?:_{3,}|={3,}) /u;
/** A report's lines before the place, with values of variables between. */
const REPORT_LINES = 60;

export function rootOf(line: LogLine, lines: LogLines): LogLine {
  return BARE_PLACE.test(line.text) ? reported(line, lines) : lastCause(line, lines);
}

/** The first line of the report just before; `line` where there is none. */
function reported(line: LogLine, lines: LogLines): LogLine {
  let first: LogLine | undefined;
  for (let n = line.number - 1; n > line.number - REPORT_LINES; n--) {
    const before = lines.get(n);
    if (!before || HEADING.test(before.text) || BARE_PLACE.test(before.text)) break;
    if (REPORTED.test(before.text)) first = before;
    else if (first) break;
  }
  return first ?? line;
}

/** The last `Caused by:` of the stack that follows the line; `line` where there is none. */
function lastCause(line: LogLine, lines: LogLines): LogLine {
  const said = (one: LogLine) => one.text.replace(SPEAKER, '');
  const next = lines.get(line.number + 1);
  if (!next || !(INDENTED.test(said(next)) || CAUSED_BY.test(said(next)))) return line;
  let root = line;
  let last = line;
  while (last.offset - line.offset < TRACE_BYTES) {
    const number = last.number + 1;
    if (!lines.get(number)) lines.load({ line: last.number, offset: last.offset }, 0, STEP_BYTES);
    const after = lines.get(number);
    if (!after) break;
    if (CAUSED_BY.test(said(after))) root = after;
    else if (!INDENTED.test(said(after))) break;
    last = after;
  }
  return root;
}

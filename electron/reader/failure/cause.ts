/** Picks the cause among the explaining lines. */
import { causeText, isDiagnosis, statementOf } from './cause-text.ts';
import { type Evidence, evidenceOf, type LineKind } from './evidence.ts';
import type { CauseLine } from './explanation.ts';
import {
  ADVICE,
  ANNOUNCES,
  CODE,
  COMPARED_SIDE,
  DATA,
  DIFF_START,
  IS_DETAIL,
  SPEAKER,
  STEP_START,
} from './lexicon/structure.ts';
import type { LogLine, LogLines } from './log-lines.ts';
import { isDone, SPEAKS_WEIGHT } from './model.ts';
import type { FailedText } from './scope.ts';
import { isSilent, scoreOf, type Weighed } from './weigh.ts';

/** If no line scores as much, no line explains the failure. */
const CAUSE_SCORE = 1.2;
/** Evidence of an exception with its message. */
const STRONG = 3;
/** A line without a word for a failure, or one that gives no reason, must be likelier by so much. */
const VAGUE_MARGIN = 1.2;
/** A later line of a statement, the line after it, or a detail of an error must be likelier by this than the first. */
const LATER_MARGIN = 0.5;
/** The same for an error with its place after another: a compiler's first one may have caused it. */
const LATER_ERROR_MARGIN = 1;

/** How much likelier a warning must be than an error. Most warnings explain nothing. */
const WARNING_MARGINS = {
  /** Than one in the last lines, which ends the run. */
  last: 3,
  /** Than any one after a compiler's warning. */
  later: 2,
};
const LAST_ERRORS = 12;
const BEGINS_WITH_PLACE = /^\S+?[:(]\d+[:,)]/u;

/** Returns the pick that is most likely the cause, or null. */
function likeliest(picks: readonly Weighed[], text: FailedText): Weighed | null {
  const namable = picks.filter((one) => !isDone(one));
  if (namable.length === 0 || !picks.some((one) => scoreOf(one) >= CAUSE_SCORE)) return null;
  const best = likeliestOf(namable, text.lines.total);
  return !isSilent(best) || explainsSilently(best, text) ? best : null;
}

function likeliestOf(picks: readonly Weighed[], total: number): Weighed {
  const least = (one: Weighed) => one.naming - (isSilent(one) || saysNoReason(one) ? VAGUE_MARGIN : 0);
  const best = picks.reduce((a, b) => (least(b) > least(a) ? b : a));
  const margin = (one: Weighed) => {
    if (isPlacedError(one) && isPlacedError(best)) return LATER_ERROR_MARGIN;
    const leads = one.placed.isError && !best.placed.isError;
    return leads || one.pattern === best.pattern || isLineBefore(one, best) ? LATER_MARGIN : 0;
  };
  const alike = picks.filter((one) => least(one) > least(best) - margin(one));
  const first = alike.reduce((a, b) => (b.line.number < a.line.number ? b : a), best);
  if (!isWarning(first)) return first;
  const isPlaced = BEGINS_WITH_PLACE.test(first.placed.message);
  const errors = picks.filter((one) => {
    const isLast = one.line.number > total - LAST_ERRORS;
    const isLater = isLast || (isPlaced && one.line.number > first.line.number);
    const margin = isLast ? WARNING_MARGINS.last : WARNING_MARGINS.later;
    const { isError, level } = one.placed;
    return isLater && saysWhy(one) && (isError || level === null) && least(one) > least(first) - margin;
  });
  return errors.reduce((a, b) => (least(b) > least(a) ? b : a), errors[0] ?? first);
}

const isPlacedError = ({ placed }: Weighed) => placed.isError && BEGINS_WITH_PLACE.test(placed.message);

/** The line before that may begin the same message. */
const isLineBefore = (one: Weighed, best: Weighed) =>
  one.line.number === best.line.number - 1 && (isSilent(best) || !isSilent(one));

/** Only that something before failed, or what to do about it. */
const saysNoReason = ({ line, placed, evidence: { isConsequence, kinds } }: Weighed) =>
  ADVICE.test(placed.message) ||
  (isConsequence && (EXIT_STATUS.test(line.text) || !kinds.some((kind) => REASONS.has(kind))));
const EXIT_STATUS = /\bexit(?:ed)?(?: with)? (?:status|code):? ?[1-9]/iu;
const REASONS: ReadonlySet<LineKind> = new Set(['reason', 'exception', 'compare']);

/** A warning, but not an error that quotes one. */
const isWarning = ({ evidence: { kinds } }: Weighed) => kinds.includes('warn') && !kinds.some(isErrorKind);

const isErrorKind = (kind: LineKind) =>
  kind === 'fatal' || kind === 'exception' || kind === 'label' || kind === 'error';

/** Evidence of a failure. */
const TELLING = 2;
const WHY: ReadonlySet<LineKind> = new Set(['label', 'reason', 'exception']);

/** Whether a line says why something failed. That a result differs may follow from what came before. */
function saysWhy({ evidence }: Weighed): boolean {
  return (
    isTelling(evidence) && !evidence.kinds.includes('compare') && evidence.kinds.some((kind) => WHY.has(kind))
  );
}

function isTelling({ weight, isConsequence, isCalm, surrounds }: Evidence): boolean {
  return weight >= TELLING && !isConsequence && !isCalm && !surrounds;
}

/** Kinds of words that say that something failed, or why. */
const TELLS: ReadonlySet<LineKind> = new Set([...WHY, 'fatal', 'error', 'compare', 'mark']);

/** Tells whether a line without a word for a failure explains what the last lines say. */
function explainsSilently({ line }: Weighed, text: FailedText): boolean {
  return /\p{L}/u.test(line.text) && !STEP_START.test(line.text) && endsInMessage(text);
}

/** It says that something failed, or that something before did, and ends in a colon: the next line says what. */
function announces({ text }: LogLine, { kind, kinds, isConsequence }: Evidence, next: LogLine): boolean {
  if (!ANNOUNCES.test(text)) return false;
  if (kinds.includes('reason') && evidenceOf(next.text).weight < SPEAKS_WEIGHT) return false;
  return isConsequence || kind === 'fatal' || kind === 'exception' || kind === 'label';
}

/** A service says that it ends, then prints the exception. */
function reports({ isConsequence }: Evidence, next: LogLine): boolean {
  if (!isConsequence) return false;
  const { kind, weight } = evidenceOf(next.text);
  return kind === 'exception' && weight >= STRONG;
}

interface FoundCause {
  cause: CauseLine;
  /** The pick that led to it. */
  pick: Weighed;
}

/** Null where nothing explains. */
export function findCause(picks: readonly Weighed[], text: FailedText): FoundCause | null {
  const best = likeliest(picks, text);
  return best && { cause: causeOf(best, text.lines), pick: best };
}

/** Lower scores come in texts of commands that succeeded, too. */
const FAILURE_SCORE = 4;

/**
 * Whether a text whose exit status is unknown reads as that of a failure: the cause has a word for it beside words for
 * what was left out or is odd, and the end does not say that all went well. Of 76 outputs of successful commands, 1
 * does; of 82 of failed ones, all but 6.
 */
export function tellsOfFailure(found: FoundCause | null, lines: LogLines): boolean {
  if (!found || LISTING.test(found.pick.placed.message)) return false;
  if (isPlain(found)) return true;
  if (found.cause.basis !== undefined || found.cause.score < FAILURE_SCORE) return false;
  if (!found.pick.evidence.kinds.some((kind) => TELLS.has(kind))) return false;
  const end = lines.last(LAST_LINES).map(({ text }) => evidenceOf(text));
  if (end.some(isTelling)) return true;
  if (end.some(({ isCalm }) => isCalm)) return false;
  if (end.some(speaksOfFailure) || found.cause.line_number > lines.total - NEAR_END_LINES) return true;
  const { message } = found.pick.placed;
  return !(isWarning(found.pick) || INDENTED.test(message) || CODE.test(message));
}

/** The cause says plainly that it is one. */
export const isPlain = ({ pick: { placed, evidence } }: FoundCause): boolean =>
  placed.isError && !evidence.isConsequence && placed.zone === 'failing';

/** A row of data, a branch of a drawn tree, a list of objects: they hold words of any kind. */
const LISTING = new RegExp(`${DATA.source}|[├└]─|^\\[\\{`, 'u');

const speaksOfFailure = ({ isConsequence, kinds }: Evidence) =>
  isConsequence || kinds.some((kind) => TELLS.has(kind));

/** So near the end, a warning or an indented line may be the cause, even if the last lines speak of no failure. */
const NEAR_END_LINES = 40;

/** The line itself, the one after it where it only announces or reports that, or the root of either. */
function causeOf(one: Weighed, lines: LogLines): CauseLine {
  const said = announcedBy(one.line, lines);
  const over = said === one.line ? statementOver(said, lines) : null;
  const root = lastCause(over ?? said, lines);
  return {
    line_number: root.number,
    text: causeText(statementOf(root, lines)),
    score: scoreOf(one),
    ...(isSilent(one) && said === one.line ? { basis: 'unlike' } : {}),
  };
}

/** One announcement may follow another. */
const MOST_ANNOUNCED = 3;

function announcedBy(line: LogLine, lines: LogLines): LogLine {
  let said = line;
  for (let turn = 0; turn < MOST_ANNOUNCED; turn++) {
    const evidence = evidenceOf(said.text);
    const after = lines.get(said.number + 1);
    // A consequence may be set off by a blank line.
    const isApart = evidence.isConsequence && after && lines.messageOf(after).trim() === '';
    const next = isApart ? lines.get(said.number + 2) : after;
    if (!next) break;
    const shown = lines.indentedOf(next);
    const isDetail = IS_DETAIL.test(shown) || DIFF_START.test(shown);
    if (!(announces(said, evidence, next) ? !isDetail : reports(evidence, next))) break;
    said = next;
  }
  return said;
}

/** Most lines from a statement to its details: in a YAML diagnosis of TAP, in a comparison, in a report. */
const DIAGNOSIS_LINES = 30;
const COMPARISON_LINES = 6;
const REPORT_LINES = 60;
/** Where the comparison is in the source. */
const FRAME = /^#?\s+at \S/u;
/** Reports say in lines that begin with E why an assertion failed, then where a value comes from, and the place. */
const REPORTED = /^E\s+\S/u;
const REPORTED_DETAIL = /^E\s+\+\s+(?:where|and) |^\S+:\d+: [A-Z][\w.]*$/u;
const REPORT_START = /^(?:_{3,}|={3,}) |^\S+:\d+: [A-Z][\w.]*$/u;

/** Returns the test's verdict or the statement that a detail belongs to; null for a line that is none. */
function statementOver(line: LogLine, lines: LogLines): LogLine | null {
  const { number, text } = line;
  const above = (most: number) =>
    Array.from({ length: most }, (_, i) => lines.get(number - most + i)).filter((one) => one !== undefined);
  if (REPORTED_DETAIL.test(text)) {
    const report = above(REPORT_LINES);
    const start = report.findLastIndex((one) => REPORT_START.test(one.text));
    return report.slice(start + 1).find((one) => REPORTED.test(one.text)) ?? null;
  }
  if (INDENTED.test(lines.indentedOf(line))) {
    const diagnosis = above(DIAGNOSIS_LINES);
    const shown = diagnosis.map((before) => lines.indentedOf(before));
    const start = shown.findLastIndex((before) => isDiagnosis(before) || !INDENTED.test(before));
    if (start > 0 && isDiagnosis(shown[start]!)) return diagnosis[start - 1]!;
  }
  if (!COMPARED_SIDE.test(text)) return null;
  return above(COMPARISON_LINES).findLast((one) => isStatement(one.text)) ?? null;
}

function isStatement(text: string): boolean {
  if (text.trim() === '' || COMPARED_SIDE.test(text) || FRAME.test(text)) return false;
  const { weight, surrounds, isConsequence } = evidenceOf(text);
  return weight >= 1 && !surrounds && !isConsequence;
}

/** Lines at the end that may be a message. */
const LAST_LINES = 3;
const FEWEST_WORDS = 2;
/** Rows of data have more other tokens for each word. */
const MOST_TOKENS_A_WORD = 4;
const WORD = /(?<![^\s([{<"'«“:>|-])(?![a-f]+\b)\p{L}{3,}\d*(?![^\s)\]}>"'»”.,:;!?|-])/giu;
/** Scripts without spaces between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]{2}/u;

/** Tells whether the output ends in a message or a step. One that ends in data does not say that it failed. */
function endsInMessage({ lines, otherStreamEnd }: FailedText): boolean {
  const last = lines.last(LAST_LINES).map(({ text }) => text);
  return [...last, ...otherStreamEnd].some(isMessage);
}

function isMessage(text: string): boolean {
  if (UNSPACED.test(text) || STEP_START.test(text)) return true;
  const words = text.match(WORD)?.length ?? 0;
  if (words >= FEWEST_WORDS && words * MOST_TOKENS_A_WORD >= text.trim().split(/\s+/).length) return true;
  const { weight, surrounds } = evidenceOf(text);
  return weight >= 1 && !surrounds;
}

/** Bytes to read after an exception, for its stack and those of its causes. */
const TRACE_BYTES = 64 * 1024;
const STEP_BYTES = 16 * 1024;
const CAUSED_BY = /^Caused by: \S/u;
/** Its causes are the first line under it, and the numbered ones. */
const CAUSES = /^\s*Caused by:$/u;
const NUMBERED = /^\s+\d+: /u;
const INDENTED = /^\s+\S/u;
/** A message that quotes an exception with its frames, which ends in that exception. */
const TRACEBACK = /^Traceback \(most recent/u;
/** The first member of a group of exceptions, in a drawn box, and its message. */
const MEMBER = /^\s*\+-\+-+ 1 -/u;
const MEMBER_MESSAGE = /^\s*\| (?!\s|Traceback )/u;

/** The last cause in the stack or the list that follows an exception; `line` where there is none. */
function lastCause(line: LogLine, lines: LogLines): LogLine {
  // Also where too few lines have a speaker to learn it from.
  const textOf = (one: LogLine | undefined) => one && lines.indentedOf(one).replace(SPEAKER, '');
  let root = line;
  let last = line;
  let isListed = false;
  let isMember = false;
  let isTraced = false;
  while (last.offset - line.offset < TRACE_BYTES) {
    const number = last.number + 1;
    if (!lines.get(number)) lines.load({ line: last.number, offset: last.offset }, 0, STEP_BYTES);
    const after = lines.get(number);
    const text = textOf(after);
    if (!after || text === undefined) break;
    const isHeading = CAUSES.test(textOf(last) ?? '');
    if (CAUSED_BY.test(text) || (isMember && MEMBER_MESSAGE.test(text))) {
      root = after;
      isMember = false;
    } else if (MEMBER.test(text)) isMember = true;
    else if (last === line && TRACEBACK.test(text)) isTraced = true;
    else if (CAUSES.test(text)) isListed = true;
    else if (text.trim() === '') {
      if (!isListed && !CAUSES.test(textOf(lines.get(number + 1)) ?? '')) break;
    } else if (!INDENTED.test(text)) return isTraced ? after : root;
    else if (isListed && (isHeading || NUMBERED.test(text))) root = after;
    last = after;
  }
  return isListed && evidenceOf(root.text).isConsequence ? line : root;
}

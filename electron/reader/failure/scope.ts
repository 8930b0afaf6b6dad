/**
 * Tells from the marked steps of a text where its failure is: in the step that says that it failed, between the script
 * that it echoes and the line that says so. What other steps, a clean-up or a service's log say explains nothing.
 * Nor does a failure that was made good.
 */
import { countFitting } from '../../../shared/line-set.ts';
import type { Level } from '../../../shared/text/level-words.ts';
import { isErrorLevel, levelOf } from '../../../shared/text/levels.ts';
import type { Step } from '../sections/steps.ts';
import type { Evidence } from './evidence.ts';
import { NEGATED } from './lexicon/parts.ts';
import { IGNORED, MADE_GOOD, SPEAKER, VERDICT_FIRST } from './lexicon/structure.ts';
import { type FailureText, type LogLine, LogLines } from './log-lines.ts';
import type { FailureScanner } from './scan/scanner.ts';

export type Zone =
  /** Output of the step that failed; without marked steps, all. */
  | 'failing'
  /** Output of another step that failed. */
  | 'also'
  /** Output of a step that went well, before the failure. */
  | 'before'
  /** The echoed script of a step. */
  | 'script'
  /** Printed when all is over. */
  | 'after';

/** The level and the place of a line. */
export interface Placed {
  readonly zone: Zone;
  readonly level: Level | null;
  /** It says itself that it is an error, by its level, a label or as a test's verdict. */
  readonly isError: boolean;
  /** It is the verdict on a test, with a reason. */
  readonly isVerdict: boolean;
  /** Its text behind the prefix. */
  readonly message: string;
}

export interface Scope {
  /** First and last line of the failing step's output. */
  readonly first: number;
  readonly last: number;
  /** Whether the text has marked steps. */
  readonly hasSteps: boolean;
  zoneOf(line: number): Zone;
}

/** A text that is explained. */
export interface FailedText {
  readonly scanner: FailureScanner;
  readonly lines: LogLines;
  readonly scope: Scope;
  /** The last lines of the command's other stream. */
  readonly otherStreamEnd: readonly string[];
}

/** `scanner` has seen all of `text`. */
export function failedText(
  scanner: FailureScanner,
  text: FailureText,
  otherStreamEnd: readonly string[] = [],
): FailedText {
  const scope = scopeOf(scanner.steps.all(scanner.lines), scanner.lines);
  return { scanner, lines: new LogLines(text, scanner.lines), scope, otherStreamEnd };
}

/** `steps`: in order; `lines`: of the whole text. */
export function scopeOf(steps: readonly Step[], lines: number): Scope {
  const failed = steps.filter((step) => step.failed > 0);
  const main =
    failed.length > 0
      ? firstOfLastJob(failed)
      : (steps.findLast((step) => step.error > 0) ?? lastOfWork(steps));
  const end = main ? endOf(main) : lines;
  const first = main ? main.output : 1;
  return {
    first,
    last: end,
    hasSteps: steps.length > 1 || steps.some(({ isOver, error }) => isOver || error > 0),
    zoneOf(line) {
      const step = stepAt(steps, line);
      if (step && line < step.output) return 'script';
      if (line >= first && line <= end) return 'failing';
      if (step && step !== main && line <= endOf(step)) return 'also';
      return line > end ? 'after' : 'before';
    },
  };
}

/** The last line before the one that says that the step failed, which itself explains nothing. */
function endOf({ failed, isOver, after, error }: Step): number {
  if (after > 0 && (isOver || (failed === 0 && error === 0)))
    return (isOver ? Math.min(after, failed) : after) - 1;
  return failed > 0 ? failed - 1 : error;
}

/** Jobs that others need come first: of several that failed, one that was tolerated is rarely the last. */
function firstOfLastJob(failed: readonly Step[]): Step {
  const job = failed.at(-1)!.job;
  return failed.find((step) => step.job === job)!;
}

/** No step says that it failed: the last one before all is cleaned up. */
function lastOfWork(steps: readonly Step[]): Step | undefined {
  const job = steps.at(-1)?.job;
  return steps.find((step) => step.job === job && step.after > 0);
}

function stepAt(steps: readonly Step[], line: number): Step | undefined {
  return steps[countFitting(steps.length, (index) => steps[index]!.first <= line) - 1];
}

/** Several services print into one text, and the runner names the one that failed. */
const EXITED = /^(?:(\S{1,40})|\[([^\]]{1,40})\] .*) exited with code [1-9]/u;
const LAST_LINES = 60;

/** Finds the level and the zone of lines. The last lines must have been read. */
export class Places {
  readonly #text: FailedText;
  /** The service that failed first, and the line that says so; undefined if none is named. */
  readonly #failed: { name: string; line: number } | undefined;

  constructor(text: FailedText) {
    this.#text = text;
    this.#failed = text.lines
      .last(LAST_LINES)
      .flatMap(({ number, text }) => {
        const [, bare, bracketed] = EXITED.exec(text) ?? [];
        const name = bare ?? bracketed;
        return name === undefined ? [] : [{ name, line: number }];
      })
      .at(-1);
  }

  of(line: LogLine, { kinds, isCalm }: Evidence): Placed {
    const prefix = this.#text.lines.prefixOf(line.text);
    const message = line.text.slice(prefix.end);
    const level = prefix.level ?? levelOf(message.replace(NEGATED, ' '));
    // A line that says that something went well may quote an error.
    const isQuoted = isCalm && prefix.level === null;
    const isLabelled = level === null && kinds.includes('label');
    const isVerdict = VERDICT_FIRST.test(message);
    const isError = ((isErrorLevel(level) || isLabelled) && !isQuoted) || isVerdict;
    return { zone: this.#zoneOf(line), level, isError, isVerdict, message };
  }

  #zoneOf({ number, text }: LogLine): Zone {
    const { scope } = this.#text;
    if (!this.#failed) return scope.hasSteps ? scope.zoneOf(number) : 'failing';
    if (number >= this.#failed.line) return 'after';
    const speaker = SPEAKER.exec(text)?.groups;
    return speaker && (speaker.service ?? speaker.name) !== this.#failed.name ? 'also' : 'failing';
  }
}

/** A failure is made good if one of this many next lines says so. */
const SOON_LINES = 8;
/** A word that comes more often says nothing of one failure. */
const RARE = 24;
/** A word of four characters or more, with a letter, and what joins it to others. */
const NAME = /(?=\S{4})[\w\u0080-\uffff]+(?:[.\-@~+][\w\u0080-\uffff]+)*/g;
const HAS_LETTER = /[^\d_.\-@~+]/;

/** Tells whether a failure was recovered from later. Reads each line once. */
export class MadeGood {
  readonly #text: FailedText;
  /** By line: the rare names in it where it says that something went well after all, else none. */
  readonly #namesOf = new Map<number, ReadonlySet<string>>();

  constructor(text: FailedText) {
    this.#text = text;
  }

  /**
   * Whether the next line says that the failure does not count, or one of the next lines that something went well after
   * all, and shares a rare name with it.
   */
  has({ number, text }: LogLine): boolean {
    if (IGNORED.test(this.#text.lines.get(number + 1)?.text ?? '')) return true;
    let own: string[] | null = null;
    for (let n = number + 1; n <= number + SOON_LINES; n++) {
      const line = this.#text.lines.get(n);
      if (!line) return false;
      const names = this.#recoveredIn(line);
      if (names.size === 0) continue;
      own ??= namesIn(text);
      if (own.some((name) => names.has(name))) return true;
    }
    return false;
  }

  #recoveredIn({ number, text }: LogLine): ReadonlySet<string> {
    const known = this.#namesOf.get(number);
    if (known) return known;
    const isRare = (name: string) => this.#text.scanner.wordCount(name) <= RARE;
    const names = new Set(MADE_GOOD.test(text) ? namesIn(text).filter(isRare) : []);
    this.#namesOf.set(number, names);
    return names;
  }
}

const namesIn = (text: string) => (text.match(NAME) ?? []).filter((name) => HAS_LETTER.test(name));

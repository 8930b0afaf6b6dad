/**
 * Sorts differences, the most telling first. Folds what follows from another, such as the frames of a stack trace.
 * Weights have no unit: a plain new line has about 1, a new line that names an error 5.
 */
import { type Evidence, evidenceOf } from '../failure/evidence.ts';
import type { Explanation } from '../failure/explanation.ts';
import { ADVICE } from '../failure/lexicon/structure.ts';
import type { Baseline, KnownMessage } from './baseline.ts';
import type { Differences, NewMessage, NewValue } from './differences.ts';
import { wordsOf } from './messages.ts';
import { type Likeness, Similar } from './similar.ts';
import { TELLING_WEIGHT } from './table.ts';

export interface Finding {
  readonly kind: 'new' | 'changed' | 'gone' | 'order';
  /** Null for what is gone. */
  readonly line: number | null;
  readonly text: string;
  /** Lines of the output; of what is gone or moved, messages. */
  count: number;
  /** The most similar message of the passes, and its line in the first of them; null if that one has it not. */
  readonly baselineText: string | null;
  readonly baselineLine: number | null;
  /** The least and the most lines of the message in a pass, where their number is what changed. */
  readonly baselineCounts?: readonly [least: number, most: number];
  weight: number;
}

interface Ranked {
  /** Most telling first. */
  readonly findings: Finding[];
  /** Messages and values that turned out to mean nothing. */
  readonly dropped: ReadonlySet<NewMessage | NewValue>;
}

/** Lines that differ between any two runs: retries, caches, progress, downloads. */
const ROUTINE =
  /\b(?:re-?try(?:ing)?|retries(?![=:])|attempt \d|cache (?:hit|miss)|cached|from cache|download(?:ed|ing)|fetch(?:ed|ing)|receiving objects|resolving deltas|progress|eta)\b|\d ?%/iu;
/** Printed once, a percentage is not progress. */
const SHARE = /\d ?%/u;
const RETRY = /re-?try|retries(?![=:])|attempt/iu;

/** Lines around the cause that belong to it. */
const NEAR_LINES = 10;
/** Best lines of the explanation that count. */
const EXPLAINED_LINES = 24;
/** The first difference is where it began to go wrong; later ones may follow from it. */
const FIRST_WEIGHT = 1.8;
/** New lines so close to each other are one block; its second best line counts by this factor less, and so on. */
const BLOCK_GAP = 2;
const NEXT_IN_BLOCK = 0.6;
/** Share of words that make two new messages one. */
const TWIN_SHARE = 0.7;
/** New messages that are compared with each other. */
const MOST_HEADS = 400;
/** A value that surprises less is told from a single pass only with other evidence. */
const LEAST_SURPRISE = 0.5;

export function rank(
  differences: Differences,
  baseline: Baseline,
  explanation: Pick<Explanation, 'cause' | 'ranked'>,
): Ranked {
  const ranking = new Ranking(baseline, explanation);
  const isBesideNothing = baseline.known.size === 0;
  for (const message of differences.fresh)
    if (message.speaks || isBesideNothing) ranking.addNew(message, differences.isOneOfMany(message.key));
  for (const value of differences.changed) ranking.addChanged(value);
  for (const count of differences.counts) ranking.addCount(count);
  for (const { messages, ...block } of differences.gone)
    ranking.addGone({ ...block, messages: messages.filter(({ key }) => !differences.isOneOfMany(key)) });
  for (const series of differences.missing) ranking.addMissing(series);
  ranking.addMoved(differences.moved);
  return { findings: ranking.sorted(), dropped: ranking.dropped };
}

/** A new message, which later ones may belong to. */
interface Head {
  readonly finding: Finding;
  readonly words: readonly string[];
  readonly indent: number;
  /** It says that something went well: there may be many of those. */
  readonly isCalm: boolean;
  lastLine: number;
}

class Ranking {
  readonly dropped = new Set<NewMessage | NewValue>();
  readonly #findings: Finding[] = [];
  /** Findings that say no more than the exit status. */
  readonly #closing: Finding[] = [];
  /** The last of them; lines below it, such as `error: |-` of TAP, don't continue what is above it. */
  #closed = 0;
  readonly #heads: Head[] = [];
  /** Where in the output a message is missing. */
  readonly #places = new Map<Finding, number>();
  /** Known messages that a new one stands for. */
  readonly #replaced = new Set<KnownMessage>();
  readonly #similar: Similar;
  readonly #hasSeveral: boolean;
  readonly #isBesideNothing: boolean;
  readonly #explained: ReadonlyMap<number, number>;
  readonly #cause: number | null;

  constructor(baseline: Baseline, { ranked, cause }: Pick<Explanation, 'cause' | 'ranked'>) {
    this.#similar = new Similar(baseline);
    this.#hasSeveral = baseline.passes > 1;
    this.#isBesideNothing = baseline.known.size === 0;
    this.#explained = new Map(ranked.slice(0, EXPLAINED_LINES).map(({ number }, i) => [number, i]));
    this.#cause = cause?.line_number ?? null;
  }

  addNew(message: NewMessage, isOneOfMany: boolean): void {
    const { key, text, line, count } = message;
    const evidence = evidenceOf(text);
    const { nearest, varies } = this.#similar.find(key);
    const isTelling = evidence.weight >= TELLING_WEIGHT && !evidence.isCalm;
    if (nearest) this.#replaced.add(nearest.known);
    if ((varies || isOneOfMany || ROUTINE.test(text)) && !isTelling) {
      this.dropped.add(message);
      return;
    }
    const plain = weightOf(evidence) / (1 + 0.15 * Math.log2(count));
    const weight = (plain + this.#near(line)) * (this.#hasSeveral ? alike(nearest) : 1);
    const finding: Finding = { kind: 'new', line, text, count, ...old(nearest?.known), weight };
    if (saysOnlyThatItFailed(message, evidence)) {
      this.#closing.push(finding);
      this.#closed = line;
      return;
    }
    const words = wordsOf(key);
    const indent = text.search(/\S/);
    const head = line === this.#cause ? undefined : this.#headOf(finding, line, words, indent, evidence);
    if (head) {
      head.finding.count += count;
      head.lastLine = line;
    } else {
      this.#heads.push({ finding, words, indent, isCalm: evidence.isCalm, lastLine: line });
      this.#findings.push(finding);
    }
  }

  addChanged(value: NewValue): void {
    const { known, text, line, surprise, count } = value;
    const evidence = evidenceOf(text);
    const isConstant = surprise === 1 && this.#hasSeveral;
    const isOnce = this.#hasSeveral && count === 1 && known.counts.every((one) => one === 1);
    const isRoutine =
      ROUTINE.test(isOnce ? text.replace(SHARE, '') : text) && (!isConstant || RETRY.test(text));
    const isWeak = !this.#hasSeveral && surprise < LEAST_SURPRISE && evidence.weight < TELLING_WEIGHT;
    if (isRoutine || isWeak) {
      this.dropped.add(value);
      return;
    }
    const weight =
      (this.#hasSeveral ? 3.4 : 2) * surprise + 0.35 * Math.min(evidence.weight, 6) + this.#near(line);
    this.#findings.push({
      ...{ kind: 'changed', line, text, count, ...nearestOld(known, text) },
      weight: evidence.isConsequence ? weight * 0.6 : weight,
    });
  }

  /** With one pass, nothing tells how much a count varies. */
  addCount({ known, text, line, count }: Differences['counts'][number]): void {
    if (!this.#hasSeveral || ROUTINE.test(text)) return;
    const baselineCounts = [Math.min(...known.counts), Math.max(...known.counts)] as const;
    const isSlight = 2 * count >= baselineCounts[0] && count <= 2 * baselineCounts[1];
    const plain = 1 + 0.3 * Math.min(evidenceOf(text).weight, 6) + this.#near(line);
    const weight = isSlight ? 0.3 * plain : plain;
    this.#findings.push({ kind: 'changed', line, text, count, ...old(known), baselineCounts, weight });
  }

  addGone({ messages, after, isEnd }: Differences['gone'][number]): void {
    const missing = messages.filter((known) => !this.#replaced.has(known) && !ROUTINE.test(known.text));
    const [first] = missing;
    if (!first) return;
    const weight = (this.#hasSeveral ? 2.2 : 0.5) * (isEnd ? 0.35 : 1);
    const { text } = first;
    const count = missing.length;
    const finding: Finding = { kind: 'gone', line: null, text, count, ...old(first), weight };
    this.#places.set(finding, after + 0.5);
    this.#findings.push(finding);
  }

  /** Adds a message that a series lacks. `text` has the first of the missing values. */
  addMissing({ text, count, after }: Differences['missing'][number]): void {
    if (ROUTINE.test(text)) return;
    const weight = this.#hasSeveral ? 2.2 : 0.5;
    const was = { baselineText: text, baselineLine: null };
    const finding: Finding = { kind: 'gone', line: null, text, count, ...was, weight };
    this.#places.set(finding, after + 0.5);
    this.#findings.push(finding);
  }

  /** One finding: what moved around one message is told by the first. */
  addMoved(moved: Differences['moved']): void {
    const [first] = moved;
    if (!first) return;
    const { known, line } = first;
    const count = moved.length;
    this.#findings.push({ kind: 'order', line, text: known.text, count, ...old(known), weight: 0.8 / count });
  }

  sorted(): Finding[] {
    // With nothing else to tell, that it failed is the difference.
    const some = this.#findings.length > 0 ? this.#findings : this.#closing.slice(0, 1);
    // Beside nothing, each line is new.
    const findings = this.#isBesideNothing ? [...this.#findings, ...this.#closing] : some;
    this.#weighPlaces(findings);
    return findings.sort((a, b) => b.weight - a.weight || this.#placeOf(a) - this.#placeOf(b));
  }

  /** The new message that a line continues, or that says the same about something else. */
  #headOf(
    { weight }: Finding,
    line: number,
    words: readonly string[],
    indent: number,
    { surrounds, differs, isCalm }: Evidence,
  ): Head | undefined {
    const last = this.#heads.at(-1);
    const isClose = last !== undefined && line - last.lastLine <= BLOCK_GAP && last.lastLine > this.#closed;
    if (isClose && (surrounds || differs || indent > last.indent)) return last;
    if (this.#heads.length > MOST_HEADS) return undefined;
    if (isCalm) return this.#heads.find((head) => head.isCalm);
    return this.#heads.find((head) => areTwins(head.words, words) && head.finding.weight + 0.5 >= weight);
  }

  #near(line: number): number {
    const place = this.#explained.get(line);
    const weight = place === undefined ? 0 : 1.5 * (1 - place / EXPLAINED_LINES);
    if (this.#cause === null) return weight;
    if (line === this.#cause) return weight + 2;
    return Math.abs(line - this.#cause) <= NEAR_LINES ? weight + 0.6 : weight;
  }

  #placeOf(finding: Finding): number {
    return this.#places.get(finding) ?? finding.line ?? 0;
  }

  /** Raises the first differences, and lowers all but the best of a block. */
  #weighPlaces(findings: readonly Finding[]): void {
    const inOrder = [...findings].sort((a, b) => this.#placeOf(a) - this.#placeOf(b));
    let block: Finding[] = [];
    let last = Number.NEGATIVE_INFINITY;
    const close = () => {
      block.sort((a, b) => b.weight - a.weight);
      for (const [i, finding] of block.entries()) finding.weight *= NEXT_IN_BLOCK ** i;
      block = [];
    };
    for (const [order, finding] of inOrder.entries()) {
      if (finding.kind === 'new') {
        const place = this.#placeOf(finding);
        if (place - last > BLOCK_GAP) close();
        block.push(finding);
        last = place;
      }
      finding.weight += FIRST_WEIGHT / (1 + order);
    }
    close();
  }
}

function old(known: KnownMessage | undefined): Pick<Finding, 'baselineText' | 'baselineLine'> {
  if (!known) return { baselineText: null, baselineLine: null };
  return { baselineText: known.text, baselineLine: known.firsts[0] || null };
}

/** The line of a known message with most of the same words in their places. */
function nearestOld(known: KnownMessage, text: string): Pick<Finding, 'baselineText' | 'baselineLine'> {
  const words = text.split(/\s+/);
  let nearest = known.samples[0];
  let most = -1;
  for (const sample of known.samples) {
    const same = sample.text.split(/\s+/).filter((word, i) => word === words[i]).length;
    if (same > most) [nearest, most] = [sample, same];
  }
  return nearest ? { baselineText: nearest.text, baselineLine: nearest.line } : old(known);
}

function weightOf(evidence: Evidence): number {
  const weight = 1 + 0.5 * Math.min(evidence.weight, 8);
  return evidence.surrounds ? weight * 0.6 : weight;
}

/** The same statement with another word, where it always came as often, tells more than one of a crowd. */
function alike(nearest: Likeness | null): number {
  if (!nearest || nearest.share < 0.75) return 1;
  const { counts } = nearest.known;
  return counts.every((count) => count === counts[0]) ? 1.3 : 1;
}

/** Words of a line that says no more than the exit status. */
const STATUS_WORDS = new Set(
  (
    'build builds job run step task process command script execution target recipe make tests test result status code exit ' +
    'exited exiting finished completed complete returned marked as with in of by is was fail failed failure failures failing ' +
    'error errors err stop stopped aborted aborting n s ms sec seconds total time and the a'
  ).split(' '),
);

/** It says as much as the exit status, or what to do next. */
function saysOnlyThatItFailed({ key, text, isError }: NewMessage, { weight }: Evidence): boolean {
  if (ADVICE.test(text)) return weight < 3 && !isError;
  const shape = key.slice(key.indexOf('\t') + 1);
  // It names what failed.
  if (/[\x02-\x04]/.test(shape)) return false;
  return wordsOf(shape).every((word) => {
    const letters = word.toLowerCase().replace(/[^a-z]/g, '');
    return letters === '' || STATUS_WORDS.has(letters);
  });
}

function areTwins(a: readonly string[], b: readonly string[]): boolean {
  if (a.length !== b.length || a.length < 2) return false;
  let same = 0;
  for (let i = 0; i < a.length; i++) if (a[i] === b[i]) same++;
  return same / a.length >= TWIN_SHARE;
}

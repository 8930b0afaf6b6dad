/**
 * `outline`: the sections of a whole stream. A text without sections has its longest pauses and most frequent messages.
 * `section` bounds other views to one section.
 */
import { SpillwayError } from '../../../shared/errors.ts';
import { DEFAULT_SHAPES, MAX_SECTIONS } from '../../../shared/limits.ts';
import { clipText } from '../../../shared/text/clip.ts';
import { lineTime, timeIn } from '../../../shared/text/line-time.ts';
import { isOrAre, nearest } from '../../../shared/text/nearest.ts';
import type { InspectParams, LinesView, OutlineView } from '../../../shared/views.ts';
import {
  failingSection,
  type Section,
  SectionTree,
  type TypedSection,
  withTyped,
} from '../../reader/sections/tree.ts';
import { finishSummary, mergeSummaries, startSummary } from '../../reader/summary/merge.ts';
import type { Pool } from '../../workers/pool.ts';
import type { Generation } from '../documents/generation.ts';
import { type CountingContext, NO_LINES, noteOf, readStretches, type StreamFields } from './context.ts';
import { keptExplanation } from './failure.ts';
import type { LineBounds } from './time-bounds.ts';

interface Outline {
  /** By stored lines. */
  sections: Section[];
  forgotten: number;
  shapes: OutlineView['shapes'];
  lines: number;
}

export const EMPTY_OUTLINE: Omit<OutlineView, keyof LinesView> = {
  sections: [],
  total_sections: 0,
  pauses: [],
  shapes: [],
};

/** Indexes the generation while it reads. Rejects with `cancelled` when the signal fires, and with `changed`. */
export async function outlineView(
  fields: StreamFields,
  generation: Generation,
  params: InspectParams,
  context: CountingContext,
): Promise<OutlineView> {
  const outline = await outlineOf(generation, context);
  const { numbers } = generation;
  const failing = failingSection(outline.sections, causeLine(fields, generation, context));
  const fits = (most: number) => mostTelling(outline.sections, failing, most);
  let shown = fits(MAX_SECTIONS);
  const room = (params.max_chars ?? Number.POSITIVE_INFINITY) - FRAME_CHARS;
  for (let size = sizeOf(shown); size > room && shown.length > 1; size = sizeOf(shown))
    shown = fits(Math.max(1, Math.floor((shown.length * room * 0.95) / size)));
  const isBare = outline.sections.length === 0;
  const total = outline.sections.length + outline.forgotten;
  const arrived = isBare ? [] : await arrivedSpans(shown, generation, context.pool);
  const left = total - shown.length;
  return {
    ...fields,
    ...NO_LINES,
    mode: 'outline',
    total_bytes: generation.size,
    total_lines: generation.gaps.length > 0 ? fields.total_lines : outline.lines,
    truncated: generation.size > 0,
    sections: shown.map((section, i) => ({
      ...{ title: clipText(section.title, MOST_TITLE_CHARS).text, level: section.level },
      ...{ start_line: numbers.shown(section.start), end_line: numbers.shown(section.end) },
      ...{ status: section.status, duration_ms: section.ms ?? arrived[i] ?? null, errors: section.errors },
      ...(section === failing ? { failing: true as const } : {}),
      ...(section.level === 1 && generation.members.has(section.title) ? { member: true as const } : {}),
    })),
    total_sections: total,
    pauses: await pausesOf(generation, context.pool),
    shapes: isBare
      ? outline.shapes
          .map((shape) => ({ ...shape, first_line: numbers.shown(shape.first_line) }))
          .sort((a, b) => a.first_line - b.first_line)
      : [],
    ...noteOf([
      left > 0 && `${left} of ${total} sections are left out: the deepest without errors first`,
      isBare && generation.size > 0 && 'the text has no sections that are known',
      ...generation.notes(),
    ]),
  };
}

/** Returns the stored number of the cause's line; null if no cause is known. */
function causeLine({ stream }: StreamFields, generation: Generation, { artifact }: CountingContext) {
  const { cause = null, status } = artifact ?? {};
  if (status !== undefined && status !== 'running' && cause !== null) {
    if (stream !== 'combined') {
      if (cause.stream === stream) return generation.numbers.from(cause.line_number);
    } else if (cause.combined_line !== undefined) return generation.numbers.from(cause.combined_line);
  }
  return keptExplanation(stream, generation)?.cause?.line_number ?? null;
}

/** Most of a title that is shown. */
const MOST_TITLE_CHARS = 200;

/** Characters of a reply beside its sections. */
const FRAME_CHARS = 1000;

/** Characters that the sections take in a reply. */
function sizeOf(sections: readonly Section[]): number {
  return sections.reduce(
    (sum, { title }) => sum + Math.min(3 * MOST_TITLE_CHARS, Buffer.byteLength(JSON.stringify(title))) + 120,
    0,
  );
}

const known = new WeakMap<Generation, { size: number; patterns: string; outline: Outline }>();

/** Read once for a text that has not grown since, and the same patterns. */
async function outlineOf(generation: Generation, context: CountingContext): Promise<Outline> {
  const before = known.get(generation);
  const patterns = JSON.stringify(context.sectionPatterns);
  if (before && !generation.isPartial && before.size === generation.size && before.patterns === patterns)
    return before.outline;
  const { pool, signal, onProgress } = context;
  await generation.learnFormat(pool);
  const facts = generation.timeFacts();
  const total = startSummary();
  const tree = new SectionTree();
  const isTyped = context.artifact?.kind === 'terminal';
  const wantsErrors = isTyped || context.sectionPatterns.length > 0;
  const errorLines: number[] = [];
  let errors = 0;
  let size: number | null = null;
  const stream = await readStretches(
    generation,
    context,
    (text, stretch) =>
      pool.run(
        'outline',
        { ...text, request: { stretch, facts }, wantsErrors },
        { priority: 'bulk', signal },
      ),
    (part) => {
      tree.add(part.sections, { line: total.lines, errors });
      errors += part.errors;
      for (const line of part.errorLines) errorLines.push(line + total.lines);
      mergeSummaries(total, part.summary);
      onProgress?.({ read_bytes: total.bytes, total_bytes: size });
    },
    (_text, whole) => {
      size = whole;
    },
  );
  const { shapes } = finishSummary(total, { maxShapes: DEFAULT_SHAPES });
  const end = total.lastTimestamp === null ? null : lineTime(total.lastTimestamp, facts);
  const found = tree.finish({ line: total.lines, errors }, end);
  const own = await ownSections(generation, context, { lines: total.lines, end });
  const typed = [...(isTyped ? await typedSections(generation, context) : []), ...own.sections];
  const sections = typed.length > 0 ? withTyped(found.sections, typed, errorLines) : found.sections;
  const forgotten = found.forgotten + own.left;
  const outline = { sections, forgotten, shapes: sections.length > 0 ? [] : shapes, lines: total.lines };
  known.set(generation, { size: stream.size, patterns, outline });
  return outline;
}

/** Most sections of a person's patterns. */
const MOST_OWN = 4096;
const OWN_CHARS = 4 * 1024 * 1024;

/** The sections that a person's patterns begin: each ends before the next of its pattern, or of one before it. */
async function ownSections(
  generation: Generation,
  { sectionPatterns, searches, pool, signal }: CountingContext,
  text: { lines: number; end: number | null },
): Promise<{ sections: TypedSection[]; left: number }> {
  const rankOf = new Map<number, number>();
  let left = 0;
  for (const [rank, pattern] of sectionPatterns.entries()) {
    const query = { pattern, fixed: false, case_sensitive: true, invert: false };
    const job = searches.job(generation, query, false, true);
    await searches.complete(job, signal);
    for (let k = 0; k < job.lines.size; k += 1) {
      if (rankOf.size === MOST_OWN) {
        left += job.lines.size - k;
        break;
      }
      const line = job.lines.kth(k)!;
      if (!rankOf.has(line)) rankOf.set(line, rank);
    }
  }
  const lines = [...rankOf.keys()].sort((a, b) => a - b);
  if (lines.length === 0) return { sections: [], left };
  const request = { lines, maxChars: OWN_CHARS };
  const shown = await pool.run('plainLines', { ...generation.text(), request }, { signal });
  const facts = generation.timeFacts();
  const times = shown.map((one) => timeIn(one.text, facts));
  /** The section of each rank that follows, as sections are read from the last to the first. */
  const next = sectionPatterns.map(() => ({ line: text.lines + 1, time: text.end }));
  const sections: TypedSection[] = [];
  for (let i = shown.length - 1; i >= 0; i -= 1) {
    const line = lines[i]!;
    const rank = rankOf.get(line)!;
    const behind = next.slice(0, rank + 1).reduce((a, b) => (b.line < a.line ? b : a));
    const found = times[i]!;
    const time = found?.time ?? null;
    const ms = time === null || behind.time === null ? null : behind.time - time;
    sections.unshift({
      title: shown[i]!.text.slice(found && found.from <= 1 ? found.to : 0).replace(/^[\s\]]+/, ''),
      ...{ start_line: line, end_line: behind.line - 1, status: null },
      duration_ms: ms !== null && ms >= 0 ? ms : null,
    });
    next[rank] = { line, time };
  }
  return { sections, left: left + lines.length - shown.length };
}

/** The commands of a recorded terminal, each from its prompt to the end of its output. */
async function typedSections(
  { numbers }: Generation,
  { artifact, typedCommands }: CountingContext,
): Promise<TypedSection[]> {
  const commands = artifact && typedCommands ? await typedCommands(artifact.artifact_id) : [];
  const typed = commands
    .toReversed()
    .map(({ command, prompt_line, start_line, end_line, status, duration_ms }) => ({
      title: command,
      start_line: numbers.from(Math.max(1, prompt_line)),
      end_line: numbers.to(end_line ?? (start_line === null ? prompt_line : numbers.total)),
      status: status === 'succeeded' ? ('ok' as const) : status === 'failed' ? ('failed' as const) : null,
      duration_ms,
    }));
  // The next prompt may stand in the last line of an output.
  return typed.map((one, i) => {
    const before = (typed[i + 1]?.start_line ?? Number.POSITIVE_INFINITY) - 1;
    return { ...one, end_line: Math.max(one.start_line, Math.min(one.end_line, before)) };
  });
}

/** Keeps the given number: first the failing section and those around it, then outer ones and those with errors. */
function mostTelling(sections: readonly Section[], failing: Section | null, most: number): Section[] {
  if (sections.length <= most) return [...sections];
  const weight = (one: Section) => {
    const isAround = failing !== null && one.start <= failing.start && one.end >= failing.end;
    if (isAround) return 0;
    return one.level * 2 - (one.status === 'failed' || one.errors > 0 ? 3 : 0);
  };
  const order = new Map(sections.map((one, index) => [one, index]));
  const chosen = [...sections].sort((a, b) => weight(a) - weight(b) || order.get(a)! - order.get(b)!);
  return chosen.slice(0, most).sort((a, b) => order.get(a)! - order.get(b)!);
}

/** How long each section took by its arrival; null where the text tells it, or no arrivals were recorded. */
async function arrivedSpans(sections: readonly Section[], generation: Generation, pool: Pool) {
  const arrivals = generation.arrivals();
  const untimed = sections.filter(({ ms }) => ms === null);
  if (!arrivals || untimed.length === 0) return [];
  const lines = [...new Set(untimed.flatMap(({ start, end }) => [start, start + 1, end + 1]))].sort(
    (a, b) => a - b,
  );
  const starts = await pool.run('lineStarts', { ...generation.text(), lines });
  // A line arrives with its line end.
  const times = arrivals.at(starts.map((start) => Math.max(0, Math.min(generation.size, start) - 1)));
  const at = new Map(lines.map((line, i) => [line, times[i]!.time]));
  return sections.map(({ ms, start, end }) => {
    const from = at.get(start + 1);
    const to = at.get(end + 1);
    return ms !== null || from == null || to == null || to < from ? null : to - from;
  });
}

const MOST_PAUSES = 10;

/** In the order of their places. */
async function pausesOf(generation: Generation, pool: Pool): Promise<OutlineView['pauses']> {
  const arrivals = generation.arrivals();
  const request = { facts: generation.timeFacts(), most: MOST_PAUSES };
  const found = await pool.run('pauses', { ...generation.text(), ...request });
  const pauses = found.length > 0 || !arrivals ? found : arrivedPauses(arrivals.table());
  const offsets = pauses.map(({ offset }) => offset);
  const lines = await pool.run('linesAt', { ...generation.text(), offsets });
  return pauses
    .map(({ ms }, i) => ({ start_line: generation.numbers.shown(lines[i]!), duration_ms: ms }))
    .sort((a, b) => a.start_line - b.start_line);
}

function arrivedPauses({ ends, times }: { ends: Float64Array; times: Float64Array }) {
  const pauses: { offset: number; ms: number }[] = [];
  for (let i = 1; i < times.length; i++) {
    const ms = times[i]! - times[i - 1]!;
    if (ms <= 0 || (pauses.length === MOST_PAUSES && ms <= pauses.at(-1)!.ms)) continue;
    pauses.push({ offset: Math.max(0, ends[i - 1]! - 1), ms });
    pauses.sort((a, b) => b.ms - a.ms);
    pauses.length = Math.min(pauses.length, MOST_PAUSES);
  }
  return pauses;
}

/** The lines of the named section, as they are shown: the exact title, else one that contains it in any case. */
export async function sectionBounds(
  generation: Generation,
  wanted: string,
  context: CountingContext,
): Promise<LineBounds> {
  if (wanted.trim() === '')
    throw new SpillwayError('usage', 'the section has no name', 'give a title, or a part of one');
  const { sections } = await outlineOf(generation, context);
  const lower = wanted.toLowerCase();
  const found =
    [
      sections.filter(({ title, name }) => title === wanted || name === wanted),
      sections.filter((one) => one.title.toLowerCase().includes(lower)),
    ].find((some) => some.length > 0) ?? [];
  const [only] = found;
  if (only && found.length === 1)
    return { first: generation.numbers.shown(only.start), last: generation.numbers.shown(only.end) };
  const titles = [...new Set(sections.map(({ title }) => title))];
  const words = new Map(titles.flatMap((title) => title.split(/[\s/:]+/).map((word) => [word, title])));
  const near = [
    ...new Set([
      ...nearest(wanted, titles),
      ...nearest(wanted, words.keys()).map((word) => words.get(word)!),
    ]),
  ].slice(0, MOST_NAMED);
  const places = found
    .slice(0, MOST_NAMED)
    .map(
      ({ title, start, end }) =>
        `${title} (lines ${generation.numbers.shown(start)} to ${generation.numbers.shown(end)})`,
    );
  throw new SpillwayError(
    'usage',
    found.length > 0
      ? `${found.length} sections match ${JSON.stringify(wanted)}`
      : titles.length === 0
        ? 'the text has no sections'
        : `no section matches ${JSON.stringify(wanted)}`,
    found.length > 0
      ? `choose one by its lines: ${places.join(', ')}`
      : titles.length === 0
        ? 'choose lines by their numbers, or by a pattern'
        : near.length > 0
          ? `the nearest ${isOrAre(near)}`
          : `there ${isOrAre(titles.slice(0, MOST_NAMED))}`,
  );
}

/** Sections that an error names. */
const MOST_NAMED = 5;

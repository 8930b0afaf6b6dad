/** `compare`: what an output has that runs that passed have not. Chooses those runs unless they are named. */

import type { Alignment, AlignParams } from '../../../shared/api/rows.ts';
import type { Artifact, StreamName } from '../../../shared/artifact.ts';
import { type CompareParams, type Comparison, NO_PASS } from '../../../shared/comparison.ts';
import { SpillwayError, toSpillwayError } from '../../../shared/errors.ts';
import { clipText } from '../../../shared/text/clip.ts';
import { shownCommand } from '../../../shared/text/escape.ts';
import type { Comparison as Compared } from '../../reader/compare/compare.ts';
import { READ_LIMITS } from '../../reader/compare/read-messages.ts';
import type { Explanation } from '../../reader/failure/explanation.ts';
import type { Disk } from '../../workers/disk.ts';
import type { Pool } from '../../workers/pool.ts';
import type { LineRange } from '../../workers/tasks.ts';
import type { Document } from '../documents/document.ts';
import type { Generation, LineNumbers } from '../documents/generation.ts';
import type { TargetDocuments } from '../documents/targets/target-documents.ts';
import type { RequestOptions } from '../host.ts';
import {
  branchesAt,
  chooseBaselines,
  chooseFiles,
  sameFailureBefore,
  sameFailureInWords,
} from '../library/baselines.ts';
import {
  type MessageTables,
  NUMBERS,
  needOf,
  rangeOf,
  running,
  type ShownLines,
  type Tabled,
} from '../library/message-tables.ts';
import { keptExplanation } from './failure.ts';

interface CompareContext {
  documents: TargetDocuments;
  pool: Pool;
  disk: Disk;
  tables: MessageTables;
  /** All that the caller may read. */
  artifacts(): Promise<readonly Artifact[]>;
}

type Chosen = Comparison['baselines'][number]['chosen'];
type Outputs = NonNullable<CompareParams['baselines']>;
type Explained = Pick<Explanation, 'cause' | 'ranked'>;

/** Throws `not_found` if no run has passed that it could be compared with, and what `documents` throws. */
export async function compareOutputs(
  { baselines: given, all_lines = true, same_failure = true, start_line, end_line, ...target }: CompareParams,
  context: CompareContext,
  options: RequestOptions = {},
): Promise<Comparison> {
  const { documents, tables, pool } = context;
  const { signal, access = 'person' } = options;
  const document = await documents.get(target, access);
  const lines = { start_line, end_line };
  return document.use({ need: needOf(lines), signal, access }, async (generation, artifact) => {
    if (generation.contentType === 'binary')
      throw new SpillwayError('unsupported', 'the output is binary', 'compare outputs of text');
    const notes: string[] = [];
    const { chosen, targets } = given
      ? { chosen: 'given' as const, targets: given }
      : await chosenFor(artifact, target.stream, context, notes, same_failure);
    // Nobody asked for it: what differs from another command line is left out.
    if (chosen === 'nearest' && options.mostBytes !== undefined)
      throw new SpillwayError('not_found', NO_PASS, 'name outputs to compare it with');
    const passed: { document: Document; kept: Tabled | null; part: ShownLines }[] = [];
    const seen = new Set<string>();
    for (const { start_line, end_line, ...one } of targets) {
      const part = { start_line, end_line };
      try {
        const document = await documents.get(one, access);
        // Named twice, it would count as two runs that agree.
        const name = JSON.stringify([document.path, document.stream, start_line, end_line]);
        if (seen.has(name)) {
          notes.push('an output that was named twice counts once');
          continue;
        }
        seen.add(name);
        const isWhole = one.artifact_id !== undefined && start_line === undefined && end_line === undefined;
        const kept = isWhole ? tables.kept(one.artifact_id!, document.stream) : null;
        passed.push({ document, kept, part });
      } catch (error) {
        // It may have been deleted since it was listed.
        if (chosen === 'given') throw error;
        notes.push(`a baseline could not be read: ${toSpillwayError(error).what}`);
      }
    }
    const range = rangeOf(lines, generation);
    const needsAll = range !== null || all_lines || generation.size <= READ_LIMITS.wholeBytes;
    const known = needsAll ? null : tables.kept(artifact.artifact_id, document.stream);
    let bytes = known ? 0 : generation.size;
    for (const { document: one, kept } of passed) if (!kept) bytes += await sizeOf(one, options);
    if (bytes > (options.mostBytes ?? Number.POSITIVE_INFINITY))
      throw new SpillwayError('unsupported', 'the outputs are too long to compare here', 'use `compare`');
    // Read the output and its baselines at the same time.
    const reads = !needsAll && pool.bulkWidth > 1 && passed.some((one) => !one.kept);
    const [own, ...tabled] = await Promise.all([
      known ?? (reads ? tables.of(document, options, {}, 'bulk') : null),
      ...passed.map(({ document: one, kept, part }) => kept ?? tableOf(one, part, tables, options, notes)),
    ]);
    const baselines = tabled.filter((one) => one !== null);
    if (baselines.length === 0)
      throw new SpillwayError('not_found', 'there is nothing to compare it with', notes.join('; '));
    const failed = { generation, artifact, document, range };
    const found = await comparedWith(baselines, own, failed, pool, signal);
    noteEnd(lines, found.lineCount, artifact, notes);
    for (const [i, one] of tabled.entries())
      if (one) noteEnd(passed[i]!.part, one.table.lines, one.artifact, notes);
    return replyOf(found, generation, artifact, document, baselines, chosen, notes);
  });
}

async function chosenFor(
  failed: Artifact,
  stream: StreamName | undefined,
  context: CompareContext,
  notes: string[],
  notesSameFailure: boolean,
) {
  const all = await context.artifacts();
  if (failed.kind === 'file') {
    const found = await chooseFiles(failed, all, context.disk);
    if (found !== null) {
      const [first] = found.paths;
      if (found.chosen === 'rotation')
        notes.push(`compared with its last rotation, ${JSON.stringify(first)}`);
      return {
        chosen: found.chosen,
        targets: found.paths.map((file_path): Outputs[number] => ({ file_path })),
      };
    }
  }
  const found = await chooseBaselines(failed, all, context.disk);
  if (found === null) throw new SpillwayError('not_found', NO_PASS, 'name outputs to compare it with');
  const { chosen, runs } = found;
  const { command, args } = runs[0]!;
  if (chosen === 'nearest')
    notes.push(`${NO_PASS}: compared with \`${clipText(shownCommand(command!, args ?? []), 200).text}\``);
  const branches =
    failed.cwd === null ? [] : await branchesAt(failed.cwd, startsOf([failed, ...runs]), context.disk);
  const branchNote = branchesInWords(branches);
  if (branchNote !== null) notes.push(branchNote);
  const again = sameFailureBefore(failed, all);
  if (again !== null && notesSameFailure) notes.push(sameFailureInWords(failed, again));
  return {
    chosen,
    targets: runs.map((run): Outputs[number] => ({
      artifact_id: run.artifact_id,
      ...sameStream(run, stream),
    })),
  };
}

const startsOf = (runs: readonly Artifact[]) => runs.map(({ started_at }) => started_at);

/** A sentence if a run's branch, the first, differs from one of the passes'; else null. */
function branchesInWords([own, ...passes]: readonly (string | null)[]): string | null {
  const others = [...new Set(passes.filter((branch) => branch !== null))];
  if (!own || others.length === 0 || others.every((branch) => branch === own)) return null;
  return `it ran on the branch ${own}, what passed on ${others.join(', ')}`;
}

/** 0 for what cannot be read. */
function sizeOf(document: Document, { signal, access }: RequestOptions): Promise<number> {
  return document.use({ need: 'nothing', signal, access }, async ({ size }) => size).catch(() => 0);
}

/** Null, with a note, if it cannot be read or is binary. */
async function tableOf(
  document: Document,
  part: ShownLines,
  tables: MessageTables,
  options: RequestOptions,
  notes: string[],
): Promise<Tabled | null> {
  try {
    const found = await tables.of(document, options, part);
    if (found === null) notes.push('a baseline is binary');
    return found;
  } catch (error) {
    if (options.signal?.aborted || toSpillwayError(error).code === 'out_of_range') throw error;
    notes.push(`a baseline could not be read: ${toSpillwayError(error).what}`);
    return null;
  }
}

/** Says so if fewer lines were compared than were named. */
function noteEnd(
  { start_line = 1, end_line }: ShownLines,
  lines: number,
  { label }: Artifact,
  notes: string[],
): void {
  const last = start_line + lines - 1;
  if (end_line !== undefined && last < end_line) notes.push(`${JSON.stringify(label)} ends at line ${last}`);
}

/** Compares the tables if the output has one, else reads the output. */
function comparedWith(
  baselines: readonly Tabled[],
  own: Tabled | null,
  failed: { generation: Generation; artifact: Artifact; document: Document; range: LineRange | null },
  pool: Pool,
  signal: AbortSignal | undefined,
): Promise<Compared> {
  const { generation, range } = failed;
  const { stream } = failed.document;
  const { cause } = failed.artifact;
  const tables = baselines.map(({ table }) => table);
  const kept: Explained | null = range ? null : keptExplanation(stream, generation);
  const line = cause && (cause.stream === stream ? cause.line_number : cause.combined_line);
  const isNamed =
    cause && line !== undefined && line !== null && (cause.stream === stream || stream === 'combined');
  const named: Explained | null = isNamed
    ? { cause: { line_number: line, text: cause.text, score: 0 }, ranked: [] }
    : null;
  return running(signal, (beat) =>
    pool.run(
      'compare',
      { ...generation.text(), ...(own && { table: own.table }), tables, explained: kept, named, range, beat },
      { priority: 'idle', signal },
    ),
  );
}

function replyOf(
  found: Compared,
  generation: Generation,
  { artifact_id, status, exit_code }: Artifact,
  { stream }: Document,
  baselines: readonly Tabled[],
  chosen: Chosen,
  notes: readonly string[],
): Comparison {
  const { numbers } = generation;
  const [first] = baselines;
  // How much a value varies among passes is not known of one.
  const isOne = baselines.length === 1 && found.findings.length === 0;
  const exits = exitsOf(exit_code, baselines);
  const exitNote = exits && `exited with ${exits[0]} instead of ${exits[1]}`;
  const allNotes = [
    ...notes,
    ...(exitNote && found.findings.length === 0 ? [exitNote] : []),
    ...(isOne ? ['with one output to compare with, few changed values are judged: name two or more'] : []),
    ...found.notes,
    ...generation.notes(undefined, undefined),
  ];
  return {
    artifact_id,
    baselines: baselines.map(({ artifact }) => ({
      artifact_id: artifact.artifact_id,
      started_at: artifact.started_at,
      chosen,
    })),
    findings: found.findings.map(
      ({ kind, line, text, count, baselineText, baselineLine, baselineCounts }) => ({
        ...{ kind, stream, line_number: line === null ? null : numbers.shown(line) },
        ...{ text, count, baseline_text: baselineText },
        baseline_line: baselineLine === null ? null : first!.shown(baselineLine),
        ...(baselineCounts ? { baseline_counts: [...baselineCounts] as [number, number] } : {}),
      }),
    ),
    cause:
      found.cause === null || status === 'succeeded'
        ? null
        : { stream, line_number: numbers.shown(found.cause.line), text: found.cause.text },
    lines: shownLines(found.lines, numbers),
    changed_lines: shownLines(found.changedLines, numbers),
    total_findings: found.totalFindings,
    ...(exits ? { exit_codes: exits } : {}),
    truncated: found.isCut,
    ...(allNotes.length > 0 ? { note: allNotes.join('; ') } : {}),
  };
}

/** Returns how the run exited and how all others did; null if that is the same, or not known. */
function exitsOf(own: number | null, baselines: readonly Tabled[]): [number, number] | null {
  const [other, ...more] = new Set(baselines.map(({ artifact }) => artifact.exit_code));
  const differ = own !== null && typeof other === 'number' && more.length === 0 && other !== own;
  return differ ? [own, other] : null;
}

/** The stream of a run, by its name; its usual one if it has none of that name. */
function sameStream({ streams }: Artifact, name: StreamName | undefined): { stream?: StreamName } {
  const has = (one: StreamName) => streams.some((stream) => stream.name === one);
  const isThere = name && (has(name) || (name === 'combined' && has('stdout') && has('stderr')));
  return isThere ? { stream: name } : {};
}

function shownLines(
  ranges: readonly [number, number][],
  numbers: Pick<LineNumbers, 'shown'>,
): [number, number][] {
  return ranges.map(([from, to]) => [numbers.shown(from), numbers.shown(to)]);
}

/** `align`: which lines of two texts say the same, for two panes that scroll together. */
interface AlignContext {
  documents: TargetDocuments;
  pool: Pool;
}

export async function alignOutputs(
  params: AlignParams,
  { documents, pool }: AlignContext,
  options: RequestOptions = {},
): Promise<Alignment> {
  const access = options.access ?? 'person';
  const { signal } = options;
  const [first, second] = await Promise.all([
    documents.get(params.first, access),
    documents.get(params.second, access),
  ]);
  const asked = { need: NUMBERS, signal, access };
  return first.use(asked, (one) =>
    second.use(asked, async (other) => {
      if (one.contentType === 'binary' || other.contentType === 'binary')
        throw new SpillwayError('unsupported', 'one of the outputs is binary', 'align outputs of text');
      const { near } = params;
      const ranges = near && ([rangeNear(near[0], one), rangeNear(near[1], other)] as const);
      const task = { ...one.text(), second: other.text(), ranges: ranges ?? null };
      const found = await running(signal, (beat) =>
        pool.run('align', { ...task, beat }, { priority: near ? 'view' : 'idle', signal }),
      );
      return {
        blocks: found.blocks.map(([a, b, count]) => [one.numbers.shown(a), other.numbers.shown(b), count]),
        only_first: shownLines(found.onlyFirst, one.numbers),
        only_second: shownLines(found.onlySecond, other.numbers),
        ...(found.isPartial ? { note: 'Long outputs: not all of their lines are aligned' } : {}),
      };
    }),
  );
}

/** Lines on both sides of one that are aligned at once. */
const NEAR_LINES = 1500;

function rangeNear(line: number, { numbers }: Generation): LineRange {
  return { first: numbers.from(Math.max(1, line - NEAR_LINES)), last: numbers.to(line + NEAR_LINES) };
}

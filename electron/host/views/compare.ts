/** `compare`: what an output has that runs that passed have not. Chooses those runs unless they are named. */
import type { Artifact, StreamName } from '../../../shared/artifact.ts';
import { type CompareParams, type Comparison, NO_PASS } from '../../../shared/comparison.ts';
import { SpillwayError, toSpillwayError } from '../../../shared/errors.ts';
import { createBeat, tellToStop } from '../../workers/beat.ts';
import type { Disk } from '../../workers/disk.ts';
import type { Pool } from '../../workers/pool.ts';
import type { Document } from '../documents/document.ts';
import type { Generation, LineNumbers } from '../documents/generation.ts';
import type { TargetDocuments } from '../documents/targets/target-documents.ts';
import type { RequestOptions } from '../host.ts';
import { chooseBaselines, sameFailureBefore, sameFailureInWords } from '../library/baselines.ts';

export interface CompareContext {
  documents: TargetDocuments;
  pool: Pool;
  disk: Disk;
  /** All that the caller may read. */
  artifacts(): Promise<readonly Artifact[]>;
}

/** A text that is held while it is compared. */
interface Held {
  generation: Generation;
  artifact: Artifact;
  document: Document;
}

type Chosen = Comparison['baselines'][number]['chosen'];

/** Throws `not_found` if no run has passed that it could be compared with, and what `documents` throws. */
export async function compareOutputs(
  { baselines: given, ...target }: CompareParams,
  context: CompareContext,
  options: RequestOptions = {},
): Promise<Comparison> {
  const { documents } = context;
  const access = options.access ?? 'person';
  const document = await documents.get(target, access);
  return hold(document, options, async (failed) => {
    if (failed.generation.contentType === 'binary')
      throw new SpillwayError('unsupported', 'the output is binary', 'compare outputs of text');
    const all = await context.artifacts();
    const notes: string[] = [];
    let chosen: Chosen = 'given';
    let targets = given;
    if (targets === undefined) {
      const found = await chooseBaselines(failed.artifact, all, context.disk);
      if (found === null) throw new SpillwayError('not_found', NO_PASS, 'name outputs to compare it with');
      chosen = found.chosen;
      targets = found.runs.map((run) => ({
        artifact_id: run.artifact_id,
        ...sameStream(run, target.stream),
      }));
      const [first] = found.runs;
      if (chosen === 'nearest') notes.push(`${NO_PASS}: compared with ${JSON.stringify(first!.label)}`);
      const again = sameFailureBefore(failed.artifact, all);
      if (again !== null) notes.push(sameFailureInWords(failed.artifact, again));
    }
    const passed: Document[] = [];
    for (const one of targets) {
      try {
        passed.push(await documents.get(one, access));
      } catch (error) {
        // It may have been deleted since it was listed.
        if (chosen === 'given') throw error;
        notes.push(`a baseline could not be read: ${toSpillwayError(error).what}`);
      }
    }
    return holdAll(passed, options, notes, async (baselines) => {
      if (baselines.length === 0)
        throw new SpillwayError('not_found', 'there is nothing to compare it with', notes.join('; '));
      const bytes = [failed, ...baselines].reduce((sum, { generation }) => sum + generation.size, 0);
      if (bytes > (options.mostBytes ?? Number.POSITIVE_INFINITY))
        throw new SpillwayError('unsupported', 'the outputs are too long to compare here', 'use `compare`');
      return compareHeld(failed, baselines, chosen, notes, context.pool, options.signal);
    });
  });
}

async function compareHeld(
  failed: Held,
  baselines: readonly Held[],
  chosen: Chosen,
  notes: string[],
  pool: Pool,
  signal: AbortSignal | undefined,
): Promise<Comparison> {
  const beat = createBeat();
  const stop = () => tellToStop(beat);
  signal?.addEventListener('abort', stop, { once: true });
  try {
    const args = {
      ...failed.generation.text(),
      baselines: baselines.map(({ generation }) => generation.text()),
      beat,
    };
    const found = await pool.run('compare', args, { priority: 'bulk', signal });
    const { numbers } = failed.generation;
    const { numbers: oldNumbers } = baselines[0]!.generation;
    const said = [...notes, ...found.notes, ...failed.generation.notes(undefined, undefined)];
    return {
      artifact_id: failed.artifact.artifact_id,
      baselines: baselines.map(({ artifact: { artifact_id, started_at } }) => ({
        artifact_id,
        started_at,
        chosen,
      })),
      findings: found.findings.map(
        ({ kind, line, text, count, baselineText, baselineLine, baselineCounts }) => ({
          ...{
            kind,
            stream: failed.document.stream,
            line_number: line === null ? null : numbers.shown(line),
          },
          ...{ text, count, baseline_text: baselineText },
          baseline_line: baselineLine === null ? null : oldNumbers.shown(baselineLine),
          ...(baselineCounts ? { baseline_counts: [...baselineCounts] as [number, number] } : {}),
        }),
      ),
      lines: shownLines(found.lines, numbers),
      changed_lines: shownLines(found.changedLines, numbers),
      total_findings: found.totalFindings,
      truncated: found.isCut,
      ...(said.length > 0 ? { note: said.join('; ') } : {}),
    };
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}

/** The stream of a run, by its name; its usual one if it has none of that name. */
function sameStream({ streams }: Artifact, name: StreamName | undefined): { stream?: StreamName } {
  const has = (one: StreamName) => streams.some((stream) => stream.name === one);
  const isThere = name && (has(name) || (name === 'combined' && has('stdout') && has('stderr')));
  return isThere ? { stream: name } : {};
}

export function shownLines(
  ranges: readonly [number, number][],
  numbers: Pick<LineNumbers, 'shown'>,
): [number, number][] {
  return ranges.map(([from, to]) => [numbers.shown(from), numbers.shown(to)]);
}

export function hold<T>(
  document: Document,
  { signal, access }: RequestOptions,
  work: (held: Held) => Promise<T>,
): Promise<T> {
  return document.use({ need: 'everything', signal, access }, (generation, artifact) =>
    work({ generation, artifact, document }),
  );
}

/** Keeps the documents open that are text and can still be read. */
async function holdAll<T>(
  documents: readonly Document[],
  options: RequestOptions,
  notes: string[],
  work: (held: readonly Held[]) => Promise<T>,
): Promise<T> {
  // A text that changes meanwhile is opened again: each attempt has its own list.
  const next = async (at: number, held: readonly Held[]): Promise<T> => {
    const document = documents[at];
    if (!document) return work(held);
    let isHeld = false;
    try {
      return await hold(document, options, (one) => {
        isHeld = true;
        return next(at + 1, one.generation.contentType === 'binary' ? held : [...held, one]);
      });
    } catch (error) {
      if (isHeld || options.signal?.aborted) throw error;
      notes.push(`a baseline could not be read: ${toSpillwayError(error).what}`);
      return next(at + 1, held);
    }
  };
  return next(0, []);
}

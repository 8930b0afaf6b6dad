/** The input of every view, and the facts every view gives about its stream. */
import type * as z from 'zod';
import type { Surface } from '../../../shared/arguments/argument.ts';
import type { Artifact } from '../../../shared/artifact.ts';
import type { TypedCommand } from '../../../shared/terminals.ts';
import type { ViewBase } from '../../../shared/views.ts';
import type { StreamHandle } from '../../reader/bytes/open-stream.ts';
import { type Stretch, StretchPlan } from '../../reader/lines/stretches.ts';
import type { Pool } from '../../workers/pool.ts';
import type { TextHandle } from '../../workers/tasks.ts';
import type { Document, IndexPart } from '../documents/document.ts';
import type { Generation } from '../documents/generation.ts';
import type { Access, ReadProgress } from '../host.ts';
import { runInOrder } from '../in-order.ts';
import type { Searches } from '../search/search-job.ts';

export interface ViewContext {
  pool: Pool;
  searches: Searches;
  maxLineChars: number;
  /** Bytes of a preview, where a request names none. */
  previewBytes: number;
  /** A person's own patterns of lines that begin sections. */
  sectionPatterns: readonly string[];
  artifact?: Artifact | undefined;
  signal?: AbortSignal | undefined;
  access?: Access | undefined;
  /** The surface for which sentences are worded. */
  surface: Surface;
  /** The commands typed in a recorded terminal, newest first. */
  typedCommands?: ((artifact_id: string) => Promise<readonly TypedCommand[]>) | undefined;
  onProgress?: ((progress: ReadProgress) => void) | undefined;
}

/** For a view that begins before the stream is indexed. */
export interface CountingContext extends ViewContext {
  /** Extends the index. Rejects with `changed` and `cancelled`. */
  count(part: IndexPart): Promise<void>;
}

/** The fields that describe the stream, whatever part of it is shown. */
export type StreamFields = Omit<z.infer<typeof ViewBase>, 'note'> & { total_lines: number };

export function streamFields(document: Document, generation: Generation, artifact: Artifact): StreamFields {
  return {
    artifact_id: artifact.artifact_id,
    file_path: pathOfStream(artifact, document.stream),
    stream: document.stream,
    content_type: generation.contentType,
    encoding: generation.encoding,
    total_lines: generation.numbers.total,
    total_bytes: generation.size,
    running: artifact.status === 'running',
  };
}

/**
 * The lines of a larger stream are not counted for a view that needs no number of them. This much takes a tenth of a
 * second.
 */
export const COUNTED_BYTES = 256 * 1024 * 1024;

/** `total_lines` of a view whose stream may not be counted to its end. */
export function linesCounted(generation: Generation): { total_lines: number | null } {
  const isCounted = generation.complete || generation.isPartial;
  return { total_lines: isCounted ? generation.numbers.total : null };
}

/** The view's `note`, when there is something to say. */
export function noteOf(notes: readonly (string | null | false)[]): { note?: string } {
  const present = notes.filter((note) => note !== null && note !== false);
  return present.length > 0 ? { note: present.join('; ') } : {};
}

/** The line fields of a view that shows no lines. */
export const NO_LINES = {
  start_line: null,
  end_line: null,
  start_offset: null,
  lines_shown: 0,
  clipped_lines: 0,
  content: '',
  next_start_line: null,
} as const;

/** The combined stream has no file of its own, unless one of the two is empty. */
function pathOfStream({ streams }: Artifact, name: Document['stream']): string | null {
  if (name !== 'combined') return streams.find((stream) => stream.name === name)?.file_path ?? null;
  const filled = streams.filter((stream) => stream.total_bytes + stream.dropped_bytes > 0);
  return filled.length === 1 ? filled[0]!.file_path : null;
}

// Reads a whole text in stretches, on every thread, and takes what comes of them in their order.

/**
 * Indexes the generation while it reads. `turn` is told the text, and its size unless it still grows. Returns the
 * stream that was read. Rejects with `cancelled` and `changed`.
 */
export async function readStretches<Part>(
  generation: Generation,
  { pool, count }: Pick<CountingContext, 'pool' | 'signal' | 'count'>,
  work: (text: TextHandle, stretch: Stretch) => Promise<Part>,
  take: (part: Part) => void,
  turn: (text: TextHandle, size: number | null) => void = () => {},
): Promise<StreamHandle> {
  const { index } = generation;
  const plan = new StretchPlan();
  let text = generation.text();
  let size = generation.isPartial ? null : generation.size;
  for (let isWhole = false; !isWhole; ) {
    if (size === null) {
      text = generation.text();
      size = generation.isPartial ? null : generation.size;
    }
    turn(text, size);
    isWhole = size !== null && index.indexedBytes >= size;
    const stretches = isWhole ? plan.rest(index, text.stream.size) : plan.upTo(index, index.indexedBytes);
    const counting = isWhole ? null : count({ bytes: index.indexedBytes + 1 });
    counting?.catch(() => {});
    await runInOrder(stretches, pool.bulkWidth, (stretch) => work(text, stretch), take);
    await counting;
  }
  return text.stream;
}

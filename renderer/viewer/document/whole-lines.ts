/** Fetches lines as far as the host gives them, which is much further than the rows on the screen. */
import type { Connection } from '../../../shared/api/api.ts';
import { type ExportResult, MAX_EXPORT_LINES } from '../../../shared/api/export.ts';
import type { DocumentRef } from '../../../shared/api/rows.ts';
import { SpillwayError } from '../../../shared/errors.ts';

interface WholeLine {
  text: string;
  /** Whether `text` is only the beginning: the line is longer than MAX_WHOLE_LINE_CHARS. */
  clipped: boolean;
}

interface WholeLines {
  generation: number;
  /** By line number. Lines that do not exist or were not kept are absent. */
  lines: ReadonlyMap<number, WholeLine>;
}

export type FetchWhole = (lines: readonly number[], signal: AbortSignal) => Promise<WholeLines>;

/**
 * @param lines rising numbers, at most MAX_EXPORT_LINES
 * @throws `changed` if the text was replaced meanwhile
 */
export async function fetchWholeLines(
  connection: Connection,
  document: DocumentRef,
  lines: readonly number[],
  signal: AbortSignal,
): Promise<WholeLines> {
  const found = new Map<number, WholeLine>();
  const wanted = lines.slice(0, MAX_EXPORT_LINES);
  let generation: number | null = null;
  for (let from: number | null = 0; from !== null; ) {
    const page: ExportResult = await connection.request(
      'export_lines',
      { document, lines: wanted, from },
      { signal },
    );
    generation ??= page.generation;
    if (page.generation !== generation)
      throw new SpillwayError('changed', 'The text changed while it was read', 'try again');
    for (const { line_number, text, clipped } of page.lines)
      found.set(line_number, { text, clipped: clipped ?? false });
    from = page.next;
  }
  return { generation: generation ?? 0, lines: found };
}

/** Pages of one long line, by its bytes: as long as the text that it is a line of is there. */
import type { Connection } from '../../../shared/api/api.ts';
import type { DocumentRef, Row } from '../../../shared/api/rows.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import type { ByteWindow } from '../../../shared/views.ts';

export interface LongLinePages {
  document: DocumentRef;
  /** The generation the row was read from; another may have any text at its offset. */
  generation: number;
  line: number | null;
  row: Row;
  /** Where to begin, in bytes from the start of the stream; the start of the line when absent. */
  offset?: number | undefined;
}

/** Errors: `changed` when the file was truncated or replaced since, and whatever reading throws. */
export async function readPage(
  connection: Connection,
  { document, generation }: LongLinePages,
  range: { offset: number; limit: number },
  signal: AbortSignal,
): Promise<ByteWindow> {
  const page = await settled(connection.request('read_output', { ...document, ...range }, { signal }));
  // Generations only rise: if it is the same after the page was read, it was the same before.
  const now = await connection.request('rows', { document, start_line: 1, count: 1 }, { signal });
  if (now.generation !== generation) throw replaced();
  if ('error' in page) throw page.error;
  return page.value;
}

export function replaced(): SpillwayError {
  return new SpillwayError(
    'changed',
    'The file was truncated or replaced, and this line may have gone with it',
    'close this, and see what the file holds now',
  );
}

/** Keeps an error for later: of a replaced file, say that it was replaced, not that it is too short. */
function settled<T>(promise: Promise<T>): Promise<{ value: T } | { error: unknown }> {
  return promise.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
}

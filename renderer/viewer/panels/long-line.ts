/** Reads pages of one long line by byte offset, as long as its text exists. */
import type { Connection } from '../../../shared/api/api.ts';
import type { DocumentRef, Row } from '../../../shared/api/rows.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import type { ByteWindow } from '../../../shared/views.ts';

export interface LongLinePages {
  document: DocumentRef;
  /** The generation of the row's text; another text has other bytes at its offset. */
  generation: number;
  line: number | null;
  row: Row;
  /** Where to begin, in bytes from the start of the stream; by default the start of the line. */
  offset?: number | undefined;
}

/** Errors: `changed` if the file was truncated or replaced, and read errors. */
export async function readPage(
  connection: Connection,
  { document, generation }: LongLinePages,
  range: { offset: number; limit: number },
  signal: AbortSignal,
): Promise<ByteWindow> {
  const page = await settled(connection.request('read_output', { ...document, ...range }, { signal }));
  // Generations only rise: if it is unchanged after reading the page, it was unchanged before.
  const now = await connection.request('rows', { document, start_line: 1, count: 1 }, { signal });
  if (now.generation !== generation) throw replaced();
  if ('error' in page) throw page.error;
  return page.value;
}

export function replaced(): SpillwayError {
  return new SpillwayError(
    'changed',
    'The file was truncated or replaced, and this line may no longer exist',
    'close this, and see what the file holds now',
  );
}

/** Keeps an error for later, to report a replaced file as replaced, not as too short. */
function settled<T>(promise: Promise<T>): Promise<{ value: T } | { error: unknown }> {
  return promise.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
}

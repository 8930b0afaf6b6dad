/** Pages of one long line, by its bytes: as long as the text that it is a line of is there. */
import type { Connection } from '../../../shared/api/api.ts';
import type { DocumentRef, Row } from '../../../shared/api/rows.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import type { ByteWindow } from '../../../shared/views.ts';

export interface LongLine {
  document: DocumentRef;
  /** Of the text that the row is of: another one may have anything at its place. */
  generation: number;
  line: number | null;
  row: Row;
}

/** Errors: `changed` when the file was truncated or replaced since, and whatever reading throws. */
export async function readPage(
  connection: Connection,
  { document, generation }: LongLine,
  range: { offset: number; limit: number },
  signal: AbortSignal,
): Promise<ByteWindow> {
  const page = await settled(connection.request('read_output', { ...document, ...range }, { signal }));
  // Numbers of texts only rise: one that is the same behind the page was so before it.
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

/** A text that is another one may well be too short: that it is another one is what has to be said. */
function settled<T>(promise: Promise<T>): Promise<{ value: T } | { error: unknown }> {
  return promise.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
}

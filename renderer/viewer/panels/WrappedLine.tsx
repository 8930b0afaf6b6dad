/** Shows a long line whole, wrapped over several rows. */
import { useEffect, useRef, useState } from 'react';
import { type SpillwayError, toSpillwayError } from '../../../shared/errors.ts';
import { inOrder } from '../../../shared/text/escape.ts';
import { useConnection } from '../../connection/HostProvider.tsx';
import styles from './LongLineDialog.module.css';
import { type LongLinePages, readPage, replaced } from './long-line.ts';

/** Longer lines are read in pieces. */
export const MAX_WRAPPED_BYTES = 64 * 1024;

/** @param isGone whether the line has vanished from the file: what was read stays */
export function WrappedLine({ long, isGone }: { long: LongLinePages; isGone: boolean }) {
  const { parts, error: readError } = useParts(long, isGone);
  const error = isGone ? replaced() : readError;
  const begin = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    if (parts[0]) begin.current?.scrollIntoView({ block: 'center' });
  }, [parts]);
  return (
    <div className={styles.reader}>
      {error && (
        <p className={styles.problem} role="alert">
          {error.message}
        </p>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so keys must reach it */}
      <section className={`${styles.strip} ${styles.wrapped}`} tabIndex={0} aria-label="Text of the line">
        {inOrder(parts[0] ?? '')}
        <span ref={begin} />
        {inOrder(parts[1] ?? '')}
      </section>
    </div>
  );
}

/** Reads the text before the byte where to begin, and the text from it. */
function useParts(long: LongLinePages, isGone: boolean) {
  const connection = useConnection();
  const [parts, setParts] = useState<readonly string[]>([]);
  const [error, setError] = useState<SpillwayError | null>(null);
  useEffect(() => {
    if (!connection || isGone) return;
    const request = new AbortController();
    const { row, offset = row.offset } = long;
    const read = async (start: number, end: number) => {
      if (end <= start) return '';
      const range = { offset: start, limit: end - start };
      return (await readPage(connection, long, range, request.signal)).content;
    };
    Promise.all([read(row.offset, offset), read(offset, row.offset + row.bytes)]).then(setParts, (reason) => {
      if (!request.signal.aborted) setError(toSpillwayError(reason));
    });
    return () => request.abort();
  }, [connection, long, isGone]);
  return { parts, error };
}

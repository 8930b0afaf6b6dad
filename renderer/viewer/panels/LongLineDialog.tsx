/** Reads a line that is too long to show as a row, page by page, by its bytes. */
import { useEffect, useState } from 'react';
import type { Connection } from '../../../shared/api/api.ts';
import { type SpillwayError, toSpillwayError } from '../../../shared/errors.ts';
import { DEFAULT_WINDOW_BYTES } from '../../../shared/limits.ts';
import type { ByteWindow } from '../../../shared/views.ts';
import { useConnection } from '../../connection/HostProvider.tsx';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { formatBytes, formatCount } from '../../ui/format.ts';
import styles from './LongLineDialog.module.css';
import { type LongLine, readPage, replaced } from './long-line.ts';

interface LongLineDialogProps {
  long: LongLine | null;
  /** The text that is there now, as far as it is known. */
  generation: number | null;
  onClose: () => void;
}

export function LongLineDialog({ long, generation, onClose }: LongLineDialogProps) {
  return (
    <Dialog
      open={long !== null}
      onClose={onClose}
      wide
      title={long?.line ? `Line ${formatCount(long.line)}, ${formatBytes(long.row.bytes)}` : 'Long line'}
    >
      {long && <Reader long={long} isGone={generation !== null && generation !== long.generation} />}
    </Dialog>
  );
}

/** When the line vanishes from the file, the page that was read stays. */
function Reader({ long, isGone }: { long: LongLine; isGone: boolean }) {
  const { row } = long;
  const connection = useConnection();
  const end = row.offset + row.bytes;
  // Where each page so far began: the way back is exact however many bytes its characters took.
  const [starts, setStarts] = useState<number[]>([row.offset]);
  const at = starts.at(-1) ?? row.offset;
  const read = usePage(connection, long, at, Math.min(DEFAULT_WINDOW_BYTES, end - at));
  const { page } = read;
  const [opened] = useState(connection);
  // Another host numbers its texts anew.
  const error = isGone || (connection && connection !== opened) ? replaced() : read.error;
  const gone = error?.code === 'changed';
  const next = page ? page.offset + page.bytes_shown : null;
  const from = at - row.offset;
  const to = (next ?? at) - row.offset;
  const lastStart = Math.max(row.offset, end - DEFAULT_WINDOW_BYTES);

  return (
    <div className={styles.reader}>
      <div className={styles.bar}>
        <Button onClick={() => setStarts([row.offset])} disabled={gone || at === row.offset} icon="top">
          Start of line
        </Button>
        <Button
          onClick={() => setStarts(starts.length > 1 ? starts.slice(0, -1) : [back(at, row.offset)])}
          disabled={gone || at <= row.offset}
        >
          Previous
        </Button>
        <Button
          onClick={() => next !== null && setStarts([...starts, next])}
          disabled={gone || next === null || next >= end}
          tone="primary"
        >
          Next
        </Button>
        <Button onClick={() => setStarts([lastStart])} disabled={gone || at >= lastStart} icon="bottom">
          End of line
        </Button>
        <span className={styles.where} role="status">
          {error
            ? ''
            : `Bytes ${formatCount(from)} to ${formatCount(to)} of ${formatCount(row.bytes)} (${formatBytes(row.bytes)})`}
        </span>
      </div>
      {error && (
        <p className={styles.problem} role="alert">
          {error.message}
        </p>
      )}
      {(!error || (gone && page)) && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so keys must reach it
        <pre className={styles.text} tabIndex={0}>
          {page?.content ?? ''}
        </pre>
      )}
    </div>
  );
}

/** Before the first byte that was looked at there are pages nobody came from. */
function back(at: number, first: number): number {
  return Math.max(first, at - DEFAULT_WINDOW_BYTES);
}

function usePage(connection: Connection | null, long: LongLine, offset: number, limit: number) {
  const [page, setPage] = useState<ByteWindow | null>(null);
  const [error, setError] = useState<SpillwayError | null>(null);
  useEffect(() => {
    if (!connection || limit <= 0) return;
    const request = new AbortController();
    readPage(connection, long, { offset, limit }, request.signal).then(
      (window) => {
        setPage(window);
        setError(null);
      },
      (reason) => {
        if (!request.signal.aborted) setError(toSpillwayError(reason));
      },
    );
    return () => request.abort();
  }, [connection, long, offset, limit]);
  return { page, error };
}

/** Shows a line that is too long for a row: wrapped, or in pieces side by side if it is very long. */

import { useEffect, useRef, useState } from 'react';
import { type SpillwayError, toSpillwayError } from '../../../shared/errors.ts';
import { inOrder } from '../../../shared/text/escape.ts';
import { formatBytes, formatCount } from '../../../shared/text/format.ts';
import { useConnection } from '../../connection/HostProvider.tsx';
import { Button } from '../../ui/controls/Button.tsx';
import { Dialog } from '../../ui/layout/Dialog.tsx';
import { Problem } from '../../ui/layout/Message.tsx';
import { Scrollbar } from '../scrolling/Scrollbar.tsx';
import styles from './LongLineDialog.module.css';
import { type LongLinePages, readPage, replaced, useLinePieces } from './long-line.ts';

interface LongLineDialogProps {
  long: LongLinePages | null;
  /** The generation of the shown text, if known. */
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
      {long && <Line long={long} isGone={generation !== null && generation !== long.generation} />}
    </Dialog>
  );
}

function Line({ long, isGone }: { long: LongLinePages; isGone: boolean }) {
  const connection = useConnection();
  const [opened] = useState(connection);
  // A restarted host numbers its generations anew.
  const isOther = isGone || (connection !== null && connection !== opened);
  return long.row.bytes <= MAX_WRAPPED_BYTES ? (
    <WrappedLine long={long} isGone={isOther} />
  ) : (
    <Pieces long={long} isOther={isOther} />
  );
}

/** If the line vanishes from the file, the pieces already read stay. */
function Pieces({ long, isOther }: { long: LongLinePages; isOther: boolean }) {
  const { row } = long;
  const { scroller, pieces, shown, error: readError, goTo, scrollBy } = useLinePieces(long, isOther);
  const error = isOther ? replaced() : readError;
  const gone = error?.code === 'changed';
  const from = shown - row.offset;
  const atStart = from === 0;

  return (
    <div className={styles.reader}>
      <div className={styles.bar}>
        <Button onClick={() => goTo(row.offset)} disabled={gone || atStart} icon="top">
          Start of line
        </Button>
        <Button onClick={() => goTo(row.offset + row.bytes)} disabled={gone} icon="bottom">
          End of line
        </Button>
        <span className={styles.where} role="status">
          {error && !gone
            ? ''
            : `Byte ${formatCount(from)} of ${formatCount(row.bytes)} (${formatBytes(row.bytes)})`}
        </span>
      </div>
      <Problem text={error?.message} />
      <div className={styles.strip}>
        <section
          ref={scroller}
          id="long-line"
          className={styles.text}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so keys must reach it
          tabIndex={0}
          aria-label="Text of the line"
        >
          {pieces.map((piece) => (
            <span key={piece.offset} data-offset={piece.offset}>
              {inOrder(piece.text)}
            </span>
          ))}
        </section>
        <Scrollbar
          orientation="horizontal"
          label="Scroll through the line"
          controls="long-line"
          at={row.bytes === 0 ? 0 : Math.min(1, from / row.bytes)}
          part={Math.min(0.5, 100 / Math.max(1, row.bytes))}
          min={0}
          max={row.bytes}
          now={from}
          text={`byte ${formatCount(from)} of ${formatCount(row.bytes)}`}
          onFraction={(fraction) => goTo(row.offset + Math.floor(fraction * row.bytes))}
          onPage={(direction) => scrollBy(direction, 'page')}
          onStep={(direction) => scrollBy(direction, 'step')}
        />
      </div>
    </div>
  );
}

/** Longer lines are read in pieces. */
const MAX_WRAPPED_BYTES = 64 * 1024;

/** @param isGone whether the line has vanished from the file: what was read stays */
function WrappedLine({ long, isGone }: { long: LongLinePages; isGone: boolean }) {
  const { parts, error: readError } = useParts(long, isGone);
  const error = isGone ? replaced() : readError;
  const begin = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    if (parts[0]) begin.current?.scrollIntoView({ block: 'center' });
  }, [parts]);
  return (
    <div className={styles.reader}>
      <Problem text={error?.message} />
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

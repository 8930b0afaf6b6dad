/** A row's coloured text with its matches marked, and a match beyond the shown part of the line. */
import { Fragment, useMemo } from 'react';
import { inOrder } from '../../../shared/text/escape.ts';
import { formatCount } from '../../../shared/text/format.ts';
import { linesOfPieces } from './pieces/match-pieces.ts';
import { Pieces } from './pieces/Pieces.tsx';
import { type PiecesOptions, plainPieces, usePieces } from './pieces/use-pieces.ts';
import styles from './RowText.module.css';
import type { DeepMatch } from './row-matches.ts';

interface RowTextProps extends PiecesOptions {
  /** Whether it is the line of the current match. */
  current: boolean;
  /** Start of each screen line after the first. */
  breaks: readonly number[];
}

export function RowText(props: RowTextProps) {
  const { row, palette, current, breaks } = props;
  const pieces = usePieces(props);
  const lines = useMemo(() => {
    if (!pieces && breaks.length === 0) return null;
    return linesOfPieces(pieces ?? plainPieces(row, palette), breaks);
  }, [row, palette, pieces, breaks]);
  if (!lines) return inOrder(row.text);
  return lines.map((pieces, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity but their place
    <Fragment key={index}>
      {index > 0 && <br />}
      <Pieces pieces={pieces} current={current} />
    </Fragment>
  ));
}

/** Shows a match beyond the shown part of its line, with the text around it. */
export function DeepMatchText({ deep, current }: { deep: DeepMatch; current: boolean }) {
  return (
    <span data-deep="">
      <span className={styles.column}>column {formatCount(deep.column)}</span>
      {inOrder(deep.before)}
      <mark className={`${styles.match} ${styles.start} ${styles.end} ${current ? styles.current : ''}`}>
        {inOrder(deep.match)}
      </mark>
      {inOrder(deep.after)}
    </span>
  );
}

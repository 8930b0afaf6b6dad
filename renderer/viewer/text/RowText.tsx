/** A row's text in its colours, with what a search found marked. */
import { Fragment, useMemo } from 'react';
import { inOrder } from '../../../shared/text/escape.ts';
import { linesOfPieces } from './pieces/match-pieces.ts';
import { Pieces } from './pieces/Pieces.tsx';
import { type PiecesOptions, plainPieces, usePieces } from './pieces/use-pieces.ts';

interface RowTextProps extends PiecesOptions {
  /** The matches are of the current match's line. */
  current: boolean;
  /** Where the second and the following lines of the screen begin. */
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

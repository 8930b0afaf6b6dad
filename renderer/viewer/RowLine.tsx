// biome-ignore-all lint/a11y/useSemanticElements: rows are placed one by one, which a table's own can't be
// biome-ignore-all lint/a11y/useFocusableInteractive: the keys belong to the scroller around the rows
/** One line: its number, its text in its colours, and the way on when it is too long to show. */
import { memo, useMemo } from 'react';
import type { Row } from '../../shared/api/rows.ts';
import { formatBytes } from '../ui/format.ts';
import ansi from './Ansi.module.css';
import { type Palette, piecesOf } from './ansi.ts';
import styles from './RowLine.module.css';

interface RowLineProps {
  index: number;
  /** Null while it is not known; then `label` stands in its place. */
  line: number | null;
  label: string;
  /** Undefined until it is fetched. */
  row: Row | undefined;
  /** Pixels from the top of what is laid out. */
  top: number;
  selected: boolean;
  palette: Palette;
  onReadOn: (line: number | null, row: Row) => void;
}

export const RowLine = memo(function RowLine(props: RowLineProps) {
  const { index, line, label, row, top, selected, palette, onReadOn } = props;
  return (
    <div
      className={selected ? `${styles.row} ${styles.selected}` : styles.row}
      style={{ transform: `translateY(${top}px)` }}
      role="row"
      aria-rowindex={line ?? undefined}
      data-index={index}
      data-line={line ?? undefined}
      data-fetched={row ? '' : undefined}
    >
      <span className={styles.gutter} role="rowheader" data-gutter="">
        {label}
      </span>
      <span className={styles.text} role="cell">
        {row && <Text row={row} palette={palette} />}
        {row?.clipped && (
          <button type="button" className={styles.more} onClick={() => onReadOn(line, row)}>
            … {formatBytes(row.bytes)} line, read on
          </button>
        )}
      </span>
    </div>
  );
});

function Text({ row, palette }: { row: Row; palette: Palette }) {
  const pieces = useMemo(() => (row.runs ? piecesOf(row.text, row.runs, palette) : null), [row, palette]);
  if (!pieces) return row.text;
  return pieces.map((piece, index) =>
    piece.classes.length === 0 && piece.style === null ? (
      piece.text
    ) : (
      <span
        // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no identity but their place
        key={index}
        className={piece.classes.map((name) => ansi[name]).join(' ')}
        {...(piece.style ? { style: piece.style } : {})}
      >
        {piece.text}
      </span>
    ),
  );
}

/** Draws a JSON line as its message and fields, and its unfolded fields below. */

import { Fragment, type ReactNode } from 'react';
import styles from './JsonText.module.css';
import { type JsonLayout, piecesOfFragment } from './json-layout.ts';
import type { LineFragment } from './json-lines.ts';
import type { MatchedPiece } from './pieces.ts';
import { Pieces, type PiecesOptions, usePieces } from './RowText.tsx';
import { UNFOLD_KEY } from './unfolding.ts';

interface JsonTextProps extends PiecesOptions {
  layout: JsonLayout;
  /** Whether it is the line of the current match. */
  current: boolean;
}

export function JsonText(props: JsonTextProps) {
  const { layout, current } = props;
  const pieces = usePieces(props);
  return (
    <>
      <span className={layout.hasMessage ? styles.folded : undefined}>
        <Lines lines={layout.folded} pieces={pieces} current={current} />
      </span>
      {layout.unfolded && (
        <span className={styles.block} data-unfolded="">
          <Lines lines={layout.unfolded} pieces={pieces} current={current} />
        </span>
      )}
    </>
  );
}

interface LinesProps {
  lines: readonly (readonly LineFragment[])[];
  pieces: readonly MatchedPiece[] | null;
  current: boolean;
}

function Lines({ lines, pieces, current }: LinesProps): ReactNode {
  return lines.map((fragments, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity but their place
    <Fragment key={index}>
      {index > 0 && <br />}
      {fragments.map((fragment, place) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: fragments have no identity but their place
          key={place}
          className={styles[fragment.look]}
          data-from={fragment.from}
          data-to={fragment.to}
          data-exact={fragment.isExact ? '' : undefined}
        >
          <Pieces pieces={piecesOfFragment(fragment, pieces)} current={current} />
        </span>
      ))}
    </Fragment>
  ));
}

/** Unfolds a JSON line below it, or folds it again. */
interface FoldButtonProps {
  line: number;
  isUnfolded: boolean;
  /** Null for a button that only shows the state. */
  onUnfold: ((line: number) => void) | null;
}

export function FoldButton({ line, isUnfolded, onUnfold }: FoldButtonProps) {
  if (!onUnfold) return null;
  const does = isUnfolded ? 'Fold' : 'Unfold';
  return (
    <button
      type="button"
      className={styles.fold}
      // Not a tab stop, as every row would be one; a key does the same.
      tabIndex={-1}
      aria-expanded={isUnfolded}
      aria-label={`${does} line ${line}`}
      title={`${does} (${UNFOLD_KEY})`}
      onClick={() => onUnfold(line)}
    >
      <svg width="8" height="8" viewBox="0 0 8 8" aria-hidden="true">
        <path d={isUnfolded ? 'M0 2h8L4 7z' : 'M2 0v8l5-4z'} fill="currentColor" />
      </svg>
    </button>
  );
}

/** Draws a JSON line as its message and fields, and its unfolded fields below. */
import type { ReactNode } from 'react';
import { Fragment } from 'react';
import type { MatchedPiece } from '../pieces/match-pieces.ts';
import { Pieces } from '../pieces/Pieces.tsx';
import { type PiecesOptions, usePieces } from '../pieces/use-pieces.ts';
import type { LineFragment } from './fragments.ts';
import styles from './JsonText.module.css';
import type { JsonLayout } from './json-layout.ts';
import { piecesOfFragment } from './project-pieces.ts';

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

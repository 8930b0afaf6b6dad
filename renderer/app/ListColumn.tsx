/** The list with the edge that changes its width, or with the shade over the text that it covers. */

import { LibraryPane } from '../library/LibraryPane.tsx';
import type { ListContext } from '../library/list-actions.ts';
import { Splitter } from '../ui/layout/Pane.tsx';
import styles from './ListColumn.module.css';
import { LIBRARY_MAX_PX, LIBRARY_MIN_PX, type ListColumnState } from './use-list-column.ts';

interface ListColumnProps {
  column: ListColumnState;
  list: ListContext;
}

export function ListColumn({ column, list }: ListColumnProps) {
  if (!column.isOpen) return null;
  return (
    <>
      <div
        ref={column.element}
        className={column.over ? styles.over : styles.beside}
        style={{ width: column.width }}
        tabIndex={column.over ? -1 : undefined}
      >
        <LibraryPane list={list} />
      </div>
      {column.over ? (
        // biome-ignore lint/a11y/noStaticElementInteractions: Escape and a button of the list do the same
        <div className={styles.scrim} role="presentation" onClick={column.toggle} />
      ) : (
        <Splitter
          label="Width of the list"
          pane="left"
          size={column.width}
          min={LIBRARY_MIN_PX}
          max={LIBRARY_MAX_PX}
          onResize={column.resize}
          onCollapse={column.toggle}
        />
      )}
    </>
  );
}

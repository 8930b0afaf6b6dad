/** The place of the text while no artifact is chosen. */
import type { ReactNode } from 'react';
import type { Library } from '../library/library-list.ts';
import { Command } from '../ui/Command.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import styles from './NothingShown.module.css';

interface NothingShownProps {
  library: Library;
  before: ReactNode;
  after: ReactNode;
}

export function NothingShown({ library, before, after }: NothingShownProps) {
  return (
    <main className={styles.view}>
      <header className={styles.header}>
        {before}
        <span className={styles.gap} />
        {after}
      </header>
      <div className={styles.body}>
        {library.known && (
          <EmptyState
            icon="file"
            title={library.artifacts.length === 0 ? 'Nothing to read yet' : 'Choose an output from the list'}
          >
            {library.artifacts.length === 0 && (
              <>
                <p>Open a file of any size: type its path at the lower left (o), or in a terminal</p>
                <Command text="npm start -- PATH" />
              </>
            )}
          </EmptyState>
        )}
      </div>
    </main>
  );
}

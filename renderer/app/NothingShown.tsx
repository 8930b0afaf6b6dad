/** The place of the text while no artifact is chosen. */
import type { ReactNode } from 'react';
import type { LibraryStore } from '../library/library-store.ts';
import { useLibraryState } from '../library/use-library.ts';
import { Command } from '../ui/Command.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { PaneHeader } from '../ui/PaneHeader.tsx';
import styles from './NothingShown.module.css';

interface NothingShownProps {
  library: LibraryStore;
  before: ReactNode;
  after: ReactNode;
  /** The button that connects agents. */
  connect: ReactNode;
}

export function NothingShown({ library, before, after, connect }: NothingShownProps) {
  const { known, total } = useLibraryState(library);
  return (
    <main className={styles.view}>
      <PaneHeader lined>
        {before}
        <span className={styles.gap} />
        {after}
      </PaneHeader>
      <div className={styles.body}>
        {known && (
          <EmptyState
            icon="file"
            title={total === 0 ? 'Nothing to read yet' : 'Choose an output from the list'}
            actions={total === 0 ? connect : undefined}
          >
            {total === 0 && (
              <>
                <p>
                  Connect an agent to see the commands it runs here. Or open a file of any size: type its path
                  at the lower left (o), or in a terminal
                </p>
                <Command text="npm start -- PATH" />
              </>
            )}
          </EmptyState>
        )}
      </div>
    </main>
  );
}

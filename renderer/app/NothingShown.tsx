/** Shown instead of the text while no artifact is chosen: what the window is for, and how to begin. */

import type { ReactNode } from 'react';
import { ActionButton } from '../actions/ActionMenu.tsx';
import { useLibraryState } from '../library/library-store.ts';
import { type ListContext, listActions } from '../library/list-actions.ts';
import { Command } from '../ui/controls/Button.tsx';
import { EmptyState } from '../ui/layout/Message.tsx';
import { PaneHeader } from '../ui/layout/Pane.tsx';
import styles from './App.module.css';

interface NothingShownProps {
  list: ListContext;
  before: ReactNode;
  after: ReactNode;
  /** The button that connects agents. */
  connect: ReactNode;
}

export function NothingShown({ list, before, after, connect }: NothingShownProps) {
  const { known, total } = useLibraryState(list.library);
  return (
    <div className={styles.view}>
      <PaneHeader lined>
        {before}
        <span className={styles.gap} />
        {after}
      </PaneHeader>
      <div className={styles.body}>
        {known && total > 0 && <EmptyState icon="file" title="Choose an output from the list" />}
        {known && total === 0 && <Welcome list={list} connect={connect} />}
      </div>
    </div>
  );
}

function Welcome({ list, connect }: Pick<NothingShownProps, 'list' | 'connect'>) {
  return (
    <section className={styles.welcome} aria-labelledby="welcome">
      <h2 id="welcome">Read all of what commands print</h2>
      <p>
        Terminals and agents cut long output, and what they cut is what mattered. Spillway keeps the whole of
        it in files, opens gigabytes at once, searches while you type, and shows why a command failed.
      </p>
      <ol className={styles.ways}>
        <li>
          <h3>Open a file or folder</h3>
          <p>Logs that other programs write are followed as they grow.</p>
          <ActionButton tone="primary" action={listActions.open} context={list} label="Open a path" />
        </li>
        <li>
          <h3>Run a command</h3>
          <p>It runs as always, and its output appears here as it comes.</p>
          <Command text="spillway run -- npm test" />
        </li>
        <li>
          <h3>Connect an agent</h3>
          <p>It reads the part that matters of what its commands print, and you see the same.</p>
          {connect}
        </li>
      </ol>
    </section>
  );
}

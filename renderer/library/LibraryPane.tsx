/** The list at the left: what was captured, a filter, and the way to open something else. */
import { type KeyboardEvent, type RefObject, useDeferredValue, useMemo, useRef, useState } from 'react';
import { Button } from '../ui/Button.tsx';
import { Command } from '../ui/Command.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { Field } from '../ui/Field.tsx';
import { plural } from '../ui/format.ts';
import { ArtifactList, type ArtifactListHandle } from './ArtifactList.tsx';
import styles from './LibraryPane.module.css';
import { filterArtifacts, type Library } from './library-list.ts';
import { OpenPath } from './OpenPath.tsx';

interface LibraryPaneProps {
  library: Library;
  problem: string | null;
  shown: string | null;
  filter: RefObject<HTMLInputElement | null>;
  path: RefObject<HTMLInputElement | null>;
  onOpen: (artifactId: string, how: 'click' | 'enter') => void;
  onCollapse: () => void;
}

export function LibraryPane({ library, problem, shown, filter, path, onOpen, onCollapse }: LibraryPaneProps) {
  const [query, setQuery] = useState('');
  const list = useRef<ArtifactListHandle>(null);
  const deferred = useDeferredValue(query);
  const found = useMemo(() => filterArtifacts(library.artifacts, deferred), [library.artifacts, deferred]);

  const onFilterKey = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && query !== '') {
      event.preventDefault();
      event.stopPropagation();
      setQuery('');
    } else list.current?.onKeyDown(event);
  };

  return (
    <aside className={styles.pane} aria-label="Library">
      <header className={styles.header}>
        <h1 className={styles.title}>Spillway</h1>
        <span className={styles.count} role="status">
          {library.known ? countText(found.length, library.artifacts.length) : ''}
        </span>
        <Button
          tone="quiet"
          icon="list"
          iconOnly
          label="Hide the list"
          shortcut="Ctrl+B"
          onClick={onCollapse}
        />
      </header>
      <div className={styles.filter}>
        <Field
          ref={filter}
          type="search"
          label="Filter the list"
          hideLabel
          placeholder="Filter (l)"
          aria-keyshortcuts="l"
          value={query}
          onChange={(event) => setQuery(event.target.value)}
          onKeyDown={onFilterKey}
        />
      </div>
      {problem ? (
        <EmptyState icon="warn" title="The list can’t be shown" alert>
          {problem}
        </EmptyState>
      ) : library.known && library.artifacts.length === 0 ? (
        <EmptyState icon="file" title="Nothing captured yet">
          <p>Open a file or directory below, or from a terminal:</p>
          <Command text="npm start -- PATH" />
          <p>and while Spillway runs:</p>
          <Command text="spillway open PATH" />
        </EmptyState>
      ) : library.known && found.length === 0 ? (
        <EmptyState
          icon="list"
          title={`Nothing matches “${deferred.trim()}”`}
          actions={
            <Button shortcut="Esc" onClick={() => setQuery('')}>
              Clear the filter
            </Button>
          }
        />
      ) : (
        <ArtifactList ref={list} artifacts={found} shown={shown} onOpen={onOpen} />
      )}
      <OpenPath ref={path} onOpened={(artifactId) => onOpen(artifactId, 'enter')} />
    </aside>
  );
}

function countText(found: number, all: number): string {
  return found === all
    ? plural(all, 'item')
    : `${plural(found, 'item')} of ${plural(all, 'item').split(' ')[0]}`;
}

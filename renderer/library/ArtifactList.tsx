/** The list itself: any number of artifacts, of which only those in view are drawn. */
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type Ref, useEffect, useId, useImperativeHandle, useRef, useState } from 'react';
import type { Artifact } from '../../shared/artifact.ts';
import { ArtifactItem } from './ArtifactItem.tsx';
import styles from './ArtifactList.module.css';

const ITEM_HEIGHT = 48;

export interface ArtifactListHandle {
  focus(): void;
  /** For keys pressed in the filter above. */
  onKeyDown(event: KeyboardEvent): void;
}

interface ArtifactListProps {
  ref: Ref<ArtifactListHandle>;
  artifacts: readonly Artifact[];
  shown: string | null;
  /** `enter`: with the keyboard, so the text takes the focus. */
  onOpen: (artifactId: string, how: 'click' | 'enter') => void;
}

export function ArtifactList({ ref, artifacts, shown, onOpen }: ArtifactListProps) {
  const id = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const [activeId, setActiveId] = useState<string | null>(null);
  const virtualizer = useVirtualizer({
    count: artifacts.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ITEM_HEIGHT,
    overscan: 8,
  });
  const indexOf = (artifactId: string | null) =>
    artifactId === null ? -1 : artifacts.findIndex((artifact) => artifact.artifact_id === artifactId);
  const active = Math.max(indexOf(activeId), 0);
  const activeArtifact = artifacts[active];

  // What is opened from elsewhere (a link, the command line) is where the keys go on from.
  useEffect(() => setActiveId(shown), [shown]);

  const activate = (index: number) => {
    const next = Math.min(Math.max(0, index), artifacts.length - 1);
    setActiveId(artifacts[next]?.artifact_id ?? null);
    virtualizer.scrollToIndex(next);
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? ITEM_HEIGHT) / ITEM_HEIGHT) - 1);
    const inField = event.target instanceof HTMLInputElement;
    const to = {
      ArrowUp: active - 1,
      ArrowDown: active + 1,
      PageUp: active - page,
      PageDown: active + page,
      // In the field these two move the caret.
      Home: inField ? undefined : 0,
      End: inField ? undefined : artifacts.length - 1,
    }[event.key];
    if (to !== undefined) activate(to);
    else if (event.key === 'Enter' && activeArtifact) onOpen(activeArtifact.artifact_id, 'enter');
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  useImperativeHandle(ref, () => ({ focus: () => scroller.current?.focus(), onKeyDown }));

  return (
    <div
      ref={scroller}
      className={styles.list}
      role="listbox"
      tabIndex={0}
      aria-label="Captured output"
      aria-activedescendant={activeArtifact ? `${id}-${activeArtifact.artifact_id}` : undefined}
      onKeyDown={onKeyDown}
    >
      <div className={styles.sizer} style={{ height: virtualizer.getTotalSize() }} role="presentation">
        {virtualizer.getVirtualItems().map((item) => {
          const artifact = artifacts[item.index];
          if (!artifact) return null;
          return (
            <ArtifactItem
              key={artifact.artifact_id}
              id={`${id}-${artifact.artifact_id}`}
              artifact={artifact}
              top={item.start}
              index={item.index}
              count={artifacts.length}
              active={item.index === active}
              shown={artifact.artifact_id === shown}
              onOpen={(artifactId) => onOpen(artifactId, 'click')}
            />
          );
        })}
      </div>
    </div>
  );
}

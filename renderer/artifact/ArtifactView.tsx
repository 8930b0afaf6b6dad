/** One artifact: its name and streams, the toolbar, the bars, the text, a panel and the status line. */
import { type ReactNode, useEffect } from 'react';
import { useIsInScope } from '../commands/action-scope.ts';
import { useAfter } from '../ui/state/time-hooks.ts';
import { OriginNames } from '../viewer/text/origins.ts';
import styles from './ArtifactView.module.css';
import { noText } from './NoText.tsx';
import { ArtifactHeader } from './parts/ArtifactHeader.tsx';
import { Bars } from './parts/bars.tsx';
import { Dialogs } from './parts/dialogs.tsx';
import { ShownPanel } from './parts/panels.tsx';
import { ShownText } from './parts/ShownText.tsx';
import { StatusLine } from './status/StatusLine.tsx';
import { Toolbar } from './Toolbar.tsx';
import { type ShownArtifactOptions, useShownArtifact } from './use-shown-artifact.ts';

interface ArtifactViewProps extends ShownArtifactOptions {
  /** Shown before the name, and at the end of that row. */
  before: ReactNode;
  after: ReactNode;
}

export function ArtifactView({ before, after, ...options }: ArtifactViewProps) {
  const shown = useShownArtifact(options);
  const { viewer, name } = shown;
  const { state, error } = viewer.opened.snapshot;
  const slow = useAfter(1000, state === null && error === null);
  const instead = noText(shown.filtering, shown.showAsText, slow);

  const { scroller } = viewer;
  const isInScope = useIsInScope();
  useEffect(() => {
    // Focus the text unless the person focused something else.
    if (isInScope && document.activeElement === document.body)
      scroller.current?.focus({ preventScroll: true });
  }, [scroller, isInScope]);

  useEffect(() => {
    if (!isInScope) return;
    document.title = `${name} – Spillway`;
    return () => {
      document.title = 'Spillway';
    };
  }, [name, isInScope]);

  return (
    <section className={styles.view} aria-label={name}>
      <ArtifactHeader shown={shown} before={before} after={after} />
      <Toolbar {...shown.toolbar} />
      <Bars shown={shown} blocked={instead !== null} />
      <OriginNames value={shown.originNames}>
        <div className={styles.middle}>
          <ShownText shown={shown} instead={instead} />
          <ShownPanel shown={shown} />
        </div>
        <StatusLine
          viewer={viewer}
          blank={instead !== null}
          message={shown.message}
          undoing={shown.undoing}
          encoding={shown.encoding}
          onEncoding={shown.setEncoding}
        />
      </OriginNames>
      <Dialogs shown={shown} />
    </section>
  );
}

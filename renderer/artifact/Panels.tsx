/** The panels beside the text. To add one: its name in `Panel` and its action in `artifact-actions.ts`, and its entry here. */

import type { ReactNode, RefObject } from 'react';
import { CommandsPanel } from '../panels/CommandsPanel.tsx';
import { Details } from '../panels/DetailsPanel.tsx';
import { MarksPanel } from '../panels/marks/MarksPanel.tsx';
import { markActions } from '../panels/panel-actions.ts';
import { SummaryPanel } from '../panels/SummaryPanel.tsx';
import { IconButton } from '../ui/controls/Button.tsx';
import { useReturnFocus } from '../ui/state/page.ts';
import styles from './ArtifactView.module.css';
import { type Panel, panelActions } from './artifact-actions.ts';
import type { ShownArtifact } from './use-shown-artifact.ts';

interface PanelPart {
  title: string;
  /** False if it has nothing to show; then it is hidden. */
  when?(shown: ShownArtifact): boolean;
  content(shown: ShownArtifact): ReactNode;
}

const PANELS: Record<Panel, PanelPart> = {
  summary: {
    title: 'Summary',
    content({ ref, viewer, filtering }) {
      const { state } = viewer.opened.snapshot;
      return (
        state && (
          <SummaryPanel
            document={ref}
            generation={state.generation}
            totalBytes={state.total_bytes}
            onLine={viewer.goToLine}
            levelFilters={filtering.filters.levels}
          />
        )
      );
    },
  },
  marks: {
    title: 'Marks',
    content: ({ marks, showMark }) => <MarksPanel marks={marks} onShow={showMark} />,
  },
  details: {
    title: 'Details',
    content: ({ artifact, stream, viewer }) =>
      artifact && <Details artifact={artifact} shown={stream} counted={viewer.opened.snapshot.total} />,
  },
  commands: {
    title: 'Commands',
    when: ({ artifact, terminal }) => artifact !== null && terminal.isTerminal,
    content: ({ artifact, viewer, terminal }) =>
      artifact && (
        <CommandsPanel
          artifactId={artifact.artifact_id}
          revision={viewer.opened.snapshot.state?.total_bytes ?? 0}
          onShow={terminal.show}
        />
      ),
  },
};

export function ShownPanel({ shown }: { shown: ShownArtifact }) {
  const { panel, closePanel, viewer } = shown;
  const part = panel && PANELS[panel];
  if (!part || part.when?.(shown) === false) return null;
  return (
    <SidePanel
      title={part.title}
      shortcut={(panel === 'marks' ? markActions.panel : panelActions[panel]).keys[0]!}
      onClose={closePanel}
      text={viewer.scroller}
    >
      {part.content(shown)}
    </SidePanel>
  );
}

/** The panel beside the text, or below it in a narrow window: summary, details or commands. */
interface SidePanelProps {
  title: string;
  shortcut: string;
  onClose: () => void;
  /** Gets the focus when the panel closes with it. */
  text: RefObject<HTMLElement | null>;
  children: ReactNode;
}

export function SidePanel({ title, shortcut, onClose, text, children }: SidePanelProps) {
  const panel = useReturnFocus<HTMLElement>(text);
  return (
    <aside ref={panel} className={styles.panel} aria-label={title}>
      <header className={styles.header}>
        <h2 className={styles.title}>{title}</h2>
        <IconButton
          icon="close"
          label={`Close ${title.toLowerCase()}`}
          shortcut={shortcut}
          onClick={onClose}
        />
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so keys must reach it */}
      <section className={styles.body} tabIndex={0} aria-label={title}>
        {children}
      </section>
    </aside>
  );
}

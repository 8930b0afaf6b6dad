/** The panels beside the text. To add one: its name in `Panel` and its action in `actions.ts`, and its entry here. */
import type { ReactNode } from 'react';
import { markActions } from '../../marks/actions.ts';
import { MarksPanel } from '../../marks/MarksPanel.tsx';
import { SummaryPanel } from '../../summary/SummaryPanel.tsx';
import { CommandsPanel } from '../../terminal/CommandsPanel.tsx';
import { Details } from '../../viewer/panels/Details.tsx';
import { SidePanel } from '../../viewer/panels/SidePanel.tsx';
import { type Panel, panelActions } from '../actions.ts';
import type { ShownArtifact } from '../use-shown-artifact.ts';

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

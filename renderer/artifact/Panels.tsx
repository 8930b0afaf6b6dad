/** The panels beside the text, with their actions. To add one, add its entry here. */

import type { KeyboardEvent, ReactNode, RefObject } from 'react';
import { type Action, declareActions, isInField } from '../actions/action.ts';
import { useActions } from '../actions/registry.ts';
import { DifferencesPanel } from '../differences/DifferencesPanel.tsx';
import { streamLike } from '../library/artifact-facts.ts';
import { CommandsPanel } from '../panels/CommandsPanel.tsx';
import { DetailsPanel } from '../panels/DetailsPanel.tsx';
import { MarksPanel } from '../panels/marks/MarksPanel.tsx';
import { OutlinePanel } from '../panels/outline/OutlinePanel.tsx';
import { MARKS_PANEL_KEY } from '../panels/panel-actions.ts';
import { SummaryPanel } from '../panels/SummaryPanel.tsx';
import { IconButton } from '../ui/controls/Button.tsx';
import { useReturnFocus } from '../ui/state/page.ts';
import styles from './ArtifactView.module.css';
import { SeenFacts } from './SeenFacts.tsx';
import type { ShownArtifact } from './use-shown-artifact.ts';

export interface PanelContext {
  /** The open panel; null for none. */
  panel: string | null;
  onPanel: (panel: string | null) => void;
  /** Whether the panel was opened since the artifact was. */
  isJustOpened: boolean;
  isTerminal: boolean;
  /** Whether the output is compared with others. */
  isCompared: boolean;
}

interface Panel {
  /** The label of its action is its title. */
  action: Pick<Action<PanelContext>, 'name' | 'words' | 'icon' | 'keys'> & { label: string };
  group?: Action<PanelContext>['group'];
  /** False if it has nothing to show; then it is hidden. */
  when?: (context: PanelContext) => boolean;
  content: (shown: ShownArtifact) => ReactNode;
}

/** A narrower artifact has its panel below the text: ArtifactView.module.css has the same number. */
const PANEL_BESIDE_PX = 760;

const PANELS = {
  summary: {
    action: {
      name: 'Summary: counts, levels, errors, shapes',
      label: 'Summary',
      words: 'statistics stats overview count errors frequent',
      icon: 'summary',
      keys: ['s'],
    },
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
  outline: {
    action: {
      name: 'Outline: steps, suites, commands; their status and duration',
      label: 'Outline',
      words: 'sections groups jobs contents toc pauses structure navigation',
      icon: 'group',
      keys: ['S'],
    },
    content: ({ outline, viewer, panels, tab }) => (
      <OutlinePanel
        outline={outline}
        totalBytes={viewer.opened.snapshot.state?.total_bytes ?? 0}
        onLine={viewer.jumpToTop}
        onOpen={tab.open}
        onProblem={viewer.say}
        takesFocus={panels.isJustOpened}
      />
    ),
  },
  details: {
    action: {
      name: 'Details: path, times, status',
      label: 'Details',
      words: 'properties info pin metadata exit size',
      icon: 'details',
      keys: ['i'],
    },
    content: ({ artifact, stream, viewer, seen }) =>
      artifact && (
        <>
          <DetailsPanel artifact={artifact} shown={stream} counted={viewer.opened.snapshot.total} />
          <SeenFacts seen={seen.seen} />
        </>
      ),
  },
  differences: {
    action: {
      name: 'Differences: what is new, changed or missing since it passed',
      label: 'Differences',
      words: 'compare diff regression baseline',
      icon: 'compare',
      keys: ['Alt+X'],
    },
    when: ({ isCompared }) => isCompared,
    content: ({ differing, library, viewer, tab, ref, panels }) => (
      <DifferencesPanel
        context={differing}
        stream={viewer.opened.snapshot.state?.stream ?? null}
        library={library}
        onLine={(line) => viewer.showLine(line, 'unless visible')}
        onBeside={(artifactId, line) => {
          const other = library.get(artifactId);
          // In half of the width, the panel would be below the text, over what differs.
          const { clientWidth = 0 } = viewer.scroller.current?.closest('[data-pane], main') ?? {};
          if (clientWidth / 2 < PANEL_BESIDE_PX) panels.onPanel(null);
          tab.beside({ artifactId, stream: other && streamLike(other, ref.stream ?? null), line });
        }}
        onOpen={tab.open}
      />
    ),
  },
  commands: {
    action: {
      name: 'Commands typed in a recorded terminal',
      label: 'Commands',
      icon: 'terminal',
      keys: ['k'],
    },
    when: ({ isTerminal }) => isTerminal,
    content: ({ artifact, viewer, terminal }) =>
      artifact && (
        <CommandsPanel
          artifactId={artifact.artifact_id}
          revision={viewer.opened.snapshot.state?.total_bytes ?? 0}
          onShow={terminal.show}
        />
      ),
  },
  marks: {
    action: {
      name: 'Marks: list, notes, export',
      label: 'Marks',
      words: 'bookmarks',
      icon: 'mark',
      keys: [MARKS_PANEL_KEY],
    },
    group: 'Marks',
    content: ({ marks, showMark }) => <MarksPanel marks={marks} onShow={showMark} />,
  },
} satisfies Record<string, Panel>;

function actionOf(
  name: string,
  { action, group = 'View', when }: Panel,
): Omit<Action<PanelContext>, 'where'> {
  return {
    ...action,
    group,
    ...(when ? { when } : {}),
    isOn: ({ panel }) => panel === name,
    run: ({ panel, onPanel }) => onPanel(panel === name ? null : name),
  };
}

const actions = Object.fromEntries(
  Object.entries<Panel>(PANELS).map(([name, panel]) => [name, actionOf(name, panel)]),
);

export const panelActions = declareActions<PanelContext>('View')(
  actions as Record<keyof typeof PANELS, ReturnType<typeof actionOf>>,
);

/** The open panel, beside the text, or below it in a narrow window. */
export function ShownPanel({ shown }: { shown: ShownArtifact }) {
  const { panels, viewer } = shown;
  useActions(panelActions, panels);
  const panel = Object.entries<Panel>(PANELS).find(([name]) => name === panels.panel)?.[1];
  if (!panel || panel.when?.(panels) === false) return null;
  return (
    <SidePanel
      title={panel.action.label}
      shortcut={panel.action.keys[0]}
      onClose={() => panels.onPanel(null)}
      text={viewer.scroller}
    >
      {panel.content(shown)}
    </SidePanel>
  );
}

interface SidePanelProps {
  title: string;
  shortcut: string | undefined;
  onClose: () => void;
  /** Gets the focus when the panel closes with it. */
  text: RefObject<HTMLElement | null>;
  children: ReactNode;
}

function SidePanel({ title, shortcut, onClose, text, children }: SidePanelProps) {
  const panel = useReturnFocus<HTMLElement>(text);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented || isInField(event.target)) return;
    event.preventDefault();
    event.stopPropagation();
    text.current?.focus({ preventScroll: true });
  };
  return (
    <aside ref={panel} className={styles.panel} aria-label={title} onKeyDown={onKeyDown}>
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

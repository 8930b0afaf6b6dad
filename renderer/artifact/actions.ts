/** The actions on the artifact as a whole: its panels, its streams, and Escape. */
import type { Artifact, StreamName } from '../../shared/artifact.ts';
import { declareActions } from '../commands/action.ts';
import { SELECT_LINES_FIRST } from '../commands/select-first.ts';
import type { Search } from '../search/use-search.ts';
import { firstLine, lastLine } from '../viewer/selection/selection.ts';
import type { Viewer } from '../viewer/use-viewer.ts';
import { asMarkdown } from './copy-markdown.ts';
import type { StopContext } from './stop/use-stop.ts';

export const PANELS = ['summary', 'details', 'commands', 'marks'] as const;

export type Panel = (typeof PANELS)[number];

export interface PanelContext {
  panel: Panel | null;
  onPanel: (panel: Panel | null) => void;
  isTerminal: boolean;
}

export interface ArtifactContext {
  viewer: Viewer;
  search: Search;
  artifact: Artifact | null;
  stream: StreamName | null;
}

export const panelActions = declareActions<PanelContext>()({
  summary: {
    name: 'Summary: counts, levels, errors, shapes',
    label: 'Summary',
    words: 'statistics stats overview',
    icon: 'summary',
    keys: ['s'],
    group: 'View',
    isOn: ({ panel }) => panel === 'summary',
    run: (context) => togglePanel(context, 'summary'),
  },
  details: {
    name: 'Details: path, times, status',
    label: 'Details',
    words: 'properties info pin',
    icon: 'details',
    keys: ['i'],
    group: 'View',
    isOn: ({ panel }) => panel === 'details',
    run: (context) => togglePanel(context, 'details'),
  },
  commands: {
    name: 'Commands typed in a recorded terminal',
    label: 'Commands',
    icon: 'terminal',
    keys: ['k'],
    group: 'View',
    when: ({ isTerminal }) => isTerminal,
    isOn: ({ panel }) => panel === 'commands',
    run: (context) => togglePanel(context, 'commands'),
  },
});

export const artifactActions = declareActions<ArtifactContext>()({
  copyMarkdown: {
    name: 'Copy the selection as Markdown: with its command and a link to it',
    icon: 'copy',
    keys: ['Y'],
    group: 'Select and copy',
    when: ({ viewer, artifact }) => viewer.selection !== null && artifact !== null,
    otherwise: ({ viewer }) => viewer.say(SELECT_LINES_FIRST),
    run: ({ viewer: { selection, selectedLines: count, copy }, artifact, stream }) => {
      if (!selection || !artifact) return;
      const [first, last] = [firstLine(selection), lastLine(selection)];
      const address = `${location.origin}${location.pathname}`;
      copy.copy(selection, asMarkdown({ artifact, stream, first, last, count, address }));
    },
  },
  cancel: {
    name: 'Close the search, then its results; clear the selection, then the range',
    keys: ['Esc'],
    group: 'View',
    run: ({ viewer, search }) => {
      const isBusy = viewer.pending !== null || viewer.copy.state.step === 'copying';
      if (isBusy || !search.closeOne()) viewer.cancel();
    },
  },
});

export interface UndoContext {
  /** Undoes the change that the status line reports; null without one. */
  undo: (() => void) | null;
}

export const undoActions = declareActions<UndoContext>()({
  undo: {
    name: 'Undo what the status line reports: a removed note, a removed filter',
    label: 'Undo',
    keys: ['Ctrl+Z'],
    group: 'View',
    where: 'text',
    when: ({ undo }) => undo !== null,
    run: ({ undo }) => undo?.(),
  },
});

export const stopActions = declareActions<StopContext>()({
  stop: {
    name: 'Stop the running command: asks first',
    label: 'Stop',
    words: 'kill cancel abort',
    icon: 'stop',
    keys: ['Ctrl+.'],
    group: 'View',
    when: ({ isAllowed }) => isAllowed,
    run: ({ ask }) => ask(),
  },
});

interface StreamContext {
  streams: readonly StreamName[];
  shown: StreamName | null;
  onShow: (stream: StreamName) => void;
}

export const streamActions = declareActions<StreamContext>()({
  stream: {
    name: 'Next stream of a command: combined, stdout, stderr',
    keys: ['c'],
    group: 'View',
    when: ({ streams }) => streams.length > 1,
    run: ({ streams, shown, onShow }) => {
      const next = streams[(streams.indexOf(shown ?? streams[0]!) + 1) % streams.length];
      if (next) onShow(next);
    },
  },
});

function togglePanel({ panel, onPanel }: PanelContext, name: Panel): void {
  onPanel(panel === name ? null : name);
}

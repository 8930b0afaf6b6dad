/** The actions on the artifact as a whole: its panels, its streams, saving, its failure, links, and Escape. */

import { type Artifact, isMergedId, type StreamName } from '../../shared/artifact.ts';
import { toSpillwayError } from '../../shared/errors.ts';
import { codeBlock, codeSpan } from '../../shared/text/escape.ts';
import { declareActions, SELECT_LINES_FIRST } from '../actions/action.ts';
import { quotedSource } from '../library/artifact-facts.ts';
import type { Search } from '../search/use-search.ts';
import { writeClipboard } from '../ui/state/page.ts';
import { pageAddress, permalink, type QuotedRange, rangeWords, restWords } from '../ui/text/format.ts';
import type { CopyForm } from '../viewer/selection/copy-lines.ts';
import { firstLine, lastLine } from '../viewer/selection/selection.ts';
import type { Viewer } from '../viewer/use-viewer.ts';
import type { StopContext } from './StopDialog.tsx';

interface ArtifactContext {
  viewer: Viewer;
  search: Search;
  artifact: Artifact | null;
  stream: StreamName | null;
}

export const artifactActions = declareActions<ArtifactContext>('Select and copy')({
  copyMarkdown: {
    name: 'Copy the selection as Markdown: with its command and a link to it',
    words: 'share slack',
    inMenu: 2,
    icon: 'copy',
    keys: ['Y'],
    when: ({ viewer, artifact }) => viewer.selection !== null && artifact !== null,
    otherwise: ({ viewer }) => viewer.say(SELECT_LINES_FIRST),
    run: ({ viewer: { selection, selectedLines: count, copy }, artifact, stream }) => {
      if (!selection || !artifact) return;
      const [first, last] = [firstLine(selection), lastLine(selection)];
      const address = pageAddress();
      copy.copy(selection, asMarkdown({ artifact, stream, first, last, count, address }));
    },
  },
  copyLink: {
    name: 'Copy a link to the selected lines, or to the current one',
    label: 'Copy a link',
    words: 'share permalink url address',
    inMenu: 2,
    icon: 'copy',
    keys: [],
    when: ({ artifact }) => artifact !== null && !isMergedId(artifact.artifact_id),
    run: ({ viewer, artifact, stream }) => {
      const { selection, say } = viewer;
      const line = selection ? firstLine(selection) : viewer.currentLine();
      const lines = { line, lastLine: selection ? lastLine(selection) : line };
      const link = permalink(pageAddress(), { artifactId: artifact!.artifact_id, stream, ...lines });
      writeClipboard(link).then(
        () => say('Copied the link'),
        (error) => say(toSpillwayError(error).message),
      );
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

export const stopActions = declareActions<StopContext>('View')({
  stop: {
    name: 'Stop the running command: asks first',
    label: 'Stop',
    words: 'kill cancel abort',
    icon: 'stop',
    keys: ['Ctrl+.'],
    when: ({ isAllowed }) => isAllowed,
    run: ({ ask }) => ask(),
  },
});

interface StreamContext {
  streams: readonly StreamName[];
  shown: StreamName | null;
  onShow: (stream: StreamName) => void;
}

export const streamActions = declareActions<StreamContext>('View')({
  stream: {
    name: 'Next stream of a command: combined, stdout, stderr',
    words: 'stderr stdout switch',
    keys: ['c'],
    when: ({ streams }) => streams.length > 1,
    run: ({ streams, shown, onShow }) => {
      const next = streams[(streams.indexOf(shown ?? streams[0]!) + 1) % streams.length];
      if (next) onShow(next);
    },
  },
});

/** Formats lines as Markdown: the command, the lines in a code block, a permalink and the command line to read them. */
interface QuotedLines extends QuotedRange {
  artifact: Artifact;
  stream: StreamName | null;
  /** Address of the window, without a fragment. */
  address: string;
}

export function asMarkdown(quoted: QuotedLines): CopyForm {
  return { whole: (text) => markdown(quoted, text) };
}

function markdown(quoted: QuotedLines, text: string): string {
  const { artifact, stream, first, last, address } = quoted;
  const of = stream === null || stream === 'output' ? '' : ` of ${stream}`;
  const { words, command } = quotedSource({
    ...{ artifact, stream, line: first, lastLine: last, page: address },
    words: rangeWords(quoted, of),
  });
  const block = `${words}\n\n${codeBlock(text)}\n`;
  if (command === null) return block;
  return `${block}\n${codeSpan(`${command} --start ${first} --end ${last}`)}${restWords(quoted)}\n`;
}

/** The actions that save lines to a file. */
interface ExportContext {
  /** Whether there is a search. */
  isActive: boolean;
  saveLines: () => void;
  saveMatches: () => void;
}

export const exportActions = declareActions<ExportContext>('Select and copy')({
  saveLines: {
    name: 'Save to a file: the selection, or all lines that are shown',
    words: 'export download write',
    icon: 'save',
    keys: ['Ctrl+S'],
    run: ({ saveLines }) => saveLines(),
  },
  saveMatches: {
    name: 'Save all matching lines to a file',
    words: 'export download',
    icon: 'save',
    keys: ['Ctrl+Shift+S'],
    when: ({ isActive }) => isActive,
    run: ({ saveMatches }) => saveMatches(),
  },
});

/** The actions on a failure: stepping through the lines that explain it, and copying them or others for an agent. */
export interface FailureContext {
  /** Lines that explain the failure, rising; empty until they are known. */
  lines: readonly number[];
  /** Goes to the next explaining line below or above the current one. */
  step: (direction: 1 | -1) => void;
  copyForAgent: () => void;
  saveReport: () => void;
}

export const failureActions = declareActions<FailureContext>('Move')({
  next: {
    name: 'Next line that explains the failure, or tells an error',
    words: 'error errors cause why root exception crash fail problem',
    icon: 'down',
    keys: ['e'],
    run: ({ step }) => step(1),
  },
  previous: {
    name: 'Previous line that explains the failure, or tells an error',
    words: 'error errors cause exception',
    icon: 'up',
    keys: ['E'],
    run: ({ step }) => step(-1),
  },
  copyForAgent: {
    name: 'Copy for an agent: the call that shows the selected lines, or what explains the failure',
    words: 'ai llm prompt ask',
    inMenu: 2,
    label: 'Copy for an agent',
    icon: 'copy',
    keys: ['y'],
    group: 'Select and copy',
    run: ({ copyForAgent }) => copyForAgent(),
  },
  report: {
    name: 'Save a report of the failure: cause, lines, marks, what changed',
    label: 'Save a report',
    words: 'html share document',
    icon: 'save',
    keys: ['Alt+Y'],
    group: 'Select and copy',
    run: ({ saveReport }) => saveReport(),
  },
});

/** The action that opens files named in lines. */
interface LinksContext {
  /** Whether the current line names a file. */
  hasLink: () => boolean;
  open: () => void;
}

export const linkActions = declareActions<LinksContext>('View')({
  openInEditor: {
    name: 'Open the file that the line names in the editor: also Ctrl+click on it',
    words: 'source code vscode ide',
    inMenu: 2,
    keys: ['V'],
    when: ({ hasLink }) => hasLink(),
    run: ({ open }) => open(),
  },
});

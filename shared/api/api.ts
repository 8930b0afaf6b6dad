/**
 * The interface between the host and the window: requests, and streams of events. Messages (messages.ts) travel over a
 * MessagePort in Electron and a WebSocket in the browser.
 */

import * as z from 'zod';
import { Activity, ActivityParams, Seen, SeenParams, Unread, UnreadParams } from '../activity.ts';
import { ClientChange, ClientState, ConnectResult } from '../agents.ts';
import { Artifact, StreamName } from '../artifact.ts';
import { CompareParams, Comparison, SameFailure } from '../comparison.ts';
import {
  CleanupParams,
  CleanupResult,
  PinParams,
  PinResult,
  StatsParams,
  StopParams,
  StopPlan,
  StopResult,
  StorageStats,
} from '../lifecycle.ts';
import { MAX_DROPPED_BYTES, MAX_SHAPES } from '../limits.ts';
import { FoundOutputs, SearchOutputsParams } from '../search-outputs.ts';
import { Highlighters, HighlightParams, HighlightResult } from '../search-query.ts';
import { PreferenceChange, Preferences } from '../settings.ts';
import { SourceChange, SourceList } from '../sources.ts';
import { LastFailedCommand, TerminalCommands, TerminalCommandsParams } from '../terminals.ts';
import { MAX_LONGER } from '../text/file-links.ts';
import {
  ByteWindow,
  InspectParams,
  ListParams,
  ListResult,
  ReadParams,
  Report,
  ReportParams,
  SummaryView,
  View,
} from '../views.ts';
import { ExportParams, ExportResult, FilterRef, FilterState, RowsOfParams } from './filters.ts';
import {
  Alignment,
  AlignParams,
  CorrespondingLineParams,
  CorrespondingLineResult,
  DocumentRef,
  DocumentState,
  RowsParams,
  RowsResult,
} from './rows.ts';
import {
  AcrossEvent,
  AcrossRef,
  CountsParams,
  CountsResult,
  HistogramParams,
  HistogramState,
  MatchCountsParams,
  MatchCountsResult,
  MatchedRowsParams,
  MatchedRowsResult,
  MatchInLineParams,
  MatchInLineResult,
  NextMatchParams,
  NextMatchResult,
  SearchParams,
  SearchState,
} from './search.ts';

export const Hello = z.object({
  version: z.string(),
  home: z.string(),
  platform: z.string(),
  shell: z.enum(['electron', 'web']),
  pid: z.number(),
  /** Where agents connect; null when this process does not serve them. */
  mcp_socket: z.string().nullable(),
  /** Invalid settings, and the like. */
  warnings: z.array(z.string()),
});
export type Hello = z.infer<typeof Hello>;

/**
 * A message for all windows; its end (`over`); a request to show an artifact (from `spillway open`); a change of
 * config.json (`settings`).
 */
export const Notice = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('show'),
    artifact_id: z.string(),
    stream: StreamName.nullable().optional(),
    line: z.number().int().min(1).nullable().optional(),
    /** With it, the lines from `line` to it are selected. */
    last_line: z.number().int().min(1).optional(),
  }),
  z.object({ type: z.literal('message'), text: z.string() }),
  z.object({ type: z.literal('over'), text: z.string() }),
  z.object({ type: z.literal('settings') }),
]);
export type Notice = z.infer<typeof Notice>;

/**
 * A change of the library: new or changed artifacts, and ids of removed ones, at most MAX_EVENT_ARTIFACTS together.
 * `reset` voids all earlier events: the newest artifacts come first, the others in later events.
 */
export const LibraryEvent = z.object({
  reset: z.boolean(),
  changed: z.array(Artifact),
  removed: z.array(z.string()),
});
export type LibraryEvent = z.infer<typeof LibraryEvent>;

/** A file or folder opened by a person. */
export const OpenedSource = z.object({
  path: z.string(),
  /** Whether agents may read it over MCP. */
  agents: z.boolean(),
  /** Whether it was a file when it was last there. */
  is_file: z.boolean(),
  /** Number of its artifacts in the library. */
  artifact_count: z.number(),
});
export type OpenedSource = z.infer<typeof OpenedSource>;

/** A request to open a file, named in a line of output, in the person's editor. */
export const OpenInEditorParams = z.object({
  artifact_id: z.string(),
  /** The path as written in the line; relative to the command's working directory. */
  path: z.string().min(1).max(4096),
  /** Longer readings of it, which are tried first. */
  longer: z.array(z.string().min(1).max(4096)).max(MAX_LONGER).default([]),
  /** From 1. */
  line: z.number().int().min(1).max(99_999_999),
  column: z.number().int().min(1).max(99_999_999).nullable(),
});
export type OpenInEditorParams = z.infer<typeof OpenInEditorParams>;

export const OpenInEditorResult = z.object({
  /** Its real path. */
  file: z.string(),
  /** The name of the editor's program. */
  editor: z.string(),
});
export type OpenInEditorResult = z.infer<typeof OpenInEditorResult>;

/** The window's summary, which is updated while the text is read. */
export const SummaryRef = z.object({
  document: DocumentRef,
  max_shapes: z.number().int().min(0).max(MAX_SHAPES).optional(),
});
export type SummaryRef = z.infer<typeof SummaryRef>;

export const SummaryState = z.object({
  /** Bytes that the view covers, except for its number of lines. */
  read_bytes: z.number(),
  view: SummaryView,
  /** Whether this is the last state. */
  done: z.boolean(),
});
export type SummaryState = z.infer<typeof SummaryState>;

const nothing = z.object({});

/**
 * What the window can ask. The host answers each by the method of its name (`RequestsApi` in electron/host/host.ts), which
 * some part of it has (`partsOf` in electron/host/create.ts).
 */
export const requests = {
  hello: { params: nothing, result: Hello },
  /** Newest first. */
  list: { params: ListParams, result: ListResult },
  /** Returns null if there is none, or none that may be read. */
  artifact: { params: z.object({ artifact_id: z.string() }), result: Artifact.nullable() },
  inspect: { params: InspectParams, result: View },
  read: { params: ReadParams, result: ByteWindow },
  /** Searches many outputs, the newest first. */
  searchOutputs: { params: SearchOutputsParams, result: FoundOutputs },
  /** Compares an output with those of runs that passed. */
  compare: { params: CompareParams, result: Comparison },
  /** Writes a failure as one document. */
  report: { params: ReportParams, result: Report },
  /** Returns the last earlier run of the same command that failed with the same cause; null if none did. */
  sameFailure: { params: z.object({ artifact_id: z.string() }), result: SameFailure.nullable() },
  /** Returns what is masked in copies that leave the window; null for nothing. */
  masksInCopies: {
    params: z.object({}),
    result: z.object({ patterns: z.array(z.string()), except: z.array(z.string()) }).nullable(),
  },
  /** Returns which lines of an output agents got, and which agents. */
  seen: { params: SeenParams, result: Seen },
  unread: { params: UnreadParams, result: Unread },
  /** Returns what agents asked for, newest first. */
  activity: { params: ActivityParams, result: Activity },
  /** Finds which lines of two texts say the same. */
  align: { params: AlignParams, result: Alignment },
  rows: { params: RowsParams, result: RowsResult },
  /** Returns rows of any lines; fewer if lines are costly. */
  rowsOf: { params: RowsOfParams, result: RowsResult },
  /** A page of whole lines, for a file. */
  exportLines: { params: ExportParams, result: ExportResult },
  /** Counts matching lines in parts of a text. */
  counts: { params: CountsParams, result: CountsResult },
  /** Finds where highlighters match in texts. */
  highlight: { params: HighlightParams, result: HighlightResult },
  /** Returns every setting. */
  preferences: { params: nothing, result: Preferences },
  /** Changes a setting here and in config.json. Errors: `usage` for a value that it does not take, `home`. */
  changePreference: { params: PreferenceChange, result: Preferences },
  /** Returns the person's ten highlighters, in the order of their colours. */
  highlighters: { params: nothing, result: Highlighters },
  setHighlighters: { params: z.object({ highlighters: Highlighters }), result: nothing },
  /** Returns the line (from 1) of the byte at an offset. */
  lineAt: {
    params: z.object({ document: DocumentRef, offset: z.number().int().min(0) }),
    result: z.number(),
  },
  /**
   * Returns the first line that arrived at a time (milliseconds since the epoch) or later; null if times are unknown.
   */
  lineAtTime: {
    params: z.object({ document: DocumentRef, time: z.number() }),
    result: z.number().nullable(),
  },
  /** Returns the line in another stream of the same artifact that arrived together with a line of one stream. */
  correspondingLine: { params: CorrespondingLineParams, result: CorrespondingLineResult },
  /** Returns matching lines that the search has found so far, with their rows. */
  matchedRows: { params: MatchedRowsParams, result: MatchedRowsResult },
  nextMatch: { params: NextMatchParams, result: NextMatchResult },
  /** Finds the first match in a long line, whose row may show only its beginning. */
  matchInLine: { params: MatchInLineParams, result: MatchInLineResult },
  matchCounts: { params: MatchCountsParams, result: MatchCountsResult },
  /** Returns storage by session and source; for an agent, only sources it may read. */
  stats: { params: StatsParams, result: StorageStats },
  /** Removes the named captures, or by default the ones past the retention settings. */
  cleanup: { params: CleanupParams, result: CleanupResult },
  pin: { params: PinParams, result: PinResult },
  unpin: { params: PinParams, result: PinResult },
  /** Returns whether a person can stop a running command, and what that would end. */
  stopPlan: { params: StopParams, result: StopPlan },
  /**
   * Ends a running command with everything it started: SIGTERM, then SIGKILL after two seconds. Errors: `unsupported`.
   */
  stopCommand: { params: StopParams, result: StopResult },
  /** Commands typed in a recorded terminal, newest first. */
  terminalCommands: { params: TerminalCommandsParams, result: TerminalCommands },
  /** The last failed command of all terminals. */
  lastFailedCommand: { params: nothing, result: LastFailedCommand },
  /** Returns agents' directories with their switches. */
  sources: { params: nothing, result: SourceList },
  /** Changes switches, here and in config.json. Errors: `not_found` for an unknown name. */
  setSources: { params: SourceChange, result: SourceList },
  /**
   * Adds a file or directory to the library until it is removed, and returns its artifacts, newest first. `agents`:
   * whether agents may read it; by default as decided before, else false.
   */
  openPath: {
    params: z.object({ path: z.string(), agents: z.boolean().optional() }),
    result: z.array(Artifact),
  },
  /**
   * Returns the paths that the beginning of one may mean, in the order of their names; folders end with a separator. Of
   * a beginning that names no folder to look in, there are none.
   */
  completePath: {
    params: z.object({ path: z.string() }),
    result: z.object({ paths: z.array(z.string()) }),
  },
  /**
   * Records a file that was dropped into the window, piece by piece. `artifact_id`: null with the first piece; with the
   * others, what the first returned. `data`: bytes in base64. Errors: `home`, `busy`, and `not_found` if the copy ended.
   */
  keepDropped: {
    params: z.object({
      artifact_id: z.string().nullable(),
      name: z.string().max(4096),
      data: z.string().max(Math.ceil(MAX_DROPPED_BYTES / 3) * 4),
      end: z.boolean(),
    }),
    result: z.object({ artifact_id: z.string() }),
  },
  openedSources: { params: nothing, result: z.array(OpenedSource) },
  /** Removes an opened path from the library. Its files stay. Errors: `not_found`. */
  removeSource: { params: z.object({ path: z.string() }), result: nothing },
  /**
   * Opens a file named in a line in the person's editor. Errors: `not_found`, `not_a_file`, `unsupported` and
   * `usage`.
   */
  openInEditor: { params: OpenInEditorParams, result: OpenInEditorResult },
  /** Shows an output's file in the system's file manager. Errors: `not_found`, `no_permission`, `unsupported`. */
  showInFolder: { params: z.object({ artifact_id: z.string() }), result: z.object({ file: z.string() }) },
  /** Returns the agents on this machine, and how each is connected. */
  clients: { params: nothing, result: z.array(ClientState) },
  /** Returns the change to agree to, or makes it. */
  changeClient: { params: ClientChange, result: ConnectResult },
} as const;

export const streams = {
  library: { params: nothing, event: LibraryEvent },
  document: { params: DocumentRef, event: DocumentState },
  search: { params: SearchParams, event: SearchState },
  filter: { params: FilterRef, event: FilterState },
  /** Searches many artifacts once. */
  search_across: { params: AcrossRef, event: AcrossEvent },
  /** Summarises the text once; subscribe again for text that arrived since. */
  summary: { params: SummaryRef, event: SummaryState },
  /** Counts lines in spans of equal time, once; subscribe again for text that arrived since. */
  histogram: { params: HistogramParams, event: HistogramState },
  notices: { params: nothing, event: Notice },
} as const;

export type RequestName = keyof typeof requests;
export type RequestParams<N extends RequestName> = z.input<(typeof requests)[N]['params']>;
/** Its parameters as they arrive at the host, with defaults. */
export type ReceivedParams<N extends RequestName> = z.output<(typeof requests)[N]['params']>;
export type RequestResult<N extends RequestName> = z.infer<(typeof requests)[N]['result']>;
export type StreamTopic = keyof typeof streams;
type StreamParams<T extends StreamTopic> = z.input<(typeof streams)[T]['params']>;
export type StreamEvent<T extends StreamTopic> = z.infer<(typeof streams)[T]['event']>;

/** The part of AbortSignal used here, as shared code has neither DOM nor Node types. */
interface CancelSignal {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void, options?: { once?: boolean }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** The window's side of the connection: the same over every transport. */
export interface Connection {
  /** Rejects with a SpillwayError: `cancelled` when the signal fires or the connection closes. */
  request<N extends RequestName>(
    name: N,
    params: RequestParams<N>,
    options?: { signal?: CancelSignal },
  ): Promise<RequestResult<N>>;
  /**
   * Calls `onEvent` until the returned function is called. Calls `onError` at most once (with `cancelled` when the
   * connection closes); no event follows.
   */
  subscribe<T extends StreamTopic>(
    topic: T,
    params: StreamParams<T>,
    onEvent: (event: StreamEvent<T>) => void,
    onError?: (error: Error) => void,
  ): () => void;
  /** Called once when the host can no longer be reached, but not after our own `close()`. */
  onClose(listener: () => void): void;
  close(): void;
}

/**
 * The host: reader, workers and library behind one typed API. Everything that looks at artifacts
 * (window, command line, MCP) is a customer of this interface and of nothing below it.
 */

import type * as z from 'zod';
import type { ClientChange, ClientState, ConnectResult } from '../../shared/agents/clients.ts';
import type { AcrossEvent, AcrossRef } from '../../shared/api/across.ts';
import type { LibraryEvent, Notice, OpenedSource } from '../../shared/api/api.ts';
import type { OpenInEditorParams, OpenInEditorResult } from '../../shared/api/editor.ts';
import type { ExportParams, ExportResult } from '../../shared/api/export.ts';
import type { FilterRef, FilterState, RowsOfParams } from '../../shared/api/filters.ts';
import type {
  CountsParams,
  CountsResult,
  HistogramParams,
  HistogramState,
} from '../../shared/api/histogram.ts';
import type {
  CorrespondingLineParams,
  CorrespondingLineResult,
  DocumentRef,
  DocumentState,
  RowsParams,
  RowsResult,
} from '../../shared/api/rows.ts';
import type {
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
} from '../../shared/api/search.ts';
import type { SummaryRef, SummaryState } from '../../shared/api/summary.ts';
import type { Artifact } from '../../shared/artifact.ts';
import type { Highlighter, HighlightParams, HighlightResult } from '../../shared/highlighters.ts';
import type {
  CleanupParams,
  CleanupResult,
  EndSessionParams,
  EndSessionResult,
  PinParams,
  PinResult,
  Session,
  SessionStats,
  StorageStats,
  UseSessionParams,
} from '../../shared/lifecycle.ts';
import type { SourceChange, SourceList } from '../../shared/sources.ts';
import type { StopPlan, StopResult } from '../../shared/stop.ts';
import type {
  LastFailedCommand,
  TerminalCommands,
  TerminalCommandsParams,
  TerminalOutput,
  TerminalOutputParams,
} from '../../shared/terminals.ts';
import type {
  ByteWindow,
  InspectParams,
  ListParams,
  ListResult,
  ReadParams,
  SummaryView,
  View,
} from '../../shared/views.ts';

/** The asker: a person may name any path, an agent only paths in a source that is readable over MCP. */
export type Access = 'person' | 'agent';

export interface RequestOptions {
  /** `person` when absent. */
  access?: Access;
  signal?: AbortSignal;
  /** Told how far a summary or an explanation has read. */
  onProgress?: (progress: ReadProgress) => void;
}

export interface ReadProgress {
  read_bytes: number;
  /** Null while the text is unpacked. */
  total_bytes: number | null;
  /** Returns the summary of the part read so far; absent for explanations. */
  view?: () => SummaryView;
}

export interface Host
  extends OutputsApi,
    TextApi,
    SearchApi,
    StorageApi,
    CommandsApi,
    TerminalsApi,
    WindowsApi,
    ClientsApi {
  /** Problems with the settings or the home, as sentences. */
  readonly warnings: readonly string[];
  close(): Promise<void>;
}

/** Which artifacts there are. */
export interface OutputsApi {
  /** Newest first. */
  list(params: ListParams, options?: RequestOptions): Promise<ListResult>;
  /**
   * Adds a person's path, a file or a directory, to the library until it is removed. Resolves with its artifacts,
   * newest first. `agents`: whether agents may read it; by default as decided before, else false.
   */
  openPath(path: string, options?: { agents?: boolean | undefined }): Promise<Artifact[]>;
  /** Files and directories that people opened and did not remove. */
  openedSources(): Promise<OpenedSource[]>;
  /** Removes an opened path from the library. Its files stay. Throws `not_found`. */
  removeSource(path: string): Promise<void>;
  watchLibrary(listener: (event: LibraryEvent) => void): Unwatch;
  /** Agents' directories that were found, and how each is switched. */
  sources(): Promise<SourceList>;
  /** Switches some of them, here and in config.json. Throws `not_found` for an unknown name. */
  setSources(change: SourceChange): Promise<SourceList>;
}

/** One text: views for people and agents, rows for the window. */
export interface TextApi {
  inspect(params: InspectParams, options?: RequestOptions): Promise<View>;
  read(params: ReadParams, options?: RequestOptions): Promise<ByteWindow>;
  rows(params: RowsParams, options?: RequestOptions): Promise<RowsResult>;
  /** Rows of lines that need not be neighbours; fewer when lines are costly. */
  rowsOf(params: RowsOfParams, options?: RequestOptions): Promise<RowsResult>;
  /** A page of whole lines, for a file. */
  exportLines(params: ExportParams, options?: RequestOptions): Promise<ExportResult>;
  /** The line (from 1) that the byte at `offset` is in. */
  lineAt(document: DocumentRef, offset: number, options?: RequestOptions): Promise<number>;
  /** The first line that came at `time` (milliseconds since the epoch) or later; null where no times are known. */
  lineAtTime(document: DocumentRef, time: number, options?: RequestOptions): Promise<number | null>;
  /** Where a line of one stream is in another stream of the same artifact, by their arrival. */
  correspondingLine(
    params: CorrespondingLineParams,
    options?: RequestOptions,
  ): Promise<CorrespondingLineResult>;
  /** Summarises the text once, and tells how far it is. */
  watchSummary(
    ref: SummaryRef,
    listener: (state: SummaryState) => void,
    onError: (error: Error) => void,
  ): Unwatch;
  watchDocument(
    ref: DocumentRef,
    listener: (state: DocumentState) => void,
    onError: (error: Error) => void,
  ): Unwatch;
}

/** The window's searches. Agents search by `inspect`. */
export interface SearchApi {
  /** Searches, and continues as the text grows. Reports an invalid pattern as an error. */
  watchSearch(
    params: SearchParams,
    listener: (state: SearchState) => void,
    onError: (error: Error) => void,
  ): Unwatch;
  /** Counts the current text's lines in spans of equal time, by their arrival or the times in them. */
  watchHistogram(
    params: HistogramParams,
    listener: (state: HistogramState) => void,
    onError: (error: Error) => void,
  ): Unwatch;
  /** Counts the matches found so far in parts of a text. */
  counts(params: CountsParams, options?: RequestOptions): Promise<CountsResult>;
  /** Where queries match in texts. */
  highlight(params: HighlightParams, options?: RequestOptions): Promise<HighlightResult>;
  /** The person's highlighters: ten, in the order of their colours. */
  highlighters(): Promise<Highlighter[]>;
  setHighlighters(highlighters: readonly Highlighter[]): Promise<void>;
  /** Tells which lines pass a filter, and goes on as the text grows. */
  watchFilter(
    ref: FilterRef,
    listener: (state: FilterState) => void,
    onError: (error: Error) => void,
  ): Unwatch;
  /** Searches many artifacts once, and tells which have matches as they come. */
  watchAcross(
    ref: AcrossRef,
    listener: (event: AcrossEvent) => void,
    onError: (error: Error) => void,
  ): Unwatch;
  /** Returns matching lines with their rows, from those that `watchSearch` has found so far. */
  matchedRows(
    params: z.infer<typeof MatchedRowsParams>,
    options?: RequestOptions,
  ): Promise<MatchedRowsResult>;
  nextMatch(
    params: z.infer<typeof NextMatchParams>,
    options?: RequestOptions,
  ): Promise<z.infer<typeof NextMatchResult>>;
  /** The first match in a line, and the text around it. */
  matchInLine(
    params: z.infer<typeof MatchInLineParams>,
    options?: RequestOptions,
  ): Promise<z.infer<typeof MatchInLineResult>>;
  matchCounts(
    params: z.infer<typeof MatchCountsParams>,
    options?: RequestOptions,
  ): Promise<z.infer<typeof MatchCountsResult>>;
}

/** Captures, for as long as they are kept. */
export interface StorageApi {
  /** Storage by session and source; an agent sees only sources it may read. */
  stats(options?: RequestOptions): Promise<StorageStats>;
  /** Removes the named captures, or those that the retention settings no longer keep. */
  cleanup(params: CleanupParams): Promise<CleanupResult>;
  pin(params: PinParams): Promise<PinResult>;
  unpin(params: PinParams): Promise<PinResult>;
  /** Returns the sessions with their sizes, most recently used first. */
  sessions(): Promise<SessionStats[]>;
  /** Makes the session where there is none. An ephemeral one goes when this host is closed. */
  useSession(params: UseSessionParams): Promise<Session>;
  /** Stop its commands first. */
  endSession(params: EndSessionParams): Promise<EndSessionResult>;
}

/** Running commands of people and of agents. */
export interface CommandsApi {
  /** Whether a person can stop it, and what that would end. Errors: `not_found`. */
  stopPlan(artifactId: string): Promise<StopPlan>;
  /** Ends it with all it started. Errors: `not_found`, `unsupported` with the plan's reason. */
  stopCommand(artifactId: string): Promise<StopResult>;
}

/** Recorded terminals. */
export interface TerminalsApi {
  /** Output of the named terminal, or of the most recently active one. */
  terminalOutput(params: TerminalOutputParams, options?: RequestOptions): Promise<TerminalOutput>;
  /** Commands that were typed there, newest first. */
  terminalCommands(params: TerminalCommandsParams): Promise<TerminalCommands>;
  /** The last command that failed in any terminal; null when none failed. */
  lastFailedCommand(): Promise<LastFailedCommand>;
}

export interface WindowsApi {
  /** Opens a file that a line of output names, at a person's click. Errors as in `editor/open-in-editor.ts`. */
  openInEditor(params: OpenInEditorParams): Promise<OpenInEditorResult>;
  /** Calls the listener with each notice for the windows. */
  watchNotices(listener: (notice: Notice) => void): Unwatch;
  /** Tells every window. */
  notify(notice: Notice): void;
}

/** Agents on this machine that Spillway can be connected to. Only the window's host has them. */
export interface ClientsApi {
  clients(): Promise<ClientState[]>;
  /** Shows what would change, or makes the change that was agreed to. */
  changeClient(change: ClientChange): Promise<ConnectResult>;
}

/** Ends a watch. A watch calls its listener with the present state first, then with every change. */
export type Unwatch = () => void;

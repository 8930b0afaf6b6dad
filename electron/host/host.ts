/**
 * The host: reader, workers and library behind one typed API. Window, command line and MCP read artifacts only through
 * this interface.
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
import type { Surface } from '../../shared/arguments/surface.ts';
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

/** The caller: a person may name any path, an agent only paths in sources readable over MCP. */
export type Access = 'person' | 'agent';

export interface RequestOptions {
  /** By default `person`. */
  access?: Access;
  /** Where its sentences are read; by default by the caller of a tool. */
  surface?: Surface;
  signal?: AbortSignal;
  /** Called with the progress of a summary or an explanation. */
  onProgress?: (progress: ReadProgress) => void;
}

export interface ReadProgress {
  read_bytes: number;
  /** Null while the text is being unpacked. */
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

/** Lists artifacts and manages sources. */
interface OutputsApi {
  /** Newest first. */
  list(params: ListParams, options?: RequestOptions): Promise<ListResult>;
  /**
   * Adds a person's path, a file or a directory, to the library until it is removed. Resolves with its artifacts,
   * newest first. `agents`: whether agents may read it; by default as decided before, else false.
   */
  openPath(path: string, options?: { agents?: boolean | undefined }): Promise<Artifact[]>;
  /** Returns the opened files and directories. */
  openedSources(): Promise<OpenedSource[]>;
  /** Removes an opened path from the library. Its files stay. Throws `not_found`. */
  removeSource(path: string): Promise<void>;
  watchLibrary(listener: (event: LibraryEvent) => void): Unwatch;
  /** Returns the agents' directories found, with their switches. */
  sources(): Promise<SourceList>;
  /** Changes switches, here and in config.json. Throws `not_found` for an unknown name. */
  setSources(change: SourceChange): Promise<SourceList>;
}

/** Reads one text: views for people and agents, rows for the window. */
interface TextApi {
  inspect(params: InspectParams, options?: RequestOptions): Promise<View>;
  read(params: ReadParams, options?: RequestOptions): Promise<ByteWindow>;
  rows(params: RowsParams, options?: RequestOptions): Promise<RowsResult>;
  /** Returns rows of any lines; fewer if lines are costly. */
  rowsOf(params: RowsOfParams, options?: RequestOptions): Promise<RowsResult>;
  /** Returns a page of whole lines, for a file. */
  exportLines(params: ExportParams, options?: RequestOptions): Promise<ExportResult>;
  /** Returns the line (from 1) of the byte at `offset`. */
  lineAt(document: DocumentRef, offset: number, options?: RequestOptions): Promise<number>;
  /**
   * Returns the first line that arrived at `time` (milliseconds since the epoch) or later; null if times are unknown.
   */
  lineAtTime(document: DocumentRef, time: number, options?: RequestOptions): Promise<number | null>;
  /** Returns the line in another stream of the same artifact that arrived together with a line of one stream. */
  correspondingLine(
    params: CorrespondingLineParams,
    options?: RequestOptions,
  ): Promise<CorrespondingLineResult>;
  /** Summarises the text once, and reports progress. */
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

/** The window's searches. Agents search with `inspect`. */
interface SearchApi {
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
  /** Finds where queries match in texts. */
  highlight(params: HighlightParams, options?: RequestOptions): Promise<HighlightResult>;
  /** Returns the person's ten highlighters, in the order of their colours. */
  highlighters(): Promise<Highlighter[]>;
  setHighlighters(highlighters: readonly Highlighter[]): Promise<void>;
  /** Reports which lines pass a filter, and continues as the text grows. */
  watchFilter(
    ref: FilterRef,
    listener: (state: FilterState) => void,
    onError: (error: Error) => void,
  ): Unwatch;
  /** Searches many artifacts once, and reports those with matches as they are found. */
  watchAcross(
    ref: AcrossRef,
    listener: (event: AcrossEvent) => void,
    onError: (error: Error) => void,
  ): Unwatch;
  /** Returns matching lines that `watchSearch` has found so far, with their rows. */
  matchedRows(
    params: z.infer<typeof MatchedRowsParams>,
    options?: RequestOptions,
  ): Promise<MatchedRowsResult>;
  nextMatch(
    params: z.infer<typeof NextMatchParams>,
    options?: RequestOptions,
  ): Promise<z.infer<typeof NextMatchResult>>;
  /** Returns the first match in a line, and the text around it. */
  matchInLine(
    params: z.infer<typeof MatchInLineParams>,
    options?: RequestOptions,
  ): Promise<z.infer<typeof MatchInLineResult>>;
  matchCounts(
    params: z.infer<typeof MatchCountsParams>,
    options?: RequestOptions,
  ): Promise<z.infer<typeof MatchCountsResult>>;
}

/** Manages the storage of captures. */
interface StorageApi {
  /** Returns storage by session and source; for an agent, only sources it may read. */
  stats(options?: RequestOptions): Promise<StorageStats>;
  /** Removes the named captures, or by default the ones past the retention settings. */
  cleanup(params: CleanupParams): Promise<CleanupResult>;
  pin(params: PinParams): Promise<PinResult>;
  unpin(params: PinParams): Promise<PinResult>;
  /** Returns the sessions with their sizes, most recently used first. */
  sessions(): Promise<SessionStats[]>;
  /** Makes the session if needed. An ephemeral one is removed when this host closes. */
  useSession(params: UseSessionParams): Promise<Session>;
  /** Stop its commands first. */
  endSession(params: EndSessionParams): Promise<EndSessionResult>;
}

/** Stops running commands of people and agents. */
interface CommandsApi {
  /** Returns whether a person can stop it, and what that would end. Errors: `not_found`. */
  stopPlan(artifactId: string): Promise<StopPlan>;
  /** Ends it with everything it started. Errors: `not_found`, `unsupported` with the plan's reason. */
  stopCommand(artifactId: string): Promise<StopResult>;
}

/** Reads recorded terminals. */
interface TerminalsApi {
  /** Returns output of the named terminal, or of the most recently active one. */
  terminalOutput(params: TerminalOutputParams, options?: RequestOptions): Promise<TerminalOutput>;
  /** Returns the commands typed there, newest first. */
  terminalCommands(params: TerminalCommandsParams): Promise<TerminalCommands>;
  /** Returns the last command that failed in any terminal; null if none did. */
  lastFailedCommand(): Promise<LastFailedCommand>;
}

interface WindowsApi {
  /** Opens a file named in a line of output, after a person's click. Errors as in `editor/open-in-editor.ts`. */
  openInEditor(params: OpenInEditorParams): Promise<OpenInEditorResult>;
  /** Calls the listener with each notice for the windows. */
  watchNotices(listener: (notice: Notice) => void): Unwatch;
  /** Sends a notice to every window. */
  notify(notice: Notice): void;
}

/** Connects agents on this machine. Only the window's host has it. */
export interface ClientsApi {
  clients(): Promise<ClientState[]>;
  /** Returns the change to agree to, or makes it. */
  changeClient(change: ClientChange): Promise<ConnectResult>;
}

/** Ends a watch. A watch calls its listener with the current state first, then with every change. */
type Unwatch = () => void;

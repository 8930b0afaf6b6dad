/**
 * The host: reader, workers and library behind one typed API. Window, command line and MCP read artifacts only through
 * this interface.
 */

import type {
  LibraryEvent,
  Notice,
  ReceivedParams,
  RequestName,
  RequestResult,
  SummaryRef,
  SummaryState,
} from '../../shared/api/api.ts';
import type { FilterRef, FilterState } from '../../shared/api/filters.ts';
import type { DocumentRef, DocumentState } from '../../shared/api/rows.ts';
import type {
  AcrossEvent,
  AcrossRef,
  HistogramParams,
  HistogramState,
  SearchParams,
  SearchState,
} from '../../shared/api/search.ts';
import type { Surface } from '../../shared/arguments/argument.ts';
import type {
  EndSessionParams,
  EndSessionResult,
  Session,
  SessionStats,
  UseSessionParams,
} from '../../shared/lifecycle.ts';
import type { Secrets } from '../../shared/secrets/mask.ts';
import type { TerminalOutput, TerminalOutputParams } from '../../shared/terminals.ts';
import type { SummaryView } from '../../shared/views.ts';

/** The caller: a person may name any path, an agent only paths in sources readable over MCP. */
export type Access = 'person' | 'agent';

export interface RequestOptions {
  /** By default `person`. */
  access?: Access;
  /** Where its sentences are read; by default by the caller of a tool. */
  surface?: Surface;
  signal?: AbortSignal;
  /** Masks what these find in a view. */
  redact?: Secrets;
  /** For a comparison that nobody asked for: one of more bytes, or with another command line, is refused. */
  mostBytes?: number;
  /** `list` looks for causes that nobody has looked for; for readers of causes, as it may take a while. */
  causes?: true;
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

/** Answers each request of the window (shared/api/api.ts), which says what it returns. */
export type RequestsApi = {
  [N in HostRequest]: (params: ReceivedParams<N>, options?: RequestOptions) => Promise<RequestResult<N>>;
};
/** The connection itself answers `hello`. */
export type HostRequest = Exclude<RequestName, 'hello'>;

export interface Host extends RequestsApi, StreamsApi, SessionsApi {
  /** Problems with the settings or the home, as sentences. */
  readonly warnings: readonly string[];
  /** Returns output of the named terminal, or of the most recently active one. */
  terminalOutput(params: TerminalOutputParams, options?: RequestOptions): Promise<TerminalOutput>;
  /** Sends a notice to every window. */
  notify(notice: Notice): void;
  close(): Promise<void>;
}

/** The streams of events that the window subscribes to. */
interface StreamsApi {
  watchLibrary(listener: (event: LibraryEvent) => void): Unwatch;
  /** Calls the listener with each notice for the windows. */
  watchNotices(listener: (notice: Notice) => void): Unwatch;
  watchDocument: Watch<DocumentRef, DocumentState>;
  /** Searches, and continues as the text grows. Reports an invalid pattern as an error. Agents search with `inspect`. */
  watchSearch: Watch<SearchParams, SearchState>;
  /** Reports which lines pass a filter, and continues as the text grows. */
  watchFilter: Watch<FilterRef, FilterState>;
  /** Searches many artifacts once, and reports those with matches as they are found. */
  watchAcross: Watch<AcrossRef, AcrossEvent>;
  /** Summarises the text once, and reports progress. */
  watchSummary: Watch<SummaryRef, SummaryState>;
  /** Counts the current text's lines in spans of equal time, by their arrival or the times in them. */
  watchHistogram: Watch<HistogramParams, HistogramState>;
}

type Watch<P, E> = (params: P, listener: (event: E) => void, onError: (error: Error) => void) => Unwatch;

interface SessionsApi {
  /** Returns the sessions with their sizes, most recently used first. */
  sessions(): Promise<SessionStats[]>;
  /** Makes the session if needed. An ephemeral one is removed when this host closes. */
  useSession(params: UseSessionParams): Promise<Session>;
  /** Stop its commands first. */
  endSession(params: EndSessionParams): Promise<EndSessionResult>;
}

/** Connects agents on this machine. Only the window's host has it. */
export type ClientsApi = Pick<RequestsApi, 'clients' | 'changeClient'>;

/** Ends a watch. A watch calls its listener with the current state first, then with every change. */
type Unwatch = () => void;

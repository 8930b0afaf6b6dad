/**
 * A Host that holds one small artifact in memory. These tests check the connection, so this host answers exactly as a
 * test wants; a test may replace any method.
 */

import type { Host } from '../../../electron/host/host.ts';
import { NO_LINES } from '../../../electron/host/views/context.ts';
import { EMPTY_SUMMARY } from '../../../electron/host/views/summary.ts';
import type { Hello, LibraryEvent, Notice } from '../../../shared/api/api.ts';
import type { DocumentState } from '../../../shared/api/rows.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import { FREE } from '../../../shared/search-query.ts';
import { claude, nothingWent, typed } from './memory-answers.ts';
import { artifact, bytes, documentState, tally } from './memory-artifact.ts';

export const hello: Hello = {
  version: '0.1.0',
  home: '/home/someone/.local/state/spillway',
  platform: 'linux',
  shell: 'web',
  pid: 4711,
  mcp_socket: null,
  warnings: ['config.json: unknown setting "previewSise", did you mean previewSize?'],
};

export interface MemoryHost extends Host {
  /** How many watch each stream now. */
  watchers(): { library: number; document: number; notices: number };
  changeLibrary(event: LibraryEvent): void;
  changeDocument(state: DocumentState): void;
  failDocument(error: Error): void;
}

export function memoryHost(replaced: Partial<Host> = {}): MemoryHost {
  const library = new Set<(event: LibraryEvent) => void>();
  const documents = new Set<{ event: (state: DocumentState) => void; fail: (error: Error) => void }>();
  const notices = new Set<(notice: Notice) => void>();
  const base = {
    artifact_id: artifact().artifact_id,
    file_path: '/var/log/build.log',
    stream: 'output',
    content_type: 'text',
    encoding: 'utf-8',
    total_lines: 3,
    total_bytes: bytes.length,
    running: true,
    start_offset: 0,
    truncated: false,
    clipped_lines: 0,
  } as const;

  return {
    warnings: [],
    list: async (params) => ({ outputs: [artifact()].slice(0, params.limit ?? 1), next_cursor: null }),
    artifact: async () => artifact(),
    stopPlan: async () => ({ refused: null, processes: 2 }),
    stopCommand: async () => ({
      status: 'cancelled',
      exit_code: null,
      signal: 'SIGTERM',
      killed: false,
      left: 0,
    }),
    inspect: async (params) => ({
      ...base,
      mode: params.mode === 'tail' ? 'tail' : 'head',
      start_line: 1,
      end_line: 3,
      lines_shown: 3,
      content: 'first\nsecond red\nÄpfel 🍎',
      next_start_line: null,
    }),
    compare: async (params) => ({
      artifact_id: params.artifact_id ?? 'none',
      baselines: [{ artifact_id: 'cmd-passed', started_at: null, chosen: 'given' }],
      findings: [
        {
          ...{ kind: 'new', stream: 'combined', line_number: 2, text: 'second red', count: 1 },
          ...{ baseline_text: 'second green', baseline_line: 2 },
        },
      ],
      cause: null,
      lines: [[2, 2]],
      changed_lines: [],
      total_findings: 1,
      truncated: false,
    }),
    report: async () => ({ artifact_id: 'cmd-before', text: '# `npm test`', redacted: 1 }),
    searchOutputs: async () => ({
      ...{ outputs: [], shapes: [], match_count: 0 },
      ...{ searched: 1, unsearched: 0, timed_out: false, next_cursor: null },
    }),
    masksInCopies: async () => ({ patterns: ['corp-\\d+'], except: [] }),
    unread: async ({ artifact_ids }) => ({ artifact_ids }),
    seen: async () => ({
      ...{ artifact_id: 'cmd-before', total_lines: 2, total_bytes: 8, total_tokens: 2, unread: false },
      streams: [{ stream: 'stdout', total_lines: 2, in_reply: [[1, 2]], searched: false }],
      agents: [],
    }),
    activity: async () => ({ state: 'a 0', whole: true, from: 0, entries: [] }),
    sameFailure: async () => ({ artifact_id: 'cmd-before', started_at: null, times_in_week: 3 }),
    align: async () => ({ blocks: [[1, 1, 3]], only_first: [], only_second: [[4, 5]] }),
    read: async (params) => {
      const offset = params.offset ?? 0;
      return {
        ...base,
        mode: 'window',
        offset,
        bytes_shown: bytes.length - offset,
        start_line: 1,
        end_line: 3,
        lines_shown: 3,
        content: bytes.subarray(offset).toString(),
        next_offset: null,
        next_start_line: null,
      };
    },
    matchedRows: async () => ({
      generation: 1,
      match_count: 1,
      lines: [
        {
          line_number: 2,
          match: 0,
          row: { text: 'second red', runs: null, offset: 6, bytes: 19, clipped: false, matches: [7, 10] },
        },
      ],
    }),
    nextMatch: async () => ({ line_number: 2, index: 0, rows: [0, 1, 1, 1], match_count: 1 }),
    matchInLine: async () => ({
      generation: 1,
      match: { column: 8, offset: 18, match: 'red', text: 'second red' },
    }),
    matchCounts: async (params) => ({
      generation: 1,
      counts: Array.from({ length: params.buckets }, (_, i) => (i === 1 ? 1 : 0)),
    }),
    watchSummary: (_ref, listener) => {
      const view = { ...base, ...NO_LINES, ...EMPTY_SUMMARY, mode: 'summary' as const };
      listener({ read_bytes: 6, view, done: false });
      listener({ read_bytes: bytes.length, view, done: true });
      return () => {};
    },
    watchHistogram: (_ref, listener) => {
      const edges = [
        { time: 1768300200000, line_number: 1 },
        { time: 1768300260000, line_number: 4 },
      ];
      listener({ generation: 1, source: 'text', edges, progress: 0.5, done: false });
      listener({ generation: 1, source: 'text', edges, progress: 1, done: true });
      return () => {};
    },
    counts: async () => ({ generation: 1, counts: [1] }),
    highlight: async () => ({ matches: [[[2, 5]]], problems: [null] }),
    highlighters: async () => Array.from({ length: 10 }, () => FREE),
    setHighlighters: async () => ({}),
    preferences: async () => ({ path: '/home/config.json', settings: [], problems: [] }),
    changePreference: async ({ name, value }) => ({
      ...{ path: '/home/config.json', problems: [] },
      settings: [{ name, value, is_set: true }],
    }),
    rowsOf: async () => ({
      generation: 1,
      start_line: 2,
      rows: [{ text: 'second red', runs: null, offset: 6, bytes: 19, clipped: false }],
    }),
    watchFilter: (_ref, listener) => {
      listener({
        generation: 1,
        searched_bytes: bytes.length,
        total_bytes: bytes.length,
        settled_line: 3,
        from_key: 0,
        parts: [{ key: 0, form: 'members', data: 'AgA=' }],
        rules: [{ match_count: 1, problem: null, timed_out: false }],
        done: true,
      });
      return () => {};
    },
    exportLines: async () => ({
      generation: 1,
      lines: [{ line_number: 2, text: 'second red' }],
      next: null,
      total: 1,
    }),
    watchAcross: ({ artifact_ids }, listener) => {
      const found = artifact_ids.map((artifact_id) => ({ artifact_id, match_count: 1, done: true }));
      listener({ found, searched: found.length, unreadable: 0, done: true });
      return () => {};
    },
    watchSearch: (_ref, listener) => {
      listener({
        generation: 1,
        searched_bytes: bytes.length,
        total_bytes: bytes.length,
        match_count: 1,
        row_counts: [1, 3, 3, 3],
        done: true,
        timed_out: false,
        in_parts: false,
      });
      return () => {};
    },
    rows: async (params) => ({
      generation: 1,
      start_line: params.start_line,
      rows: [
        { text: 'first', runs: null, offset: 0, bytes: 5, clipped: false },
        {
          text: 'second red',
          runs: [{ start: 7, end: 10, fg: 1, style: 0 }],
          offset: 6,
          bytes: 19,
          clipped: false,
        },
        { text: 'Äpfel 🍎', runs: null, offset: 26, bytes: 11, clipped: false },
      ],
    }),
    lineAt: async ({ document, offset }) => {
      if (offset <= bytes.length) return bytes.subarray(0, offset).toString('latin1').split('\n').length;
      throw new SpillwayError(
        'out_of_range',
        `${document.artifact_id} has ${bytes.length} bytes`,
        'ask within them',
      );
    },
    lineAtTime: async () => 2,
    correspondingLine: async ({ line_number }) => ({ line_number }),
    sources: async () => ({ sources: [claude], undecided: true }),
    setSources: async ({ enabled = true }) => ({ sources: [{ ...claude, enabled }], undecided: false }),
    stats: async () => ({
      ...tally,
      stored_bytes: bytes.length,
      pinned_count: 0,
      running_count: 1,
      retention_hours: 24,
      max_total_bytes: 1024,
      sessions: [],
      sources: [{ source: '/var/log', ...tally }],
    }),
    cleanup: async ({ dry_run, keep }) => ({
      ...nothingWent,
      dry_run: dry_run ?? false,
      resting_sessions: [],
      warnings: [],
      stayed_count: keep?.length ?? 0,
      stayed: (keep ?? []).map((artifact_id) => ({ artifact_id, session: 'build', reason: 'kept' as const })),
    }),
    pin: async ({ artifact_id }) => ({ artifact_id, pinned: true, changed: true }),
    unpin: async ({ artifact_id }) => ({ artifact_id, pinned: false, changed: true }),
    terminalOutput: async () => Promise.reject(new Error('there is no terminal')),
    terminalCommands: async ({ artifact_id }) => ({ commands: [typed(artifact_id)], total: 1 }),
    lastFailedCommand: async () => ({ command: typed(artifact().artifact_id) }),
    sessions: async () => [],
    useSession: async ({ session }) => ({
      session,
      created_at: '2026-01-13T10:30:00.000Z',
      ended_at: null,
      ephemeral: false,
      cwd: null,
      env_names: [],
    }),
    endSession: async ({ session }) => ({
      ...nothingWent,
      session,
      ended_at: '2026-01-13T10:31:00.000Z',
      deleted: false,
    }),
    openPath: async () => [artifact()],
    completePath: async ({ path }) => ({ paths: [`${path}/`] }),
    keepDropped: async () => ({ artifact_id: artifact().artifact_id }),
    openedSources: async () => [{ path: '/var/log', agents: false, is_file: false, artifact_count: 1 }],
    removeSource: async () => ({}),
    clients: async () => [
      {
        ...{ client: 'codex', name: 'Codex', installed: true, state: 'connected' as const, record: null },
        ...{ record_limit: null, connected_ms: null, last_session: null },
        ...{ not_recordable: null, other_home: null, servers: [{ name: 'docs', proxied: false }] },
      },
    ],
    changeClient: async ({ client }) => ({
      ...{
        client,
        name: 'Codex',
        applied: false,
        reasons: [],
        record: null,
        record_before: null,
        notes: [],
        proxied: [],
        handshake: null,
      },
      change_id: 'x',
      changes: [{ path: '/c.toml', made: false, removed: false, lines: ['- a'] }],
    }),
    watchLibrary(listener) {
      library.add(listener);
      listener({ reset: true, changed: [artifact()], removed: [] });
      return () => library.delete(listener);
    },
    watchDocument(_ref, event, fail) {
      const watcher = { event, fail };
      documents.add(watcher);
      event(documentState());
      return () => documents.delete(watcher);
    },
    openInEditor: async ({ path }) => ({ file: `/home/me/${path}`, editor: 'code' }),
    showInFolder: async ({ artifact_id }) => ({ file: `/var/log/${artifact_id}` }),
    watchNotices(listener) {
      notices.add(listener);
      return () => notices.delete(listener);
    },
    notify(notice) {
      for (const listener of notices) listener(notice);
    },
    close: async () => {},
    watchers: () => ({ library: library.size, document: documents.size, notices: notices.size }),
    changeLibrary(event) {
      for (const listener of library) listener(event);
    },
    changeDocument(state) {
      for (const { event } of documents) event(state);
    },
    failDocument(error) {
      for (const { fail } of [...documents]) fail(error);
    },
    ...replaced,
  };
}

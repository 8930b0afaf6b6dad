/** Which method of the host answers which request. */
import type * as z from 'zod';
import { type Hello, type RequestName, type RequestResult, requests } from '../../../shared/api/api.ts';
import { clip, firstProblem } from '../../../shared/api/wire.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import { nearest } from '../../../shared/text/nearest.ts';
import type { Host } from '../host.ts';

/** A request that was found valid and only waits to be done. */
export type Work = (signal: AbortSignal) => Promise<unknown>;

/** Errors: `usage` for a name that is not known and for parameters that are not of its schema. */
export function prepareRequest(name: string, params: unknown, host: Host, hello: Hello): Work {
  const known = knownName('request', name, requests);
  const valid = validParams(known, params, requests[known].params);
  const method = methods[known] as (asked: RequestContext<unknown>) => Promise<unknown>;
  // Async, so that a host that throws at once is a rejection like any other.
  return async (signal) => method({ host, hello, params: valid, signal });
}

/** `name` as one of the table's own keys. Errors: `usage`, with the nearest. */
export function knownName<N extends string>(what: string, name: string, table: Record<N, unknown>): N {
  // Not `in`: `__proto__` and `constructor` name no request.
  if (Object.hasOwn(table, name)) return name as N;
  const given = clip(name, 64);
  const [near] = nearest(given, Object.keys(table), 1);
  throw new SpillwayError(
    'usage',
    `There is no ${what} called ${JSON.stringify(given)}`,
    near === undefined ? 'reload the window: it may be of another version' : `the nearest is ${near}`,
  );
}

/** Errors: `usage`, with the first thing that is wrong. */
export function validParams<S extends z.ZodType>(name: string, params: unknown, schema: S): z.output<S> {
  const parsed = schema.safeParse(params);
  if (parsed.success) return parsed.data;
  throw new SpillwayError('usage', `The parameters of ${name} are not valid`, firstProblem(parsed.error));
}

interface RequestContext<P> {
  host: Host;
  hello: Hello;
  params: P;
  signal: AbortSignal;
}

type Methods = {
  [N in RequestName]: (
    asked: RequestContext<z.output<(typeof requests)[N]['params']>>,
  ) => Promise<RequestResult<N>>;
};

const methods: Methods = {
  hello: async ({ hello }) => hello,
  list_outputs: ({ host, params, signal }) => host.list(params, { signal }),
  inspect_output: ({ host, params, signal }) => host.inspect(params, { signal }),
  read_output: ({ host, params, signal }) => host.read(params, { signal }),
  rows: ({ host, params, signal }) => host.rows(params, { signal }),
  rows_of: ({ host, params, signal }) => host.rowsOf(params, { signal }),
  export_lines: ({ host, params, signal }) => host.exportLines(params, { signal }),
  counts: ({ host, params, signal }) => host.counts(params, { signal }),
  highlight: ({ host, params, signal }) => host.highlight(params, { signal }),
  highlighters: async ({ host }) => ({ highlighters: await host.highlighters() }),
  set_highlighters: async ({ host, params }) => {
    await host.setHighlighters(params.highlighters);
    return {};
  },
  line_at: async ({ host, params, signal }) => ({
    line_number: await host.lineAt(params.document, params.offset, { signal }),
  }),
  line_at_time: async ({ host, params, signal }) => ({
    line_number: await host.lineAtTime(params.document, params.time, { signal }),
  }),
  corresponding_line: ({ host, params, signal }) => host.correspondingLine(params, { signal }),
  matched_rows: ({ host, params, signal }) => host.matchedRows(params, { signal }),
  next_match: ({ host, params, signal }) => host.nextMatch(params, { signal }),
  match_in_line: ({ host, params, signal }) => host.matchInLine(params, { signal }),
  match_counts: ({ host, params, signal }) => host.matchCounts(params, { signal }),
  stats: ({ host, signal }) => host.stats({ signal }),
  cleanup: ({ host, params }) => host.cleanup(params),
  pin: ({ host, params }) => host.pin(params),
  unpin: ({ host, params }) => host.unpin(params),
  stop_plan: ({ host, params }) => host.stopPlan(params.artifact_id),
  stop_command: ({ host, params }) => host.stopCommand(params.artifact_id),
  terminal_commands: ({ host, params }) => host.terminalCommands(params),
  last_failed_command: ({ host }) => host.lastFailedCommand(),
  sources: ({ host }) => host.sources(),
  set_sources: ({ host, params }) => host.setSources(params),
  open_path: async ({ host, params: { path, agents } }) => ({
    artifacts: await host.openPath(path, { agents }),
  }),
  opened_sources: async ({ host }) => ({ sources: await host.openedSources() }),
  remove_source: async ({ host, params }) => {
    await host.removeSource(params.path);
    return {};
  },
  open_in_editor: ({ host, params }) => host.openInEditor(params),
  clients: async ({ host }) => ({ clients: await host.clients() }),
  change_client: ({ host, params }) => host.changeClient(params),
};

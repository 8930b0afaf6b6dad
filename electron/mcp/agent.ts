/** One agent that is connected, whichever way: what it sees of Spillway. */
import type { CallToolResult, McpServer, ReadResourceResult } from '@modelcontextprotocol/server';
import { mergedLines, type Read } from '../../shared/activity.ts';
import type { AgentRecord } from '../../shared/agents.ts';
import { type Lines, StreamName } from '../../shared/artifact.ts';
import { isObject } from '../../shared/text/json-line.ts';
import type { AgentEntry, AgentJournal } from '../host/agents.ts';
import { withArchive } from '../host/archive/access.ts';
import { newestNamed } from '../host/documents/targets/path-of-target.ts';
import { readWarnings } from '../host/guard.ts';
import type { Host } from '../host/host.ts';
import { loadConfig } from '../host/settings/config.ts';
import { artifactOf } from './arguments.ts';
import { AgentCommands } from './commands/agent-commands.ts';
import type { Commands } from './commands/commands.ts';
import { refuseMasks } from './redaction.ts';
import { bytesOf } from './reply.ts';
import { parseResourceUri, Resources, ResourceWatches } from './resources.ts';
import { createMcpServer, type McpServerParts } from './server.ts';
import { captureOutput } from './tools/capture-output.ts';
import { compareOutputs } from './tools/compare-outputs.ts';
import { getTerminalOutput } from './tools/get-terminal-output.ts';
import { inspectOutput } from './tools/inspect-output.ts';
import { listOutputs } from './tools/list-outputs.ts';
import { readCommandOutput, runCommand, stopCommand } from './tools/run-command.ts';
import { searchOutputs } from './tools/search-outputs.ts';
import {
  CurrentSession,
  type CurrentSessionOptions,
  cleanupOutputs,
  endSession,
  storageStats,
  useSession,
} from './tools/sessions.ts';
import type { Tool } from './tools/tool.ts';
import { waitForOutput } from './tools/wait-for-output.ts';

export interface Agent {
  /**
   * Makes a server object for one connection, or for one stateless request: with a shared one, replies cross over.
   */
  createServer(): McpServer;
  /** Calls back when the resource has changed, at most some times a second, until the returned function is called. */
  watch(uri: string, onUpdated: () => void): () => void;
  /** Ends what it runs. */
  close(): Promise<void>;
}

interface AgentOptions extends CurrentSessionOptions {
  home: string;
  /** Runs commands for all agents of the process; null when agents may not run any. */
  commands: Commands | null;
  /** Where what it does is written down, for the window. */
  journal?: AgentJournal | undefined;
  transport?: AgentRecord['transport'] | undefined;
  /** Stateless calls: nothing ties them together, so all of them count as one agent. */
  standsAlone?: boolean | undefined;
  /** Spillway's own, as clients show it. */
  version: string;
  /** Gets each defect with all its details. The client learns only that there was one. */
  onDefect?: ((error: unknown) => void) | undefined;
}

export function createAgent(own: Host, options: AgentOptions): Agent {
  const host = withArchive(own, options.home, 'agent');
  const { version, onDefect } = options;
  const resources = new Resources(host);
  const watches = new ResourceWatches(host, resources);
  const watch = (uri: string, onUpdated: () => void) => watches.watch(uri, onUpdated);
  const current = new CurrentSession(host, options);
  const commands = options.commands && new AgentCommands(options.commands, (id) => isThere(host, id));
  const settings = () => loadConfig(options.home).settings;
  const sourceOf = async (artifact_id: string) =>
    (await host.artifact({ artifact_id }, { access: 'agent' }).catch(() => null))?.source ?? null;
  const entry = options.journal?.begin(options.transport ?? 'socket', current.name);
  const all = [
    ...(commands ? [runCommand({ host, commands, current, settings })] : []),
    inspectOutput(host),
    readCommandOutput(host),
    compareOutputs(host),
    listOutputs(host),
    searchOutputs(host),
    waitForOutput(host, commands),
    ...(commands ? [stopCommand(host, commands)] : []),
    getTerminalOutput(host),
    captureOutput(options.home, current),
    useSession(current, options.standsAlone ?? false),
    endSession(current, async (session) => (await commands?.stopSession(session)) ?? []),
    storageStats(host),
    cleanupOutputs(host, current),
  ];
  const noticing = withNotices(all, options.home).map(refusingMasks);
  const session = () => current.name;
  const listed = entry ? noticing.map((tool) => journaled(tool, entry, session)) : noticing;
  const tools = byName(listed.map((tool) => namingNewest(tool, host)));
  return {
    createServer: () =>
      createMcpServer({
        ...{ version, tools, resources, watch, settings, sourceOf, onDefect },
        ...(entry && { read: journaledRead(resources, entry, session) }),
        onUnknownTool: (name, client) => {
          entry?.is({ client });
          entry?.call(name, '', null)({ ok: false });
        },
      }),
    watch,
    async close() {
      watches.close();
      entry?.left();
      await commands?.close();
      await current.close();
    },
  };
}

function byName(tools: Tool[]): Map<string, Tool> {
  return new Map(tools.map((tool) => [tool.definition.name, tool]));
}

/** A tool that takes `last` and `last-failed` for an artifact_id, as the command line does. */
function namingNewest(tool: Tool, host: Host): Tool {
  return {
    definition: tool.definition,
    async call(args, options) {
      const given = isObject(args) ? args.artifact_id : null;
      const id = typeof given === 'string' ? await newestNamed(given, host, options) : null;
      return tool.call(id === null ? args : { ...(args as object), artifact_id: id }, options);
    },
  };
}

async function isThere(host: Host, id: string): Promise<boolean> {
  return artifactOf(host, id, { access: 'agent' }).then(
    () => true,
    () => false,
  );
}

/** A tool that takes no masked text as an argument. */
export function refusingMasks(tool: Tool): Tool {
  return {
    definition: tool.definition,
    async call(args, options) {
      refuseMasks(args);
      return tool.call(args, options);
    },
  };
}

/** A tool whose calls are written down for the window, refused ones too. */
export function journaled(tool: Tool, entry: AgentEntry, session: () => string): Tool {
  return {
    definition: tool.definition,
    async call(args, options) {
      const given = typeof args === 'object' && args !== null ? (args as Record<string, unknown>) : {};
      const end = entry.call(tool.definition.name, argumentsText(given), text(given.artifact_id) ?? null);
      let ok = false;
      let made: string | undefined;
      let got: { reads?: Read[]; bytes?: number } = {};
      entry.is({ client: options.client });
      try {
        const result = await tool.call(args, options);
        ok = result.isError !== true;
        made = ok ? artifactIn(result.content[0]) : undefined;
        got = { reads: readsIn(tool.definition.name, result), bytes: bytesOf(result) };
        return result;
      } finally {
        entry.is({ session: session() });
        end({ ok, ...(made === undefined ? {} : { artifactId: made }), ...got });
      }
    },
  };
}

/** Reading a resource, written down as a call of that name. */
function journaledRead(
  resources: Resources,
  entry: AgentEntry,
  session: () => string,
): NonNullable<McpServerParts['read']> {
  return async (uri, signal, client) => {
    entry.is({ client, session: session() });
    const end = entry.call('resources/read', uri, null);
    let got: { reads: Read[]; bytes: number } | null = null;
    try {
      const result = await resources.read(uri, signal);
      got = readOf(uri, result);
      return result;
    } finally {
      end({ ok: got !== null, ...got, artifactId: got?.reads[0]?.artifact_id ?? null });
    }
  };
}

function readOf(uri: string, { contents }: ReadResourceResult): { reads: Read[]; bytes: number } {
  const page = parseResourceUri(uri);
  const [first] = contents;
  const text = first && 'text' in first ? first.text : '';
  const from = first?._meta?.['spillway/start_line'];
  const ends = text.split('\n').length - (text.endsWith('\n') ? 2 : 1);
  const lines: Lines[] = typeof from === 'number' && text !== '' ? [[from, from + ends]] : [];
  const reads = page ? [{ artifact_id: page.artifact_id, stream: page.stream, lines }] : [];
  return { reads, bytes: Buffer.byteLength(text) };
}

/** Arguments that are understood without their names; the others are logged as `name=value`. */
const PLAIN = ['command', 'args', 'mode', 'pattern', 'search', 'query', 'session', 'source', 'file_path'];
const NAMED = [
  ...['stream', 'lines', 'where', 'field', 'since', 'until', 'around', 'section'],
  ...['offset', 'limit', 'cursor', 'kind', 'status', 'host', 'baselines', 'cwd'],
];

/** Picks the arguments that describe the call; never contents or environment variables. */
function argumentsText(given: Record<string, unknown>): string {
  const words = PLAIN.flatMap((name) => [given[name]].flat().flatMap((one) => text(one) ?? []));
  const named = NAMED.flatMap((name) => {
    const values = [given[name]].flat().filter((one) => typeof one === 'string' || typeof one === 'number');
    return values.length > 0 ? `${name}=${values.join(',')}` : [];
  });
  const { start_line: first, end_line: last } = given;
  const range = first === undefined && last === undefined ? [] : [`${first ?? 1}-${last ?? ''}`];
  return [...words, ...range, ...named].join(' ');
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** The head of a reply says which output it is of. */
function artifactIn(block: { type: string; text?: unknown } | undefined): string | undefined {
  const head = typeof block?.text === 'string' ? block.text.slice(0, 2000) : '';
  return /^\{(?:"status":"\w+","truncated":\w+,)?"artifact_id":"([A-Za-z0-9._-]{1,120})"/.exec(head)?.[1];
}

// Adds to a tool's reply what the guard has warned of since the agent's last one.

/** Warnings in one reply: the newest. */
const MAX_WARNINGS = 2;

/**
 * Returns the same tools; each warning comes with one reply of one of them. A reply leaves room for the warnings
 * that exist when it begins. A later one is added if it fits, or else to the next reply.
 */
export function withNotices(tools: readonly Tool[], home: string): Tool[] {
  let reportedMs = Date.now();
  let waiting: string[] = [];
  const look = () => {
    const warnings = readWarnings(home, reportedMs);
    reportedMs = warnings.at(-1)?.at ?? reportedMs;
    waiting = [...waiting, ...warnings.map(({ text }) => text)].slice(-MAX_WARNINGS);
  };
  return tools.map((tool) => ({
    definition: tool.definition,
    async call(args, options) {
      look();
      const early = waiting;
      waiting = [];
      const { usualBytes, mostBytes } = options.budget;
      const taken = early.length === 0 ? 0 : sizeOf(early);
      const budget = { usualBytes: usualBytes - taken, mostBytes: mostBytes - taken };
      const reply = await tool.call(args, { ...options, budget });
      look();
      const bytes = bytesOf(reply);
      const room = (bytes > budget.usualBytes ? mostBytes : usualBytes) - bytes;
      const all = [...early, ...waiting];
      const fits = waiting.length > 0 && sizeOf(all) <= room;
      if (fits) waiting = [];
      const notices = fits ? all : early;
      return notices.length === 0 ? reply : withFacts(reply, { notices });
    },
  }));
}

/** The bytes that notices add to a reply: in its head, or as a block of their own. */
function sizeOf(notices: readonly string[]): number {
  return Buffer.byteLength(JSON.stringify({ notices })) + 1;
}

/** Adds to the facts in a reply's first block. If that block has none, adds a block after the last. */
function withFacts(reply: CallToolResult, facts: { notices: string[] }): CallToolResult {
  const [first, ...rest] = reply.content;
  const head = first?.type === 'text' ? parsed(first.text) : null;
  if (first?.type !== 'text' || head === null)
    return { ...reply, content: [...reply.content, { type: 'text', text: JSON.stringify(facts) }] };
  const end = first.text.endsWith('\n') ? '\n' : '';
  return {
    ...reply,
    content: [{ ...first, text: JSON.stringify({ ...head, ...facts }) + end }, ...rest],
    ...(reply.structuredContent ? { structuredContent: { ...reply.structuredContent, ...facts } } : {}),
  };
}

function parsed(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

// Tells from a call and its reply what the agent got to see, for the activity log.

/** Tools that make an output, whose replies have its preview. */
const MAKING = new Set(['run_command', 'capture_output']);
/** A reply that jumps about more is logged by its first ranges. */
const MOST_RANGES = 400;

export function readsIn(tool: string, { content, isError }: CallToolResult): Read[] {
  const [first, ...blocks] = content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  const head = first === undefined || isError ? null : parsedHead(first);
  if (head === null) return [];
  if (tool === 'search_outputs') return foundIn(blocks.join('\n'));
  const { artifact_id } = head;
  if (typeof artifact_id !== 'string') return [];
  const made = MAKING.has(tool) && head.cached !== true ? { made: true as const } : {};
  const ranges = new Map<StreamName, Lines[]>();
  const add = (stream: unknown, from: unknown, to: unknown) => {
    const known = StreamName.safeParse(stream);
    if (!known.success || typeof from !== 'number' || typeof to !== 'number') return;
    const held = ranges.get(known.data);
    if (held) held.push([from, to]);
    else ranges.set(known.data, [[from, to]]);
  };
  const stream = head.stream ?? (tool === 'compare_outputs' ? 'combined' : 'output');
  if (Array.isArray(head.parts))
    for (const part of head.parts) if (Array.isArray(part)) add(part[0], part[1], part[2]);
  const isSearch = typeof head.match_count === 'number';
  if (isSearch) for (const line of numbersIn(blocks[0] ?? '')) add(stream, line, line);
  else if (tool === 'compare_outputs')
    for (const line of findingsIn(blocks[0] ?? '')) add(stream, line, line);
  else if (head.parts === undefined) add(stream, head.start_line, head.end_line);
  add(stream, head.line_number, head.line_number);
  const named = [...listIn(head.first_errors, 'line_number'), ...listIn(head.shapes, 'first_line')];
  for (const line of named) add(stream, line, line);
  const isWhole = isSearch
    ? head.timed_out !== true && head.unsearched !== true
    : WHOLE.has(String(head.mode ?? tool));
  const searched = isWhole ? { searched: true as const } : {};
  if (ranges.size === 0) {
    const known = StreamName.safeParse(stream);
    return known.success ? [{ artifact_id, stream: known.data, lines: [], ...searched, ...made }] : [];
  }
  return [...ranges].map(([name, lines]) => ({
    ...{ artifact_id, stream: name, lines: mergedLines(lines).slice(0, MOST_RANGES), ...searched, ...made },
  }));
}

/** Views that look at every line. */
const WHOLE = new Set(['summary', 'failure', 'compare_outputs']);

function parsedHead(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

/** The lines that a grep prints. */
function numbersIn(text: string): number[] {
  return [...text.matchAll(/^(\d+)[:-]/gm)].map(([, number]) => Number(number));
}

function findingsIn(text: string): number[] {
  return [...text.matchAll(/^(?:new|changed|order) +(\d+) /gm)].map(([, number]) => Number(number));
}

function listIn(list: unknown, field: string): unknown[] {
  return Array.isArray(list) ? list.map((one) => (isObject(one) ? one[field] : null)) : [];
}

/** Reads the reply of a search over outputs: for each a line with its id, then the lines found in it. */
function foundIn(text: string): Read[] {
  const reads: Read[] = [];
  for (const line of text.split('\n')) {
    const [, id] = /^\[([A-Za-z0-9._-]{1,120}), /.exec(line) ?? [];
    const [, number] = /^(\d+):/.exec(line) ?? [];
    if (id !== undefined) reads.push({ artifact_id: id, stream: 'combined', lines: [], searched: true });
    else if (number !== undefined) reads.at(-1)?.lines.push([Number(number), Number(number)]);
  }
  return reads;
}

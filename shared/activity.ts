/** The activity log: requests of agents, and the lines that each reply had. */
import * as z from 'zod';
import { agentName } from './agent-names.ts';
import { type Artifact, CAPTURES_SOURCE, Lines, Status, StreamName } from './artifact.ts';

const count = z.number().int().min(0);

/** The lines of one output in one reply. */
const Read = z.object({
  artifact_id: z.string(),
  stream: StreamName,
  /** Lines in the reply, by the numbers that it gives. */
  lines: z.array(Lines),
  /** All lines were searched or summarised; only `lines` were shown. */
  searched: z.literal(true).optional(),
  /** The call made the output: what it got is the preview. */
  made: z.literal(true).optional(),
});
export type Read = z.infer<typeof Read>;

export const ActivityEntry = z.object({
  /** ISO 8601, UTC. */
  at: z.string(),
  /** As the agent names itself; null if it does not. */
  agent: z.string().nullable(),
  /** Its session in Spillway. */
  session: z.string(),
  /** The connection: the calls of one agent. */
  connection: z.string(),
  tool: z.string(),
  /** The request in one line, with its secrets masked. Never contents or values of variables. */
  what: z.string(),
  reads: z.array(Read),
  /** Bytes of the reply. */
  bytes: count,
  duration_ms: count,
  ok: z.boolean(),
  /** How it ended, of a command in the agent's own shell. */
  status: Status.optional(),
});
export type ActivityEntry = z.infer<typeof ActivityEntry>;

export const ActivityParams = z.object({
  /** Most entries in the reply. */
  limit: count.min(1).max(10_000).optional(),
  /** `state` of the last reply: only what was added since is wanted. */
  known: z.string().optional(),
  /** With `known`, the entries before this one are wanted: `from` of the oldest known. */
  before: count.optional(),
});
export type ActivityParams = z.infer<typeof ActivityParams>;

export const Activity = z.object({
  /** To be given as `known` in the next request. */
  state: z.string(),
  /** Replaces the entries that are known: there were none, or the oldest have been removed. */
  whole: z.boolean(),
  /** Newest first. */
  entries: z.array(ActivityEntry),
  /** Number of entries that are older than all of these. */
  from: count,
});
export type Activity = z.infer<typeof Activity>;

export const SeenParams = z.object({ artifact_id: z.string() });

export const UnreadParams = z.object({ artifact_ids: z.array(z.string()).max(500) });

/** Those of these outputs that an agent made and of which no agent got more than the preview. */
export const Unread = z.object({ artifact_ids: z.array(z.string()) });

const SeenStream = z.object({
  stream: StreamName,
  total_lines: count.nullable(),
  /** Rising, and apart. */
  in_reply: z.array(Lines),
  /** Its other lines were searched, but not shown. */
  searched: z.boolean(),
});
export type SeenStream = z.infer<typeof SeenStream>;

const SeenBy = z.object({
  agent: z.string().nullable(),
  session: z.string(),
  calls: count,
  lines: count,
  /** Read lines among all, from 0 to 1; null while lines are not counted. */
  share: z.number().nullable(),
  bytes: count,
  /** About as many: a quarter of the bytes. */
  tokens: count,
  last_at: z.string(),
});

export const Seen = z.object({
  artifact_id: z.string(),
  total_lines: count.nullable(),
  total_bytes: count,
  total_tokens: count,
  /** No agent got more of it than the preview. */
  unread: z.boolean(),
  /** The streams that were read, by the numbers that the readers got. */
  streams: z.array(SeenStream),
  agents: z.array(SeenBy),
});
export type Seen = z.infer<typeof Seen>;

const BYTES_PER_TOKEN = 4;

export function tokensOf(bytes: number): number {
  return Math.round(bytes / BYTES_PER_TOKEN);
}

/** The agent as people call it: it names itself by an id and a version. */
export function callerName(agent: string | null): string {
  if (agent === null) return 'An agent';
  const [, id = agent, version = ''] = /^(.*?)( \d\S*)?$/.exec(agent) ?? [];
  return `${agentName(id).title}${version}`;
}

/** Joins ranges that touch. */
export function mergedLines(ranges: readonly Lines[]): Lines[] {
  const merged: Lines[] = [];
  for (const [from, to] of ranges.toSorted((a, b) => a[0] - b[0])) {
    const last = merged.at(-1);
    if (last && from <= last[1] + 1) last[1] = Math.max(last[1], to);
    else merged.push([from, to]);
  }
  return merged;
}

export function countOf(ranges: readonly Lines[]): number {
  return ranges.reduce((sum, [from, to]) => sum + to - from + 1, 0);
}

/** Output of this many bytes reaches each known agent whole, in every way of recording. */
const WHOLE_BYTES = 9980;

/** What an agent's own shell tool passed on of a command's output. */
export interface Passed {
  bytes: number;
  parts: readonly { stream: StreamName; lines: readonly Lines[] }[];
}

/**
 * Returns the entry of a command that an agent's own shell ran, from its record; null for others. `passed`: null if it is
 * not known.
 */
export function shellEntry(output: SeenOutput, passed: Passed | null): ActivityEntry | null {
  const { artifact_id, agent, streams, source, started_at, session, command, status, duration_ms } = output;
  if (!agent || source !== CAPTURES_SOURCE) return null;
  const total = streams.reduce((sum, one) => sum + one.total_bytes, 0);
  const isWhole = (passed?.bytes ?? total) >= total && (passed !== null || total <= WHOLE_BYTES);
  const whole = streams.map(({ name, total_lines }) => ({
    stream: name,
    lines: isWhole && total_lines ? [[1, total_lines] satisfies Lines] : [],
  }));
  const reads = (isWhole || passed === null ? whole : passed.parts).map(
    ({ stream, lines }): Read => ({ artifact_id, stream, lines: [...lines], made: true }),
  );
  return {
    ...{ at: started_at ?? '', agent: agent.name, session: session ?? agent.session ?? '' },
    ...{ connection: 'shell', tool: 'shell', what: command ?? '', reads },
    bytes: isWhole ? total : (passed?.bytes ?? 0),
    duration_ms: Math.round(duration_ms ?? 0),
    ok: status === 'succeeded',
    ...(status === undefined ? {} : { status }),
  };
}

type SeenOutput = Pick<Artifact, 'artifact_id' | 'agent' | 'source' | 'started_at'> & {
  session?: Artifact['session'];
  command?: Artifact['command'];
  status?: Artifact['status'];
  duration_ms?: Artifact['duration_ms'];
  streams: readonly { name: StreamName; total_lines: number | null; total_bytes: number }[];
};

/** `entries`: all that read the output, in any order. `passed`: as for `shellEntry`. */
export function seenOf(
  output: SeenOutput,
  entries: readonly ActivityEntry[],
  passed: Passed | null = null,
): Seen {
  const { artifact_id, streams } = output;
  const filled = streams.filter(({ total_bytes }) => total_bytes > 0);
  // All of an output is one stream if the other is empty.
  const nameOf = (stream: StreamName) => (filled.length === 1 ? filled[0]!.name : stream);
  const sum = (values: readonly (number | null)[]) =>
    values.reduce<number | null>((all, one) => (all === null || one === null ? null : all + one), 0);
  const total_lines = sum(streams.map((one) => one.total_lines));
  const total_bytes = streams.reduce((bytes, one) => bytes + one.total_bytes, 0);
  const linesOf = (name: StreamName) =>
    name === 'combined' ? total_lines : (streams.find((one) => one.name === name)?.total_lines ?? null);
  const shown = new Map<StreamName, SeenStream>();
  const readers = new Map<string, z.infer<typeof SeenBy> & { read: Map<StreamName, Lines[]> }>();
  let isRead = false;
  for (const { at, agent, session, connection, reads, bytes } of [
    shellEntry(output, passed),
    ...entries,
  ].filter((one) => one !== null)) {
    const own = reads.filter((one) => one.artifact_id === artifact_id);
    if (own.length === 0) continue;
    if (own.some(({ made }) => !made)) isRead = true;
    const key = JSON.stringify([agent, session, connection]);
    const reader = readers.get(key) ?? {
      ...{
        agent,
        session,
        calls: 0,
        lines: 0,
        share: null,
        bytes: 0,
        tokens: 0,
        last_at: at,
        read: new Map(),
      },
    };
    readers.set(key, reader);
    reader.calls += 1;
    reader.bytes += Math.round((bytes * own.length) / reads.length);
    if (at > reader.last_at) reader.last_at = at;
    for (const { stream, lines, searched } of own) {
      const name = nameOf(stream);
      const seen = shown.get(name) ?? {
        stream: name,
        total_lines: linesOf(name),
        in_reply: [],
        searched: false,
      };
      shown.set(name, seen);
      seen.in_reply.push(...lines);
      seen.searched ||= searched === true;
      const read = reader.read.get(name) ?? [];
      reader.read.set(name, read);
      read.push(...lines);
    }
  }
  const agents = [...readers.values()].map(({ read, ...reader }) => {
    const lines = [...read.values()].reduce((all, ranges) => all + countOf(mergedLines(ranges)), 0);
    const share = total_lines ? Math.min(1, lines / total_lines) : null;
    return { ...reader, lines, share, tokens: tokensOf(reader.bytes) };
  });
  const merged = [...shown.values()].map((one) => ({ ...one, in_reply: mergedLines(one.in_reply) }));
  const apart = merged.filter(({ stream }) => stream !== 'combined');
  const shownApart = apart.reduce((all, one) => all + countOf(one.in_reply), 0);
  const isWhole =
    total_lines !== null && merged.some((one) => Math.max(countOf(one.in_reply), shownApart) >= total_lines);
  return {
    ...{ artifact_id, total_lines, total_bytes, total_tokens: tokensOf(total_bytes) },
    unread: !isRead && !isWhole && total_bytes > 0,
    streams: merged,
    agents: agents.toSorted((a, b) => (a.last_at < b.last_at ? 1 : -1)),
  };
}

/** Connects clients to Spillway, and disconnects them. */
import type { ClientChange, ClientState, ConnectResult, Handshake, RecordMode } from '../../shared/agents.ts';
import { SpillwayError } from '../../shared/errors.ts';
import {
  installBashEntry,
  installShell,
  makeSandboxFolder,
  removeBashEntry,
  removeRecorder,
  removeSandboxFolder,
  removeStrangers,
} from '../agent-shell/install.ts';
import { CLIENTS, clientNamed } from '../agents/agents.ts';
import type { Client } from '../agents/client.ts';
import { fingerprint, readLedger, removeLedger, writeLedger } from '../agents/ledger.ts';
import type { ClientsApi } from '../host/host.ts';
import { NO_DEBUGGER } from '../host/no-debugger.ts';
import { prepareHome } from '../host/settings/home.ts';
import { byName, clientStates, notRecordable } from './client-states.ts';
import { checkWritable, replaceConfig } from './config-file.ts';
import { checkOwnHome } from './ours.ts';
import { type ConnectContext, shakeHands, wantedFor } from './place.ts';
import { hasFormer, hasServer, type Plan, planConnect, planRemove } from './plan.ts';
import { checkProxiable, configuredServers } from './proxied.ts';

interface ConnectOptions {
  record: RecordMode | null;
  /** Only returns the changes. */
  print: boolean;
  /** Servers of its own to be behind the proxy; absent leaves them as they are. */
  proxied?: readonly string[];
  /** The only changes that may be made, by their `change_id`. */
  agreed?: string;
}

/**
 * Connects the client; with `print`, only returns the changes. Throws SpillwayError, having changed nothing, when
 * the client's files don't allow it.
 */
export async function connect(
  client: Client,
  place: ConnectContext,
  { record, print, proxied: asked, agreed }: ConnectOptions,
): Promise<ConnectResult> {
  checkOwnHome(client, place.machine, wantedFor(place, null));
  const notes: string[] = [];
  const mode = 'why' in client.recording ? null : record;
  if (record !== null && 'why' in client.recording)
    notes.push(`its commands are not recorded: ${client.recording.why}`);
  if (mode !== null && place.machine.env.BASH_ENV && 'bashEnv' in wayOf(client))
    throw new SpillwayError(
      'usage',
      `BASH_ENV is ${place.machine.env.BASH_ENV} in your environment, and ${client.name} can have only one`,
      'connect without --record, or unset it',
    );
  const obstacle = mode === null ? null : notRecordable(client, place.machine);
  if (obstacle !== null)
    throw new SpillwayError(
      'usage',
      `commands of ${client.name} cannot be recorded: ${obstacle}`,
      `change that, or connect ${client.id} without --record; nothing was changed`,
    );
  const proxied = asked ?? proxiedNow(client, place);
  const wanted = { ...wantedFor(place, mode), proxied };
  const ledger = readLedger(place.home, client.id);
  const before = ledger?.record ?? null;
  const plan = planConnect(client, place.machine, wanted, ledger, {
    mayReplace: print || agreed !== undefined,
  });
  const wasOpen = client.files(place.machine, wanted).some((file) => hasFormer(file, ledger));
  if (wasOpen) notes.push(wasOpenNote(client, place.home));
  if (mode !== null && !('why' in client.recording) && client.recording.limit)
    notes.push(`its commands are recorded ${client.recording.limit(place.home)}`);
  if (print) return result(client, plan, { mode, before, notes, proxied, applied: false });
  checkReady(plan, agreed);
  prepareHome(place.home);
  // Install first: an entry that nothing names is harmless, a configuration that names a missing file is not.
  if (mode !== null) installEntries(client, place, mode);
  apply(plan, place.home, client.id);
  if (mode === null) removeEntry(client, place);
  const done = result(client, plan, { mode, before, notes, proxied, applied: true });
  const handshake = await shakeHands(wanted, place.machine);
  return { ...done, handshake };
}

/**
 * Puts servers that the client has configured behind the proxy, or with `remove` takes them out again. Throws
 * SpillwayError, having changed nothing, for a server that there is not.
 */
export function proxyServers(
  client: Client,
  place: ConnectContext,
  names: readonly string[],
  { print, remove }: { print: boolean; remove: boolean },
): ConnectResult {
  checkOwnHome(client, place.machine, wantedFor(place, null));
  const ledger = readLedger(place.home, client.id);
  const mode = ledger?.record ?? null;
  const behind = proxiedNow(client, place);
  const bare = { ...wantedFor(place, mode), serves: hasServer(ledger) };
  const servers = configuredServers(client, place.machine, bare);
  for (const name of names) checkProxiable(client, name, servers);
  const proxied = remove
    ? behind.filter((name) => !names.includes(name))
    : [...new Set([...behind, ...names])];
  const wanted = { ...bare, proxied };
  const plan = planConnect(client, place.machine, wanted, ledger);
  if (!print) {
    checkReady(plan);
    prepareHome(place.home);
    apply(plan, place.home, client.id);
  }
  return result(client, plan, { mode, before: mode, notes: [], proxied, applied: !print });
}

/** Restores what was there before. Keeps changes that others made meanwhile. */
export function disconnect(
  client: Client,
  place: ConnectContext,
  { print, agreed }: { print: boolean; agreed?: string },
): ConnectResult {
  const wanted = wantedFor(place, null);
  checkOwnHome(client, place.machine, wanted);
  const ledger = readLedger(place.home, client.id);
  const plan = planRemove(client, place.machine, wanted, ledger);
  if (!print) {
    checkReady(plan, agreed);
    apply(plan, place.home, client.id);
    removeEntry(client, place);
  }
  const before = ledger?.record ?? null;
  return result(client, plan, { mode: null, before, notes: [], proxied: [], applied: !print });
}

function wasOpenNote({ name }: Client, home: string): string {
  return `until now commands in the sandbox of ${name} could change all of ${home}: its programs are made anew; look through config.json there, as it may name an editor to start`;
}

/** Starts the server once, as a client would, and asks it. */
export function startServer(place: ConnectContext): Promise<Handshake> {
  return shakeHands(wantedFor(place, null), place.machine);
}

function proxiedNow(client: Client, place: ConnectContext): string[] {
  const servers = byName(configuredServers(client, place.machine, wantedFor(place, null)));
  return servers.flatMap(({ name, proxied }) => (proxied ? name : []));
}

function wayOf({ recording }: Client): { bashEnv?: string; shell?: string } {
  return 'way' in recording ? recording.way : {};
}

/** Installs what records the client's commands, and makes what records those of others anew. */
function installEntries(client: Client, { home, command }: ConnectContext, mode: RecordMode): void {
  const recorder = { home, command };
  const recorded = CLIENTS.flatMap(({ id, recording }) => {
    const its = id === client.id ? mode : (readLedger(home, id)?.record ?? null);
    return its === null || 'why' in recording ? [] : { id, mode: its, ...recording };
  });
  for (const { id, mode: its, way, isSandboxed } of recorded) {
    if (isSandboxed) makeSandboxFolder(home, id);
    if ('bashEnv' in way) installBashEntry(recorder, way.bashEnv, its);
  }
  const starter = recorded.find(({ way }) => 'shell' in way);
  const agent = starter && 'shell' in starter.way ? starter.way.shell : OTHER_AGENT;
  installShell(recorder, agent, starter?.mode ?? recorded[0]?.mode ?? mode, null);
  removeStrangers(home);
}

/** Agents that may start `bin/spillway-shell`. */
export function shellAgents(): string[] {
  return [
    OTHER_AGENT,
    ...CLIENTS.flatMap(({ recording }) =>
      'way' in recording && 'shell' in recording.way ? recording.way.shell : [],
    ),
  ];
}

/** Names the agent that started `bin/spillway-shell`, unless a connected one has it as its shell. */
const OTHER_AGENT = 'agent';

/** Removes what records the client's commands, and the recorder itself once it serves no client. */
function removeEntry({ id, recording }: Client, { home, command }: ConnectContext): void {
  removeSandboxFolder(home, id);
  const modes = CLIENTS.flatMap((client) => readLedger(home, client.id)?.record ?? []);
  if (modes[0] === undefined) removeRecorder(home);
  else if ('why' in recording) return;
  else if ('shell' in recording.way) installShell({ home, command }, OTHER_AGENT, modes[0], null);
  else removeBashEntry(home, recording.way.bashEnv);
}

/** Writes all files or none: if one can't be written, restores those before it. */
function apply(plan: Plan, home: string, client: string): void {
  const made: Plan['changes'] = [];
  try {
    for (const change of plan.changes) {
      replaceConfig(change.path, change.before, change.after);
      made.push(change);
    }
    if (plan.ledger === null) removeLedger(home, client);
    else writeLedger(home, plan.ledger);
  } catch (error) {
    for (const { path, before, after } of made.reverse()) replaceConfig(path, after, before);
    throw error;
  }
}

function result(
  client: Client,
  plan: Plan,
  {
    mode,
    before,
    notes,
    proxied,
    applied,
  }: Pick<ConnectResult, 'notes' | 'applied'> & {
    mode: RecordMode | null;
    before: RecordMode | null;
    proxied: readonly string[];
  },
): ConnectResult {
  return {
    ...{ client: client.id, name: client.name, applied, notes, proxied: [...proxied] },
    ...{ record: mode, record_before: before },
    ...{ change_id: changeId(plan.changes), handshake: null },
    reasons: reasonsFor(plan),
    changes: plan.changes.map(({ path, before, after }) => ({
      ...{ path, made: before === null, removed: after === null },
      lines: diffLines(before ?? '', after ?? ''),
    })),
  };
}

function changeId(changes: Plan['changes']): string {
  return fingerprint(JSON.stringify(changes));
}

/** Throws `changed` unless these are the changes that were agreed to, and `usage` for a file that is read-only. */
function checkReady({ changes }: Plan, agreed?: string): void {
  if (agreed !== undefined && agreed !== changeId(changes))
    throw new SpillwayError(
      'changed',
      'the files were edited after the change was shown',
      'look at the change again',
    );
  for (const { path } of changes) checkWritable(path);
}

/** `place` is null where no command can be started for a client: then both methods reject, and say so. */
export function clientsForWindow(place: ConnectContext | null): ClientsApi {
  const known = (): ConnectContext => {
    if (place !== null) return place;
    throw new SpillwayError(
      'unsupported',
      'agents cannot be connected from here: there is no Node.js on the PATH',
      'install Node.js, or run `spillway connect` where it is',
    );
  };
  return {
    clients: async (): Promise<ClientState[]> => clientStates(known()),
    changeClient: async (change: ClientChange): Promise<ConnectResult> => {
      const client = clientNamed(change.client);
      const seen = change.agreed === null ? { print: true } : { print: false, agreed: change.agreed };
      if (change.action === 'remove') return disconnect(client, known(), seen);
      const { record, proxied } = change;
      return connect(client, known(), { record, proxied, ...seen });
    },
  };
}

/** A text in the setting's path or value, and the reason for the setting. */
const REASONS: readonly [string, string][] = [
  [
    NO_DEBUGGER[0],
    "keeps Node's debugger closed: no machine has this address, so the debugger cannot listen there",
  ],
  ['BASH_ENV', "bash reads this file when the agent's shell starts; it hands the command to the recorder"],
  ['bashEnv', 'lets the shell read the file in BASH_ENV, which hands its commands to the recorder'],
  ['SHLVL', 'without it, bash ignores BASH_ENV where its standard input is a socket'],
  [
    'writable_roots',
    'the sandbox lets commands write only to listed folders; their recordings go to this one, which holds nothing else',
  ],
  ['spillway-shell', 'runs each command in the shell that was used before, and records it'],
  [
    'SPILLWAY_HOME',
    "the folder that holds the recordings; the agent's servers may not inherit it from your environment",
  ],
];

/** Returns a line of reason for each kind of setting that the plan's changed files get. */
function reasonsFor({ changes, ledger }: Plan): string[] {
  const changed = new Set(changes.map(({ path }) => path));
  const files = ledger?.files.filter(({ path }) => changed.has(path)) ?? [];
  const written = JSON.stringify(
    files.flatMap(({ settings }) => settings.map(({ path, value }) => [path, value])),
  );
  return REASONS.flatMap(([text, reason]) => (written.includes(text) ? [`${text}: ${reason}`] : []));
}

/** Shows how a text changed: removed and added lines, with a few unchanged ones around them. */

const AROUND_LINES = 3;

/** Returns lines that begin with `-`, `+` or a space, and `…` where unchanged lines are left out. */
function diffLines(before: string, after: string): string[] {
  const [old, next] = [linesOf(before), linesOf(after)];
  return hunks(pairs(old, next));
}

type Line = { sign: ' ' | '-' | '+'; text: string };

/**
 * Returns all lines with their signs. Compares the middle, between the common beginning and end, by its longest
 * common subsequence.
 */
function pairs(old: readonly string[], next: readonly string[]): Line[] {
  let head = 0;
  while (head < old.length && old[head] === next[head]) head += 1;
  let tail = 0;
  while (tail < Math.min(old.length, next.length) - head && old.at(-1 - tail) === next.at(-1 - tail))
    tail += 1;
  const same = (text: string): Line => ({ sign: ' ', text });
  const middle = common(old.slice(head, old.length - tail), next.slice(head, next.length - tail));
  return [...old.slice(0, head).map(same), ...middle, ...old.slice(old.length - tail).map(same)];
}

function common(old: readonly string[], next: readonly string[]): Line[] {
  const lengths = Array.from({ length: old.length + 1 }, () => new Uint32Array(next.length + 1));
  for (let i = old.length - 1; i >= 0; i -= 1)
    for (let j = next.length - 1; j >= 0; j -= 1)
      lengths[i]![j] =
        old[i] === next[j] ? lengths[i + 1]![j + 1]! + 1 : Math.max(lengths[i + 1]![j]!, lengths[i]![j + 1]!);
  const lines: Line[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < next.length) {
    if (i < old.length && j < next.length && old[i] === next[j]) {
      lines.push({ sign: ' ', text: old[i]! });
      i += 1;
      j += 1;
    } else if (j >= next.length || (i < old.length && lengths[i + 1]![j]! >= lengths[i]![j + 1]!)) {
      lines.push({ sign: '-', text: old[i]! });
      i += 1;
    } else {
      lines.push({ sign: '+', text: next[j]! });
      j += 1;
    }
  }
  return lines;
}

function hunks(lines: readonly Line[]): string[] {
  const isShown = (at: number) =>
    lines.slice(Math.max(0, at - AROUND_LINES), at + AROUND_LINES + 1).some(({ sign }) => sign !== ' ');
  const shown: string[] = [];
  lines.forEach(({ sign, text }, at) => {
    if (isShown(at)) shown.push(`${sign} ${text}`);
    else if (at > 0 && isShown(at - 1) && lines.slice(at).some((line) => line.sign !== ' '))
      shown.push('  …');
  });
  return shown;
}

function linesOf(text: string): string[] {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/** Connects clients to Spillway, disconnects them, and reports the state of each. */
import { existsSync } from 'node:fs';
import { SpillwayError } from '../../shared/errors.ts';
import {
  bashEntryPath,
  installBashEntry,
  installShell,
  removeBashEntry,
  removeShell,
  spillwayShellPath,
} from '../agent-shell/install.ts';
import type { RecordMode } from '../agent-shell/program.ts';
import { prepareHome } from '../host/settings/home.ts';
import type { Client, Machine, Wanted } from './client.ts';
import { replaceConfig } from './config-file.ts';
import { diffLines } from './diff.ts';
import { findProgram, type Handshake, ownList, shakeHands } from './handshake.ts';
import { readLedger, removeLedger, writeLedger } from './ledger.ts';
import { isConnected, type Plan, planConnect, planRemove } from './plan.ts';
import { CLIENTS } from './registry.ts';

export interface Place {
  machine: Machine;
  home: string;
  /** Starts Spillway's command: Node, and the command's file. */
  command: readonly [string, string];
  /** Environment variables that servers need besides the usual ones. */
  env: Record<string, string>;
}

export interface ClientState {
  client: string;
  name: string;
  installed: boolean;
  /** `outdated`: Spillway is configured there, but differently from what `connect` would write now. */
  state: 'connected' | 'outdated' | 'not connected';
  record: RecordMode | null;
  /** Why its commands can't be recorded; null if they can. */
  not_recordable: string | null;
}

export interface ConnectResult {
  client: string;
  name: string;
  /** Changed files; not written yet if only a preview was asked for. */
  changes: { path: string; made: boolean; removed: boolean; lines: string[] }[];
  applied: boolean;
  record: RecordMode | null;
  notes: string[];
  /** Null unless a client was connected. */
  handshake: Handshake | null;
  /** The line about Spillway in the client's own list of servers; null if it has no list. */
  list: string | null;
}

/** Returns the state of each client, in the registry's order. Never throws for a client's broken files. */
export function clientStates(place: Place): ClientState[] {
  return CLIENTS.map((client) => {
    const ledger = readLedger(place.home, client.id);
    const record = ledger?.record ?? null;
    const there = (mode: RecordMode | null) =>
      client.files(place.machine, wantedFor(place, mode)).every((file) => isConnected(file));
    return {
      ...{ client: client.id, name: client.name, installed: isInstalled(client, place.machine) },
      state:
        there(record) && hasEntry(client, place.home, record)
          ? 'connected'
          : ledger
            ? 'outdated'
            : 'not connected',
      record,
      not_recordable: 'why' in client.recording ? client.recording.why : null,
    };
  });
}

/**
 * Connects the client; with `print`, only returns the changes. Throws SpillwayError, having changed nothing, when
 * the client's files don't allow it.
 */
export async function connect(
  client: Client,
  place: Place,
  { record, print }: { record: RecordMode | null; print: boolean },
): Promise<ConnectResult> {
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
  const wanted = wantedFor(place, mode);
  const plan = planConnect(client, place.machine, wanted, readLedger(place.home, client.id));
  if (mode !== null && !('why' in client.recording) && client.recording.note)
    notes.push(client.recording.note(place.home));
  if (print) return result(client, plan, { mode, notes, applied: false });
  prepareHome(place.home);
  // Install first: an entry that nothing names is harmless, a configuration that names a missing file is not.
  if (mode !== null) installEntry(client, place, mode);
  apply(plan, place.home, client.id);
  if (mode === null) removeEntry(client, place.home);
  const done = result(client, plan, { mode, notes, applied: true });
  const handshake = await shakeHands(wanted, place.machine);
  return { ...done, handshake, list: handshake.ok ? await ownList(client, place.machine) : null };
}

/** Restores what was there before. Keeps changes that others made meanwhile. */
export function disconnect(client: Client, place: Place, { print }: { print: boolean }): ConnectResult {
  const wanted = wantedFor(place, null);
  const plan = planRemove(client, place.machine, wanted, readLedger(place.home, client.id));
  if (!print) {
    apply(plan, place.home, client.id);
    removeEntry(client, place.home);
  }
  return result(client, plan, { mode: null, notes: [], applied: !print });
}

function wantedFor({ command, env, home }: Place, record: RecordMode | null): Wanted {
  return { server: [...command, 'mcp'], env, home, record };
}

function isInstalled({ command, traces }: Client, machine: Machine): boolean {
  return (
    (command !== null && findProgram(command, machine.env) !== null) ||
    traces(machine).some((path) => existsSync(path))
  );
}

function wayOf({ recording }: Client): { bashEnv?: string; shell?: string } {
  return 'way' in recording ? recording.way : {};
}

function hasEntry(client: Client, home: string, record: RecordMode | null): boolean {
  if (record === null || 'why' in client.recording) return true;
  const { way } = client.recording;
  return existsSync('shell' in way ? spillwayShellPath(home) : bashEntryPath(home, way.bashEnv));
}

function installEntry({ recording }: Client, { home, command }: Place, mode: RecordMode): void {
  if ('why' in recording) return;
  if ('shell' in recording.way) installShell({ home, command }, recording.way.shell, mode, null);
  else installBashEntry({ home, command }, recording.way.bashEnv, mode);
}

function removeEntry({ recording }: Client, home: string): void {
  if ('why' in recording) return;
  if ('shell' in recording.way) removeShell(home);
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
  { changes }: Plan,
  { mode, notes, applied }: { mode: RecordMode | null; notes: string[]; applied: boolean },
): ConnectResult {
  return {
    ...{ client: client.id, name: client.name, applied, record: mode, notes, handshake: null, list: null },
    changes: changes.map(({ path, before, after }) => ({
      ...{ path, made: before === null, removed: after === null },
      lines: diffLines(before ?? '', after ?? ''),
    })),
  };
}

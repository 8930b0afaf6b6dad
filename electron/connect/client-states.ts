/** Reports the state of each client: whether it is connected, and whether its commands are recorded. */

import { existsSync, readdirSync, statSync } from 'node:fs';
import type { ClientState, RecordMode } from '../../shared/agents.ts';
import { unknownEnvelopeSince } from '../agent-shell/install.ts';
import { CLIENTS } from '../agents/agents.ts';
import type { Client, Machine } from '../agents/client.ts';
import { bashEntryPath, spillwayShellPath } from '../agents/client.ts';
import { ledgerTime, readLedger } from '../agents/ledger.ts';
import { readConfig } from './config-file.ts';
import { otherHomeOf } from './ours.ts';
import { type ConnectContext, findProgram, wantedFor } from './place.ts';
import { hasFormer, hasServer, isConnected, isRecorded, rootsOverHome } from './plan.ts';
import { type ConfiguredServer, configuredServers } from './proxied.ts';

/** Returns the state of each client, in the registry's order, without its last session. A broken file of a client does not throw. */
export function clientStates(place: ConnectContext): ClientState[] {
  return CLIENTS.map((client) => {
    const ledger = readLedger(place.home, client.id);
    const record = ledger?.record ?? null;
    const wanted = wantedFor(place, record);
    const why = notRecordable(client, place.machine);
    const files = client.files(place.machine, wanted);
    const isThere = files.every(isConnected);
    const isRecording = why === null && files.every(isRecorded) && hasEntry(client, place.home, record);
    return {
      ...{ client: client.id, name: client.name, installed: isInstalled(client, place.machine) },
      state:
        isThere && hasEntry(client, place.home, record) && !files.some((file) => hasFormer(file, ledger))
          ? 'connected'
          : hasServer(ledger)
            ? 'outdated'
            : 'not connected',
      record: isRecording ? record : null,
      not_recordable: why,
      record_limit: isRecording ? limitOf(client, place.home) : null,
      connected_ms: ledgerTime(place.home, client.id),
      last_session: null,
      other_home: otherHomeOf(client, place.machine, wanted),
      servers: byName(configuredServers(client, place.machine, wanted)),
    };
  });
}

/** Returns the folders of the client's settings through which commands in its sandbox may change Spillway's programs. */
export function openRoots(client: Client, place: ConnectContext): { file: string; root: string }[] {
  const files = client.files(place.machine, wantedFor(place, 'record'));
  return files.flatMap((file) => rootsOverHome(file).map((root) => ({ file: file.path, root })));
}

/** Joins servers of one name that a client has for several projects. */
export function byName(servers: readonly ConfiguredServer[]): ClientState['servers'] {
  const named = new Map<string, boolean>();
  for (const { name, words, isProxied } of servers)
    if (words !== null) named.set(name, isProxied || named.get(name) === true);
  return [...named].map(([name, proxied]) => ({ name, proxied }));
}

function isInstalled({ command, traces }: Client, machine: Machine): boolean {
  return (command !== null && findProgram(command, machine.env) !== null) || traces(machine).some(isUsed);
}

/** An empty folder is left by other programs, too. */
function isUsed(path: string): boolean {
  try {
    return !statSync(path).isDirectory() || readdirSync(path).length > 0;
  } catch {
    return false;
  }
}

/**
 * Returns why the client's commands can't be recorded; null if they can. Also null for a broken file, since planning
 * the change reports that in more detail.
 */
export function notRecordable({ recording }: Client, machine: Machine): string | null {
  if ('why' in recording) return recording.why;
  try {
    return recording.obstacle?.(machine, readConfig) ?? null;
  } catch {
    return null;
  }
}

function limitOf({ id, recording }: Client, home: string): string | null {
  if ('why' in recording) return null;
  const limits = [
    recording.limit?.(home),
    unknownEnvelopeSince(home, id) !== null &&
      'as the agent runs them: this version of Spillway does not know what it puts around a command',
  ].filter(Boolean);
  return limits.length === 0 ? null : limits.join('; ');
}

function hasEntry(client: Client, home: string, record: RecordMode | null): boolean {
  if (record === null || 'why' in client.recording) return true;
  const { way } = client.recording;
  return existsSync('shell' in way ? spillwayShellPath(home) : bashEntryPath(home, way.bashEnv));
}

/** `spillway connect`: adds Spillway to agents' configuration, removes it, or shows the state of each agent. */
import {
  type ClientState,
  type ConnectResult,
  type LastSession,
  lastSessionText,
  RecordMode,
} from '../../../shared/agents.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import { escapeLine } from '../../../shared/text/escape.ts';
import { clientNamed } from '../../agents/agents.ts';
import { clientStates } from '../../connect/client-states.ts';
import { connect, disconnect, proxyServers } from '../../connect/connect.ts';
import { type ConnectContext, placeFor } from '../../connect/place.ts';
import { lastSessionsHere } from '../../host/library/last-sessions.ts';
import { print, printJson, terminalLook } from '../output/print.ts';
import { table } from '../output/table.ts';
import type { Services } from '../services.ts';

export interface ConnectCommandOptions {
  /** True or `preview`; or a client's name, when one followed the option. */
  record?: boolean | string;
  print?: boolean;
  remove?: boolean;
  /** Names of servers that the client has configured. */
  proxy?: string[];
  json?: boolean;
}

export async function connectClients(
  names: readonly string[],
  options: ConnectCommandOptions,
  services: Services,
): Promise<number> {
  const { record, words } = recordOption(names, options);
  const place = connectContextOf(services);
  if (words.length === 0) {
    if (options.remove || options.proxy || record !== null)
      throw new SpillwayError('usage', 'no client is named', 'name one: `spillway connect` alone lists them');
    const clients = await lastSessionsHere(place.home).addedTo(clientStates(place));
    if (options.json) await printJson({ clients });
    else await print(overview(clients));
    return 0;
  }
  if (options.remove && record !== null)
    throw new SpillwayError('usage', '--remove and --record exclude each other', 'give one of them');
  if (options.proxy && record !== null)
    throw new SpillwayError('usage', '--proxy and --record exclude each other', 'give one after the other');
  // Resolve all names before changing anything.
  const clients = words.map(clientNamed);
  const results: ConnectResult[] = [];
  const [only, remove] = [options.print === true, options.remove === true];
  for (const client of clients) {
    const done = options.proxy
      ? proxyServers(client, place, options.proxy, { print: only, remove })
      : remove
        ? disconnect(client, place, { print: only })
        : await connect(client, place, { record, print: only });
    results.push(done);
    if (!options.json) await print(connectReport(done, options));
  }
  if (options.json) await printJson({ clients: results });
  return results.some(({ handshake }) => handshake?.ok === false) ? 2 : 0;
}

/** Returns what connecting needs to know of this machine, from this process's environment. */
export function connectContextOf(services: Services): ConnectContext {
  return placeFor([process.execPath, services.entry], process.env);
}

/** In `--record CLIENT`, the word is a client, not a mode. */
function recordOption(
  names: readonly string[],
  { record }: ConnectCommandOptions,
): { record: RecordMode | null; words: string[] } {
  if (record === undefined || record === false) return { record: null, words: [...names] };
  if (record === true) return { record: 'record', words: [...names] };
  const { success, data } = RecordMode.safeParse(record);
  return success ? { record: data, words: [...names] } : { record: 'record', words: [...names, record] };
}

function overview(clients: readonly ClientState[]): string {
  const rows = clients.map(
    ({
      client,
      name,
      installed,
      state,
      record,
      record_limit,
      last_session,
      not_recordable,
      servers,
      other_home,
    }) => [
      ...[client, name, installed ? 'yes' : 'no'],
      other_home === null ? state : `connected to another home (${other_home})`,
      servers.flatMap((server) => (server.proxied ? server.name : [])).join(' ') || '-',
      recorded(record, record_limit, last_session) ??
        (not_recordable === null ? '-' : `no: ${not_recordable}`),
    ],
  );
  const columns = [
    { name: 'CLIENT' },
    { name: 'NAME' },
    { name: 'INSTALLED' },
    { name: 'STATE' },
    { name: 'PROXIED' },
    { name: 'RECORDED', shrinks: true },
  ];
  const { isTerminal, columns: width } = terminalLook();
  return `${table(columns, rows, isTerminal ? width : null)}\nTo connect one: spillway connect CLIENT [--record]\n`;
}

function recorded(record: RecordMode | null, limit: string | null, last: LastSession | null): string | null {
  if (record === null) return null;
  const state = limit === null ? record : `${record}, ${limit}`;
  return last === null ? state : `${state}; ${lastSessionText(last)}`;
}

function connectReport(result: ConnectResult, options: ConnectCommandOptions): string {
  const lines: string[] = [];
  for (const { path, made, removed, lines: changed } of result.changes) {
    const what = removed ? 'removed' : made ? 'new' : 'changed';
    lines.push(`${path} (${what})`, ...changed.map((line) => `  ${line}`));
  }
  if (options.print) lines.push(...why(result));
  if (result.changes.length === 0 || !options.print) lines.push(outcome(result, options));
  const recording = options.proxy || options.remove ? null : recordingLine(result);
  if (recording !== null) lines.push(recording);
  if (result.handshake) lines.push(handshakeLine(result));
  for (const note of result.notes) lines.push(`Note: ${note}`);
  return `${lines.map(escapeLine).join('\n')}\n`;
}

/** A careful person asks for the reasons before agreeing to a change. */
function why({ reasons }: ConnectResult): string[] {
  return reasons.length === 0 ? [] : ['Why:', ...reasons.map((reason) => `  ${reason}`)];
}

function outcome(
  { name, changes, proxied, handshake, record, record_before }: ConnectResult,
  { remove, proxy }: ConnectCommandOptions,
): string {
  const isSame = changes.length === 0;
  const isRecordedAlike = record === record_before;
  if (proxy) {
    const behind =
      proxied.length === 0 ? 'no server is behind the proxy' : `behind the proxy: ${proxied.join(', ')}`;
    return `${name}: ${isSame ? 'nothing changes; ' : ''}${behind}`;
  }
  if (remove) return isSame ? `${name} has nothing of Spillway` : `${name} is as it was before`;
  if (handshake?.ok === false)
    return `${name} has Spillway in its configuration${isSame ? ' already' : ''}, but cannot use it yet`;
  if (!isSame) return `${name} is connected`;
  return `${name} is connected already${isRecordedAlike ? ': nothing changes' : ''}`;
}

/** Says whether commands are recorded; of a change that is only shown, what would be different. */
function recordingLine({ record, record_before: before, applied }: ConnectResult): string | null {
  if (!applied && record === before) return null;
  if (record === null) {
    if (before === null) return null;
    return applied
      ? 'Commands it runs are no longer recorded'
      : 'Commands it runs would no longer be recorded';
  }
  const [are, reaches] = applied ? ['are', 'reaches'] : ['would be', 'would reach'];
  const change = {
    record: '',
    preview: `, and long output ${reaches} it as a preview`,
    redact: `, and their output ${reaches} it with its secrets masked`,
  };
  const what = `Commands it runs ${are} recorded${change[record]}`;
  return applied ? `${what}; SPILLWAY_OFF=1 in its environment stops that` : what;
}

function handshakeLine({ handshake, name }: ConnectResult): string {
  return handshake!.ok
    ? `The server answers in ${handshake!.duration_ms} ms, started as ${name} starts it`
    : `The server does not answer: ${handshake!.problem}`;
}

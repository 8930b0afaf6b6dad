/** `spillway doctor`: reports what works here and what does not, one line each. Changes nothing. */

import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type ClientState, lastSessionText, missingText } from '../../../shared/agents.ts';
import { CAPTURES_FOLDER, SANDBOXES_FOLDER } from '../../../shared/artifact-names.ts';
import { escapeLine } from '../../../shared/text/escape.ts';
import { formatRelative } from '../../../shared/text/format.ts';
import { changedPrograms, findRecorderPerl, recorderPath } from '../../agent-shell/install.ts';
import { clientNamed } from '../../agents/agents.ts';
import { readLedger } from '../../agents/ledger.ts';
import { clientStates, openRoots } from '../../connect/client-states.ts';
import { shellAgents, startServer } from '../../connect/connect.ts';
import type { ConnectContext } from '../../connect/place.ts';
import { lastSessionsHere } from '../../host/library/last-sessions.ts';
import { resolveHome } from '../../host/settings/home-path.ts';
import { print, printJson, type Style, styled, terminalLook } from '../output/print.ts';
import { widthOf } from '../output/table.ts';
import type { Services } from '../services.ts';
import { connectContextOf } from './connect.ts';
import {
  type Check,
  checkElectron,
  checkHome,
  checkMachine,
  checkSocket,
  checkSources,
  checkTerminals,
  ok,
  unwritableFolders,
  warn,
} from './doctor-machine.ts';

export async function doctor(options: { json?: boolean }, services: Services): Promise<number> {
  const home = resolveHome(process.env);
  const checks = [
    ...checkMachine(),
    ...checkHome(home),
    ...checkSources(home),
    checkTerminals(),
    ...(await checkAgents(services)),
    await checkSocket(home),
    checkElectron(services.entry, process.env),
  ];
  const healthy = checks.every((check) => check.status !== 'fail');
  if (options.json) await printJson({ ok: healthy, version: services.version, home, checks });
  else await print(`spillway ${services.version}\n${checks.map(line).join('')}`);
  return healthy ? 0 : 1;
}

const STYLES: Record<Check['status'], Style> = { ok: 'green', warn: 'yellow', fail: 'red' };
/** Cells before the text of a check. */
const INDENT_CELLS = 16;

function line({ status, name, found, todo }: Check): string {
  const { isTerminal, columns } = terminalLook();
  const text = escapeLine(todo === null ? found : `${found}: ${todo}`);
  const shown = isTerminal ? wrapText(text, columns - INDENT_CELLS, INDENT_CELLS) : text;
  return `${styled(status, STYLES[status])}${' '.repeat(6 - status.length)}${name.padEnd(9)} ${shown}\n`;
}

/**
 * Breaks a sentence at spaces into lines of at most `columns` cells; a longer word stays whole. Indents each line after
 * the first by `indent` spaces.
 */
function wrapText(text: string, columns: number, indent: number): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line === '' || widthOf(longer) <= columns) {
      line = longer;
      continue;
    }
    lines.push(line);
    line = word;
  }
  return [...lines, line].join(`\n${' '.repeat(indent)}`);
}

/** Commands that are named of those which were not recorded. */
const NAMED_COMMANDS = 3;
/** Most programs to name in one line. */
const NAMED_PROGRAMS = 3;

/** Checks the connected agents: whether the server answers them, and whether their commands are really recorded. */
async function checkAgents(services: Services): Promise<Check[]> {
  const place = connectContextOf(services);
  const connected = clientStates(place).filter(({ state }) => state !== 'not connected');
  const clients = await lastSessionsHere(place.home).addedTo(connected);
  if (clients.length === 0) return [ok('agents', 'none is connected (spillway connect)')];
  const records = clients.some(({ record }) => record !== null);
  const unwritable = records ? unwritableFolders(place.home).map(({ folder }) => folder) : [];
  return [
    ...clients.flatMap((client) => [checkClient(client, place, unwritable), ...checkLastSession(client)]),
    await checkServer(place),
    ...clients.flatMap((client) => checkSandbox(client, place)),
    ...(records ? checkRecorder(place) : []),
  ];
}

/** `unwritable`: folders of captures that cannot be written to. */
function checkClient(client: ClientState, place: ConnectContext, unwritable: readonly string[]): Check {
  const { name, state, record, not_recordable, servers } = client;
  const asked = readLedger(place.home, client.client)?.record ?? null;
  const option = asked === null ? '' : asked === 'record' ? ' --record' : ` --record=${asked}`;
  if (state === 'outdated')
    return warn(
      'agents',
      `${name} is configured differently from how it was connected`,
      `spillway connect ${client.client}${option}`,
    );
  const proxied = servers.flatMap((server) => (server.proxied ? server.name : []));
  const stopped = record === null ? undefined : unwritableFor(client.client, place.home, unwritable);
  const facts = [
    `${name} is connected`,
    record === null
      ? `its commands are not recorded${not_recordable === null ? '' : `: ${not_recordable}`}`
      : stopped === undefined
        ? recorded(client, place.home)
        : `its commands are not recorded: ${stopped} cannot be written to`,
    ...(proxied.length > 0 ? [`behind the proxy: ${proxied.join(', ')}`] : []),
  ];
  if (asked !== null && not_recordable !== null)
    return warn('agents', facts.join('; '), `change that, or \`spillway connect ${client.client}\``);
  if (stopped !== undefined)
    return warn('agents', facts.join('; '), 'make the folder writable, as said of captures above');
  const obstacle = record === null ? null : obstacleHere(client.client, place);
  return obstacle === null
    ? ok('agents', facts.join('; '))
    : warn('agents', `${facts.join('; ')}; not in this folder`, obstacle);
}

/** Compares the agent's own transcript with what was recorded. */
function checkLastSession({ name, last_session: last }: ClientState): Check[] {
  if (last === null) return [];
  const state = `${name}: ${lastSessionText(last)}`;
  if (last.missing.length === 0) return [ok('agents', state)];
  const missing = missingText(last, NAMED_COMMANDS);
  const found = missing === null ? state : `${state}, not ${missing}`;
  return [
    last.missing.every(({ why }) => why !== null)
      ? ok('agents', found)
      : warn(
          'agents',
          found,
          'unless you removed their captures, start the agent again: it reads its settings then',
        ),
  ];
}

/** Returns a folder in which the agent's commands should be recorded and cannot be; undefined if none. */
function unwritableFor(client: string, home: string, unwritable: readonly string[]): string | undefined {
  const captures = join(home, CAPTURES_FOLDER);
  return unwritable.find((folder) => folder === captures || basename(folder).startsWith(`${client}_`));
}

function recorded({ client, record, record_limit: limit }: ClientState, home: string): string {
  const last = lastRecorded(client, home);
  const how = {
    preview: ', long output reaches it as a preview',
    redact: ', their secrets are masked',
    record: '',
  };
  return `its commands are recorded${limit === null ? '' : ` ${limit}`}${how[record ?? 'record']}, ${last === null ? 'none so far' : `last ${formatRelative(last, Date.now())}`}`;
}

/** Time of the agent's newest session, in milliseconds since 1970; the recorder names sessions after the agent. */
function lastRecorded(client: string, home: string): number | null {
  const folders = [join(home, CAPTURES_FOLDER), join(home, SANDBOXES_FOLDER, client)];
  const times = folders.flatMap((folder) => timesOf(folder, `${client}_`));
  return times.length === 0 ? null : Math.max(...times);
}

/** When the folders with such names were changed, in milliseconds since 1970. */
function timesOf(folder: string, prefix: string): number[] {
  try {
    const own = readdirSync(folder).filter((name) => name.startsWith(prefix));
    return own.map((name) => statSync(join(folder, name)).mtimeMs);
  } catch {
    return [];
  }
}

/**
 * Returns what to do about settings of the current folder that keep the agent from starting the recorder; null
 * if none.
 */
function obstacleHere(client: string, { machine }: ConnectContext): string | null {
  if (machine.env.SPILLWAY_OFF) return 'SPILLWAY_OFF is set in this environment: unset it';
  // In the home folder, these are the files that `connect` wrote.
  if (process.cwd() === machine.folder) return null;
  const { recording } = clientNamed(client);
  return ('why' in recording ? undefined : recording.obstacleIn?.(process.cwd())) ?? null;
}

async function checkServer(place: ConnectContext): Promise<Check> {
  const { ok: answers, duration_ms, problem } = await startServer(place);
  return answers
    ? ok('agents', `the server answers in ${duration_ms} ms, started as an agent starts it`)
    : warn('agents', `the server does not answer (${problem})`, 'connect the agents again');
}

/** Warns of programs that commands in a sandbox may change, and that run outside it. */
function checkSandbox({ client, name }: ClientState, place: ConnectContext): Check[] {
  return openRoots(clientNamed(client), place).map(({ file, root }) =>
    warn(
      'agents',
      `commands in the sandbox of ${name} can change all of ${place.home}, and so what runs outside it: ${root} is among the writable_roots in ${file}`,
      root === place.home ? `spillway connect ${client} --record` : `remove ${root} there`,
    ),
  );
}

/** Commands run unrecorded where the recorder can't run, so nothing else would say so. */
function checkRecorder({ home, command }: ConnectContext): Check[] {
  const perl = findRecorderPerl();
  const changed = perl === null ? [] : changedPrograms({ home, command }, shellAgents());
  // Asking Perl would run what somebody may have put there.
  if (changed.length > 0)
    return [
      warn(
        'recorder',
        `${changed.slice(0, NAMED_PROGRAMS).join(', ')}${changed.length > NAMED_PROGRAMS ? ', …' : ''}: not as this version of Spillway makes it`,
        'look whether somebody else changed it, and connect the agents again with --record',
      ),
    ];
  if (perl === null) return [warn('recorder', 'there is no Perl, so no command is recorded', 'install Perl')];
  const { status } = spawnSync(perl, ['-f', '-c', recorderPath(home)], { stdio: 'ignore' });
  return status === 0
    ? [ok('recorder', 'records commands with Perl')]
    : [warn('recorder', 'Perl cannot run it, so no command is recorded', 'connect the agents again')];
}

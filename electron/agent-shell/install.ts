/** Installs the recorder of agents' commands in the home, and removes it. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmdirSync,
  rmSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { RecordMode } from '../../shared/agents/clients.ts';
import { SpillwayError } from '../../shared/errors.ts';
import type { BashAgent } from '../agents/shells.ts';
import { prepareHome } from '../host/settings/home.ts';
import { replaceFile } from '../store/format/small-file.ts';
import { bashEntry, recorderFiles, shellEntryScript } from './program.ts';

interface Recorder {
  home: string;
  /** Node and Spillway's own command, run after a recorded command ends. */
  command: readonly [string, string];
}

const PERLS = ['/usr/bin/perl', '/bin/perl', '/usr/local/bin/perl', '/run/current-system/sw/bin/perl'];

/** Returns the path that BASH_ENV gets for the agent. */
export function bashEntryPath(home: string, agent: BashAgent): string {
  return join(home, 'bin', 'agents', `${agent}.bash`);
}

/** Returns the home of a path that `bashEntryPath` gave, now or in an earlier version; null for other values. */
export function homeOfBashEntry(path: unknown): string | null {
  if (typeof path !== 'string' || !/\/bin\/agents\/[\w-]+\.bash$/.test(path)) return null;
  return dirname(dirname(dirname(path)));
}

export function recorderPath(home: string): string {
  return join(home, 'bin', 'recorder', 'core.pl');
}

export function hasShell(home: string): boolean {
  return existsSync(spillwayShellPath(home));
}

export function spillwayShellPath(home: string): string {
  return join(home, 'bin', 'spillway-shell');
}

/** Installs or updates the agent's BASH_ENV file. Throws `unsupported` without Perl, and `home`. */
export function installBashEntry(recorder: Recorder, agent: BashAgent, mode: RecordMode): void {
  const perl = installRecorder(recorder);
  write(bashEntryPath(recorder.home, agent), bashEntry(agent, { home: recorder.home, perl, mode }), 0o600);
}

/** Installs or updates `bin/spillway-shell`, which runs `shell`; null runs the user's own shell. Same errors. */
export function installShell(
  recorder: Recorder,
  agent: string,
  mode: RecordMode,
  shell: string | null,
): void {
  const perl = installRecorder(recorder);
  const hasBash = existsSync('/bin/bash');
  const script = shellEntryScript({ home: recorder.home, perl, mode, agent, shell, hasBash });
  write(spillwayShellPath(recorder.home), script, 0o700);
}

/** Removes one agent's file. Other agents' files and the recorder stay. */
export function removeBashEntry(home: string, agent: BashAgent): void {
  rmSync(bashEntryPath(home, agent), { force: true });
}

/** Removes everything that the functions above install. Commands under way are recorded to their end. */
export function removeRecorder(home: string): void {
  for (const name of ['agents', 'recorder', 'spillway-command', 'spillway-shell'])
    rmSync(join(home, 'bin', name), { recursive: true, force: true });
  removeIfEmpty(join(home, 'bin'));
}

/** Removes a folder that nobody else has put anything into. */
export function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // It holds something, or there is none.
  }
}

export function findRecorderPerl(): string | null {
  return PERLS.find((path) => existsSync(path)) ?? null;
}

function installRecorder({ home, command }: Recorder): string {
  const perl = process.platform === 'win32' ? null : findRecorderPerl();
  if (perl === null)
    throw new SpillwayError(
      'unsupported',
      'commands of agents cannot be recorded here: there is no Perl',
      'install Perl, or connect without --record',
    );
  prepareHome(home);
  forgetEnvelopes(home);
  for (const [name, text] of Object.entries(recorderFiles()))
    write(join(home, 'bin', 'recorder', name), text, 0o600);
  write(join(home, 'bin', 'spillway-command'), `${command.join('\n')}\n`, 0o600);
  return perl;
}

/** Returns when a command of the agent was recorded in an envelope that this version does not know; null if none was. */
export function unknownEnvelopeSince(home: string, agent: string): string | null {
  try {
    return readlinkSync(join(home, 'run', 'agents', `envelope ${agent}`));
  } catch {
    return null;
  }
}

function forgetEnvelopes(home: string): void {
  const links = join(home, 'run', 'agents');
  for (const name of existsSync(links) ? readdirSync(links) : [])
    if (name.startsWith('envelope ')) rmSync(join(links, name));
}

/** Writes atomically, and only when the text changed: shells may be reading the file. */
function write(path: string, text: string, mode: number): void {
  mkdirSync(join(path, '..'), { recursive: true, mode: 0o700 });
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return;
  replaceFile(path, text);
  if (mode !== 0o600) chmodSync(path, mode);
}

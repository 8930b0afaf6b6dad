/** Installs the recorder of agents' commands in the home, and removes it. */
import { existsSync, mkdirSync, readlinkSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { RecordMode } from '../../shared/agents.ts';
import { SANDBOXES_FOLDER } from '../../shared/artifact-names.ts';
import { SpillwayError } from '../../shared/errors.ts';
import { SHELLS } from '../agents/agents.ts';
import { bashEntryPath, spillwayShellPath } from '../agents/client.ts';
import { prepareHome } from '../host/settings/home.ts';
import { entryNames, isFolder, lstatOrNull, removeIfEmpty, sandboxFolder } from '../store/format/places.ts';
import { readOwn, replaceFile } from '../store/format/small-file.ts';
import { bashEntry, recorderFiles, shellEntryScript } from './program.ts';

interface Recorder {
  home: string;
  /** Node and Spillway's own command, run after a recorded command ends. */
  command: readonly [string, string];
}

const BASH_AGENTS = [...SHELLS.keys()];
const PERLS = ['/usr/bin/perl', '/bin/perl', '/usr/local/bin/perl', '/run/current-system/sw/bin/perl'];

export function recorderPath(home: string): string {
  return join(home, 'bin', 'recorder', 'core.pl');
}

/** Installs or updates the agent's BASH_ENV file. Throws `unsupported` without Perl, and `home`. */
export function installBashEntry(recorder: Recorder, agent: string, mode: RecordMode): void {
  const perl = installRecorder(recorder);
  write(bashEntryFile(recorder.home, agent, perl, mode));
}

/** Installs or updates `bin/spillway-shell`, which runs `shell`; null runs the user's own shell. Same errors. */
export function installShell(
  recorder: Recorder,
  agent: string,
  mode: RecordMode,
  shell: string | null,
): void {
  const perl = installRecorder(recorder);
  write(shellFile(recorder.home, agent, perl, mode, shell));
}

/** Removes one agent's file. Other agents' files and the recorder stay. */
export function removeBashEntry(home: string, agent: string): void {
  rmSync(bashEntryPath(home, agent), { force: true });
}

/** Removes everything that the functions above install. Commands under way are recorded to their end. */
export function removeRecorder(home: string): void {
  for (const name of ['agents', 'recorder', 'spillway-command', 'spillway-shell'])
    rmSync(join(home, 'bin', name), { recursive: true, force: true });
  removeIfEmpty(join(home, 'bin'));
}

/** Makes the folder for captures from the agent's sandbox. */
export function makeSandboxFolder(home: string, agent: string): void {
  mkdirSync(sandboxFolder(home, agent), { recursive: true, mode: 0o700 });
}

/** Removes that folder, unless it has captures. */
export function removeSandboxFolder(home: string, agent: string): void {
  removeIfEmpty(sandboxFolder(home, agent));
  removeIfEmpty(join(home, SANDBOXES_FOLDER));
}

/** Removes what lies among the programs and is none of ours. */
export function removeStrangers(home: string): void {
  const ours = {
    recorder: Object.keys(recorderFiles()),
    agents: BASH_AGENTS.map((agent) => `${agent}.bash`),
  };
  for (const [folder, names] of Object.entries(ours)) {
    const path = join(home, 'bin', folder);
    for (const name of isFolder(path) ? entryNames(path) : [])
      if (!names.includes(name)) rmSync(join(path, name), { recursive: true, force: true });
  }
}

export function findRecorderPerl(): string | null {
  return PERLS.find((path) => existsSync(path)) ?? null;
}

function installRecorder(recorder: Recorder): string {
  const perl = process.platform === 'win32' ? null : findRecorderPerl();
  if (perl === null)
    throw new SpillwayError(
      'unsupported',
      'commands of agents cannot be recorded here: there is no Perl',
      'install Perl, or connect without --record',
    );
  prepareHome(recorder.home);
  forgetEnvelopes(recorder.home);
  for (const file of recorderProgram(recorder)) write(file);
  return perl;
}

/** Returns when a command of the agent came in an envelope that this version does not know; null if none did. */
export function unknownEnvelopeSince(home: string, agent: string): string | null {
  try {
    return readlinkSync(join(home, 'run', 'agents', `envelope ${agent}`));
  } catch {
    return null;
  }
}

function forgetEnvelopes(home: string): void {
  const links = join(home, 'run', 'agents');
  for (const name of entryNames(links)) if (name.startsWith('envelope ')) rmSync(join(links, name));
}

/** A program, or a file that says which program to run. */
interface ProgramFile {
  path: string;
  text: string;
  mode: number;
}

function recorderProgram({ home, command }: Recorder): ProgramFile[] {
  const parts = Object.entries(recorderFiles()).map(([name, text]) => ({
    path: join(home, 'bin', 'recorder', name),
    text,
  }));
  const ours = { path: join(home, 'bin', 'spillway-command'), text: `${command.join('\n')}\n` };
  return [...parts, ours].map((file) => ({ ...file, mode: 0o600 }));
}

function bashEntryFile(home: string, agent: string, perl: string, mode: RecordMode): ProgramFile {
  return { path: bashEntryPath(home, agent), text: bashEntry(agent, { home, perl, mode }), mode: 0o600 };
}

function shellFile(
  home: string,
  agent: string,
  perl: string,
  mode: RecordMode,
  shell: string | null,
): ProgramFile {
  const hasBash = existsSync('/bin/bash');
  const text = shellEntryScript({ home, perl, mode, agent, shell, hasBash });
  return { path: spillwayShellPath(home), text, mode: 0o700 };
}

/**
 * Returns the paths of installed programs that are not as this version makes them or that others can change, and of
 * files beside them that it does not make: who could once write to `bin` may have left something there.
 *
 * @param shellAgents agents that may start `bin/spillway-shell`
 */
export function changedPrograms(recorder: Recorder, shellAgents: readonly string[]): string[] {
  const { home } = recorder;
  const perl = findRecorderPerl() ?? '';
  const modes = RecordMode.options;
  const entries = modes.flatMap((mode) => BASH_AGENTS.map((agent) => bashEntryFile(home, agent, perl, mode)));
  const shells = modes.flatMap((mode) =>
    shellAgents.map((agent) => shellFile(home, agent, perl, mode, null)),
  );
  const wanted = [...recorderProgram(recorder), ...entries, ...shells];
  const folders = [join(home, 'bin', 'recorder'), join(home, 'bin', 'agents')];
  const there = folders.flatMap((folder) => entryNames(folder).map((name) => join(folder, name)));
  const others = ['spillway-command', 'spillway-shell'].map((name) => join(home, 'bin', name));
  const isAsWanted = (path: string) => wanted.some((file) => file.path === path && isAsMade(file));
  return [...there, ...others.filter((path) => lstatOrNull(path) !== null)].filter(
    (path) => !isAsWanted(path),
  );
}

/** Writes atomically, and only a file that is not as it should be: shells may be reading it. */
function write(file: ProgramFile): void {
  mkdirSync(dirname(file.path), { recursive: true, mode: 0o700 });
  if (!isAsMade(file)) replaceFile(file.path, file.text, file.mode);
}

function isAsMade({ path, text, mode }: ProgramFile): boolean {
  const stats = lstatOrNull(path);
  if (!stats?.isFile() || stats.nlink > 1 || (stats.mode & 0o777) !== mode) return false;
  return (!process.getuid || stats.uid === process.getuid()) && readOwn(path) === text;
}

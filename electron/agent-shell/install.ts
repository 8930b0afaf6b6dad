/** Installs the recorder of agents' commands in the home, and removes it. */
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { SpillwayError } from '../../shared/errors.ts';
import { prepareHome } from '../host/settings/home.ts';
import { replaceFile } from '../store/format/small-file.ts';
import { type BashAgent, bashEntry, type RecordMode, recorderFiles, shellEntryScript } from './program.ts';

export interface Recorder {
  home: string;
  /** Node and Spillway's own command, run after a recorded command ends. */
  command: readonly [string, string];
}

const PERLS = ['/usr/bin/perl', '/bin/perl', '/usr/local/bin/perl', '/run/current-system/sw/bin/perl'];

/** Returns the path that BASH_ENV gets for the agent. */
export function bashEntryPath(home: string, agent: BashAgent): string {
  return join(home, 'bin', 'agents', `${agent}.bash`);
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

/** Removes one agent's file. Other agents' files stay; an unused recorder is left in place and does no harm. */
export function removeBashEntry(home: string, agent: BashAgent): void {
  rmSync(bashEntryPath(home, agent), { force: true });
}

export function removeShell(home: string): void {
  rmSync(spillwayShellPath(home), { force: true });
}

/** Returns the agents that have a file in the home. */
export function installedAgents(home: string): string[] {
  try {
    return readdirSync(join(home, 'bin', 'agents')).flatMap((name) => /^(.+)\.bash$/.exec(name)?.[1] ?? []);
  } catch {
    return [];
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
  for (const [name, text] of Object.entries(recorderFiles()))
    write(join(home, 'bin', 'recorder', name), text, 0o600);
  write(join(home, 'bin', 'spillway-command'), `${command.join('\n')}\n`, 0o600);
  return perl;
}

/** Writes atomically, and only when the text changed: shells may be reading the file. */
function write(path: string, text: string, mode: number): void {
  mkdirSync(join(path, '..'), { recursive: true, mode: 0o700 });
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return;
  replaceFile(path, text);
  if (mode !== 0o600) chmodSync(path, mode);
}

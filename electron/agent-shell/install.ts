/** Puts the recorder of agents' commands into the home, and takes it out again. */
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { SpillwayError } from '../../shared/errors.ts';
import { prepareHome } from '../host/settings/home.ts';
import { replaceFile } from '../store/format/small-file.ts';
import { type BashAgent, bashEntry, type RecordMode, recorderFiles, shellEntryScript } from './program.ts';

export interface Recorder {
  home: string;
  /** Node and Spillway's own command, for what is done after a command. */
  command: readonly [string, string];
}

const PERLS = ['/usr/bin/perl', '/bin/perl', '/usr/local/bin/perl', '/run/current-system/sw/bin/perl'];

/** Path of what BASH_ENV names for the agent. */
export function bashEntryPath(home: string, agent: BashAgent): string {
  return join(home, 'bin', 'agents', `${agent}.bash`);
}

export function spillwayShellPath(home: string): string {
  return join(home, 'bin', 'spillway-shell');
}

/** Makes what records the agent, or brings it up to date. Throws `unsupported` without Perl, and `home`. */
export function installBashEntry(recorder: Recorder, agent: BashAgent, mode: RecordMode): void {
  const perl = installRecorder(recorder);
  write(bashEntryPath(recorder.home, agent), bashEntry(agent, { home: recorder.home, perl, mode }), 0o600);
}

/** The same for `bin/spillway-shell`, which runs `shell`; null is the person's own. */
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

/** The entries stay that other agents use. What is left of a recorder that nobody uses harms nobody. */
export function removeBashEntry(home: string, agent: BashAgent): void {
  rmSync(bashEntryPath(home, agent), { force: true });
}

export function removeShell(home: string): void {
  rmSync(spillwayShellPath(home), { force: true });
}

/** Agents that the home has an entry for. */
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

/** Shells may be reading it: replaced at once, and only when it changed. */
function write(path: string, text: string, mode: number): void {
  mkdirSync(join(path, '..'), { recursive: true, mode: 0o700 });
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return;
  replaceFile(path, text);
  if (mode !== 0o600) chmodSync(path, mode);
}

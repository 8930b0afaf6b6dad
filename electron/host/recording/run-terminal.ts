/** A recorded terminal, for the command line: in the home, under its settings, without a whole host. */
import { basename } from 'node:path';
import { SpillwayError, toSpillwayError } from '../../../shared/errors.ts';
import { findCommand } from '../../recorder/command/find-command.ts';
import { runTerminal, type TerminalEnd } from '../../recorder/terminal/recorded-terminal.ts';
import { DEFAULT_SESSION } from '../../store/format/names.ts';
import type { Config } from '../settings/config.ts';
import { prepareHome } from '../settings/home.ts';

interface TerminalRequest {
  home: string;
  config: () => Config;
  /** Null: SPILLWAY_SESSION, else the default session. */
  session: string | null;
  /** Null: the program's. */
  name: string | null;
  /** The program and its arguments; empty: the user's shell. */
  command: readonly string[];
  integration: boolean;
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** Gets warnings, in sentences, before the terminal starts. */
  tell: (sentence: string) => void;
}

interface TerminalRun extends Pick<TerminalEnd, 'status' | 'endedBy' | 'artifactId' | 'warnings'> {
  /** Why there was no program to run, in a sentence. */
  problem: SpillwayError | null;
}

/** Throws SpillwayError `unsupported` on systems without pseudo-terminals. */
export async function recordTerminal(request: TerminalRequest): Promise<TerminalRun> {
  const { home, config, cwd, env, tell } = request;
  const [command = shellOf(env, cwd, tell), ...args] = request.command;
  const found = findCommand(command, cwd, env);
  if (!found.ok) {
    const problem = new SpillwayError('not_found', found.what, found.todo);
    return { status: found.status, endedBy: null, artifactId: null, warnings: [], problem };
  }
  const { settings, warnings } = config();
  for (const warning of warnings) tell(warning);
  const unrecorded = problemOf(home);
  const end = await runTerminal({
    file: found.path,
    ...{ command, args, cwd, env },
    name: request.name ?? basename(command),
    integration: request.integration,
    recording: {
      home: unrecorded === null ? home : null,
      unrecorded,
      settings,
      session: request.session || env.SPILLWAY_SESSION || DEFAULT_SESSION,
    },
    onStart: (problem) => {
      if (problem !== null) tell(`this terminal is not recorded: ${problem}`);
    },
  });
  return { ...end, problem: null };
}

/** Returns $SHELL where it exists, else a fallback. */
function shellOf(env: NodeJS.ProcessEnv, cwd: string, tell: (sentence: string) => void): string {
  const fallback = process.platform === 'win32' ? (env.ComSpec ?? 'cmd.exe') : '/bin/sh';
  const { SHELL } = env;
  if (!SHELL) return fallback;
  const found = findCommand(SHELL, cwd, env);
  if (found.ok) return SHELL;
  tell(`${found.what}, which SHELL names: ${fallback} is used`);
  return fallback;
}

function problemOf(home: string): string | null {
  try {
    prepareHome(home);
    return null;
  } catch (error) {
    return toSpillwayError(error).message;
  }
}

/** The recorder of agents' commands, as files of the home: a Perl program, and what leads each agent's shell to it. */
import agentEntry from './entry/agent.bash';
import shellEntry from './entry/spillway-shell.sh';
import capture from './recorder/core/capture.pl';
import command from './recorder/core/command.pl';
import machine from './recorder/core/machine.pl';
import main from './recorder/core/main.pl';
import outputs from './recorder/core/outputs.pl';
import record from './recorder/core/record.pl';
import settings from './recorder/core/settings.pl';
import start from './recorder/core/start.pl';
import text from './recorder/core/text.pl';
import watch from './recorder/core/watch.pl';
import hash from './recorder/rare/hash.pl';
import overflow from './recorder/rare/overflow.pl';
import parse from './recorder/rare/parse.pl';
import preview from './recorder/rare/preview.pl';
import rest from './recorder/rare/rest.pl';
import signals from './recorder/rare/signals.pl';

export type RecordMode = 'record' | 'preview';

/** Agents whose shell is bash and reads BASH_ENV. */
export type BashAgent = 'claude-code' | 'codex' | 'gemini' | 'copilot';

/** By name, what `bin/recorder/` holds. `core.pl` is compiled for each command, the others when they are needed. */
export function recorderFiles(): Record<string, string> {
  const core = [start, machine, text, settings, command, capture, record, outputs, watch, main].join('\n');
  const rare = { hash, overflow, parse, preview, rest, signals };
  return Object.fromEntries([
    ['core.pl', withoutComments(core)],
    // What Perl reads with `do` ends with what is true.
    ...Object.entries(rare).map(([name, source]) => [`${name}.pl`, `${withoutComments(source)}\n1;\n`]),
  ]);
}

export interface EntryOptions {
  /** Absolute. */
  home: string;
  perl: string;
  mode: RecordMode;
}

/** For BASH_ENV. */
export function bashEntry(agent: BashAgent, options: EntryOptions): string {
  return filled(agentEntry, { ...options, agent, isCall: IS_CALL[agent] });
}

/**
 * `bin/spillway-shell`. `agent` is who runs it; `shell` is run in its place, null for the person's own. With bash it is read by
 * bash, which passes on variables whose names are no words, as dash does not.
 */
export function shellEntryScript(
  options: EntryOptions & { agent: string; shell: string | null; hasBash: boolean },
): string {
  const firstLine = options.hasBash ? '#!/bin/bash -p' : '#!/bin/sh';
  return `${firstLine}\n${filled(shellEntry, { ...options, isCall: '', shell: options.shell ?? '' })}`;
}

/**
 * Conditions, in bash, by which a call of the agent's shell tool is known from everything else that reads BASH_ENV: hooks, servers,
 * scripts, and commands that the agent runs for itself.
 */
const IS_CALL: Record<BashAgent, string> = {
  'claude-code': `[[ $BASH_EXECUTION_STRING == *' && pwd -P >| '* ]]`,
  // Its own script restores a snapshot of the shell first. A shell within a command has a shell for its parent.
  codex: `[[ $BASH_EXECUTION_STRING != *__CODEX_SNAPSHOT* && -n \${CODEX_THREAD_ID-}\${CODEX_SESSION_ID-} ]] && { ! read -r SPILLWAY_KEPT 2>/dev/null < "/proc/$PPID/comm" || [[ $SPILLWAY_KEPT == codex* ]]; }`,
  gemini: `[[ $BASH_EXECUTION_STRING == 'shopt -u '*'__code='* ]]`,
  copilot: `[[ -n \${COPILOT_AGENT_SESSION_ID-} ]] && read -r SPILLWAY_KEPT 2>/dev/null < "/proc/$PPID/cmdline" && [[ $SPILLWAY_KEPT == *copilot* ]]`,
};

function filled(
  template: string,
  values: { home: string; perl: string; mode: string; agent: string; isCall: string; shell?: string },
): string {
  return template
    .replaceAll('@HOME@', () => quoted(values.home))
    .replaceAll('@PERL@', () => quoted(values.perl))
    .replaceAll('@SHELL@', () => quoted(values.shell ?? ''))
    .replaceAll('@AGENT@', values.agent)
    .replaceAll('@MODE@', values.mode)
    .replaceAll('@IS_CALL@', () => values.isCall);
}

/** As one word of a shell. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Lines that are comments alone; each command would pay for reading them. */
function withoutComments(source: string): string {
  return source.replace(/^\s*#.*\n/gm, '').replace(/\n{2,}/g, '\n');
}

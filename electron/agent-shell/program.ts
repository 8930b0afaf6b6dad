/** Assembles the recorder of agents' commands: a Perl program, and a shell script for each agent that starts it. */
import type { RecordMode } from '../../shared/agents.ts';
import { quoted } from '../../shared/text/escape.ts';
import type { AgentShell } from '../agents/agent.ts';
import { SHELLS, shellHabitsOf } from '../agents/agents.ts';
import agentEntry from './entry/agent.bash';
import guard from './entry/guard.pl';
import shellEntry from './entry/spillway-shell.sh';
import command from './recorder/core/command.pl';
import main from './recorder/core/main.pl';
import start from './recorder/core/start.pl';
import during from './recorder/during.pl';
import beside from './recorder/rare/beside.pl';
import envelopes from './recorder/rare/envelopes.pl';
import groupSignals from './recorder/rare/group_signals.pl';
import hash from './recorder/rare/hash.pl';
import lasting from './recorder/rare/lasting.pl';
import overflow from './recorder/rare/overflow.pl';
import parse from './recorder/rare/parse.pl';
import pipes from './recorder/rare/pipes.pl';
import preview from './recorder/rare/preview.pl';
import redact from './recorder/rare/redact.pl';
import rest from './recorder/rare/rest.pl';
import signals from './recorder/rare/signals.pl';
import watch from './recorder/rare/watch.pl';

/**
 * Returns the files of `bin/recorder/` by name. Perl compiles `core` before each command starts, `during` while it runs,
 * and the others only when they are needed.
 */
export function recorderFiles(): Record<string, string> {
  const later = {
    during,
    beside,
    envelopes,
    group_signals: groupSignals,
    hash,
    lasting,
    overflow,
    parse,
    pipes,
    preview: preview.replace("'@PASSES@'", perlPasses),
    redact,
    rest,
    signals,
    watch,
  };
  const parts = Object.entries(later).map(([name, source]) => ({
    name,
    source,
    functions: functionsOf(source),
  }));
  const index = parts.flatMap(({ name, functions }) => functions.map((each) => `${name}:${each}`));
  const core = [start, command, main].join('\n');
  return Object.fromEntries([
    [
      'core.pl',
      whole(core.replace("'@PARTS@'", () => `' ${index.join(' ')} '`).replace("'@SHELLS@'", perlShells)),
    ],
    ...parts.map(({ name, source, functions }) => [
      `${name}.pl`,
      `${whole(source)}(grep { !defined &$_ } qw(${functions.join(' ')})) ? '' : '${name}';\n`,
    ]),
  ]);
}

function functionsOf(source: string): string[] {
  return [...source.matchAll(/^sub (\w+)/gm)].map(([, name]) => name!);
}

interface EntryOptions {
  /** Absolute. */
  home: string;
  perl: string;
  mode: RecordMode;
}

/** Returns the script that BASH_ENV names. */
export function bashEntry(agent: string, options: EntryOptions): string {
  return filled(agentEntry, {
    ...options,
    agent,
    isCall: isCall(SHELLS.get(agent)!),
    hasOptions: SHELLS.get(agent)!.hasOptions ? 'yes' : "''",
  });
}

/**
 * Returns `bin/spillway-shell`. `agent` is the agent that starts it; `shell` is the shell it runs, null for the
 * user's own. It prefers bash, which keeps environment variables whose names are not identifiers; dash drops them.
 */
export function shellEntryScript(
  options: EntryOptions & { agent: string; shell: string | null; hasBash: boolean },
): string {
  const firstLine = options.hasBash ? '#!/bin/bash -p' : '#!/bin/sh';
  return `${firstLine}\n${filled(shellEntry, { ...options, isCall: '', shell: options.shell ?? '' })}`;
}

/** A bash condition that is true of commands that the recorder has to look at. */
function isCall({ marker, skipped, envelope }: AgentShell): string {
  const known = envelope?.tails
    .map((tail) => ` || $BASH_EXECUTION_STRING == *${quoted(tail.trimEnd())}*`)
    .at(-1);
  const isMarked = `-n \${${marker}-}${known ?? ''}`;
  return skipped ? `[[ (${isMarked}) && $BASH_EXECUTION_STRING != ${skipped} ]]` : `[[ ${isMarked} ]]`;
}

/** The table of shells for the recorder, as a Perl hash. */
function perlShells(): string {
  const rows = [...SHELLS].map(([agent, { marker, parents = '', output, envelope }]) => {
    const { head, tails = [], isQuoted = false } = envelope ?? {};
    const sources = [
      marker,
      parents,
      output?.source ?? '',
      head?.source ?? '',
      isQuoted ? '1' : '',
      ...tails,
    ];
    return `${perlQuoted(agent)}, [${sources.map(perlQuoted).join(', ')}]`;
  });
  return rows.join(', ');
}

/** What agents' shells pass on: for each agent, of a command that succeeded, and of one that failed. */
function perlPasses(): string {
  const rows = [...SHELLS.keys()].flatMap((agent) => {
    const habits = shellHabitsOf(agent);
    const given = [habits, habits?.failed ?? habits].map((one) =>
      one ? perlQuoted([one.whole, one.head, one.tail, one.kept ?? ''].join(' ')) : "''",
    );
    return habits ? `${perlQuoted(agent)}, [${given.join(', ')}]` : [];
  });
  return rows.join(', ');
}

function perlQuoted(text: string): string {
  return `'${text.replace(/['\\]/g, '\\$&')}'`;
}

function filled(
  template: string,
  values: {
    home: string;
    perl: string;
    mode: string;
    agent: string;
    isCall: string;
    hasOptions?: string;
    shell?: string;
  },
): string {
  return template
    .replaceAll('@HOME@', () => quoted(values.home))
    .replaceAll('@PERL@', () => quoted(values.perl))
    .replaceAll('@GUARD@', () => quoted(withoutComments(guard)))
    .replaceAll('@SHELL@', () => quoted(values.shell ?? ''))
    .replaceAll('@HAS_OPTIONS@', () => values.hasOptions ?? '')
    .replaceAll('@AGENT@', values.agent)
    .replaceAll('@MODE@', values.mode)
    .replaceAll('@IS_CALL@', () => values.isCall);
}

/** A block: a file that lost its end is not compiled at all. */
function whole(source: string): string {
  return `{\n${withoutComments(source)}\n}\n`;
}

/** Removes comment lines, which Perl would read again for each command. */
function withoutComments(source: string): string {
  return source.replace(/^\s*#.*\n/gm, '').replace(/\n{2,}/g, '\n');
}

/** Says why Spillway writes the settings whose purpose a person could not guess. */
import { NO_DEBUGGER } from '../host/no-debugger.ts';
import type { Plan } from './plan.ts';

/** A text in the setting's path or value, and the reason for the setting. */
const REASONS: readonly [string, string][] = [
  [
    NO_DEBUGGER[0],
    "keeps Node's debugger closed: no machine has this address, so the debugger cannot listen there",
  ],
  ['BASH_ENV', "bash reads this file when the agent's shell starts; it hands the command to the recorder"],
  ['bashEnv', 'lets the shell read the file in BASH_ENV, which hands its commands to the recorder'],
  ['SHLVL', 'without it, bash ignores BASH_ENV where its standard input is a socket'],
  [
    'writable_roots',
    'the sandbox lets commands write only to listed folders; their recordings go to this one, which holds nothing else',
  ],
  ['spillway-shell', 'runs each command in the shell that was used before, and records it'],
  [
    'SPILLWAY_HOME',
    "the folder that holds the recordings; the agent's servers may not inherit it from your environment",
  ],
];

/** Returns a line of reason for each kind of setting that the plan's changed files get. */
export function reasonsFor({ changes, ledger }: Plan): string[] {
  const changed = new Set(changes.map(({ path }) => path));
  const files = ledger?.files.filter(({ path }) => changed.has(path)) ?? [];
  const written = JSON.stringify(
    files.flatMap(({ settings }) => settings.map(({ path, value }) => [path, value])),
  );
  return REASONS.flatMap(([text, reason]) => (written.includes(text) ? [`${text}: ${reason}`] : []));
}

/** Declares the commands that manage storage: stats, cleanup, delete, sources, pin, unpin. */
import type { CleanupOptions } from '../commands/cleanup.ts';
import type { PinOptions } from '../commands/pin.ts';
import type { SourcesOptions } from '../commands/sources.ts';
import * as examples from './examples.ts';
import { type Finish, hours, type Program } from './options.ts';

export function declareStorage(program: Program, finish: Finish): void {
  program
    .command('stats')
    .summary('show what is stored and how long it is kept')
    .description('Shows the storage used by each source and session, and how long captures are kept.')
    .option('--json', 'print the figures as one JSON document')
    .action((options: { json?: boolean }) =>
      finish(import('../commands/stats.ts').then(({ stats }) => stats(options))),
    );
  program
    .command('cleanup')
    .summary('remove old captures, or all finished ones')
    .description(
      'Removes captures. Without options: those past the retention settings. Never removes running or pinned captures, nor files that Spillway did not write.',
    )
    .option(
      '--older-than <HOURS>',
      'captures that ended at least HOURS ago; 0 removes all finished, unpinned ones',
      hours('--older-than'),
    )
    .option('--session <S>', 'only captures of this session')
    .option(
      '--keep <ID>',
      'keep this capture (repeatable); with --session and no other option, removes the rest of the session',
      (id: string, before: string[] = []) => [...before, id],
    )
    .option('--dry-run', 'only show what would be removed')
    .option('--json', 'print the removed and kept captures as one JSON document')
    .addNotes(examples.CLEANUP)
    .action((options: CleanupOptions) =>
      finish(import('../commands/cleanup.ts').then(({ cleanup }) => cleanup(options))),
    );
  program
    .command('delete')
    .summary('remove captures by name, pinned or not')
    .description('Removes the named captures that have finished, pinned ones too. What runs stays.')
    .argument('<ID...>', 'ids of captures, from `spillway list`')
    .option('--json', 'print the removed and kept captures as one JSON document')
    .action((ids: string[], options: { json?: boolean }) =>
      finish(import('../commands/cleanup.ts').then(({ deleteNamed }) => deleteNamed(ids, options))),
    );
  program
    .command('sources')
    .summary('list the agents whose captures are shown, and switch them')
    .description(
      'Lists the agents that keep captures of their own on this machine, and their settings. With names, changes the settings of those.',
    )
    .argument('[NAME...]', 'names of sources, such as claude-code')
    .option('--on', 'list their captures')
    .option('--off', 'do not list their captures')
    .option('--mcp', 'let agents read their captures over MCP')
    .option('--no-mcp', 'do not let agents read them')
    .option('--rescue <WHAT>', 'keep what they delete: off, failed or all')
    .option('--json', 'print the sources as one JSON document')
    .addNotes(examples.SOURCES)
    .action((names: string[], options: SourcesOptions) =>
      finish(import('../commands/sources.ts').then(({ sources }) => sources(names, options))),
    );
  for (const name of ['pin', 'unpin'] as const) {
    program
      .command(name)
      .summary(name === 'pin' ? 'protect a capture from cleanup' : 'allow cleanup to remove a pinned capture')
      .description(
        name === 'pin'
          ? 'Protects a capture from cleanup until it is unpinned.'
          : 'Removes the pin: cleanup may remove the capture again.',
      )
      .argument('<ID>', 'id of a capture, from `spillway list`')
      .option('--json', 'print the result as one JSON document')
      .action((id: string, options: PinOptions) =>
        finish(import('../commands/pin.ts').then((pins) => pins[name](id, options))),
      );
  }
}

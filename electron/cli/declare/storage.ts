/** Declares the commands that manage storage: stats, cleanup, pin, unpin. */
import type { CleanupOptions } from '../cleanup.ts';
import * as examples from '../examples.ts';
import { hours } from '../options.ts';
import type { PinOptions } from '../pin.ts';
import type { Finish, Program } from './declaring.ts';

export function declareStorage(program: Program, finish: Finish): void {
  program
    .command('stats')
    .summary('say what is stored, and how long it stays')
    .description('Says what the outputs take, by source and by session, and how long captures are kept.')
    .option('--json', 'print the figures as one JSON document')
    .action((options: { json?: boolean }) =>
      finish(import('../stats.ts').then(({ stats }) => stats(options))),
    );
  program
    .command('cleanup')
    .summary('remove captures that are old enough, or all that are finished')
    .description(
      'Removes captures: without options those that the retention settings let go. Running and pinned ones stay, as do files that Spillway did not write.',
    )
    .option(
      '--older-than <HOURS>',
      'those that ended so long ago; 0 is everything finished and unpinned',
      hours('--older-than'),
    )
    .option('--session <S>', 'only of this session')
    .option(
      '--keep <ID>',
      'this one stays, and may be given often; with --session alone, everything else of the session goes',
      (id: string, before: string[] = []) => [...before, id],
    )
    .option('--dry-run', 'say what would go, and remove nothing')
    .option('--json', 'print what went and what stayed as one JSON document')
    .addHelpText('after', examples.CLEANUP)
    .action((options: CleanupOptions) =>
      finish(import('../cleanup.ts').then(({ cleanup }) => cleanup(options))),
    );
  for (const name of ['pin', 'unpin'] as const) {
    program
      .command(name)
      .summary(
        name === 'pin' ? 'keep a capture whatever is cleaned up' : 'let a pinned capture go with the others',
      )
      .description(
        name === 'pin'
          ? 'Keeps a capture from every cleanup, until it is unpinned.'
          : 'Lets a capture that was pinned be cleaned up like the others.',
      )
      .argument('<ID>', 'a capture, by the id that `spillway list` shows')
      .option('--json', 'print the result as one JSON document')
      .action((id: string, options: PinOptions) =>
        finish(import('../pin.ts').then((pins) => pins[name](id, options))),
      );
  }
}

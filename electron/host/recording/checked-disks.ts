/** Keeps a process that serves others from waiting for a disk when it starts a command. */
import { delimiter, resolve } from 'node:path';
import { SpillwayError } from '../../../shared/errors.ts';
import { farPathOf } from '../../reader/disks/mounts.ts';
import { isUnanswered } from '../../workers/disk.ts';
import { diskHere } from '../disk-here.ts';

/**
 * Rejects with `stalled` if a disk does not answer on which the command's directory is, or its program may be: whoever
 * starts it would wait for that disk.
 */
export async function checkDisks(command: string, cwd: string, env: NodeJS.ProcessEnv): Promise<void> {
  const places = command.includes('/') ? [command] : (env.PATH ?? '').split(delimiter);
  const paths = [cwd, ...places.map((place) => resolve(cwd, place))];
  await Promise.all(
    [...new Set(paths)]
      .filter((path) => farPathOf(path) !== null)
      .map((path) =>
        diskHere()
          .place(path)
          .catch((error: unknown) => {
            // What else is wrong with it is said when the command starts.
            if (isUnanswered(error))
              throw new SpillwayError(
                'stalled',
                (error as SpillwayError).what,
                'the command was not started: wait until it answers, or run one elsewhere',
              );
          }),
      ),
  );
}

/** Keeps a process that serves others, or has a time-out to keep, from waiting for a disk when it starts a command. */
import { delimiter, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { SpillwayError } from '../../../shared/errors.ts';
import { farPathOf } from '../../reader/disks/mounts.ts';
import { diskHere, isUnanswered } from '../../workers/disk.ts';
import { NotRunnable } from './not-runnable.ts';

/**
 * Rejects with `stalled` if the disk of the command's directory, or of a folder in which its program may be, does not
 * answer. Whoever started the command would wait for that disk.
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
            // Any other error is reported when the command starts.
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

const RETRY_MS = 50;

/** Waits for those disks, as the command bare would. Throws NotRunnable after `timeout` milliseconds. */
export async function waitForDisks(
  command: string,
  cwd: string,
  env: NodeJS.ProcessEnv,
  timeout: number,
): Promise<void> {
  const started = performance.now();
  for (;;) {
    const stalled = await checkDisks(command, cwd, env).catch((error: SpillwayError) => error);
    if (stalled === undefined) return;
    if (performance.now() - started >= timeout)
      throw new NotRunnable(124, `${stalled.what}, for all of the time-out`, 'run a program elsewhere');
    await wait(RETRY_MS);
  }
}

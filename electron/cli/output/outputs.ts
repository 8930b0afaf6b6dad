/** Our standard output and error: one outlet each for the whole process, so that nothing overtakes anything. */
import { Outlet } from '../../recorder/streams/outlet.ts';

export type Gone = (error: NodeJS.ErrnoException | null) => void;

export class Output {
  readonly outlet: Outlet;
  readonly #listeners: Gone[] = [];
  #gone: { error: NodeJS.ErrnoException | null } | null = null;

  constructor(fd: 1 | 2) {
    this.outlet = new Outlet(fd, {
      gone: (error) => {
        this.#gone = { error };
        for (const listener of this.#listeners) listener(error);
      },
    });
  }

  /** Set when nothing is written any more: its reader has gone (a null error), or writing failed. */
  get gone(): { error: NodeJS.ErrnoException | null } | null {
    return this.#gone;
  }

  /** `listener` is called once, at once where it has happened. */
  onGone(listener: Gone): void {
    if (this.#gone) listener(this.#gone.error);
    else this.#listeners.push(listener);
  }
}

const outputs: Partial<Record<1 | 2, Output>> = {};

export function output(fd: 1 | 2): Output {
  outputs[fd] ??= new Output(fd);
  return outputs[fd];
}

/** Resolves when all that was written is out. To be awaited before the process ends. */
export async function flushOutputs(): Promise<void> {
  await Promise.all(Object.values(outputs).map(({ outlet }) => outlet.flushed()));
}

/** Standard output and error: one outlet each for the whole process, so that writes stay in order. */
import { Outlet } from '../../recorder/streams/outlet.ts';

type Gone = (error: NodeJS.ErrnoException | null) => void;

class Output {
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

  /** Set once nothing more can be written: the reader exited (a null error), or a write failed. */
  get gone(): { error: NodeJS.ErrnoException | null } | null {
    return this.#gone;
  }

  /** Calls `listener` once: immediately if it has happened already. */
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

/** Resolves when everything is written. Await it before the process ends. */
export async function flushOutputs(): Promise<void> {
  await Promise.all(Object.values(outputs).map(({ outlet }) => outlet.flushed()));
}

/** Standard output and error: one outlet each for the whole process, so that writes stay in order. */
import { Outlet } from '../../recorder/streams/outlet.ts';

type Gone = (error: NodeJS.ErrnoException | null) => void;

class Output {
  readonly outlet: Outlet;
  readonly #listeners: Gone[] = [];
  #gone: { error: NodeJS.ErrnoException | null } | null = null;

  constructor(fd: 1 | 2, keepsTime: boolean) {
    const events = {
      gone: (error: NodeJS.ErrnoException | null) => {
        this.#gone = { error };
        for (const listener of this.#listeners) listener(error);
      },
    };
    this.outlet = new Outlet(fd, events, keepsTime);
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

/** `keepsTime` counts at the first call: see Outlet. */
export function output(fd: 1 | 2, keepsTime = false): Output {
  outputs[fd] ??= new Output(fd, keepsTime);
  return outputs[fd];
}

/** Resolves when everything is written. Await it before the process ends. */
export async function flushOutputs(): Promise<void> {
  await Promise.all(Object.values(outputs).map(({ outlet }) => outlet.flushed()));
}

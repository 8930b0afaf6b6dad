/** What a command left behind when it ended: processes in the background, which may still print. */
import { GRACE, Rest, type Tree } from '../../recorder/command/process-tree.ts';
import { isProcessAlive } from '../../store/processes.ts';

export interface Background {
  /** Nothing is left any more, as far as is known. */
  readonly isOver: boolean;
  /** Ends all of it; resolves when that was done, with false when there was nothing any more. */
  end(): Promise<boolean>;
}

/**
 * Null when there is nothing, as far as is known.
 * @param isOpen its outputs are still open
 * @param recorder reads them, and ends by itself when nobody has them any more
 * @param rest done when nobody has them any more, where this process reads them
 */
export function backgroundOf(
  tree: Tree | undefined,
  isOpen: boolean,
  recorder: number | null,
  rest: Promise<void>,
): Background | null {
  if (tree === undefined) return null;
  let isRead = isOpen;
  const isStillOpen = () => isRead || (recorder !== null && isProcessAlive(recorder));
  const left = new Rest({ ...tree, spared: recorder }, isStillOpen);
  if (left.isOver) return null;
  const ended = () => {
    isRead = false;
  };
  rest.then(ended, ended);
  return {
    get isOver() {
      return left.isOver;
    },
    async end() {
      const found = await left.end();
      // What they printed last is still written.
      for (let waited = 0; isStillOpen() && waited < GRACE; waited += 20) await pause(20);
      return found;
    },
  };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

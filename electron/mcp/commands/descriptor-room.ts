/** Lets a command start when there are descriptors for its pipes and files; until then, others come to their end. */
import { closeSync, openSync } from 'node:fs';
import { devNull } from 'node:os';
import { isOutOfFiles } from '../../../shared/errors.ts';

/** A start opens fewer at once, and what reads meanwhile needs some. */
const FOR_ONE = 24;
/** If none starts or ends for so many milliseconds, one is tried anyway: those that run may be servers, which do not end. */
const LONGEST_MS = 10_000;
const LOOK_MS = 50;

export class DescriptorRoom {
  #starting = 0;
  /** When a command last started or ended. */
  #changed = performance.now();
  #others = 0;

  /** Resolves with what to call once the command has started, or failed to. `others`: how many run. Never rejects. */
  async enter(others: () => number): Promise<() => void> {
    this.#changed = performance.now();
    while (!this.#mayStart(others())) await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    this.#starting += 1;
    return () => {
      this.#starting -= 1;
      this.#changed = performance.now();
    };
  }

  #mayStart(others: number): boolean {
    if (areFree(FOR_ONE * (this.#starting + 1))) return true;
    if (others !== this.#others) this.#changed = performance.now();
    this.#others = others;
    return this.#starting === 0 && (others === 0 || performance.now() - this.#changed > LONGEST_MS);
  }
}

function areFree(count: number): boolean {
  const opened: number[] = [];
  try {
    while (opened.length < count) opened.push(openSync(devNull, 'r'));
    return true;
  } catch (error) {
    return !isOutOfFiles(error);
  } finally {
    for (const fd of opened) closeSync(fd);
  }
}

/** Holds everything that one thread searches with: one memory, and the modules that share it. */
import { createKernel, type Kernel } from './automaton/rows.ts';
import { AT, createMemory, RENDERED_BYTES } from './memory.ts';
import { type Scanner, sourceOf, wasmScanner } from './scanner.ts';
import { plainScanner } from './scanner-plain.ts';

export interface Workspace {
  readonly scanner: Scanner;
  readonly kernel: Kernel;
  /** Text of a stream, which is to be searched. */
  readonly source: Buffer;
  /** Room for lines that had to be rendered. */
  readonly rendered: Buffer;
}

export function createWorkspace(): Workspace {
  const memory = createMemory();
  return {
    scanner: createScanner(memory),
    kernel: createKernel(memory),
    source: sourceOf(memory),
    rendered: Buffer.from(memory.buffer, AT.rendered, RENDERED_BYTES),
  };
}

export function createScanner(memory: WebAssembly.Memory): Scanner {
  try {
    return wasmScanner(memory);
  } catch {
    // Slower, not broken.
    return plainScanner(memory);
  }
}

/** Holds one thread's search memory, and the modules that share it. */
import { createKernel, type Kernel } from './automaton/kernel.ts';
import { AT, createMemory, RENDERED_BYTES } from './memory.ts';
import { type Scanner, sourceOf, wasmScanner } from './scanner/scanner.ts';
import { plainScanner } from './scanner/scanner-plain.ts';

export interface Workspace {
  readonly scanner: Scanner;
  readonly kernel: Kernel;
  /** Text of a stream, to be searched. */
  readonly source: Buffer;
  /** Room for rendered lines. */
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
    // Without SIMD, search is slower but works.
    return plainScanner(memory);
  }
}

/** Instantiates the modules that run an automaton, all on one memory. */
import { instantiate } from '../memory.ts';
import bitsWasm from './bits/bits.wat';
import loopsWasm from './bits/loops.wat';
import type { Properties } from './bits/tables.ts';
import type { EarlyExports } from './early.ts';
import earlyWasm from './early.wat';
import kernelWasm from './kernel.wat';
import singlesWasm from './singles.wat';

export interface Kernel {
  readonly memory: WebAssembly.Memory;
  readonly exports: KernelExports;
  /** The automaton whose rows or tables fill the memory. */
  owner: object | null;
}

/** The exports of kernel.wat, singles.wat, early.wat and bits.wat. */
interface KernelExports {
  /** Not 0 once a line is unsure. */
  unsure: { value: number };
  pair(columns: number): void;
  runPairs(): number;
  runSingles(): number;
  early: EarlyExports;
  bits: BitExports;
}

export function createKernel(memory: WebAssembly.Memory): Kernel {
  const pairs = instantiate<Omit<KernelExports, 'runSingles' | 'early' | 'bits'>>(kernelWasm, memory);
  const { runSingles } = instantiate<Pick<KernelExports, 'runSingles'>>(singlesWasm, memory, { ...pairs });
  const early = instantiate<EarlyExports>(earlyWasm, memory, { ...pairs });
  const bits = instantiate<BitExports>(bitsWasm, memory, instantiate(loopsWasm, memory));
  const { unsure, pair, runPairs } = pairs;
  return { memory, exports: { unsure, pair, runPairs, runSingles, early, bits }, owner: null };
}

/** The exports of bits.wat. */
interface BitExports {
  load(base: number, ...properties: Properties): void;
  begin(): void;
  run(at: number, end: number): void;
  /** Address of the next event. */
  out: { value: number };
  /** Not 0 once a line is unsure. */
  unsure: { value: number };
}

/** Lays out the memory that the search's WebAssembly modules share: text, tables and results. */

const WASM_PAGE_BYTES = 64 * 1024;
/** A page of the system's memory, and of what it keeps of files. The WebAssembly memory begins at one. */
export const PAGE_BYTES = 4096;
/** Most bytes in `source`, after less than a page; a longer line is searched in parts. */
export const SOURCE_BYTES = 4 * 1024 * 1024;
/**
 * Most bytes that one call reads, unless a single line is longer; the room for results follows from it. Much of a
 * search runs before V8 has optimised what JavaScript does for each block: half as many bytes take a tenth more
 * processor time, though they stay closer to the processor.
 */
export const STEP_BYTES = 2 * 1024 * 1024;
/** Blocks for which a way to search is not tried again, after one where it did not help: about 16 MiB. */
export const SKIPPED_BLOCKS = (16 * 1024 * 1024) / STEP_BYTES - 1;
/** Most bytes of rendered lines that one call reads. */
export const RENDERED_BYTES = STEP_BYTES;
/** Bytes for the automaton's rows. When they are full, they are cleared. */
export const ROWS_BYTES = 8 * 1024 * 1024;
const RESULTS_BYTES = (STEP_BYTES + 16) * Uint32Array.BYTES_PER_ELEMENT;

/** Addresses; kernel.wat repeats those written in hexadecimal. */
export const AT = layout();

function layout() {
  const literal = 0;
  const fold = WASM_PAGE_BYTES / 2;
  const columns = 0x1_0000;
  const lanes = 0x1_0400;
  const pairs = 0x2_0000;
  const source = 0x4_0000;
  const rendered = source + SOURCE_BYTES + WASM_PAGE_BYTES;
  const lines = rendered + RENDERED_BYTES + WASM_PAGE_BYTES;
  const places = lines + RESULTS_BYTES;
  const events = places + RESULTS_BYTES;
  const before = events + RESULTS_BYTES;
  const behind = before + 1024;
  const nibbles = behind + 1024;
  const several = nibbles + 1024;
  const scratch = several + 1024;
  const rows = scratch + WASM_PAGE_BYTES;
  return {
    ...{ literal, fold, columns, lanes, pairs, source, rendered, lines, places, events, before, behind },
    ...{ nibbles, several, scratch, rows, end: rows + ROWS_BYTES + WASM_PAGE_BYTES },
  };
}

/** Most bytes of all literals, each rounded up to 16. */
export const MAX_LITERAL_BYTES = WASM_PAGE_BYTES / 2;

export function createMemory(): WebAssembly.Memory {
  return new WebAssembly.Memory({ initial: AT.end / WASM_PAGE_BYTES });
}

/**
 * Returns the exports of a module that uses the given memory, and exports of another module. Throws if the engine
 * lacks a feature that the module needs.
 */
export function instantiate<Exports>(
  module: Uint8Array,
  memory: WebAssembly.Memory,
  imports: Record<string, unknown> = {},
): Exports {
  const compiled = new WebAssembly.Module(module as Uint8Array<ArrayBuffer>);
  return new WebAssembly.Instance(compiled, { env: { memory: memory as never, ...imports } as never })
    .exports as unknown as Exports;
}

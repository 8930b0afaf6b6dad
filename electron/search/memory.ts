/** Lays out the memory that the search's WebAssembly modules share: text, tables and results. */

const PAGE = 64 * 1024;
/** Bytes that one fill of `source` may hold; a longer line is searched in parts. */
export const SOURCE_BYTES = 4 * 1024 * 1024;
/** Bytes that are looked at in one call, unless a single line is longer: so many results have room. */
export const STEP_BYTES = 512 * 1024;
/** Bytes of lines that had to be rendered, looked at in one call. */
export const RENDERED_BYTES = 1024 * 1024;
/** Bytes of the automaton's rows. When they are full they are made anew. */
export const ROWS_BYTES = 8 * 1024 * 1024;
const RESULTS_BYTES = (STEP_BYTES + 16) * Uint32Array.BYTES_PER_ELEMENT;

/** Where things are. What kernel.wat names too stands in hexadecimal. */
export const AT = layout();

function layout() {
  const literal = 0;
  const fold = PAGE / 2;
  const columns = 0x1_0000;
  const lanes = 0x1_0400;
  const pairs = 0x2_0000;
  const source = 0x4_0000;
  const rendered = source + SOURCE_BYTES + PAGE;
  const lines = rendered + RENDERED_BYTES + PAGE;
  const places = lines + RESULTS_BYTES;
  const events = places + RESULTS_BYTES;
  const before = events + RESULTS_BYTES;
  const behind = before + 1024;
  const scratch = behind + 1024;
  const rows = scratch + PAGE;
  return {
    ...{ literal, fold, columns, lanes, pairs, source, rendered, lines, places, events, before, behind },
    ...{ scratch, rows, end: rows + ROWS_BYTES + PAGE },
  };
}

/** Longest literal that has room, in bytes. */
export const MAX_LITERAL_BYTES = PAGE / 2;

export function createMemory(): WebAssembly.Memory {
  return new WebAssembly.Memory({ initial: AT.end / PAGE });
}

/** A module's exports, on the given memory. Throws where the engine lacks what the module needs. */
export function instantiate<Exports>(module: Uint8Array, memory: WebAssembly.Memory): Exports {
  const compiled = new WebAssembly.Module(module as Uint8Array<ArrayBuffer>);
  return new WebAssembly.Instance(compiled, { env: { memory: memory as never } })
    .exports as unknown as Exports;
}

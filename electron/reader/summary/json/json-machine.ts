/**
 * Runs the grammar of json-table.ts over bytes. WebAssembly reads indented JSON five times as fast as the loop in
 * JavaScript, its twin, which small texts and systems without WebAssembly use.
 */
import wasm from './json.wat';
import {
  ACTION,
  CONTAINER,
  FIRST_ACTION,
  IN_STRING,
  jsonTable,
  STATE_NAMES,
  stateNumber,
} from './json-table.ts';

/** Deeper texts are not taken for JSON. */
export const MAX_DEPTH = 1 << 20;

export interface JsonMachine {
  /** The most bytes that `load` takes. */
  readonly maxBytes: number;
  /** Takes the next bytes; then `run` reads them. */
  load(bytes: Uint8Array): void;
  /**
   * Reads the loaded bytes from `at` on. Stops after a quote that begins or ends a key of the outermost object, and
   * returns the offset there; `event` says which it was. Otherwise returns the number of the bytes.
   */
  run(at: number): number;
  readonly event: typeof ACTION.startKey | typeof ACTION.endKey | null;
  /** A state of json-table.ts, or `ACTION.fail` once the text is known to be no JSON. */
  readonly state: number;
  /** Containers that are open. */
  readonly depth: number;
  /** Elements of the outermost array so far; the last counts when the array ends. */
  readonly length: number;
}

const BEGINNING = stateNumber(CONTAINER.none, 'value');

export function plainJsonMachine(): JsonMachine {
  let bytes: Uint8Array = new Uint8Array();
  let around = new Uint8Array(64);
  let kind: number = CONTAINER.none;
  let state = BEGINNING;
  let depth = 0;
  let length = 0;
  let event: JsonMachine['event'] = null;

  const open = (next: number, first: 'firstKey' | 'firstElement'): number => {
    if (depth === MAX_DEPTH) return ACTION.fail;
    if (depth === around.length) {
      const deeper = new Uint8Array(depth * 2);
      deeper.set(around);
      around = deeper;
    }
    around[depth++] = kind;
    kind = next;
    return stateNumber(kind, first);
  };
  const close = (): number => {
    kind = around[--depth]!;
    return stateNumber(kind, 'after');
  };
  /** Returns the next state. */
  const act = (action: number): number => {
    switch (action) {
      case ACTION.openObject:
        return open(depth === 0 ? CONTAINER.outerObject : CONTAINER.object, 'firstKey');
      case ACTION.openArray:
        return open(depth === 0 ? CONTAINER.outerArray : CONTAINER.array, 'firstElement');
      case ACTION.count:
        length += 1;
        return stateNumber(CONTAINER.outerArray, 'value');
      case ACTION.close:
        if (kind === CONTAINER.outerArray) length += 1;
        return close();
      case ACTION.closeEmpty:
        return close();
      case ACTION.startKey:
      case ACTION.endKey:
        event = action;
        return stateNumber(CONTAINER.outerObject, action === ACTION.startKey ? 'keyString' : 'colon');
      default:
        return ACTION.fail;
    }
  };
  return {
    maxBytes: Number.MAX_SAFE_INTEGER,
    load(next) {
      bytes = next;
    },
    run(at) {
      const table = jsonTable();
      event = null;
      for (let i = at; i < bytes.length && state !== ACTION.fail; ) {
        const next = table[(state << 8) | bytes[i]!]!;
        i += 1;
        if (next < FIRST_ACTION) {
          state = next;
          if (IN_STRING[state] === 1) i = plainEnd(bytes, i);
          continue;
        }
        state = act(next);
        if (event !== null) return i;
      }
      return bytes.length;
    },
    get event() {
      return event;
    },
    get state() {
      return state;
    },
    get depth() {
      return depth;
    },
    get length() {
      return length;
    },
  };
}

/** Returns the end of the plain characters in a string. */
function plainEnd(bytes: Uint8Array, at: number): number {
  let i = at;
  for (; i < bytes.length; i += 1) {
    const byte = bytes[i]!;
    if (byte === 0x22 || byte === 0x5c || byte < 0x20) break;
  }
  return i;
}

/** Places in the memory of json.wat, which repeats them. */
const AT = { table: 0, skips: 0xb000, input: 0x1_0000, around: 0x6_0000 };
/** Bytes of the input; after it is room for what is read beyond its end. */
const INPUT_BYTES = 0x4_0000;
const PAGE_BYTES = 0x1_0000;
/** How to pass over many bytes at once in a state: not at all, or plain characters of a string, or blanks. */
const SKIPS = { nothing: 0, plain: 1, blanks: 2 } as const;

interface Exports {
  run(at: number, end: number): number;
  event: { value: number };
  state: { value: number };
  depth: { value: number };
  length: { value: number };
}

/** For a large text. */
export function createJsonMachine(): JsonMachine {
  try {
    return wasmJsonMachine();
  } catch {
    // Without SIMD, or with WebAssembly forbidden.
    return plainJsonMachine();
  }
}

let compiled: WebAssembly.Module | undefined;

function wasmJsonMachine(): JsonMachine {
  const memory = new WebAssembly.Memory({ initial: (AT.around + MAX_DEPTH) / PAGE_BYTES });
  const all = new Uint8Array(memory.buffer);
  all.set(jsonTable(), AT.table);
  all.set(skips(), AT.skips);
  const constants = { states: STATE_NAMES.length, actions: FIRST_ACTION, deepest: MAX_DEPTH };
  compiled ??= new WebAssembly.Module(wasm as Uint8Array<ArrayBuffer>);
  const exports = new WebAssembly.Instance(compiled, { env: { memory, ...constants } })
    .exports as unknown as Exports;
  let loaded = 0;
  return {
    maxBytes: INPUT_BYTES,
    load(bytes) {
      all.set(bytes, AT.input);
      loaded = bytes.length;
    },
    run: (at) => exports.run(AT.input + at, AT.input + loaded) - AT.input,
    get event() {
      const { value } = exports.event;
      return value === 0 ? null : (value as NonNullable<JsonMachine['event']>);
    },
    get state() {
      return exports.state.value;
    },
    get depth() {
      return exports.depth.value;
    },
    get length() {
      return exports.length.value;
    },
  };
}

/** Returns one of SKIPS for each state. */
function skips(): Uint8Array {
  const table = jsonTable();
  return Uint8Array.from({ length: FIRST_ACTION }, (_, state) => {
    if (IN_STRING[state] === 1) return SKIPS.plain;
    // A state that each blank leads back to.
    return [...' \n\r\t'].every((blank) => table[(state << 8) | blank.charCodeAt(0)] === state)
      ? SKIPS.blanks
      : SKIPS.nothing;
  });
}

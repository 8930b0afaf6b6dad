/**
 * Runs the grammar of RFC 8259 over bytes. WebAssembly reads indented JSON five times as fast as the loop in
 * JavaScript, its twin, which small texts and systems without WebAssembly use.
 */
import wasm from './json.wat';

// The grammar as a table: for each state and byte, the next state or an action (`ACTION`). Each state
// exists once for each kind of open container, so that only brackets need a stack.

/** The open container: none, one within another, or the outermost. */
const CONTAINER = { none: 0, object: 1, array: 2, outerObject: 3, outerArray: 4 } as const;

/** The states in each kind of container, in the order of their numbers; json.wat repeats some of the numbers. */
const STATE_NAMES = [
  ...['value', 'firstElement', 'firstKey', 'key', 'colon', 'after'],
  ...['string', 'escape', 'hex1', 'hex2', 'hex3', 'hex4'],
  ...['keyString', 'keyEscape', 'keyHex1', 'keyHex2', 'keyHex3', 'keyHex4'],
  ...['sign', 'zero', 'integer', 'point', 'fraction', 'exponent', 'exponentSign', 'exponentDigits'],
  ...['rue', 'ue', 'e', 'alse', 'lse', 'se', 'ull', 'll', 'l'],
] as const;
type Name = (typeof STATE_NAMES)[number];

/** Numbers from here on are actions. */
const FIRST_ACTION = STATE_NAMES.length * Object.keys(CONTAINER).length;
/** `count`: one more element of the outermost array. */
export const ACTION = {
  openObject: FIRST_ACTION,
  openArray: FIRST_ACTION + 1,
  close: FIRST_ACTION + 2,
  closeEmpty: FIRST_ACTION + 3,
  count: FIRST_ACTION + 4,
  startKey: FIRST_ACTION + 5,
  endKey: FIRST_ACTION + 6,
  fail: 255,
} as const;

function stateNumber(kind: number, name: Name): number {
  return kind * STATE_NAMES.length + STATE_NAMES.indexOf(name);
}

/** 1 for each state within a string, in which most bytes change nothing. */
const IN_STRING = new Uint8Array(FIRST_ACTION);
for (const kind of Object.values(CONTAINER)) {
  IN_STRING[stateNumber(kind, 'string')] = 1;
  IN_STRING[stateNumber(kind, 'keyString')] = 1;
}

const ENDS_NUMBER: readonly Name[] = ['zero', 'integer', 'fraction', 'exponentDigits'];

/** Whether a document may end in the state. */
export function mayEnd(state: number): boolean {
  return state < STATE_NAMES.length && (['after', ...ENDS_NUMBER] as Name[]).includes(STATE_NAMES[state]!);
}

const BLANKS = ' \n\r\t';
const HEX_DIGITS = '0123456789abcdefABCDEF';
const DIGITS = '0123456789';

let table: Uint8Array | null = null;

/**
 * Returns the table: the next state or action at index 256 × state + byte. Made on first use, as making it takes as
 * long as a short command.
 */
function jsonTable(): Uint8Array {
  table ??= makeTable();
  return table;
}

function makeTable(): Uint8Array {
  const entries = new Uint8Array(FIRST_ACTION * 256).fill(ACTION.fail);
  for (const kind of Object.values(CONTAINER)) fill(entries, kind);
  return entries;
}

function fill(entries: Uint8Array, kind: number): void {
  const on = (from: Name, characters: string, to: Name | number) => {
    const row = stateNumber(kind, from) * 256;
    const next = typeof to === 'number' ? to : stateNumber(kind, to);
    for (const character of characters) entries[row + character.charCodeAt(0)] = next;
  };
  const isObject = kind === CONTAINER.object || kind === CONTAINER.outerObject;
  for (const name of ['value', 'firstElement', 'firstKey', 'key', 'colon', 'after'] as const)
    on(name, BLANKS, name);
  for (const name of ['value', 'firstElement'] as const) {
    on(name, '"', 'string');
    on(name, '-', 'sign');
    on(name, '0', 'zero');
    on(name, '123456789', 'integer');
    on(name, 't', 'rue');
    on(name, 'f', 'alse');
    on(name, 'n', 'ull');
    on(name, '{', ACTION.openObject);
    on(name, '[', ACTION.openArray);
  }
  on('firstElement', ']', ACTION.closeEmpty);
  on('firstKey', '}', ACTION.closeEmpty);
  for (const name of ['firstKey', 'key'] as const)
    on(name, '"', kind === CONTAINER.outerObject ? ACTION.startKey : 'keyString');
  on('colon', ':', 'value');

  fillString(entries, kind, ['string', 'escape', 'hex1', 'hex2', 'hex3', 'hex4']);
  on('string', '"', 'after');
  fillString(entries, kind, ['keyString', 'keyEscape', 'keyHex1', 'keyHex2', 'keyHex3', 'keyHex4']);
  on('keyString', '"', kind === CONTAINER.outerObject ? ACTION.endKey : 'colon');

  for (const name of ['after', ...ENDS_NUMBER] as const) {
    on(name, BLANKS, 'after');
    if (kind === CONTAINER.none) continue;
    on(name, ',', kind === CONTAINER.outerArray ? ACTION.count : isObject ? 'key' : 'value');
    on(name, isObject ? '}' : ']', ACTION.close);
  }
  on('sign', '0', 'zero');
  on('sign', '123456789', 'integer');
  on('integer', DIGITS, 'integer');
  for (const name of ['zero', 'integer'] as const) on(name, '.', 'point');
  for (const name of ['zero', 'integer', 'fraction'] as const) on(name, 'eE', 'exponent');
  for (const name of ['point', 'fraction'] as const) on(name, DIGITS, 'fraction');
  on('exponent', '+-', 'exponentSign');
  for (const name of ['exponent', 'exponentSign', 'exponentDigits'] as const)
    on(name, DIGITS, 'exponentDigits');

  for (const name of ['rue', 'ue', 'alse', 'lse', 'se', 'ull', 'll'] as const)
    on(name, name[0]!, name.slice(1) as Name);
  on('e', 'e', 'after');
  on('l', 'l', 'after');
}

function fillString(
  entries: Uint8Array,
  kind: number,
  [string, escaped, ...hex]: readonly [Name, Name, Name, Name, Name, Name],
): void {
  const row = (name: Name) => stateNumber(kind, name) * 256;
  const within = stateNumber(kind, string);
  entries.fill(within, row(string) + 0x20, row(string) + 256);
  entries[row(string) + 0x5c] = stateNumber(kind, escaped);
  for (const character of '"\\/bfnrt') entries[row(escaped) + character.charCodeAt(0)] = within;
  entries[row(escaped) + 0x75] = stateNumber(kind, hex[0]!);
  for (const [i, name] of hex.entries()) {
    const next = stateNumber(kind, hex[i + 1] ?? string);
    for (const digit of HEX_DIGITS) entries[row(name) + digit.charCodeAt(0)] = next;
  }
}

/** Deeper texts are not taken for JSON. */
const MAX_DEPTH = 1 << 20;

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
  /** A state of the table, or `ACTION.fail` once the text is known to be no JSON. */
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

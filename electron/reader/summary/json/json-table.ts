/**
 * The grammar of RFC 8259 as a table: for each state and byte, the next state or an action (`ACTION`). Each state
 * exists once for each kind of open container, so that only brackets need a stack.
 */

/** The open container: none, one within another, or the outermost. */
export const CONTAINER = { none: 0, object: 1, array: 2, outerObject: 3, outerArray: 4 } as const;

/** The states in each kind of container, in the order of their numbers; json.wat repeats some of the numbers. */
export const STATE_NAMES = [
  ...['value', 'firstElement', 'firstKey', 'key', 'colon', 'after'],
  ...['string', 'escape', 'hex1', 'hex2', 'hex3', 'hex4'],
  ...['keyString', 'keyEscape', 'keyHex1', 'keyHex2', 'keyHex3', 'keyHex4'],
  ...['sign', 'zero', 'integer', 'point', 'fraction', 'exponent', 'exponentSign', 'exponentDigits'],
  ...['rue', 'ue', 'e', 'alse', 'lse', 'se', 'ull', 'll', 'l'],
] as const;
type Name = (typeof STATE_NAMES)[number];

/** Numbers from here on are actions. */
export const FIRST_ACTION = STATE_NAMES.length * Object.keys(CONTAINER).length;
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

export function stateNumber(kind: number, name: Name): number {
  return kind * STATE_NAMES.length + STATE_NAMES.indexOf(name);
}

/** 1 for each state within a string, in which most bytes change nothing. */
export const IN_STRING = new Uint8Array(FIRST_ACTION);
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
export function jsonTable(): Uint8Array {
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

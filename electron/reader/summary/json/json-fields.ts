/**
 * Reads single lines of an indented JSON text, where each field of an object is a line of its own, and finds the
 * message that belongs to a level.
 */
import { ALL_LEVEL_KEYS, MESSAGE_KEYS } from '../../../../shared/text/json/known-fields.ts';

const STRING = String.raw`"(?:[^"\\]|\\.)*"`;
const FIELD = /^\s*"((?:[^"\\]|\\.)*)"\s*:\s*(.*)$/;
const ELEMENT = new RegExp(String.raw`^\s*(?:${STRING}|-?\d[\d.eE+-]*|true|false|null)\s*,?\s*$`);
/** A string in quotes, or the beginning of one if the line was cut. */
const IS_STRING = new RegExp(String.raw`^(?:${STRING}\s*,?\s*|"[^"]*)$`);
const IS_LEVEL = /^(?:"\w+"|\d+)\s*,?\s*$/;

interface LineField {
  key: string;
  isMessage: boolean;
  isLevel: boolean;
  /** Whether the value is a string of several words. */
  isSentence: boolean;
}

/** Returns the field that a line begins with; null if it begins with something else. */
export function fieldOfLine(text: string): LineField | null {
  const [, name, value = ''] = FIELD.exec(text) ?? [];
  if (name === undefined) return null;
  const key = name.toLowerCase();
  const isString = IS_STRING.test(value);
  return {
    key,
    isMessage: isString && MESSAGE_KEYS.includes(key),
    isLevel: ALL_LEVEL_KEYS.includes(key) && IS_LEVEL.test(value),
    isSentence: isString && /\S\s+\S/.test(value),
  };
}

/** Whether a line is an element of an array. */
export function isElement(text: string): boolean {
  return ELEMENT.test(text);
}

/**
 * Returns the index of the line with the message of the object that has its level at `at`: the field with the likeliest
 * name, else the first string of several words. Null if neither is there.
 */
export function messageBeside(lines: readonly string[], at: number): number | null {
  const { from, to } = objectAround(lines, at);
  let best: { index: number; rank: number } | null = null;
  for (let index = from; index < to; index += 1) {
    const field = fieldOfLine(lines[index]!);
    if (field === null || index === at) continue;
    const rank = rankOf(field, indentOf(lines[index]!) === indentOf(lines[at]!));
    if (rank !== null && (best === null || rank < best.rank)) best = { index, rank };
  }
  return best?.index ?? null;
}

/** The lower, the likelier: messages by their name, then those of inner objects, then other sentences. */
function rankOf({ key, isMessage, isSentence }: LineField, isSibling: boolean): number | null {
  if (isMessage) return MESSAGE_KEYS.indexOf(key) + (isSibling ? 0 : MESSAGE_KEYS.length);
  return isSentence ? 2 * MESSAGE_KEYS.length + (isSibling ? 0 : 1) : null;
}

const BRACKETS = /^[{}[\],\s]*$/;

/** Returns the lines around `at` that are indented at least as far; without indentation, those between brackets. */
function objectAround(lines: readonly string[], at: number): { from: number; to: number } {
  const indent = indentOf(lines[at]!);
  const isInside = (index: number) =>
    indent === 0 ? !BRACKETS.test(lines[index]!) : indentOf(lines[index]!) >= indent;
  let from = at;
  while (from > 0 && isInside(from - 1)) from -= 1;
  let to = at + 1;
  while (to < lines.length && isInside(to)) to += 1;
  return { from, to };
}

function indentOf(text: string): number {
  return text.search(/\S|$/);
}

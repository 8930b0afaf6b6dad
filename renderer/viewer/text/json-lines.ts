/** Draws a JSON line as its message and fields, folded or unfolded: pieces, each with its part of the raw line. */

import { inOrder } from '../../../shared/text/escape.ts';
import type { LineField } from '../../../shared/text/fields.ts';
import {
  decodedValue,
  type JsonField,
  type JsonLine,
  type JsonValue,
  knownFields,
  levelOfField,
  plainValue,
  type Span,
  type Token,
} from '../../../shared/text/json-line.ts';
import type { Level } from '../../../shared/text/level-words.ts';
import { localClock, localDay } from '../../ui/text/format.ts';

type FragmentLook = 'day' | 'time' | 'level' | 'message' | 'key' | 'value' | 'sign';

/**
 * `from` and `to` are UTF-16 indexes into the raw line. An exact fragment shows that part character by character; any
 * other stands for it as a whole. A fragment without such a part has `from` equal to `to`.
 */
export interface LineFragment extends Span {
  text: string;
  isExact: boolean;
  look: FragmentLook;
}

function exact(text: string, { from, to }: Span, look: FragmentLook): LineFragment {
  return { text: inOrder(text.slice(from, to)), from, to, isExact: true, look };
}

function whole(text: string, { from, to }: Span, look: FragmentLook): LineFragment {
  return { text: inOrder(text), from, to, isExact: false, look };
}

/** Returns a blank or punctuation between other fragments. */
function between(text: string, at: number): LineFragment {
  return { text, from: at, to: at, isExact: false, look: 'sign' };
}

const ESCAPE =
  /(?:\\u001[bB]\[[\d;]*[A-Za-z])|(?:\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2})|\\u[\da-fA-F]{4}|\\./g;

/**
 * Decodes the JSON string in `span`, without its quotes and a terminal's escape sequences.
 */
function stringFragments(text: string, { from, to }: Span, look: FragmentLook): LineFragment[] {
  const inside = text.slice(from, to);
  const fragments: LineFragment[] = [];
  let at = 0;
  for (const { 0: found, index } of inside.matchAll(ESCAPE)) {
    if (index > at) fragments.push(exact(text, { from: from + at, to: from + index }, look));
    at = index + found.length;
    const shown = plainOf(found);
    if (shown !== '') fragments.push(whole(shown, { from: from + index, to: from + at }, look));
  }
  if (at < inside.length) fragments.push(exact(text, { from: from + at, to }, look));
  return fragments;
}

const CONTROL = /[\x00-\x1f\x7f]/g;
/** Colours and the like. */
const SEQUENCE = /\x1b\[[\d;]*[A-Za-z]/g;
const CONTROL_PICTURES = 0x2400;

function plainOf(found: string): string {
  if (/^\\u001b\[/i.test(found)) return '';
  if (found === '\\n') return '↵';
  if (found === '\\t') return ' ';
  try {
    const text = JSON.parse(`"${found}"`) as string;
    return text.replace(CONTROL, (sign) =>
      String.fromCharCode(CONTROL_PICTURES + (sign.charCodeAt(0) & 0x1f)),
    );
  } catch {
    return found;
  }
}

export function textOf(fragments: readonly LineFragment[]): string {
  return fragments.map(({ text }) => text).join('');
}

/** Cuts the fragments of one line at `breaks`, the starts of screen lines in their text. */
export function atBreaks(fragments: readonly LineFragment[], breaks: readonly number[]): LineFragment[][] {
  const lines: LineFragment[][] = [[]];
  let at = 0;
  let next = 0;
  for (const fragment of fragments) {
    let rest = fragment;
    while (next < breaks.length && breaks[next]! < at + rest.text.length) {
      const [before, after] = cutAt(rest, breaks[next]! - at);
      if (before.text !== '') lines.at(-1)!.push(before);
      lines.push([]);
      at += before.text.length;
      rest = after;
      next += 1;
    }
    if (rest.text !== '') lines.at(-1)!.push(rest);
    at += rest.text.length;
  }
  return lines;
}

function cutAt(fragment: LineFragment, index: number): [LineFragment, LineFragment] {
  const middle = fragment.isExact ? fragment.from + index : fragment.to;
  return [
    { ...fragment, text: fragment.text.slice(0, index), to: middle },
    { ...fragment, text: fragment.text.slice(index), from: fragment.isExact ? middle : fragment.from },
  ];
}

/** Returns those of these matches, pairs of start and end, that are in no part that the fragments show. */
export function hiddenMatchesIn(fragments: readonly LineFragment[], matches: readonly number[]): Span[] {
  const hidden: Span[] = [];
  for (let pair = 0; pair < matches.length; pair += 2) {
    const [start, end] = [matches[pair]!, matches[pair + 1]!];
    if (start === end) continue;
    if (!fragments.some(({ from, to }) => from < to && from < end && to > start))
      hidden.push({ from: start, to: end });
  }
  return hidden;
}

/** Folds a JSON line into one: its time, level, message, and other fields as `key=value`. */
interface FoldedLine {
  fragments: readonly LineFragment[];
  level: Level | null;
  hasMessage: boolean;
}

export function foldedLine(line: JsonLine): FoldedLine {
  const { text } = line;
  const { time, level, message, others } = knownFields(line);
  const parts: LineFragment[][] = [];
  const before = text.slice(0, line.from).trimEnd();
  if (before !== '') parts.push([exact(text, { from: 0, to: before.length }, 'sign')]);
  if (time) parts.push(timeFragments(text, time));
  const levelName = level && levelOfField(text, level);
  if (level && levelName) parts.push(levelFragments(text, level.value, levelName));
  if (message) parts.push(messageFragments(text, message.value));
  const fragments = parts.filter((part) => part.length > 0).flatMap((part, index) => apart(part, index, ' '));
  const fields = others.map((field) => fieldFragments(text, field));
  fragments.push(
    ...fields.flatMap((part, index) => apart(part, fragments.length + index, index === 0 ? '  ' : ' ')),
  );
  return { fragments, level: levelName, hasMessage: message !== null };
}

/** Draws the value of one field, at most `width` characters of it. */
export function cellFragments(
  text: string,
  { from, to, json }: LineField,
  line: JsonLine | null,
  width: number | null,
): LineFragment[] {
  const fragments = valueFragments(text, { from, to }, json, line);
  if (width === null || textOf(fragments).length <= width) return fragments;
  const [shown] = atBreaks(fragments, [width - 1]);
  return [...shown!, between('…', shown!.at(-1)?.to ?? from)];
}

function valueFragments(
  text: string,
  span: Span,
  field: JsonField | null,
  line: JsonLine | null,
): LineFragment[] {
  if (!field || !line) return [exact(text, span, 'value')];
  const { time, level, message } = knownFields(line);
  if (time && field.value.from === time.field.value.from) return timeFragments(text, time);
  const name = level && levelOfField(text, level);
  if (name && field.key.from === level.key.from) return levelFragments(text, field.value, name);
  const isMessage = field.key.from === message?.key.from;
  if (isMessage) return messageFragments(text, field.value);
  if (field.value.kind !== 'string') return [exact(text, field.value, 'value')];
  return stringFragments(text, trimmed(text, span), 'value');
}

/** Draws a line as it is written, from a column on. */
export function rawFragments(text: string, from = 0): LineFragment[] {
  return [exact(text, { from, to: text.length }, 'value')];
}

function apart(part: readonly LineFragment[], index: number, gap: string): LineFragment[] {
  return index === 0 ? [...part] : [between(gap, part[0]!.from), ...part];
}

function messageFragments(text: string, value: JsonValue): LineFragment[] {
  if (value.kind === 'string') return stringFragments(text, trimmed(text, value.inside), 'message');
  const decoded = decodedValue(text, value).replace(SEQUENCE, '').trimEnd();
  return [whole(decoded.replace(CONTROL, ' '), value, 'message')];
}

/** Removes a final line end, which Docker's messages have. */
function trimmed(text: string, { from, to }: Span): Span {
  const tail = /(?:\\r)?\\n$/.exec(text.slice(from, to));
  return { from, to: tail ? to - tail[0].length : to };
}

const ISO = /^(\d{4}-\d\d-\d\d)([T ])(\d\d:\d\d:\d\d(?:[.,]\d{1,3})?)/;

/** The date and time to the millisecond: as written, or local if the line has a number. */
function timeFragments(text: string, { time, ...span }: Span & { time: number }): LineFragment[] {
  const plain = text.slice(span.from, span.to);
  const iso = ISO.exec(plain);
  if (iso && text.startsWith(iso[0], span.from)) {
    const [, day = '', , clock = ''] = iso;
    const behindDay = span.from + day.length;
    const lastDigit = behindDay + clock.length;
    const padded = clock.padEnd(CLOCK_CHARS, clock.length === SECONDS_CHARS ? ' ' : '0');
    return [
      exact(text, { from: span.from, to: behindDay }, 'day'),
      whole(' ', { from: behindDay, to: behindDay + 1 }, 'day'),
      exact(text, { from: behindDay + 1, to: lastDigit }, 'time'),
      // This fragment also stands for the rest: further digits, the time zone.
      whole(padded.slice(clock.length - 1), { from: lastDigit, to: span.to }, 'time'),
    ];
  }
  if (!/^\d{10,19}(?:\.\d+)?$/.test(plain)) return [exact(text, span, 'time')];
  const date = new Date(time);
  return [whole(`${localDay(date)} `, span, 'day'), whole(localClock(date, true), span, 'time')];
}

const CLOCK_CHARS = '10:30:00.123'.length;
const SECONDS_CHARS = '10:30:00'.length;

const LEVEL_CHARS = 5;

/** The level's word in the line, in capitals; the level's name if the line has a number. */
function levelFragments(text: string, value: JsonValue, level: Level): LineFragment[] {
  const plain = plainValue(text, value);
  const name = (/^\d/.test(plain) ? level : plain).toUpperCase();
  const span = value.inside;
  const shown = [whole(name, span, 'level')];
  if (name.length < LEVEL_CHARS) shown.push(between(' '.repeat(LEVEL_CHARS - name.length), span.to));
  return shown;
}

const BARE = /^[^\s"'=]+$/;

function fieldFragments(text: string, { key, value }: JsonField): LineFragment[] {
  const isBare = value.kind === 'string' && BARE.test(plainValue(text, value));
  const from = isBare ? value.inside.from : value.from;
  const start = [exact(text, key, 'key'), whole('=', { from: key.to, to: from }, 'sign')];
  if (value.kind !== 'string') return [...start, exact(text, value, 'value')];
  if (isBare) return [...start, ...stringFragments(text, value.inside, 'value')];
  return [
    ...start,
    exact(text, { from: value.from, to: value.from + 1 }, 'value'),
    ...stringFragments(text, value.inside, 'value'),
    exact(text, { from: value.inside.to, to: value.to }, 'value'),
  ];
}

/** Most screen lines of one unfolded line. */
const MAX_UNFOLDED_LINES = 400;
const INDENT = '  ';
const MAX_INDENT = 40;

interface UnfoldOptions {
  /** Whether to split a string at its line ends. */
  splitStrings: boolean;
  maxLines: number;
}

/** Puts each field on a line of its own, nested ones indented, and splits long texts at their line ends. */
export function unfoldedLines(
  line: JsonLine,
  { splitStrings, maxLines }: UnfoldOptions = { splitStrings: true, maxLines: MAX_UNFOLDED_LINES },
): LineFragment[][] {
  const { text, tokens } = line;
  const lines: LineFragment[][] = [[]];
  let depth = 0;
  const begin = (at: number) => lines.push([between(INDENT.repeat(Math.min(depth, MAX_INDENT)), at)]);
  for (const [index, token] of tokens.entries()) {
    if (lines.length > maxLines) return [...lines.slice(0, maxLines - 1), [between('… more', token.from)]];
    const sign = signOf(text, token);
    const next = tokens[index + 1];
    if (sign === '}' || sign === ']') {
      depth -= 1;
      if (!isOpening(signOf(text, tokens[index - 1]))) begin(token.from);
    }
    const add = (...fragments: LineFragment[]) => lines.at(-1)!.push(...fragments);
    if (token.kind === 'string' && splitStrings && signOf(text, next) !== ':') {
      const [first, ...others] = atLineEnds(text, token);
      add(first!);
      for (const part of others) {
        begin(part.from);
        add(between(INDENT, part.from), part);
      }
    } else add(exact(text, token, lookOf(token, signOf(text, next))));
    if (sign === ':') add(between(' ', token.to));
    if (isOpening(sign)) depth += 1;
    const isEmpty = isOpening(sign) && isClosing(signOf(text, next));
    if ((isOpening(sign) && !isEmpty && next) || sign === ',') begin(token.to);
  }
  return lines;
}

/** Returns all lines as text, without a limit. */
export function unfoldedText(line: JsonLine): string {
  const lines = unfoldedLines(line, { splitStrings: false, maxLines: Number.POSITIVE_INFINITY });
  return lines.map(textOf).join('\n');
}

function signOf(text: string, token: Token | undefined): string {
  return token?.kind === 'punctuation' ? text[token.from]! : '';
}

function isOpening(sign: string): boolean {
  return sign === '{' || sign === '[';
}

function isClosing(sign: string): boolean {
  return sign === '}' || sign === ']';
}

function lookOf({ kind }: Token, next: string): LineFragment['look'] {
  if (kind === 'punctuation') return 'sign';
  return kind === 'string' && next === ':' ? 'key' : 'value';
}

/** Splits a string after each escaped line end. */
function atLineEnds(text: string, { from, to }: Token): LineFragment[] {
  const parts: LineFragment[] = [];
  let start = from;
  for (const { 0: found, index } of text.slice(from, to).matchAll(/\\n|\\./g)) {
    const end = from + index + found.length;
    // The closing quote alone needs no line.
    if (found !== '\\n' || end >= to - 1) continue;
    parts.push(exact(text, { from: start, to: end }, 'value'));
    start = end;
  }
  parts.push(exact(text, { from: start, to }, 'value'));
  return parts;
}

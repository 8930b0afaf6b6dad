/** Drawn pieces of a line, each with its part of the raw line. */
import { inOrder } from '../../../../shared/text/escape.ts';
import type { Span } from '../../../../shared/text/json/json-line.ts';

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

export function exact(text: string, { from, to }: Span, look: FragmentLook): LineFragment {
  return { text: inOrder(text.slice(from, to)), from, to, isExact: true, look };
}

export function whole(text: string, { from, to }: Span, look: FragmentLook): LineFragment {
  return { text: inOrder(text), from, to, isExact: false, look };
}

/** Returns a blank or punctuation between other fragments. */
export function between(text: string, at: number): LineFragment {
  return { text, from: at, to: at, isExact: false, look: 'sign' };
}

const ESCAPE =
  /(?:\\u001[bB]\[[\d;]*[A-Za-z])|(?:\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2})|\\u[\da-fA-F]{4}|\\./g;

/**
 * Decodes the JSON string in `span`, without its quotes and a terminal's escape sequences.
 */
export function stringFragments(text: string, { from, to }: Span, look: FragmentLook): LineFragment[] {
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

/** Whether one of these matches, pairs of start and end, is in no part that the fragments show. */
export function hidesMatch(fragments: readonly LineFragment[], matches: readonly number[]): boolean {
  for (let pair = 0; pair < matches.length; pair += 2) {
    const [start, end] = [matches[pair]!, matches[pair + 1]!];
    if (start === end) continue;
    if (!fragments.some(({ from, to }) => from < to && from < end && to > start)) return true;
  }
  return false;
}

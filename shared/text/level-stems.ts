/**
 * An automaton (Aho-Corasick) over the letters that some severity word begins with, in either case. A line in
 * which it never reaches HIT has no severity but one told by its first characters (`startLevel`).
 *
 * Its input is character classes, so that a scanner which needs classes anyway pays one table look-up more.
 */

/** Classes of characters: letters are 0-25, whatever their case. Codes from 128 up are all HIGH. */
export const DIGIT = 26;
/** `/ \` and quotes. */
export const MARK = 27;
export const HIGH = 28;
/** Printable ASCII that is none of the others. */
export const PUNCT = 29;
/** Space and tab. */
export const BLANK = 30;
/** Every other control, CR and LF included. */
export const CONTROL = 31;
export const CLASSES = 32;

/** The class of each byte, or of each UTF-16 code unit below 256. */
export const CLASS_OF: Uint8Array = Uint8Array.from({ length: 256 }, (_, code) => {
  if (code >= 0x80) return HIGH;
  if (code === 0x20 || code === 0x09) return BLANK;
  if (code < 0x20 || code === 0x7f) return CONTROL;
  if (code >= 0x30 && code <= 0x39) return DIGIT;
  const letter = (code | 0x20) - 0x61;
  if (code >= 0x41 && letter >= 0 && letter < 26) return letter;
  return '/\\\'"`'.includes(String.fromCharCode(code)) ? MARK : PUNCT;
});

/** A stem is long enough to be rare, and short enough to stand for a word's variants. */
const STEMS = [
  ...[
    'fatal',
    'ftl',
    'crit',
    'emerg',
    'alert',
    'panic',
    'error',
    'err',
    'eror',
    'sever',
    'fail',
    'exception',
  ],
  ...['traceback', 'dumped', 'segmentation', 'warn', 'wrn', 'notice', 'info', 'inf', 'debug', 'dbg', 'dbug'],
  ...['trace', 'trc', 'verbose', 'level', 'lvl'],
];

/** The state before anything was read. */
export const START = 0;

const built = build();

/** The next state, at `state * CLASSES + class`. */
export const NEXT: Uint8Array = built.next;
/** States from this one up mean that a stem ends here. */
export const FIRST_HIT: number = built.firstHit;
/** As NEXT, but once a stem was met the state stays HIT. */
export const LATCHED: Uint8Array = built.next.slice();
/** The state that LATCHED stays in. */
export const HIT: number = built.firstHit;
for (let at = 0; at < LATCHED.length; at++) {
  if (at >= HIT * CLASSES || LATCHED[at]! > HIT) LATCHED[at] = HIT;
}

function build(): { next: Uint8Array; firstHit: number } {
  const children: Map<number, number>[] = [new Map()];
  const ends = new Set<number>();
  for (const stem of STEMS) {
    let node = 0;
    for (const letter of stem) {
      const symbol = letter.charCodeAt(0) - 0x61;
      let child = children[node]!.get(symbol);
      if (child === undefined) {
        child = children.push(new Map()) - 1;
        children[node]!.set(symbol, child);
      }
      node = child;
    }
    ends.add(node);
  }
  const fail: number[] = [0];
  const next: number[][] = [];
  const queue = [0];
  for (const node of queue) {
    const fallback = fail[node]!;
    if (node !== 0 && ends.has(fallback)) ends.add(node);
    const row: number[] = [];
    for (let symbol = 0; symbol < CLASSES; symbol++) {
      const child = children[node]!.get(symbol);
      const other = node === 0 ? 0 : next[fallback]![symbol]!;
      if (child !== undefined) {
        fail[child] = other;
        queue.push(child);
      }
      row.push(child ?? other);
    }
    next[node] = row;
  }
  return numbered(next, ends);
}

/** Renumbers the states so that those where a stem ends come last. */
function numbered(
  next: readonly number[][],
  ends: ReadonlySet<number>,
): { next: Uint8Array; firstHit: number } {
  const order = next
    .map((_, node) => node)
    .sort((a, b) => Number(ends.has(a)) - Number(ends.has(b)) || a - b);
  const place = new Map(order.map((node, at) => [node, at]));
  const table = new Uint8Array(order.length * CLASSES);
  order.forEach((node, at) => {
    next[node]!.forEach((target, symbol) => {
      table[at * CLASSES + symbol] = place.get(target)!;
    });
  });
  return { next: table, firstHit: order.length - ends.size };
}

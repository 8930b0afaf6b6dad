/**
 * Hashes the shape of each line in one pass over its bytes. When a token turns out to be masked, the hash goes back to
 * its value before the token. Gives the same shapes as `shapeOf`, the plain way (a property test compares them). A line
 * with controls is read as its line text.
 */
import { Buffer } from 'node:buffer';
import { mayStartLevel } from '../../../shared/text/level-starts.ts';
import { mayTellLevel } from '../../../shared/text/level-words.ts';
import { lineText } from '../../../shared/text/line-text.ts';
import { withoutColours } from './colours.ts';
import { FACTOR_HIGH, FACTOR_LOW, SEED_HIGH, SEED_LOW, SHAPE_BYTES } from './shape.ts';
import {
  BLANK,
  CONTROL,
  CUT,
  DIGIT,
  HIGH,
  JOIN,
  KEEP,
  KIND,
  kindsOf,
  LETTER,
  NUMBER,
  PATH,
  QUOTE,
  SLASH,
  STRING,
  URL,
  WORD,
} from './shape-bytes.ts';
import { addressEnd, curlyQuotedEnd, isCalendarName, isHexPart, isPath, quotedEnd } from './shape-parts.ts';
import type { Tally } from './tally.ts';
import { decoded, isBlankText, LONG_LINE } from './tally.ts';
import { isTimely } from './timestamps.ts';
import { lengthWithoutC1 } from './utf8.ts';

const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
const COLON = 0x3a;

/** Counts the lines of valid UTF-8 from `from` up to `to`, which must be the end of a line with LF. */
export function scanLines(bytes: Uint8Array, from: number, to: number, tally: Tally): void {
  let p = from;
  while (p < to) {
    const start = p;
    const cut = start + SHAPE_BYTES;
    let low = SEED_LOW;
    let high = SEED_HIGH;
    // The hash at the beginning of the current run of names, and after the last number.
    let lowRun = low;
    let highRun = high;
    let lowNumber = 0;
    let highNumber = 0;
    let afterNumber = false;
    let run = start;
    let slashes = 0;
    // The hash of a line that goes on beyond the cut.
    let isCut = false;
    let lowCut = 0;
    let highCut = 0;
    let seen = 0;
    let timely = false;
    /** The first word that may tell a severity. */
    let telling = -1;
    let kind = KIND[bytes[p]!]!;
    for (;;) {
      if ((kind & WORD) !== 0) {
        const word = p;
        const lowWord = low;
        const highWord = high;
        if (kind === HIGH && bytes[p] === 0xe2) {
          const close = curlyQuotedEnd(bytes, p, cut);
          if (close > p) {
            for (let i = p; i < p + 3; i++) {
              low = Math.imul(low ^ bytes[i]!, FACTOR_LOW);
              high = Math.imul(high ^ bytes[i]!, FACTOR_HIGH);
            }
            low = Math.imul(low ^ STRING, FACTOR_LOW);
            high = Math.imul(high ^ STRING, FACTOR_HIGH);
            for (let i = close - 3; i < close; i++) {
              low = Math.imul(low ^ bytes[i]!, FACTOR_LOW);
              high = Math.imul(high ^ bytes[i]!, FACTOR_HIGH);
            }
            const kinds = kindsOf(bytes, p, close);
            seen |= kinds;
            if ((kinds & DIGIT) !== 0) timely = true;
            if (telling < 0) telling = p;
            afterNumber = false;
            p = close;
            kind = KIND[bytes[p]!]!;
            continue;
          }
        }
        let kinds = 0;
        do {
          const byte = bytes[p]!;
          kinds |= kind;
          low = Math.imul(low ^ byte, FACTOR_LOW);
          high = Math.imul(high ^ byte, FACTOR_HIGH);
          kind = KIND[bytes[++p]!]!;
        } while ((kind & WORD) !== 0);
        seen |= kinds;
        let isNumber = (kinds & DIGIT) !== 0;
        if (isNumber) {
          if (!timely && isTimely(bytes, word, p)) timely = true;
        } else {
          if (mayTellLevel(bytes, word, p) && telling < 0) telling = word;
          if (afterNumber) isNumber = isHexPart(bytes, word, p);
          if (!isNumber && p - word === 3) isNumber = isCalendarName(bytes, word, start, cut);
        }
        if (!isNumber) afterNumber = false;
        else if (afterNumber) {
          low = lowNumber;
          high = highNumber;
        } else {
          lowNumber = low = Math.imul(lowWord ^ NUMBER, FACTOR_LOW);
          highNumber = high = Math.imul(highWord ^ NUMBER, FACTOR_HIGH);
          afterNumber = true;
        }
        continue;
      }
      if ((kind & (JOIN | SLASH)) !== 0) {
        slashes |= kind & SLASH;
        if ((kind & KEEP) === 0) afterNumber = false;
        low = Math.imul(low ^ bytes[p]!, FACTOR_LOW);
        high = Math.imul(high ^ bytes[p]!, FACTOR_HIGH);
        kind = KIND[bytes[++p]!]!;
        seen |= JOIN;
        continue;
      }

      // The run of names ends here.
      if (p > cut && !isCut) {
        isCut = true;
        lowCut = Math.imul(lowRun ^ CUT, FACTOR_LOW);
        highCut = Math.imul(highRun ^ CUT, FACTOR_HIGH);
      }
      const isFile = slashes !== 0 && isPath(bytes, run, p);
      if (isFile) {
        low = Math.imul(lowRun ^ PATH, FACTOR_LOW);
        high = Math.imul(highRun ^ PATH, FACTOR_HIGH);
        afterNumber = false;
      }
      if (kind === CONTROL) break;
      if ((kind & BLANK) !== 0) {
        const first = p;
        do kind = KIND[bytes[++p]!]!;
        while ((kind & BLANK) !== 0);
        if (p > cut && !isCut) {
          isCut = true;
          lowCut = Math.imul(low ^ CUT, FACTOR_LOW);
          highCut = Math.imul(high ^ CUT, FACTOR_HIGH);
        }
        if (kind === CONTROL) break;
        if (first > start) {
          low = Math.imul(low ^ SPACE, FACTOR_LOW);
          high = Math.imul(high ^ SPACE, FACTOR_HIGH);
        }
      } else {
        const code = bytes[p]!;
        let next = p + 1;
        seen |= JOIN;
        if (next > cut && !isCut) {
          isCut = true;
          lowCut = Math.imul(low ^ CUT, FACTOR_LOW);
          highCut = Math.imul(high ^ CUT, FACTOR_HIGH);
        }
        if (code === COLON) {
          const address = isFile ? p : addressEnd(bytes, run, p, to);
          if (address > p) {
            if (address > cut && !isCut) {
              isCut = true;
              lowCut = Math.imul(lowRun ^ CUT, FACTOR_LOW);
              highCut = Math.imul(highRun ^ CUT, FACTOR_HIGH);
            }
            const masked = bytes[p + 1] === 0x2f ? URL : PATH;
            low = Math.imul(lowRun ^ masked, FACTOR_LOW);
            high = Math.imul(highRun ^ masked, FACTOR_HIGH);
            const kinds = kindsOf(bytes, p, address);
            seen |= kinds;
            if ((kinds & DIGIT) !== 0) timely = true;
            if (telling < 0) telling = run;
            afterNumber = false;
            next = address;
          } else {
            low = Math.imul(low ^ COLON, FACTOR_LOW);
            high = Math.imul(high ^ COLON, FACTOR_HIGH);
          }
        } else {
          if ((kind & KEEP) === 0) afterNumber = false;
          low = Math.imul(low ^ code, FACTOR_LOW);
          high = Math.imul(high ^ code, FACTOR_HIGH);
          if ((kind & QUOTE) !== 0) {
            const close = quotedEnd(bytes, p, start, cut);
            if (close > p) {
              low = Math.imul(low ^ STRING, FACTOR_LOW);
              high = Math.imul(high ^ STRING, FACTOR_HIGH);
              low = Math.imul(low ^ bytes[close - 1]!, FACTOR_LOW);
              high = Math.imul(high ^ bytes[close - 1]!, FACTOR_HIGH);
              const kinds = kindsOf(bytes, p, close);
              seen |= kinds;
              if ((kinds & DIGIT) !== 0) timely = true;
              if (telling < 0) telling = p;
              next = close;
            }
          }
        }
        p = next;
        kind = KIND[bytes[p]!]!;
      }
      run = p;
      slashes = 0;
      lowRun = low;
      highRun = high;
    }

    const end = p;
    if (bytes[p] === CR && bytes[p + 1] === LF) p++;
    if (bytes[p] !== LF) {
      p = bytes.indexOf(LF, p) + 1;
      const plain = withoutColours(bytes, start, p);
      if (plain !== null) scanLines(plain, 0, plain.length, tally);
      else {
        scanOddLine(bytes, start, p - 1, tally);
        tally.countEnding(bytes, p - 1);
      }
      continue;
    }
    let chars = end - start;
    if ((seen & HIGH) !== 0) {
      chars = lengthWithoutC1(bytes, start, end);
      if (chars < 0) {
        scanOddLine(bytes, start, end, tally);
        tally.countEnding(bytes, p++);
        continue;
      }
    }
    tally.lines++;
    if (p === end) tally.lf++;
    else tally.crlf++;
    p++;
    tally.countLength(chars);
    if ((seen & (LETTER | DIGIT | JOIN)) === 0 && (seen === 0 || isBlankText(bytes, start, end))) {
      tally.blank++;
      continue;
    }
    tally.countShape(isCut ? lowCut : low, isCut ? highCut : high, bytes, start, end);
    if (timely && tally.firstTimestamp === null) tally.keepTimestamp(bytes, start, end);
    if (telling >= 0) tally.countLevel(bytes, start, end, telling);
    else if (mayStartLevel(bytes[start]!, bytes[start + 1]!, bytes[start + 2]!)) {
      tally.countLevel(bytes, start, end, end);
    }
  }
}

/** Counts the line from `start` up to `end`, whatever its bytes are, but not how it ends. */
export function scanOddLine(bytes: Uint8Array, start: number, end: number, tally: Tally): void {
  if (end - start > LONG_LINE) {
    tally.countLongLine(bytes, start, end);
    return;
  }
  const text = Buffer.from(`${lineText(decoded(bytes, start, end))}\n`, 'utf8');
  scanLines(text, 0, text.length, tally);
  tally.lf--;
}

/**
 * Finds the extent and meaning of the control at a position of a string: ECMA-48 escape sequences and C1
 * controls (U+0080-9F, taken as their ESC forms). Every character is looked at a bounded number of times.
 */
import { ESC } from './byte-values.ts';

/** The kind of a control in a line: `csi`, `escape` (ESC and one final), `other`: removed. */
type ControlKind = 'csi' | 'escape' | 'other';

/** The control last parsed; one object, overwritten, because lines can hold millions. */
export type Control = {
  kind: ControlKind;
  /** The character code that says what to do, of `csi` and `escape`. */
  final: number;
  /** Extent of a CSI's parameter characters, a private prefix such as `?` included. */
  paramsStart: number;
  paramsEnd: number;
  /** A CSI with intermediate characters is another function than its final alone. */
  intermediates: boolean;
  /** Where reading goes on. */
  end: number;
};

/** Returns one for `parseControl` to overwrite. */
export const newControl = (): Control => ({
  kind: 'other',
  final: 0,
  paramsStart: 0,
  paramsEnd: 0,
  intermediates: false,
  end: 0,
});

/** Parses the ESC or C1 control at `at`; nothing at or after `limit` is part of it. */
export function parseControl(text: string, at: number, limit: number, into: Control): Control {
  let code = text.charCodeAt(at);
  let next = at + 1;
  if (code === ESC) {
    const second = next < limit ? text.charCodeAt(next) : 0;
    if (second >= 0x40 && second <= 0x5f) {
      code = second + 0x40;
      next++;
    } else return parseEscape(text, at, limit, into);
  }
  if (code === 0x9b) return parseCsi(text, next, limit, into);
  if (code === 0x9d) return parseString(text, next, limit, true, into);
  if (code === 0x90 || code === 0x98 || code === 0x9e || code === 0x9f) {
    return parseString(text, next, limit, false, into);
  }
  return finish(into, 'other', 0, next);
}

function finish(into: Control, kind: ControlKind, final: number, end: number): Control {
  into.kind = kind;
  into.final = final;
  into.end = end;
  return into;
}

/** ESC 7, ESC 8, ESC c and the like; ESC with intermediates (charsets); a bare ESC. */
function parseEscape(text: string, at: number, limit: number, into: Control): Control {
  let i = at + 1;
  while (i < limit && isIntermediate(text.charCodeAt(i))) i++;
  const final = i < limit ? text.charCodeAt(i) : 0;
  if (final < 0x30 || final > 0x7e) return finish(into, 'other', 0, i);
  return finish(into, i === at + 1 ? 'escape' : 'other', final, i + 1);
}

/** A broken CSI loses its introducer and parameters; what broke it is read as usual. */
function parseCsi(text: string, start: number, limit: number, into: Control): Control {
  let i = start;
  while (i < limit && isParameter(text.charCodeAt(i))) i++;
  into.paramsStart = start;
  into.paramsEnd = i;
  while (i < limit && isIntermediate(text.charCodeAt(i))) i++;
  into.intermediates = i > into.paramsEnd;
  const final = i < limit ? text.charCodeAt(i) : 0;
  if (final < 0x40 || final > 0x7e) return finish(into, 'other', 0, i);
  return finish(into, 'csi', final, i + 1);
}

/** Anything that ends a control string, or shows that it was never ended. */
const STRING_STOP = /[\x07\x18\x1a\x1b\x80-\x9f]/g;

/** A title, link or device string up to ST (or BEL, for OSC); unterminated, only its introducer. */
function parseString(text: string, start: number, limit: number, isOsc: boolean, into: Control): Control {
  let from = start;
  for (;;) {
    STRING_STOP.lastIndex = from;
    const stop = STRING_STOP.exec(text)?.index ?? limit;
    if (stop >= limit) break;
    const code = text.charCodeAt(stop);
    if (code === 0x9c) return finish(into, 'other', 0, stop + 1);
    if (code === 0x07) {
      if (isOsc) return finish(into, 'other', 0, stop + 1);
      from = stop + 1;
      continue;
    }
    if (code === ESC && stop + 1 < limit && text.charCodeAt(stop + 1) === 0x5c) {
      return finish(into, 'other', 0, stop + 2);
    }
    break;
  }
  return finish(into, 'other', 0, start);
}

function isParameter(code: number): boolean {
  return code >= 0x30 && code <= 0x3f;
}

function isIntermediate(code: number): boolean {
  return code >= 0x20 && code <= 0x2f;
}

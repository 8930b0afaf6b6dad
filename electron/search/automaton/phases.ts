/**
 * Skips the bytes that a line's text leaves out: colours, links, titles, the CR of CRLF, controls without effect.
 * Each kind of sequence is a state machine whose states are called phases. Bytes that may move the cursor, or are
 * malformed, lead to `UNSURE`: such a line has to be rendered. A test compares this with shared/text/line-text.ts.
 */

/** `TEXT`: the byte is part of a character. `IGNORED`: the phase does not change. `END`: the line ends. */
export const TEXT = 0;
export const IGNORED = 254;
export const END = 255;

const CR = 1;
const ESCAPE = 2;
const ESCAPE_INTERMEDIATE = 3;
const CSI_FIRST = 4;
const CSI_ZERO = 5;
const CSI = 6;
const OSC_FIRST = 7;
const OSC = 8;
const OSC_ESCAPE = 9;
/** Only the line's end leaves this phase. */
export const UNSURE = 10;

/** The phase after a CR that may belong to a line end. */
export const RETURNED = CR;

/** Final bytes of control sequences that change a line's text. `J` and `K` depend on their parameter. */
const ACTING = 'CaDG`IZP@Xbsu';
/** Final bytes of escape sequences that change it by saving and restoring the cursor. */
const SAVING = '78';

/** For each phase and byte: the next phase. */
export type Phases = readonly Uint8Array[];

/** Returns phases for raw text, which has only text and line ends. */
export function rawPhases(): Phases {
  const text = new Uint8Array(256).fill(TEXT);
  text[10] = END;
  return [text];
}

/** Returns phases for line text. `IGNORED` follows only `TEXT`. */
export function lineTextPhases(): Phases {
  const phases = Array.from({ length: UNSURE + 1 }, () => new Uint8Array(256).fill(UNSURE));
  const set = (phase: number, first: number, last: number, next: number) =>
    phases[phase]!.fill(next, first, last + 1);
  const on = (phase: number, characters: string, next: number) => {
    for (const character of characters) phases[phase]![character.charCodeAt(0)] = next;
  };
  set(TEXT, 0, 255, TEXT);
  set(TEXT, 0, 31, IGNORED);
  on(TEXT, '\t', TEXT);
  on(TEXT, '\x7f', IGNORED);
  on(TEXT, '\b', UNSURE);
  on(TEXT, '\r', CR);
  on(TEXT, '\x1b', ESCAPE);
  on(CR, '\r', CR);

  set(ESCAPE, 0x30, 0x7e, TEXT);
  on(ESCAPE, SAVING, UNSURE);
  on(ESCAPE, 'PX^_', UNSURE);
  on(ESCAPE, '[', CSI_FIRST);
  on(ESCAPE, ']', OSC_FIRST);
  set(ESCAPE, 0x20, 0x2f, ESCAPE_INTERMEDIATE);
  set(ESCAPE_INTERMEDIATE, 0x20, 0x2f, ESCAPE_INTERMEDIATE);
  set(ESCAPE_INTERMEDIATE, 0x30, 0x7e, TEXT);

  for (const phase of [CSI_FIRST, CSI_ZERO, CSI]) {
    set(phase, 0x30, 0x3f, CSI);
    set(phase, 0x40, 0x7e, TEXT);
    on(phase, ACTING, UNSURE);
    // The cursor is at the line's end, so erasing to the right changes nothing.
    on(phase, 'JK', phase === CSI ? UNSURE : TEXT);
  }
  on(CSI_FIRST, '0', CSI_ZERO);

  for (const phase of [OSC_FIRST, OSC]) {
    set(phase, 0x20, 0xff, OSC);
    // The byte may begin a C1 control that ends the sequence.
    set(phase, 0xc2, 0xc2, UNSURE);
    on(phase, '\x7f', UNSURE);
    on(phase, '\x07', TEXT);
    on(phase, '\x1b', OSC_ESCAPE);
  }
  // Marks of our shell integration, which take effect.
  on(OSC_FIRST, '6', UNSURE);
  on(OSC_ESCAPE, '\\', TEXT);

  for (const phase of phases) phase[10] = END;
  return phases;
}

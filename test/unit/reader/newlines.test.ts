import { describe, expect, it } from 'vitest';
import { CONTROLS, type Controls, SeamTable, UNKNOWN_BYTE } from '../../../electron/reader/lines/controls.ts';
import {
  COUNTER_BYTES,
  countPlain,
  createNewlineCounter,
  LOOKAHEAD_BYTES,
  lastNewline,
  type NewlineCounter,
  type NewlineUnit,
  nextNewline,
} from '../../../electron/reader/lines/newlines.ts';
import fc from '../../fixtures/fast-check.ts';
import { cases } from '../../fixtures/sizes.ts';

const UNITS: NewlineUnit[] = ['byte', 'utf16le', 'utf16be'];
/** Bytes among which line ends, and halves of them, are common. */
const bytes = fc
  .uint8Array({ maxLength: 400 })
  .chain((base) =>
    fc
      .array(fc.constantFrom(0, 10, 13, 65), { minLength: base.length, maxLength: base.length })
      .map((likely) => Uint8Array.from(base, (byte, i) => (byte < 128 ? likely[i]! : byte))),
  );

/** Makes a counter without WebAssembly, which reads byte by byte. */
function plainCounter(): NewlineCounter {
  const buffer = new Uint8Array(COUNTER_BYTES + LOOKAHEAD_BYTES);
  const seams = new SeamTable();
  let preceding = UNKNOWN_BYTE;
  return {
    buffer,
    count: (start, end, unit) => countPlain(buffer, start, end, unit),
    look: (start, end) =>
      lookPlain(buffer, start, end, (at, behind) => seams.mark(at > 0 ? buffer[at - 1]! : preceding, behind)),
    precede: (byte) => {
      preceding = byte;
    },
    takeSeams: () => seams.take(),
  };
}

/** `onColour` is called with each colour's place, and the byte after it. */
function lookPlain(
  bytes: Uint8Array,
  start: number,
  end: number,
  onColour: (at: number, behind: number) => void = () => {},
): ReturnType<NewlineCounter['look']> {
  const controls = controlsPlain(bytes, start, end, onColour);
  return { newlines: countPlain(bytes, start, end, 'byte'), controls };
}

function controlsPlain(
  bytes: Uint8Array,
  start: number,
  end: number,
  onColour: (at: number, behind: number) => void,
): Controls {
  let controls: Controls = CONTROLS.none;
  for (let at = start; at < end; at += 1) {
    const [byte, next] = [bytes[at]!, bytes[at + 1]!];
    const colour = byte === 27 ? colourBytes(bytes, at) : 0;
    if (colour > 0) {
      controls = CONTROLS.colours;
      onColour(at, bytes[at + colour] ?? UNKNOWN_BYTE);
    } else if (byte === 13 ? next !== 10 : byte === 0xc2 ? (next & 0xe0) === 0x80 : isControl(byte))
      return CONTROLS.others;
  }
  return controls;
}

function isControl(byte: number): boolean {
  return (byte < 32 && byte !== 9 && byte !== 10) || byte === 127;
}

/** Returns the length of the colour at `at`; 0 if there is none. */
function colourBytes(bytes: Uint8Array, at: number): number {
  const sequence = Buffer.from(bytes.buffer, bytes.byteOffset + at, LOOKAHEAD_BYTES);
  return /^\x1b\[(?:[0-9:;]{0,32}m|K)/.exec(sequence.toString('latin1'))?.[0].length ?? 0;
}

describe('counting line ends', () => {
  const simd = createNewlineCounter();

  it('uses SIMD on this machine, so that the twin below is compared with something', () => {
    expect(simd.buffer.buffer.byteLength).toBeGreaterThan(1024 * 1024);
  });

  it('gives the same result in WebAssembly as the plain twin, for every start, end and unit', () => {
    fc.assert(
      fc.property(bytes, fc.nat(40), fc.nat(40), fc.constantFrom(...UNITS), (text, skip, drop, unit) => {
        const start = unit === 'byte' ? skip : skip - (skip % 2);
        const end = Math.max(start, text.length - drop);
        simd.buffer.set(text);
        expect(simd.count(start, end, unit)).toBe(countPlain(text, start, end, unit));
      }),
      { numRuns: cases(2000) },
    );
  });

  it('looks for controls and seams as the plain twin does', () => {
    const plain = plainCounter();
    const parts = fc.constantFrom(
      ...[
        'a',
        '~',
        ' ',
        '\t',
        '\n',
        '\r\n',
        '\r',
        '\x1b',
        '\x1b[m',
        '\x1b[0m',
        '\x1b[1;33m',
        '\x1b[K',
        '\x1b[0K',
        '\x1b[1234567890123m',
        '\x1b[12345678901234m',
        `\x1b[${'1'.repeat(32)}m`,
        `\x1b[${'1'.repeat(33)}m`,
        '\b',
        '\x0b',
        '\0',
        '\x7f',
        'é',
        '\u00a0',
        '\u0085',
        '日',
      ],
    );
    const usual = fc.constantFrom(
      ...[
        'printable ASCII, \t}~\n',
        'CRLF\r\n',
        `${'long '.repeat(12)}\r\n`,
        'ÄÖ\u00a0 日本\n',
        '\x1b[36m1f:\x1b[0m',
        '\x1b[m',
      ],
    );
    const texts = fc.tuple(
      fc.array(fc.tuple(usual, fc.nat(200)), { maxLength: 3 }),
      fc.array(parts),
      fc.nat(90),
    );
    fc.assert(
      fc.property(
        texts,
        fc.boolean(),
        fc.nat(70),
        fc.nat(3),
        fc.nat(255),
        ([long, odd, shift], odd1st, skip, drop, before) => {
          const usual = long.map(([part, times]) => part.repeat(times)).join('') + 'x'.repeat(shift);
          const text = Buffer.from(odd1st ? odd.join('') + usual : usual + odd.join(''));
          simd.buffer.fill(UNKNOWN_BYTE);
          simd.buffer.set(text);
          const end = Math.max(skip, text.length - drop);
          plain.buffer.set(simd.buffer);
          for (const counter of [simd, plain]) counter.precede(before);
          const facts = simd.look(skip, end);
          expect(facts).toEqual(plain.look(skip, end));
          const seams = simd.takeSeams();
          if (facts.controls === CONTROLS.colours) expect(seams).toEqual(plain.takeSeams());
          else plain.takeSeams();
        },
      ),
      { numRuns: cases(3000) },
    );
  });

  it('finds a control anywhere in long text with CRLF, and none at its line ends', () => {
    for (const control of ['\r', '\0', 'x']) {
      for (let at = 3800; at < 8000; at += 7) {
        const text = Buffer.from('a line\r\n'.repeat(1100));
        if (text[at]! > 13) text.write(control, at);
        simd.buffer.set(text);
        expect(simd.look(0, 8400), `${JSON.stringify(control)} at ${at}`).toEqual(lookPlain(text, 0, 8400));
      }
    }
  });

  it('agrees with a loop written for this test', () => {
    fc.assert(
      fc.property(bytes, (text) => {
        const plain = plainCounter();
        plain.buffer.set(text);
        const expected = text.reduce((count, byte) => count + (byte === 10 ? 1 : 0), 0);
        expect(plain.count(0, text.length, 'byte')).toBe(expected);
      }),
    );
  });

  it('does not take half of a UTF-16 unit, or U+0A00, for a line end', () => {
    const little = new Uint8Array([0x00, 0x0a, 0x0a, 0x00, 0x0a]);
    expect(countPlain(little, 0, 5, 'utf16le')).toBe(1);
    expect(countPlain(little, 0, 5, 'utf16be')).toBe(1);
    simd.buffer.set(little);
    expect(simd.count(0, 5, 'utf16le')).toBe(1);
    expect(simd.count(0, 5, 'utf16be')).toBe(1);
  });
});

describe('finding line ends', () => {
  it('finds forwards and backwards the same places', () => {
    fc.assert(
      fc.property(bytes, fc.constantFrom(...UNITS), (raw, unit) => {
        const text = unit === 'byte' ? raw : raw.subarray(0, raw.length - (raw.length % 2));
        const forwards: number[] = [];
        for (
          let at = nextNewline(text, 0, text.length, unit);
          at >= 0;
          at = nextNewline(text, at, text.length, unit)
        ) {
          forwards.push(at);
        }
        const backwards: number[] = [];
        const size = unit === 'byte' ? 1 : 2;
        for (let at = lastNewline(text, 0, text.length, unit); at >= 0; ) {
          backwards.unshift(at);
          at = lastNewline(text, 0, at - size, unit);
        }
        expect(backwards).toEqual(forwards);
      }),
    );
  });

  it('looks no further than the end it is given', () => {
    expect(nextNewline(new Uint8Array([65, 65, 10]), 0, 2, 'byte')).toBe(-1);
    expect(lastNewline(new Uint8Array([10, 65, 65]), 1, 3, 'byte')).toBe(-1);
  });
});

import { Buffer } from 'node:buffer';
import { describe, expect, it } from 'vitest';
import cellsWasm from '../../../electron/reader/summary/scan/cells.wat';
import { AT, createScanMemory } from '../../../electron/reader/summary/scan/line-scanner.ts';
import redrawnWasm from '../../../electron/reader/summary/scan/redrawn.wat';
import { cellWidth } from '../../../shared/text/cell-line.ts';
import { lineText } from '../../../shared/text/line-text.ts';
import fc from '../../fixtures/fast-check.ts';
import { cases } from '../../fixtures/sizes.ts';

const ESC = '\x1b';
const CSI = `${ESC}[`;

const memory = createScanMemory();
const bytes = Buffer.from(memory.buffer);
const cells = instance(cellsWasm, { env: { memory }, js: { cellWidth } });
const { redrawn } = instance(redrawnWasm, { env: { memory }, cells }) as unknown as {
  redrawn(at: number, end: number): number;
};

function instance(module: Uint8Array, imports: object): WebAssembly.Exports {
  const compiled = new WebAssembly.Module(module as Uint8Array<ArrayBuffer>);
  return new WebAssembly.Instance(compiled, imports as never).exports;
}

/** The line as WebAssembly renders it, without its line ending; null if it leaves that to JavaScript. */
function rendered(line: string, ending = '\n'): string | null {
  const written = bytes.write(line + ending, AT.source);
  // Bytes after the line, which must not be read as part of it.
  bytes.write('\r10%\r\n', AT.source + written);
  const end = redrawn(AT.source, AT.source + written);
  if (end === 0) return null;
  const text = bytes.toString('utf8', AT.scratch, end);
  // A CR at the line's end belongs to its ending.
  const own = (line + ending).endsWith('\r\n') ? '\r\n' : '\n';
  expect(text.endsWith(own)).toBe(true);
  return text.slice(0, -own.length);
}

/** Parts of nearly every line of a progress bar. */
const common = fc.oneof(
  fc.constantFrom('a', 'bc', 'Downloading', ' ', '   ', '100%', '#####', '', '0'.repeat(20)),
  fc.constantFrom('é', '漢字', '😀', '━━╸', '⠋', '✓', '\u00ad'),
  fc.constantFrom('\r', '\r', '\r', '\r\r', '\b', '\b \b', '\0', '\x07', '\x7f', '\x05'),
  fc.constantFrom('0', '1', '2', '3', '4', '1;3', '', '?', '?2').map((value) => `${CSI}${value}K`),
  fc.constantFrom('', '1', '0;1', '38;5;12').map((value) => `${CSI}${value}m`),
  fc
    .constantFrom('J', '2J', '?25l', '?25h', '1A', '2B', 'H', '=3h', ' q', '!p', '>1m')
    .map((rest) => `${CSI}${rest}`),
  fc
    .tuple(
      fc.constantFrom('', '0', '1', '2', '7', '80', '2000'),
      fc.constantFrom('C', 'D', 'G', 'X', 'a', '`'),
    )
    .map(([value, final]) => `${CSI}${value}${final}`),
  fc.constantFrom(`${ESC}]0;title\x07`, `${ESC}]8;;http://x${ESC}\\`, `${ESC}(B`, `${ESC}M`, `${ESC}=`, ESC),
);
/** Broken parts, and parts that JavaScript renders. */
const rare = fc.oneof(
  fc.constantFrom('\t', '\f', '\v', '\u0301', '\u200d', '\u0085', '\u009b2K', '\ufeff'),
  fc.constantFrom(`${ESC}7`, `${ESC}8`, `${ESC}c`, `${ESC}P1$r${ESC}\\`, `${ESC}^x${ESC}\\`),
  fc
    .constantFrom('4h', '4l', '?4h', '2P', '3@', '4b', '2I', 'Z', 's', 'u', '99999999C', '99999G')
    .map((rest) => `${CSI}${rest}`),
  fc.constantFrom(
    `${ESC}]0;`,
    `${ESC}]x\x18`,
    `${CSI}12`,
    `${CSI}1\r`,
    `${CSI}\b1D`,
    `${ESC}(0lqk`,
    '\x0elqk\x0f',
    `${CSI}3é`,
    `${ESC}]633;Spillway=0c;E\x07`,
  ),
  fc.string({ maxLength: 4 }).map((text) => text.replaceAll('\n', '')),
);

describe('a redrawn line', () => {
  it('is rendered as its line text, or left to JavaScript', () => {
    const part = fc.oneof({ weight: 9, arbitrary: common }, { weight: 1, arbitrary: rare });
    const line = fc.array(part, { maxLength: 24 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(line, fc.constantFrom('\n', '\r\n'), (raw, ending) => {
        const text = rendered(raw, ending);
        if (text !== null) expect(text).toBe(lineText(`${raw}${ending.slice(0, -1)}`));
      }),
      { numRuns: cases(40_000) },
    );
  });

  it('is rendered if it has only the controls that progress bars use', () => {
    const plain = common.filter((part) => !part.includes(`${ESC}=`) && part !== ESC);
    const line = fc.array(plain, { maxLength: 24 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(line, (raw) => {
        expect(rendered(raw)).not.toBeNull();
      }),
      { numRuns: cases(10_000) },
    );
  });

  it('is rendered when it is long, and left to JavaScript beyond a MiB', () => {
    const frames = Array.from({ length: 20_000 }, (_, i) => `\rframe ${i} ━━━`).join('');
    expect(rendered(frames)).toBe(lineText(frames));
    const right = `${CSI}2000Cx`.repeat(100_000);
    expect(rendered(right)).toBe(lineText(right));
    expect(rendered('\rab'.repeat(400_000))).toBeNull();
  });

  it('is left to JavaScript when its controls cost much', () => {
    expect(rendered(`${'x'.repeat(500)}${`\r${CSI}499X`.repeat(200)}y`)).toBeNull();
  });
});

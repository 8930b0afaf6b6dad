/** A shape as people read it: `<time> INFO [worker-<n>] GET <path> in <n>`. */
import type { ShapeBytes } from './shape.ts';
import { CUT, NUMBER, PATH, STRING, URL } from './shape-bytes.ts';

const NAMES: Partial<Record<number, string>> = {
  [PATH]: '<path>',
  [URL]: '<url>',
  [STRING]: '<s>',
  [CUT]: '…',
};
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** `shape` belongs to a line in `bytes`; masked parts are named after that line's text. */
export function shapeText(shape: ShapeBytes, bytes: Uint8Array): string {
  let text = '';
  let number = 0;
  let plain: number[] = [];
  for (const code of shape.codes) {
    if (code !== NUMBER && NAMES[code] === undefined) {
      plain.push(code);
      continue;
    }
    text += decoder.decode(Uint8Array.from(plain));
    plain = [];
    if (code === NUMBER) {
      const { from, to } = shape.numbers[number++]!;
      text += numberName(decoder.decode(bytes.subarray(from, to)));
    } else text += NAMES[code];
  }
  return text + decoder.decode(Uint8Array.from(plain));
}

function numberName(text: string): string {
  if (TIME.test(text)) return '<time>';
  if (UUID.test(text)) return '<uuid>';
  if (ADDRESS.test(text)) return '<ip>';
  return HEX.test(text) ? '<hex>' : '<n>';
}

const TIME = /^(?:[A-Z][a-z]{2}\b|\d{4}([-/.])\d\d\1\d\d(?!\d)|\d\d?[-/][A-Z][a-z]{2}[-/])|\d\d:\d\d:\d\d/;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const ADDRESS = /^\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?$/;
const HEX = /^(?:0x[0-9a-f]+|(?=\d*[a-f])[0-9a-f]{7,})$/i;

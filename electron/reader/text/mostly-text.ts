/** Tells text with a few stray bytes, such as a NUL in a log, from binary data. */
import { TextDecoder } from 'node:util';
import { BINARY_SNIFF_BYTES } from './content-type.ts';

/** On a Linux system, ten of 5,400 binary files had less: translations and compiled word lists. */
const MOST_STRAY = 0.1;
/** Controls that neither text nor a terminal has, DEL, and what is not UTF-8. */
const STRAY = /[\0-\x06\x0e-\x1a\x1c-\x1f\x7f\ufffd]/g;

/** Returns whether at least nine tenths of the beginning of a stream are text in UTF-8. */
export function isMostlyText(head: Uint8Array): boolean {
  const text = new TextDecoder().decode(head.subarray(0, BINARY_SNIFF_BYTES));
  return (text.match(STRAY)?.length ?? 0) <= text.length * MOST_STRAY;
}

/**
 * Encodings of single bytes that are decoded here: Windows-1252, of which Node 20 takes quotes and dashes for control
 * characters, and the code pages of DOS and of Windows' console, which the WHATWG standard does not have.
 */
import { Buffer } from 'node:buffer';

/** Bytes 0x80 to 0xff. */
const CP437 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐' +
  '└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0';
const CP850 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐' +
  '└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0';

/** Bytes 0x80 to 0x9f; the others are as in Latin-1. */
const CP1252 =
  '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f' + //
  '\u0090‘’“”•–—˜™š›œ\u009džŸ';

/** Decoders by label. */
export const CODE_PAGES: Readonly<Record<string, (bytes: Uint8Array) => string>> = {
  'windows-1252': (bytes) => windows1252(latin1(bytes)),
  cp437: (bytes) => mapped(latin1(bytes), CP437),
  cp850: (bytes) => mapped(latin1(bytes), CP850),
};

/** Returns the label of a code page of DOS by any of its usual names; null for others. */
export function dosLabel(label: string): string | null {
  const page = /^(?:cp|ibm|dos|oem)?-?(437|850)$/i.exec(label.trim())?.[1];
  return page === undefined ? null : `cp${page}`;
}

/** Returns the text of bytes that were read as characters of the same numbers. */
export function windows1252(text: string): string {
  return text.replace(/[\x80-\x9f]/g, (char) => CP1252[char.charCodeAt(0) - 0x80]!);
}

function mapped(text: string, high: string): string {
  return text.replace(/[\x80-\xff]/g, (char) => high[char.charCodeAt(0) - 0x80]!);
}

function latin1({ buffer, byteOffset, length }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, length).toString('latin1');
}

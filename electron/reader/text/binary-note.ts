/** Writes the note that a binary stream shows instead of its bytes. */
import { possibleUtf16 } from './unmarked-utf16.ts';

/** First bytes of formats that people capture by accident, from the formats' specifications. */
const MAGIC: readonly [string, readonly number[]][] = [
  ['an ELF program or library', [0x7f, 0x45, 0x4c, 0x46]],
  ['a Windows program', [0x4d, 0x5a]],
  ['a Mach-O program', [0xcf, 0xfa, 0xed, 0xfe]],
  ['a PNG image', [0x89, 0x50, 0x4e, 0x47]],
  ['a JPEG image', [0xff, 0xd8, 0xff]],
  ['a GIF image', [0x47, 0x49, 0x46, 0x38]],
  ['a PDF document', [0x25, 0x50, 0x44, 0x46]],
  ['a zip archive', [0x50, 0x4b, 0x03, 0x04]],
  ['a 7-Zip archive', [0x37, 0x7a, 0xbc, 0xaf]],
  ['xz-compressed data', [0xfd, 0x37, 0x7a, 0x58, 0x5a]],
  ['bzip2-compressed data', [0x42, 0x5a, 0x68]],
  ['an SQLite database', [0x53, 0x51, 0x4c, 0x69, 0x74, 0x65, 0x20, 0x66]],
  ['a WebAssembly module', [0x00, 0x61, 0x73, 0x6d]],
  ['a Java class file', [0xca, 0xfe, 0xba, 0xbe]],
];

/** Says how many bytes of which format there are, and how to see them anyway. */
export function binaryNote(head: Uint8Array, size: number): string {
  const known = MAGIC.find(([, bytes]) => bytes.every((byte, i) => head[i] === byte));
  const what = known ? known[0] : 'binary data';
  const utf16 = known ? null : possibleUtf16(head);
  const or = utf16 === null ? '' : `, or encoding ${utf16} if it is UTF-16`;
  return `${size} bytes of ${what}: use as_text to see it as text anyway${or}`;
}

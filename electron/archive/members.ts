/**
 * The form of a stream in the bucket: gzip of independent members, and a footer that tells where each is.
 *
 *     member member … footer
 *
 * The footer is one or more empty members whose extra field (RFC 1952, section 2.3.1.1) has the subfield `SW`: for each
 * member its compressed bytes, its text's bytes and its line ends, as numbers of 7 bits a byte; then the bytes of the
 * whole footer in four bytes, so that it is found from the end. `zcat` prints nothing for it.
 */
import { deflateRawSync } from 'node:zlib';

export interface MemberEntry {
  bytes: number;
  text: number;
  newlines: number;
}

const HEADER = Buffer.from([0x1f, 0x8b, 8, 4, 0, 0, 0, 0, 0, 255]);
const SUBFIELD = Buffer.from('SW');
const EMPTY = Buffer.concat([deflateRawSync(Buffer.alloc(0)), Buffer.alloc(8)]);
/** An extra field has at most 65,535 bytes. */
const MAX_ENTRIES_BYTES = 60_000;
const LENGTH_BYTES = 4;
/** Bytes of a footer besides its entries. */
const FRAME_BYTES = HEADER.length + 2 + SUBFIELD.length + 2 + LENGTH_BYTES + EMPTY.length;

export function footerOf(members: readonly MemberEntry[]): Buffer {
  const groups: number[][] = [[]];
  for (const { bytes, text, newlines } of members) {
    if (groups.at(-1)!.length > MAX_ENTRIES_BYTES) groups.push([]);
    for (const number of [bytes, text, newlines]) putNumber(groups.at(-1)!, number);
  }
  const total = groups.reduce((sum, group) => sum + group.length + FRAME_BYTES, 0);
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32LE(total);
  return Buffer.concat(
    groups.flatMap((group) => {
      const size = group.length + LENGTH_BYTES;
      return [
        HEADER,
        short(SUBFIELD.length + 2 + size),
        SUBFIELD,
        short(size),
        Buffer.from(group),
        length,
        EMPTY,
      ];
    }),
  );
}

/** Returns the bytes of the footer, told by the end of a file; null when it has none. */
export function footerLength(end: Buffer): number | null {
  const at = end.length - EMPTY.length - LENGTH_BYTES;
  if (at < 0 || !end.subarray(at + LENGTH_BYTES).equals(EMPTY)) return null;
  const length = end.readUInt32LE(at);
  return length < FRAME_BYTES ? null : length;
}

/** Returns the entries of a whole footer; null when it is none. */
export function parseFooter(footer: Buffer): MemberEntry[] | null {
  const numbers: number[] = [];
  for (let at = 0; at < footer.length; ) {
    if (footer.length - at < FRAME_BYTES) return null;
    const start = at + HEADER.length + 2 + SUBFIELD.length + 2;
    if (!footer.subarray(at, at + HEADER.length).equals(HEADER)) return null;
    if (!footer.subarray(at + HEADER.length + 2, start - 2).equals(SUBFIELD)) return null;
    const size = footer.readUInt16LE(start - 2) - LENGTH_BYTES;
    const end = start + size;
    if (size < 0 || end + LENGTH_BYTES + EMPTY.length > footer.length) return null;
    let value = 0;
    let scale = 1;
    for (const byte of footer.subarray(start, end)) {
      value += (byte & 127) * scale;
      scale *= 128;
      if (byte & 128) continue;
      numbers.push(value);
      value = 0;
      scale = 1;
    }
    at = end + LENGTH_BYTES + EMPTY.length;
  }
  if (numbers.length % 3 !== 0) return null;
  return Array.from({ length: numbers.length / 3 }, (_, i) => ({
    bytes: numbers[i * 3]!,
    text: numbers[i * 3 + 1]!,
    newlines: numbers[i * 3 + 2]!,
  }));
}

function putNumber(into: number[], number: number): void {
  let rest = number;
  for (; rest > 127; rest = Math.floor(rest / 128)) into.push((rest % 128) | 128);
  into.push(rest);
}

function short(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}

/** Returns the first and last member that hold the lines, both included; `to` may lie behind the last line. */
export function membersOfLines(members: readonly MemberEntry[], from: number, to: number): [number, number] {
  return spanOf(members, ({ newlines }) => newlines, from - 1, to);
}

/** Returns the first and last member that hold bytes of the text from `from` up to `to`. */
export function membersOfBytes(members: readonly MemberEntry[], from: number, to: number): [number, number] {
  return spanOf(members, ({ text }) => text, from, to);
}

/** Members are passed until `size` of them reaches `from`; then the span goes on until it reaches `to`. */
function spanOf(
  members: readonly MemberEntry[],
  size: (member: MemberEntry) => number,
  from: number,
  to: number,
): [number, number] {
  let sum = 0;
  let first = -1;
  for (const [i, member] of members.entries()) {
    sum += size(member);
    if (first < 0 && sum >= from) first = i;
    if (sum >= to && first >= 0) return [first, i];
  }
  return [first < 0 ? Math.max(0, members.length - 1) : first, members.length - 1];
}

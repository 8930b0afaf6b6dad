/** Parses the header of a gzip member (RFC 1952, section 2.3), and the size that some writers put in it. */

export interface MemberHeader {
  /** Bytes of the header. */
  length: number;
  /** Length of the whole member if the header has it (BGZF's BC subfield), else null. */
  memberBytes: number | null;
}

/** Bytes of the trailer: CRC-32 and the text's length modulo 2^32. */
export const TRAILER_BYTES = 8;

/** Returns null when the bytes don't begin with a whole gzip header. */
export function parseHeader(bytes: Buffer): MemberHeader | null {
  if (bytes.length < 10 || bytes[0] !== 0x1f || bytes[1] !== 0x8b || bytes[2] !== 8) return null;
  const flags = bytes[3]!;
  let at = 10;
  let memberBytes: number | null = null;
  if (flags & 4) {
    if (bytes.length < at + 2) return null;
    const end = at + 2 + bytes.readUInt16LE(at);
    if (bytes.length < end) return null;
    memberBytes = blockSize(bytes.subarray(at + 2, end));
    at = end;
  }
  for (const flag of [8, 16]) {
    if (!(flags & flag)) continue;
    const zero = bytes.indexOf(0, at);
    if (zero < 0) return null;
    at = zero + 1;
  }
  if (flags & 2) at += 2;
  return at <= bytes.length ? { length: at, memberBytes } : null;
}

function blockSize(extra: Buffer): number | null {
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    const isBgzf = extra[at] === 0x42 && extra[at + 1] === 0x43 && extra.readUInt16LE(at + 2) === 2;
    if (isBgzf && at + 6 <= extra.length) return extra.readUInt16LE(at + 4) + 1;
  }
  return null;
}

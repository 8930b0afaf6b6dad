/** Decodes bytes by the standard, also where Node's own decoder differs from it. */
import { expect, test } from 'vitest';
import { decoderFor, encodingNamed } from '../../../electron/reader/bytes/encoding.ts';

test.each(['latin1', 'windows-1252', 'iso-8859-1'])(
  '%s has a character for each byte, at any position',
  (label) => {
    const { decode } = decoderFor(encodingNamed(label));
    expect(decode(Uint8Array.of(0xff, 0xfe, 0x62))).toBe('ÿþb');
    expect(decode(Uint8Array.of(0x80, 0x93, 0x94, 0x99, 0x9f))).toBe('€“”™Ÿ');
    const all = Array.from({ length: 256 }, (_, byte) => byte);
    expect(new Set(all.map((byte) => decode(Uint8Array.of(byte)))).size).toBe(256);
    expect(decode(Uint8Array.from(all)).length).toBe(256);
    expect(decode(Uint8Array.from(all).subarray(0xe9, 0xea))).toBe('é');
  },
);

/** Hashes short texts without `node:crypto`, which takes 2 ms and 2 MB to load: every recorded command would pay. */

type Words = [number, number, number, number, number, number, number, number];

const BLOCK_BYTES = 64;
const [ROOTS, START] = constantsOfPrimes();

/** Returns the SHA-256 hash of the text's UTF-8 (FIPS 180-4), in hexadecimal. */
export function sha256(text: string): string {
  const bytes = Buffer.from(text);
  // After the text come one 1 bit, zeros, and the length in bits.
  const padded = Buffer.alloc(Math.ceil((bytes.length + 9) / BLOCK_BYTES) * BLOCK_BYTES);
  bytes.copy(padded);
  padded[bytes.length] = 0x80;
  padded.writeUInt32BE(Math.floor(bytes.length / 2 ** 29), padded.length - 8);
  padded.writeUInt32BE((bytes.length << 3) >>> 0, padded.length - 4);
  const state = START.slice();
  for (let at = 0; at < padded.length; at += BLOCK_BYTES) takeBlock(state, padded, at);
  return [...state].map((word) => word.toString(16).padStart(8, '0')).join('');
}

function takeBlock(state: Uint32Array, bytes: Buffer, at: number): void {
  const words = new Uint32Array(64);
  for (let i = 0; i < 16; i += 1) words[i] = bytes.readUInt32BE(at + 4 * i);
  for (let i = 16; i < 64; i += 1) {
    const [early, late] = [words[i - 15]!, words[i - 2]!];
    const first = turned(early, 7) ^ turned(early, 18) ^ (early >>> 3);
    const second = turned(late, 17) ^ turned(late, 19) ^ (late >>> 10);
    words[i] = words[i - 16]! + first + words[i - 7]! + second;
  }
  let [a, b, c, d, e, f, g, h] = [...state] as Words;
  for (let i = 0; i < 64; i += 1) {
    const choice = (e & f) ^ (~e & g);
    const one = (h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + choice + ROOTS[i]! + words[i]!) | 0;
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const two = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + majority) | 0;
    [a, b, c, d, e, f, g, h] = [(one + two) | 0, a, b, c, (d + one) | 0, e, f, g];
  }
  for (const [i, word] of [a, b, c, d, e, f, g, h].entries()) state[i] = state[i]! + word;
}

function turned(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits));
}

/** Returns the first 32 bits of the fractions of the first 64 primes' cube roots, and of the first 8 square roots. */
function constantsOfPrimes(): [Uint32Array, Uint32Array] {
  const [roots, start] = [new Uint32Array(64), new Uint32Array(8)];
  for (let prime = 2, count = 0; count < 64; prime += 1) {
    if (!isPrime(prime)) continue;
    if (count < 8) start[count] = fraction(Math.sqrt(prime));
    roots[count] = fraction(Math.cbrt(prime));
    count += 1;
  }
  return [roots, start];
}

function isPrime(number: number): boolean {
  for (let divisor = 2; divisor * divisor <= number; divisor += 1) if (number % divisor === 0) return false;
  return true;
}

function fraction(root: number): number {
  return Math.floor((root % 1) * 2 ** 32);
}

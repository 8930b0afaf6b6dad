/**
 * Masks the outputs of an agent's command while it runs. The recorder (recorder/rare/redact.pl) passes them on.
 *
 * - To us: the output's index (one byte), a length (four bytes), and so many bytes. Length 0: the output has ended.
 * - From us: the index, the length, the number of secrets masked (four bytes), and the bytes.
 *
 * An output's bytes come back in their order, as many as came.
 */

import { read, writeSync } from 'node:fs';
import { type Secrets, secretsOf } from '../../shared/secrets/mask.ts';
import { plainSettings } from '../host/settings/plain-settings.ts';
import { LiveMask, type MaskedBytes } from '../reader/bytes/masked-bytes.ts';

/** The beginning of a line is decided after this, as a prompt has no end. In a secret, the recorder waits for the rest. */
const PATIENCE_MS = 40;
const HEAD_BYTES = 5;

/** Returns when the recorder has closed our standard input. */
export async function maskOutput(home: string): Promise<void> {
  const outputs = new Map<number, Output>();
  const secrets = secretsOf(plainSettings(home)?.redact ?? { patterns: [], except: [] });
  let held: Buffer = Buffer.alloc(0);
  for (let part = await readPart(); part.length > 0; part = await readPart()) {
    held = Buffer.concat([held, part]);
    while (held.length >= HEAD_BYTES) {
      const end = HEAD_BYTES + held.readUInt32LE(1);
      if (held.length < end) break;
      const index = held[0]!;
      const output = outputs.get(index) ?? new Output(index, secrets);
      outputs.set(index, output);
      output.take(held.subarray(HEAD_BYTES, end));
      held = held.subarray(end);
    }
    // Once for all that came: a line alone takes some milliseconds while the code is new.
    for (const output of outputs.values()) output.answer();
  }
}

const PART_BYTES = 256 * 1024;
const memory = Buffer.allocUnsafe(PART_BYTES);

/** Returns what standard input has, in the same memory each time; nothing at its end. A stream takes 10 ms to make. */
function readPart(): Promise<Buffer> {
  return new Promise((resolve) =>
    read(0, memory, 0, PART_BYTES, null, (error, length) => resolve(memory.subarray(0, error ? 0 : length))),
  );
}

class Output {
  readonly #index: number;
  readonly #mask: LiveMask;
  #came: Buffer[] = [];
  #hasEnded = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(index: number, secrets: Secrets) {
    this.#index = index;
    this.#mask = new LiveMask(secrets);
  }

  take(bytes: Buffer): void {
    this.#hasEnded ||= bytes.length === 0;
    this.#came.push(bytes);
  }

  /** Answers what can be decided of what came, and the rest a little later. */
  answer(): void {
    if (this.#came.length === 0) return;
    clearTimeout(this.#timer);
    this.#say(this.#mask.add(Buffer.concat(this.#came.splice(0))));
    if (this.#hasEnded) this.#say(this.#mask.rest());
    else if (this.#mask.held > 0) this.#timer = setTimeout(() => this.#say(this.#mask.begun()), PATIENCE_MS);
  }

  #say(masked: MaskedBytes | null): void {
    if (masked === null) return;
    const head = Buffer.alloc(HEAD_BYTES + 4);
    head[0] = this.#index;
    head.writeUInt32LE(masked.bytes.length, 1);
    head.writeUInt32LE(masked.count, HEAD_BYTES);
    const answer = Buffer.concat([head, masked.bytes]);
    for (let done = 0; done < answer.length; ) done += writeSync(1, answer, done);
  }
}

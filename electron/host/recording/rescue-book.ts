/**
 * Counts which of each agent's deleted captures were kept and which were missed, in `run/rescue.json`. Only the
 * inspector writes that file.
 */
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { Rescued } from '../../../shared/sources.ts';
import { replaceFile } from '../../store/format/small-file.ts';

/** Changes within this time are written together. */
const WRITE_AFTER_MS = 300;

const Book = z.object({ version: z.literal(1), agents: z.record(z.string(), Rescued) });

export class RescueBook {
  readonly #home: string;
  readonly #agents: Record<string, Rescued>;
  #timer: NodeJS.Timeout | null = null;

  constructor(home: string) {
    this.#home = home;
    this.#agents = readRescued(home);
  }

  kept(agent: string, bytes: number): void {
    const one = this.#of(agent);
    one.kept += 1;
    one.kept_bytes += bytes;
    this.#changed();
  }

  /** `why`: ends the sentence "missed, because …". */
  missed(agent: string, bytes: number, why: string): void {
    const one = this.#of(agent);
    one.missed += 1;
    one.missed_bytes += bytes;
    one.why = why;
    this.#changed();
  }

  close(): void {
    if (this.#timer === null) return;
    clearTimeout(this.#timer);
    this.#write();
  }

  #of(agent: string): Rescued {
    this.#agents[agent] ??= { kept: 0, kept_bytes: 0, missed: 0, missed_bytes: 0, why: null };
    return this.#agents[agent];
  }

  #changed(): void {
    this.#timer ??= setTimeout(() => this.#write(), WRITE_AFTER_MS).unref();
  }

  #write(): void {
    this.#timer = null;
    try {
      mkdirSync(join(this.#home, 'run'), { recursive: true, mode: 0o700 });
      replaceFile(fileIn(this.#home), JSON.stringify({ version: 1, agents: this.#agents }));
    } catch {
      // Whatever needs the disk reports that it is full or gone.
    }
  }
}

/** Returns the counts by agent. */
export function readRescued(home: string): Record<string, Rescued> {
  try {
    return Book.parse(JSON.parse(readFileSync(fileIn(home), 'utf8'))).agents;
  } catch {
    return {};
  }
}

function fileIn(home: string): string {
  return join(home, 'run', 'rescue.json');
}

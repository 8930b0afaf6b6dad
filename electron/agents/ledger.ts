/**
 * Records what Spillway changed for a client, in the home's `connect/<client>.json`, with the original text of each
 * file. So disconnecting restores exactly what was there.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { RecordMode } from '../../shared/agents.ts';
import { removeIfEmpty } from '../store/format/places.ts';
import { replaceFile } from '../store/format/small-file.ts';

const LedgerFile = z.object({
  path: z.string(),
  /** The whole text before Spillway's first change, in base64; null if the file did not exist. */
  original: z.string().nullable(),
  /** SHA-256 of the text that Spillway wrote. */
  written: z.string(),
  /** Each changed setting, with its earlier value in `before` if it had one. */
  settings: z.array(
    z.object({
      path: z.array(z.string()),
      value: z.unknown(),
      before: z.unknown().optional(),
      isItem: z.boolean().default(false),
    }),
  ),
});
export type LedgerFile = z.infer<typeof LedgerFile>;

const Ledger = z.object({
  version: z.literal(1),
  client: z.string(),
  record: RecordMode.nullable(),
  files: z.array(LedgerFile),
});
export type Ledger = z.infer<typeof Ledger>;

/** Returns null if there is none, or it can't be read. */
export function readLedger(home: string, client: string): Ledger | null {
  try {
    return Ledger.parse(JSON.parse(readFileSync(pathOf(home, client), 'utf8')));
  } catch {
    return null;
  }
}

/** When it was last written, in milliseconds since 1970; null if there is none. */
export function ledgerTime(home: string, client: string): number | null {
  return statSync(pathOf(home, client), { throwIfNoEntry: false })?.mtimeMs ?? null;
}

export function writeLedger(home: string, ledger: Ledger): void {
  mkdirSync(join(home, 'connect'), { recursive: true, mode: 0o700 });
  replaceFile(pathOf(home, ledger.client), `${JSON.stringify(ledger, null, 2)}\n`);
}

export function removeLedger(home: string, client: string): void {
  rmSync(pathOf(home, client), { force: true });
  removeIfEmpty(join(home, 'connect'));
}

export function fingerprint(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function pathOf(home: string, client: string): string {
  return join(home, 'connect', `${client}.json`);
}

/**
 * What Spillway changed for a client: `connect/<client>.json` of the home, and each file as it was before, beside it. So what is
 * removed leaves exactly what was there.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { replaceFile } from '../store/format/small-file.ts';

const LedgerFile = z.object({
  path: z.string(),
  /** The whole text before Spillway's first change, in base64; null when there was no file. */
  original: z.string().nullable(),
  /** SHA-256 of the text that was written. */
  written: z.string(),
  /** What was at the places that were changed, where something was. */
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
  record: z.enum(['record', 'preview']).nullable(),
  files: z.array(LedgerFile),
});
export type Ledger = z.infer<typeof Ledger>;

/** Null when there is none, or none that can be read. */
export function readLedger(home: string, client: string): Ledger | null {
  try {
    return Ledger.parse(JSON.parse(readFileSync(pathOf(home, client), 'utf8')));
  } catch {
    return null;
  }
}

export function writeLedger(home: string, ledger: Ledger): void {
  mkdirSync(join(home, 'connect'), { recursive: true, mode: 0o700 });
  replaceFile(pathOf(home, ledger.client), `${JSON.stringify(ledger, null, 2)}\n`);
}

export function removeLedger(home: string, client: string): void {
  rmSync(pathOf(home, client), { force: true });
}

export function fingerprint(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function pathOf(home: string, client: string): string {
  return join(home, 'connect', `${client}.json`);
}

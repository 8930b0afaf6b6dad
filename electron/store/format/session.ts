/** What `session.json` holds: a named folder of captures that live and are cleaned up together. */
import * as z from 'zod';
import { Owner } from './owner.ts';

export const SESSION_VERSION = 1;

export const SessionRecord = z.object({
  version: z.literal(SESSION_VERSION),
  /** As it was given; its folder carries a slug and a hash of it. */
  name: z.string().min(1),
  created_at: z.string(),
  ended_at: z.string().nullable(),
  /** Goes with everything in it when its owner has ended. */
  ephemeral: z.boolean(),
  owner: Owner.nullable(),
  /** For commands that name none. */
  cwd: z.string().nullable(),
  /** Names and values, added to the environment of commands. */
  env: z.record(z.string(), z.string()),
});
export type SessionRecord = z.infer<typeof SessionRecord>;

export type ParsedSession = { ok: true; session: SessionRecord } | { ok: false; newer: boolean };

/** `newer`: a later version of Spillway wrote it, which must be left alone. */
export function parseSession(text: string): ParsedSession {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { ok: false, newer: false };
  }
  const parsed = SessionRecord.safeParse(value);
  if (parsed.success) return { ok: true, session: parsed.data };
  const version = (value as { version?: unknown } | null)?.version;
  return { ok: false, newer: typeof version === 'number' && version > SESSION_VERSION };
}

/** The format of a log, which the host learns from lines all over the text. Worker threads use it, too. */
import * as z from 'zod';

export const LogFormat = z.object({
  /** Such as `syslog`, `JSON lines`, `text`. */
  name: z.string(),
  /** The first time, as it is written; null if few lines have one. */
  time: z.string().nullable(),
  /** Whether 10/03 is the tenth of March; null where the times tell it themselves. */
  day_first: z.boolean().nullable(),
  /** How the times' zone is known: they name it, or it is that of this machine. Null without times. */
  zone: z.enum(['utc', 'written', 'local']).nullable(),
  /** Whether most levels are fields or words; null if few lines have one. */
  level: z.enum(['field', 'word']).nullable(),
  /** The mark of an entry's first line; `unindented`: no indentation. */
  entries: z.enum(['time', 'object', 'level', 'unindented']),
});
export type LogFormat = z.infer<typeof LogFormat>;

/** The format of a log: what the host learns from lines all over the text, and what a person says of it. */
import * as z from 'zod';
import { SpillwayError } from './errors.ts';
import { type TimeForm, zoneOf } from './text/line-time.ts';

export const LogFormat = z.object({
  /** Such as `syslog`, `JSON lines`, `text`. */
  name: z.string(),
  /** The first time, as it is written; null if few lines have one. */
  time: z.string().nullable(),
  /** Whether 10/03 is the tenth of March; null where the times tell it themselves. */
  day_first: z.boolean().nullable(),
  /**
   * How the times' zone is known: they name it, or it is that of this machine, or chosen. Null without times. `start`:
   * they are seconds since the machine or the program started.
   */
  zone: z
    .union([z.enum(['utc', 'written', 'local', 'start']), z.string().regex(/^[+-]\d\d:\d\d$/)])
    .nullable(),
  /** Whether most levels are fields or words; null if few lines have one. */
  level: z.enum(['field', 'word']).nullable(),
  /** The mark of an entry's first line; `unindented`: no indentation. */
  entries: z.enum(['time', 'object', 'level', 'unindented']),
  /** Names of the fields that lines have, the most frequent first; none if few lines have some. */
  fields: z.array(z.string()),
  /** A person's pattern of lines whose named groups are these fields. */
  pattern: z.string().optional(),
});
export type LogFormat = z.infer<typeof LogFormat>;

/** A person's corrections of a format that was learnt wrong. The rest is learnt. */
export interface FormatChoice {
  isDayFirst?: boolean;
  /** The zone of times that name none: minutes east of UTC; null for local time. */
  zone?: number | null;
  /** The times to use: printed by the lines, of their arrival, or none, if what looks like times is not. */
  times?: 'printed' | 'arrivals' | 'none';
  entries?: LogFormat['entries'];
}

const MAX_ZONE_MINUTES = 14 * 60;
const ZONE = /^[+-]\d\d:?\d\d$/;

/** Reads words such as `day-first,+02:00,entries=level`. Throws `usage` for others, and for two that contradict. */
export function readFormatChoice(text: string): FormatChoice {
  const choice: FormatChoice = {};
  for (const word of text.split(',').map((one) => one.trim().toLowerCase())) {
    const added = word === '' ? {} : choiceOf(word);
    const [key] = Object.keys(added) as (keyof FormatChoice)[];
    if (key !== undefined && key in choice && choice[key] !== added[key])
      throw new SpillwayError(
        'usage',
        `${JSON.stringify(text)} says two things of a format`,
        `leave out ${word}`,
      );
    Object.assign(choice, added);
  }
  return choice;
}

function choiceOf(word: string): FormatChoice {
  const [, entries] = /^entries=(\w+)$/.exec(word) ?? [];
  const rule = LogFormat.shape.entries.safeParse(entries);
  if (word === 'day-first' || word === 'month-first') return { isDayFirst: word === 'day-first' };
  if (word === 'utc') return { zone: 0 };
  if (word === 'local') return { zone: null };
  if (ZONE.test(word) && Math.abs(zoneOf(word)!) <= MAX_ZONE_MINUTES) return { zone: zoneOf(word) };
  if (word === 'printed' || word === 'arrivals') return { times: word };
  if (word === 'no-times') return { times: 'none' };
  if (rule.success) return { entries: rule.data };
  throw new SpillwayError(
    'usage',
    `${JSON.stringify(word)} says nothing of a format`,
    `write ${FORMAT_WORDS}, with commas between several`,
  );
}

export const FORMAT_WORDS =
  'day-first, month-first, utc, local, +02:00, printed, arrivals, no-times, or entries=time (object, level, unindented)';

export function writeFormatChoice({ isDayFirst, zone, times, entries }: FormatChoice): string {
  const words = [
    isDayFirst === undefined ? '' : isDayFirst ? 'day-first' : 'month-first',
    zone === undefined ? '' : zoneWords(zone),
    times === 'none' ? 'no-times' : (times ?? ''),
    entries === undefined ? '' : `entries=${entries}`,
  ];
  return words.filter((word) => word !== '').join(',');
}

/** `utc`, `local` or `+02:00`. */
export function zoneWords(zone: number | null): string {
  if (zone === null) return 'local';
  if (zone === 0) return 'utc';
  const two = (count: number) => String(Math.floor(count)).padStart(2, '0');
  return `${zone < 0 ? '-' : '+'}${two(Math.abs(zone) / 60)}:${two(Math.abs(zone) % 60)}`;
}

/** The learnt form as far as nothing else is chosen. */
export function chosenForm(learnt: TimeForm, { isDayFirst, zone, times }: FormatChoice): TimeForm {
  return {
    ...learnt,
    ...(isDayFirst === undefined ? {} : { isDayFirst }),
    ...(zone === undefined ? {} : { zone }),
    ...(times === 'none' ? { isTimeless: true } : {}),
  };
}

/** Whether most entries print the time that they are of; one since the start tells less than an arrival. */
export function printsTimes({ time, zone, entries }: LogFormat): boolean {
  return time !== null && zone !== 'start' && (entries === 'time' || entries === 'object');
}

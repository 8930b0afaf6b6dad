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
  /** How the times' zone is known: they name it, or it is that of this machine, or chosen. Null without times. */
  zone: z.union([z.enum(['utc', 'written', 'local']), z.string().regex(/^[+-]\d\d:\d\d$/)]).nullable(),
  /** Whether most levels are fields or words; null if few lines have one. */
  level: z.enum(['field', 'word']).nullable(),
  /** The mark of an entry's first line; `unindented`: no indentation. */
  entries: z.enum(['time', 'object', 'level', 'unindented']),
  /** Names of the fields that lines have, the most frequent first; none if few lines have some. */
  fields: z.array(z.string()),
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

/** Reads words such as `day-first,+02:00,entries=level`. Throws `usage` for others. */
export function readFormatChoice(text: string): FormatChoice {
  const choice: FormatChoice = {};
  for (const word of text.split(',').map((one) => one.trim().toLowerCase())) {
    const [, entries] = /^entries=(\w+)$/.exec(word) ?? [];
    const rule = LogFormat.shape.entries.safeParse(entries);
    if (word === 'day-first' || word === 'month-first') choice.isDayFirst = word === 'day-first';
    else if (word === 'utc') choice.zone = 0;
    else if (word === 'local') choice.zone = null;
    else if (ZONE.test(word) && Math.abs(zoneOf(word)!) <= MAX_ZONE_MINUTES) choice.zone = zoneOf(word);
    else if (word === 'printed' || word === 'arrivals') choice.times = word;
    else if (word === 'no-times') choice.times = 'none';
    else if (rule.success) choice.entries = rule.data;
    else if (word !== '')
      throw new SpillwayError(
        'usage',
        `${JSON.stringify(word)} says nothing of a format`,
        `write ${FORMAT_WORDS}, with commas between several`,
      );
  }
  return choice;
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

/** Whether most entries print the time that they are of. */
export function printsTimes({ time, entries }: LogFormat): boolean {
  return time !== null && (entries === 'time' || entries === 'object');
}

/**
 * Reads the time of a log's line: at its beginning, after a bracket, a level or a service's name, or in a field named
 * for it. Times elsewhere belong to the message, except a full one near the beginning: ISO 8601, or as `date` writes it.
 */
import { ESC, isDigit } from './codes.ts';
import { jsonTimes, objectStart } from './json-time.ts';

/** Characters of a line, from its beginning, in which its time is looked for. The fields of JSON have any order. */
export const TIME_WITHIN_CHARS = 16 * 1024;
const PLAIN_WITHIN_CHARS = 256;

/** What only all lines of a log tell (time-form.ts). */
export interface TimeForm {
  /** 10/03/2026 is the tenth of March. Null where no line tells: it is with points, and is not with slashes. */
  isDayFirst: boolean | null;
  /** Lines begin with the seconds since 1970, as whole numbers. */
  hasSeconds: boolean;
  /** Lines begin with the seconds since the machine or the program started. Their times count from `START_TIME`. */
  countsFromStart: boolean;
  /** Some have no clock with colons, as DB2's and Chromium's: scanners look for colons. */
  hasPoints?: boolean;
  /** Minutes east of UTC of times that name no zone: 0 in logs that the W3C's format describes. Null: local. */
  zone: number | null;
  /** A person says that what looks like times are none. */
  isTimeless?: boolean;
  /** When the text begins, where a header says so, in milliseconds since the epoch: the day of clocks alone. */
  since?: number;
}

/** What a line does not tell of its time. */
export interface TimeFacts extends TimeForm {
  /** When the text was last written to, in milliseconds since the epoch; null where that is not known. */
  writtenBy: number | null;
}

export const UNKNOWN_FORM: TimeForm = {
  ...{ isDayFirst: null, hasSeconds: false, countsFromStart: false, zone: null },
};
export const NO_FACTS: TimeFacts = { ...UNKNOWN_FORM, writtenBy: null };

/** @param seconds with three or six decimals */
export function momentSinceStart(seconds: string): number {
  return START_TIME + Math.floor(Math.round(Number(seconds) * 1e6) / 1000);
}

/** Midnight of a day without meaning: a window shows the time since it as a clock, with as many hours as there are. */
export const START_TIME = new Date(1970, 0, 1).getTime();

/** Milliseconds since the start of a time that counts from it; null for others. Lines write at most eight digits. */
export function sinceStart(time: number): number | null {
  const ms = time - START_TIME;
  return ms >= 0 && ms < 1e8 * SECOND_MS ? ms : null;
}

/** Where a line's time is written, and the moment it names. */
export interface FoundTime {
  /** Indexes into the line; `to` is excluded. */
  from: number;
  to: number;
  /** Milliseconds since the epoch. */
  time: number;
}

/** Milliseconds since the epoch; null where none is told. */
export function lineTime(line: string, facts: TimeFacts = NO_FACTS): number | null {
  return timeIn(line, facts)?.time ?? null;
}

/**
 * Finds the time of a line; null if it has none. A time without a zone is local. A time without a year or a day is the
 * last such time before the text was written; null if that is not known.
 */
export function timeIn(line: string, facts: TimeFacts = NO_FACTS): FoundTime | null {
  if (facts.isTimeless) return null;
  if (line.charCodeAt(0) === ESC) {
    const { length } = COLOURS.exec(line)?.[0] ?? '';
    return length > 0 ? movedBy(timeIn(line.slice(length), facts), length) : null;
  }
  const text = line.length > PLAIN_WITHIN_CHARS ? line.slice(0, PLAIN_WITHIN_CHARS) : line;
  if (text.charCodeAt(0) === OPENING_BRACE) return objectTime(line, 0, facts) ?? isoTime(text, facts);
  const from = isDigit(text.charCodeAt(0)) ? 0 : (PREFIX.exec(text)?.[0].length ?? 0);
  const object = text.includes('{') ? objectStart(text) : -1;
  if (text.charCodeAt(0) === AT_SIGN) return taiTime(text);
  return (
    timeFrom(text, from, facts) ??
    (text.includes('[') ? accessTime(text) : null) ??
    (object >= 0 ? objectTime(line, object, facts) : null) ??
    (text.includes('=') ? fieldTime(text, facts) : null) ??
    (text.includes(',') ? cellTime(text, facts) : null) ??
    isoTime(text, facts) ??
    dateTime(text) ??
    speakerTime(text, from, facts)
  );
}

function movedBy(found: FoundTime | null, by: number): FoundTime | null {
  return found && { from: found.from + by, to: found.to + by, time: found.time };
}

/** A line of GitHub Actions: its time; from `gh run view --log`, behind its job, step and a byte order mark, read or misread. */
export const ACTIONS_LINE = /^(?:[^\t]+\t[^\t]+\t[^\t\d]{0,3})?\d{4}-\d\d-\d\dT[\d:]{8}\.\d{7}Z(?: |$)/;

const OPENING_BRACE = 0x7b;
const AT_SIGN = 0x40;
/** Colours at the beginning of a line that is read as bytes. */
const COLOURS = new RegExp(`^(?:${String.fromCharCode(ESC)}\\[[\\d;]*m)+`);

/**
 * Allowed before a time: a service and a bar, a syslog priority, brackets, a level or a zone, the title of Erlang's
 * reports, and what WebLogic, MySQL's log of slow queries, Windows' events, Bamboo, OpenAM, Wget and Cisco begin with.
 */
const PREFIX =
  /^(?:[\w.@:-]{1,60} +\| ?)?(?:<\d{1,3}>(?:1 )?)?(?:=[A-Z ]{4,30}=+ |####<|# Time: |Date: +(?=\d)|[a-z]{3,8}\t|\w{2,20}:(?=\d\d\/)|--(?=\d{4}-)|\.(?=[A-Z]))?[\s[("'*]*(?:(?:UTC|[A-Z]{2,3}T) )?(?:(?:[TDIWEF]|TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERR|ERROR|CRIT|CRITICAL|FATAL|SEVERE|PANIC)[\]:,|)]*[\s[(]+)?/i;
/**
 * A number before a time: a process (Redis `12:M `, strace `[pid 12] `, Zabbix, with a thread Chromium's), or Cisco's
 * count of lines.
 */
const SPEAKER = /\[?(?:pid +)?\d{1,7}(?:(?::[A-Z]|\])? +|: +[*.]?|:(?=\d{8}:)|:\d{1,9}:(?=\d{4}\/))/y;

const clock = String.raw`(\d\d?):(\d\d):(\d\d(?:[.,]\d{1,9}|:(?:\d{3}){1,3}(?!\d))?)`;
/** Behind a date, seconds may be missing. */
const shortClock = String.raw`(\d\d?):(\d\d)(?::(\d\d(?:[.,]\d{1,9}|:(?:\d{3}){1,3})?))?(?![\d:]*\d)`;
/**
 * Hours east of UTC for zones that RFC 822 or POSIX's `date` name. A name that means several zones (CST, IST, BST) is
 * missing: such a time is taken for local.
 */
const ZONE_HOURS: Record<string, number> = {
  ...{ EST: -5, EDT: -4, CDT: -5, MST: -7, MDT: -6, PST: -8, PDT: -7 },
  ...{
    WET: 0,
    WEST: 1,
    CET: 1,
    CEST: 2,
    MEZ: 1,
    MESZ: 2,
    EET: 2,
    EEST: 3,
    MSK: 3,
    JST: 9,
    AEST: 10,
    AEDT: 11,
  },
};
const ZONES = Object.keys(ZONE_HOURS).join('|');
const zone = String.raw`(?: ?((?:Z|UTC|GMT|${ZONES})(?!\w)|[+-]\d\d:?\d\d(?!\w|:\S))|([+-]\d\d)(?!\w|:\S))?`;
const half = String.raw`(?: ?([AP])\.?M\b\.?)?`;
const month = '(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)';
const day = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)';
const sticky = (source: string) => new RegExp(source, 'iy');

const YEAR_FIRST = sticky(
  String.raw`(\d{4})([-/.])(\d\d)\2(\d\d)(?:T|[_ \t] ?|-)${shortClock}${half}${zone}`,
);
/** The day is counted from the year's first. */
const DAY_OF_YEAR = sticky(String.raw`(\d{4})-(\d{3})(?:T| )${clock}${zone}`);
/** As Unreal Engine writes it, in UTC. */
const DOTTED = sticky(String.raw`(\d{4})\.(\d\d)\.(\d\d)-(\d\d)\.(\d\d)\.(\d\d:\d{3})(?!\d)`);
const COMPACT = sticky(String.raw`(\d{4})(\d\d)(\d\d)[T:](\d\d)(\d\d)(\d\d(?:\.\d{1,9})?)(Z)?(?!\w)`);
const COMPACT_DAY = sticky(String.raw`(\d{4})(\d\d)(\d\d)[T -]${clock}${zone}`);
const DAY_AND_MONTH = sticky(
  String.raw`(?:${day}, )?(\d\d?)([/ -]?)${month}\2(\d{4})(?:::|[: ])${clock}${half}${zone}`,
);
const YEAR_LAST = sticky(
  String.raw`(\d\d?)([-/.])(\d\d?)\2(\d{4}|\d\d(?=,))(?:,?[ \t-]|:(?=\d\d:)|,)${shortClock}${half}${zone}`,
);
/** As Suricata writes it, the day first. */
const DASHED = sticky(String.raw`(\d\d?)/(\d\d?)/(\d{4}) -- ${clock}`);
/** As Spark and Hadoop write it, `26/03/01`; or with the year last, as Snort does before a dash. */
const SHORT_YEAR = sticky(String.raw`(\d\d?)([/.])(\d\d?)\2(\d\d)(?:[ \t]|-(?=\d\d:))${clock}${half}${zone}`);
/** As DB2 writes it, with the minutes east of UTC. */
const MINUTES_EAST = sticky(String.raw`(\d{4})-(\d\d)-(\d\d)-(\d\d)\.(\d\d)\.(\d\d\.\d{6})([+-]\d{3})(?!\d)`);
/** As Chromium writes it in brackets. */
const CHROMIUM = sticky(String.raw`(\d\d)(\d\d)/(\d\d)(\d\d)(\d\d\.\d{3,6})(?=:[A-Z])`);
/** As old versions of MySQL write it. */
const SIX_DIGITS = sticky(String.raw`([0-3]\d)([01]\d)([0-3]\d) {1,2}${clock}`);
const MONTH_FIRST = sticky(
  String.raw`(?:${day},? +)?${month}[ /-]+(\d\d?),?[ /](?:(\d{4}),? )?${clock}${half}${zone}(?: (?:[A-Z]{3,4} )?((?:19|20)\d\d)(?=[\s\])]|$))?`,
);
/** As switches write it. */
const YEAR_AND_MONTH = sticky(String.raw`(\d{4}) ${month} +(\d\d?) ${clock}${half}${zone}`);
/** A day without a year, as Redis writes it. */
const DAY_MONTH_CLOCK = sticky(String.raw`(\d\d?) ${month} ${clock}`);
/** A month and a day; of points, in either order. */
const LOGCAT = sticky(String.raw`(\d\d)([-/.])(\d\d)(\.?)[ -]${clock}`);
/** glog's begins with a year, CockroachDB's with two digits of one. */
const KLOG = /[IWEF](\d{4}|\d\d)?(\d\d)(\d\d) (\d\d):(\d\d):(\d\d\.\d{1,9})/y;
const EPOCH = sticky(String.raw`(1\d{9}\.\d{3,9}|1\d{18}|1\d{15}|1\d{12}|1\d{9}(?=\]))(?=[ \t,;:|\])]|$)`);
const SECONDS = sticky(String.raw`(1\d{9})(?=[ \t,;:|]|$)`);
/** As Linux, the X server and Java's garbage collector write it in brackets. */
const FROM_START = sticky(String.raw`(\d{1,8}\.\d{3}(?:\d{3})?)(?=s?\]|$)`);
/** As GStreamer does, before a process and a thread. */
const CLOCK_FROM_START = sticky(String.raw`(\d{1,3}):(\d\d):(\d\d\.\d{9})(?= +\d+ +0x)`);
const CLOCK = sticky(String.raw`(?=\d\d:|\d:\d\d:\d\d ?[AP]\.?M)${clock}${half}(?![\w:./+-]|,\d)(?! *-->)`);
/** As chats write it. */
const HALF_CLOCK = sticky(String.raw`(\d\d?):(\d\d) ?([AP])\.?M\b\.?`);
/** As web servers write it after the client's address and user. */
const ACCESS = new RegExp(String.raw`\[(\d\d)/${month}/(\d{4})[: ]${clock}(?: ([+-]\d{4}))?\]`, 'i');
/** Seconds as shells keep them in their history, and Linux's audit in its records. */
const MARKED = /^(?:#\+?(?=\d+$)|: (?=\d+:\d+;)|type=\w+ msg=audit\()(1\d{9}(?:\.\d+)?)/;

const NAMES =
  '@?timestamp|@t|ts|t|time|_time|epoch|date|datetime|asctime|event_?time|systemtime|__realtime_timestamp';
const VALUE = String.raw`(?:["']([^"']{8,40})["']|(\d{4}-\d\d-\d\dT[\d:.,Z+-]+)|(1\d{18}|1\d{15}|1\d{12}(?:\.\d+)?|1\d{9}(?:\.\d+)?)(?=[\s,;}\])]|$))`;
const DIGITS = /^1(?:\d{9}|\d{12}|\d{15}|\d{18})(?:\.\d{1,9})?$/;
const FIELD = new RegExp(String.raw`(?:^|[\s[({,])(?:${NAMES})=${VALUE}`, 'i');

/** As firewalls write it. */
const DATE_AND_TIME = new RegExp(String.raw`(?:^|\s)date=(\d{4})-(\d\d)-(\d\d) +time=${clock}`);
/** A date and a clock alone in a cell of CSV. */
const CELL = /,"(\d{1,4}[-/]\d\d?[-/]\d{1,4}[ T]\d\d?:\d\d[^",]*)"(?=,|\s*$)/;

/** A date and a clock in one or two cells of CSV, as Windows' DHCP server, IIS and event viewer write them. */
const CELLS = new RegExp(
  String.raw`(?<=^|,|, )(\d\d?)(/)(\d\d?)/(\d{4}|\d\d)(?:, ?| )${clock}${half}(?=,)`,
  'i',
);

/** Where in a line a full ISO 8601 time may stand. */
const ISO_WITHIN_CHARS = 80;
/** Not within a name, a path or a longer number. */
const begin = String.raw`(?<![\w/.+@%~#$\\-])`;
/** Slashes only behind a bar or a bracket: they are common in messages. */
const ISO = new RegExp(
  String.raw`${begin}(?:(?=\d{4}-)|(?<=[|\]] )(?=\d{4}\/))(\d{4})([-/])(\d\d)\2(\d\d)(?:T|[ \t] ?)${clock}${zone}`,
);
/** As `date` writes it: `Sun Mar  1 10:00:00 UTC 2026`, and Git with a zone behind it. */
const DATE = new RegExp(
  String.raw`${begin}${day} ${month} +(\d\d?) ${clock}${zone}(?: (?:[A-Z]{3,4} )?((?:19|20)\d\d))(?: ([+-]\d{4}))?(?=[\s:\])]|$)`,
);

type Groups = readonly (string | undefined)[];

type Read = (found: Groups, facts: TimeFacts) => number | null;

const dayAndMonth: [RegExp, Read] = [
  DAY_AND_MONTH,
  (found, facts) =>
    dated(found[4], monthOf(found[3]!), found[1], clockOf(withHalf(found, 5, 8), 5, 9), facts),
];
const startingWithDigits: readonly [RegExp, Read][] = [
  [
    YEAR_FIRST,
    (found, facts) => dated(found[1], found[3], found[4], clockOf(withHalf(found, 5, 8), 5, 9), facts),
  ],
  [
    MINUTES_EAST,
    (found, facts) => {
      const zone = Number(found[7]);
      return dated(found[1], found[2], found[3], { ...clockOf(found.slice(0, 7), 4), zone }, facts);
    },
  ],
  [CHROMIUM, (found, facts) => dated(undefined, found[1], found[2], clockOf(found, 3), facts)],
  [DAY_OF_YEAR, dayOfYear],
  [DOTTED, (found, facts) => dated(found[1], found[2], found[3], clockOf([...found, 'UTC'], 4), facts)],
  [COMPACT, (found, facts) => dated(found[1], found[2], found[3], clockOf(found, 4), facts)],
  [COMPACT_DAY, (found, facts) => dated(found[1], found[2], found[3], clockOf(found, 4, 7), facts)],
  [YEAR_LAST, yearLast],
  [DASHED, (found, facts) => dated(found[3], found[2], found[1], clockOf(found, 4), facts)],
  [SHORT_YEAR, shortYear],
  [SIX_DIGITS, (found, facts) => dated(`20${found[1]}`, found[2], found[3], clockOf(found, 4), facts)],
  [LOGCAT, monthAndDay],
  [EPOCH, (found) => epochTime(found[1]!)],
  [FROM_START, (found, facts) => (facts.countsFromStart ? momentSinceStart(found[1]!) : null)],
  [
    CLOCK_FROM_START,
    ([, hours, minutes, seconds]) =>
      momentSinceStart(String(Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds))),
  ],
  [SECONDS, (found, { hasSeconds }) => (hasSeconds ? epochTime(found[1]!) : null)],
  [CLOCK, (found, facts) => momentOfClock(clockOf(withHalf(found, 1, 4), 1), facts)],
  [
    HALF_CLOCK,
    ([all, hours, minutes, half], facts) =>
      momentOfClock(clockOf(withHalf([all, hours, minutes, '0', half], 1, 4), 1), facts),
  ],
  [
    YEAR_AND_MONTH,
    (found, facts) =>
      dated(found[1], monthOf(found[2]!), found[3], clockOf(withHalf(found, 4, 7), 4, 8), facts),
  ],
  dayAndMonth,
  [
    DAY_MONTH_CLOCK,
    (found, facts) => dated(undefined, monthOf(found[2]!), found[1], clockOf(found, 3), facts),
  ],
];
const startingWithLetters: readonly [RegExp, Read][] = [
  [
    MONTH_FIRST,
    (found, facts) => {
      const time = clockOf(withHalf(found, 4, 7), 4, 8);
      return dated(found[3] ?? found[10], monthOf(found[1]!), found[2], time, facts);
    },
  ],
  [KLOG, (found, facts) => dated(wholeYear(found[1]), found[2], found[3], clockOf(found, 4), facts)],
  dayAndMonth,
];

/** The label that a line of `daemontools` begins with: 2^62, and seconds that it counts from ten before 1970. */
const TAI64N = /^@40{7}([0-9a-f]{8})([0-9a-f]{8})(?= |$)/i;
const TAI_AHEAD_S = 10;

function taiTime(text: string): FoundTime | null {
  const found = TAI64N.exec(text);
  if (!found) return null;
  const [label, seconds, nanos] = found;
  const time =
    (Number.parseInt(seconds!, 16) - TAI_AHEAD_S) * 1000 + Math.floor(Number.parseInt(nanos!, 16) / 1e6);
  return { from: 0, to: label.length, time };
}

function timeFrom(text: string, from: number, facts: TimeFacts): FoundTime | null {
  for (const [format, read] of isDigit(text.charCodeAt(from)) ? startingWithDigits : startingWithLetters) {
    format.lastIndex = from;
    const found: Groups | null = format.exec(text);
    if (!found) continue;
    const time = read(found, facts);
    return time === null ? null : { from, to: format.lastIndex, time };
  }
  return null;
}

/** Behind a process's number, which nothing but its time follows. */
function speakerTime(text: string, from: number, facts: TimeFacts): FoundTime | null {
  SPEAKER.lastIndex = text.startsWith('[') ? 0 : from;
  if (SPEAKER.test(text)) return timeFrom(text, SPEAKER.lastIndex, facts);
  const found = MARKED.exec(text);
  if (!found) return null;
  const to = found[0].length;
  return { from: to - found[1]!.length, to, time: epochTime(found[1]!) };
}

function accessTime(text: string): FoundTime | null {
  const found = ACCESS.exec(text);
  if (!found) return null;
  const time = dated(found[3], monthOf(found[2]!), found[1], clockOf(found, 4), NO_FACTS);
  return time === null ? null : { from: found.index + 1, to: found.index + found[0].length - 1, time };
}

function cellTime(text: string, facts: TimeFacts): FoundTime | null {
  const cells = text.includes('/') ? CELLS.exec(text) : null;
  if (cells) return at(cells, yearLast(cells, facts));
  const found = CELL.exec(text);
  return found && writtenTime(found[1]!, found.index + 2, facts);
}

function fieldTime(text: string, facts: TimeFacts): FoundTime | null {
  const pair = DATE_AND_TIME.exec(text);
  if (pair) return at(pair, dated(pair[1], pair[2], pair[3], clockOf(pair, 4), facts));
  const found = FIELD.exec(text);
  if (!found) return null;
  const [all, quoted, bare, number] = found;
  const written = (quoted ?? bare ?? number)!;
  const to = found.index + all.length - (quoted === undefined ? 0 : 1);
  return writtenTime(written, to - written.length, facts);
}

/** Returns the time in the object that begins at `from`: of its own fields, else of an object that holds the log's. */
export function objectTime(text: string, from: number, facts: TimeFacts = NO_FACTS): FoundTime | null {
  const own = ownTime(text, from, facts);
  if (own) return own;
  const holder = HOLDER.exec(text.slice(from));
  const held = holder && ownTime(text, from + holder.index + holder[0].length, facts);
  if (held) return held;
  const nested = text.includes('UnixNano"') ? NESTED_NANOS.exec(text.slice(from)) : null;
  if (!nested) return null;
  const to = from + nested.index + nested[0].length;
  return { from: to - nested[1]!.length, to, time: epochTime(nested[1]!) };
}

function ownTime(text: string, from: number, facts: TimeFacts): FoundTime | null {
  for (const { from: at, to, seconds, nanos } of jsonTimes(text, from)) {
    const found =
      seconds === null
        ? writtenTime(text.slice(at, to), at, facts)
        : { from: at, to, time: seconds * 1000 + Math.floor(nanos / 1e6) };
    if (found !== null) return found;
  }
  return null;
}

/** Elasticsearch's documents, Loguru's records and others hold the log's own fields. */
const HOLDER = /"(?:_source|record|meta|metadata)" ?: ?(?=\{)/;
/** OpenTelemetry's files hold records in lists. */
const NESTED_NANOS = /"(?:timeUnixNano|observedTimeUnixNano)" ?: ?"?(1\d{18})/;
/** As .NET's and PowerShell's JSON has it; the slashes may be escaped. */
const DOTNET_DATE = /^\\?\/Date\((1\d{12})\)\\?\/$/;

function writtenTime(written: string, at: number, facts: TimeFacts): FoundTime | null {
  const ofDotnet = written.includes('/Date(') ? DOTNET_DATE.exec(written) : null;
  if (ofDotnet) return { from: at, to: at + written.length, time: epochTime(ofDotnet[1]!) };
  return DIGITS.test(written)
    ? { from: at, to: at + written.length, time: epochTime(written) }
    : movedBy(timeFrom(written, 0, facts), at);
}

function isoTime(text: string, facts: TimeFacts): FoundTime | null {
  const found = ISO.exec(text.slice(0, ISO_WITHIN_CHARS));
  return found && at(found, dated(found[1], found[3], found[4], clockOf(found, 5), facts));
}

function dateTime(text: string): FoundTime | null {
  const found = DATE.exec(text);
  if (!found) return null;
  const clock = clockOf(found, 3);
  const zone = zoneOf(found[9]) ?? clock.zone;
  return at(found, dated(found[8], monthOf(found[1]!), found[2], { ...clock, zone }, NO_FACTS));
}

function at(found: RegExpExecArray, time: number | null): FoundTime | null {
  return time === null ? null : { from: found.index, to: found.index + found[0].length, time };
}

/** Reads slashes as in the United States, month first, unless the form or a number over 12 tells otherwise. */
function yearLast(found: Groups, facts: TimeFacts): number | null {
  const isDayFirst = facts.isDayFirst ?? found[2] !== '/';
  const isMonthFirst = Number(found[1]) <= 12 && (!isDayFirst || Number(found[3]) > 12);
  const [month, day] = isMonthFirst ? [found[1], found[3]] : [found[3], found[1]];
  return dated(wholeYear(found[4]), month, day, clockOf(withHalf(found, 5, 8), 5, 9), facts);
}

function wholeYear(written: string | undefined): string | undefined {
  return written?.length === 2 ? `20${written}` : written;
}

function dayOfYear(found: Groups, facts: TimeFacts): number | null {
  const year = Number(found[1]);
  const date = new Date(Date.UTC(year, 0, Number(found[2])));
  if (date.getUTCFullYear() !== year) return null;
  const day = String(date.getUTCDate());
  return dated(found[1], date.getUTCMonth() + 1, day, clockOf(found, 3), facts);
}

/** `03-01` and `03/01`; `03.01` as Proxifier writes it, unless the form or a point behind it tells otherwise. */
function monthAndDay(found: Groups, facts: TimeFacts): number | null {
  const [, first, sign, second, point] = found;
  const isDayFirst = sign === '.' && (point === '.' || facts.isDayFirst === true || Number(first) > 12);
  const [month, day] = isDayFirst ? [second, first] : [first, second];
  return dated(undefined, month, day, clockOf(found, 5), facts);
}

/** Spark's and Hadoop's has two digits over 12, and the year first. */
function shortYear(found: Groups, facts: TimeFacts): number | null {
  const [, first, sign, second] = found;
  const isYearFirst = sign === '/' && first!.length === 2 && Number(first) > 12;
  if (!isYearFirst) return yearLast(found, facts);
  return dated(`20${first}`, second, found[4], clockOf(withHalf(found, 5, 8), 5, 9), facts);
}

/** Seconds, milliseconds, microseconds or nanoseconds since 1970, told apart by their digits. */
function epochTime(digits: string): number {
  const whole = digits.split('.', 1)[0]!.length;
  return Math.floor(Math.round(Number(digits) * 10 ** (16 - whole)) / 1000);
}

function dated(
  year: string | undefined,
  month: string | number | undefined,
  day: string | undefined,
  clock: WrittenClock,
  { writtenBy, zone }: TimeFacts,
): number | null {
  const written = { year: year === undefined ? null : Number(year), month: Number(month), day: Number(day) };
  return momentOf(
    { ...written, clock: zone !== null && clock.zone === null ? { ...clock, zone } : clock },
    writtenBy,
  );
}

/** Hours, minutes and seconds are the groups from `from` on; the zone is in one of the two groups from `zoneAt` on. */
function clockOf(groups: Groups, from: number, zoneAt = from + 3): WrittenClock {
  return {
    hours: Number(groups[from]),
    minutes: Number(groups[from + 1]),
    seconds: Number((groups[from + 2] ?? '0').replace(/[,:]/, '.')),
    zone: zoneOf(groups[zoneAt] ?? groups[zoneAt + 1]),
  };
}

/** Turns the hours at `from` into those of a whole day where the group at `halfAt` says which half it is. */
function withHalf(groups: Groups, from: number, halfAt: number): Groups {
  const half = groups[halfAt];
  if (half === undefined) return groups;
  const whole = groups.map((group, i) => (i === halfAt ? undefined : group));
  whole[from] = String((Number(groups[from]) % 12) + (half.toUpperCase() === 'P' ? 12 : 0));
  return whole;
}

function monthOf(name: string): number {
  return 'janfebmaraprmayjunjulaugsepoctnovdec'.indexOf(name.toLowerCase()) / 3 + 1;
}

/** A time as it is written. Months count from 1. */
interface WrittenTime {
  /** Null where only month and day are written. */
  year: number | null;
  month: number;
  day: number;
  clock: WrittenClock;
}

/** Turns the parts of a written time into a moment. Missing years and days are chosen by when the text was written. */
interface WrittenClock {
  hours: number;
  minutes: number;
  /** With a fraction. */
  seconds: number;
  /** Minutes east of UTC; null for local time. */
  zone: number | null;
}

const SECOND_MS = 1000;
const MINUTE_MS = 60_000;
/** Clocks of other zones, and lines written since the text was looked at, may be ahead of it. */
const AHEAD_OF_DAY_MS = 60 * MINUTE_MS;
const AHEAD_OF_YEAR_MS = 24 * 60 * MINUTE_MS;
/** Years without a February 29 that can follow one another. */
const MAX_YEARS_BACK = 8;

/**
 * Milliseconds since 1970; null for what no calendar has, such as February 30. A time without a year is the last such
 * one up to `writtenBy`, and has no moment where that is not known.
 */
function momentOf({ year, month, day, clock }: WrittenTime, writtenBy: number | null): number | null {
  if (year !== null) return onDay(year, month, day, clock);
  if (writtenBy === null) return null;
  const last = new Date(writtenBy).getFullYear() + 1;
  for (let each = last; each >= last - MAX_YEARS_BACK; each -= 1) {
    const moment = onDay(each, month, day, clock);
    if (moment !== null && moment <= writtenBy + AHEAD_OF_YEAR_MS) return moment;
  }
  return null;
}

/** The first time the clock shows this from `since` on, else the last up to `writtenBy`, in milliseconds since 1970. */
function momentOfClock(clock: WrittenClock, { writtenBy, zone, since }: TimeFacts): number | null {
  if (since !== undefined) {
    const date = dateIn(since, zone ?? -new Date(since).getTimezoneOffset());
    const moment = onDay(date.year, date.month, date.day, { ...clock, zone });
    return moment !== null && moment < since ? moment + DAY_MS : moment;
  }
  if (writtenBy === null) return null;
  const day = new Date(writtenBy);
  for (const ahead of [1, 0, -1, -2]) {
    const on = new Date(day.getFullYear(), day.getMonth(), day.getDate() + ahead);
    const moment = onDay(on.getFullYear(), on.getMonth() + 1, on.getDate(), { ...clock, zone });
    if (moment === null || moment <= writtenBy + AHEAD_OF_DAY_MS) return moment;
  }
  return null;
}

/** The minutes east of UTC that the line's time is written in; null if neither it nor the form names a zone. */
export function zoneOfLine(line: string, facts: TimeFacts = NO_FACTS): number | null {
  const found = timeIn(line, facts);
  const written = found && WRITTEN_ZONE.exec(line.slice(found.from, found.to))?.[1];
  return zoneOf(written ?? undefined) ?? facts.zone;
}

/** At the end of a time, or before its year. */
export const WRITTEN_ZONE = new RegExp(`(Z|UTC|GMT|[+-]\\d\\d(?::?\\d\\d)?|${ZONES})(?: \\d{4})?$`);

function dateIn(time: number, zone: number): { year: number; month: number; day: number } {
  const date = new Date(time + zone * MINUTE_MS);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

/** Minutes east of UTC: 0 for `Z` and the like, null where no zone is written. */
export function zoneOf(written: string | undefined): number | null {
  if (written === undefined) return null;
  if (/^[A-Z]/i.test(written)) return (ZONE_HOURS[written] ?? 0) * 60;
  const digits = written.replace(':', '').padEnd(5, '0');
  const minutes = Number(digits.slice(1, 3)) * 60 + Number(digits.slice(3, 5));
  return written[0] === '-' ? -minutes : minutes;
}

function onDay(year: number, month: number, day: number, clock: WrittenClock): number | null {
  const { hours, minutes, seconds, zone } = clock;
  if (hours > 23 || minutes > 59 || seconds >= 61) return null;
  if (month < 1 || month > 12 || day < 1 || day > daysOf(year, month)) return null;
  const ms = Math.floor(Math.round(seconds * 1e9) / 1e6);
  if (zone === null) return new Date(year, month - 1, day, hours, minutes, 0, ms).getTime();
  return Date.UTC(year, month - 1, day, hours, minutes - zone) + ms;
}

function daysOf(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

// Understands a time that a person types, in any form that a line of the text may show.

const DAY_MS = 24 * 60 * MINUTE_MS;
const TYPED =
  /^(?:(?:(\d{4})[-/])?(\d\d)[-/](\d\d)(?:T|\s+))?(\d{1,2}):(\d\d)(?::(\d\d(?:[.,]\d{1,9})?))?(?:\s*([AP])\.?M\b\.?)?\s*(Z|UTC|[+-]\d\d:?\d\d)?$/i;
const TYPED_DATE = /^\d{4}[-/]\d\d[-/]\d\d$/;
/** As the lines of a text that counts from its start write it, with or without brackets, or as a window shows it. */
const TYPED_SECONDS = /^\[? *(\d+\.\d+) *\]?s?$/;
const TYPED_HOURS = /^(\d+):([0-5]\d):([0-5]\d(?:\.\d+)?)$/;
const SPAN = /^(\d+(?:\.\d+)?)\s*(ms|s|min|m|h|d)$/;
const UNITS = { ms: 1, s: SECOND_MS, m: MINUTE_MS, min: MINUTE_MS, h: 60 * MINUTE_MS, d: DAY_MS } as const;
/** Text around a time that is copied from a line: brackets, signs, and zone names that mean several zones. */
const AROUND = [/^[\s[("'<]*$/, /^s?(?: [A-Z]{3,4})?[\s\])"'>,:;|]*$/] as const;

/** Milliseconds of a span such as `30s`, `5m`, `2h`; null for other text. */
export function typedSpan(typed: string): number | null {
  const [, count, unit] = SPAN.exec(typed.trim()) ?? [];
  return count === undefined ? null : Number(count) * UNITS[unit as keyof typeof UNITS];
}

interface TypedTime {
  /** Milliseconds since 1970. */
  time: number;
  hasDate: boolean;
  /** Whether it is a date alone. */
  isDay: boolean;
  /** Milliseconds that it stands for: a day, a minute, a second, or none. */
  length: number;
}

/**
 * Returns null for other text. A missing date means the first such time after `start`; pass NaN if that is unknown. A
 * missing year means that of `start`, a missing zone that of the facts. Else the text is read as a line is.
 */
export function typedTime(typed: string, start: number, facts: TimeFacts = NO_FACTS): TypedTime | null {
  const text = typed.trim();
  const time = facts.countsFromStart ? fromStart(text) : null;
  if (time !== null) return { time, hasDate: false, isDay: false, length: 0 };
  return clockAfter(text, start, facts.zone) ?? asLine(text, facts);
}

function fromStart(text: string): number | null {
  const [, hours, minutes, rest] = TYPED_HOURS.exec(text) ?? [];
  if (rest !== undefined)
    return START_TIME + typedSpan(`${hours}h`)! + typedSpan(`${minutes}m`)! + typedSpan(`${rest}s`)!;
  const seconds = TYPED_SECONDS.exec(text)?.[1];
  if (seconds !== undefined) return momentSinceStart(seconds);
  const span = typedSpan(text);
  return span === null ? null : START_TIME + span;
}

function clockAfter(text: string, start: number, ofText: number | null): TypedTime | null {
  const isDay = TYPED_DATE.test(text);
  const found = TYPED.exec(isDay ? `${text} 00:00` : text);
  if (!found) return null;
  const [, year, month, day] = found;
  const clock = clockOf(withHalf(found, 4, 7), 4, 8);
  if (year === undefined && Number.isNaN(start)) return null;
  const zone = clock.zone ?? ofText;
  const first = dateIn(start, ofText ?? -new Date(start).getTimezoneOffset());
  const date =
    month === undefined
      ? first
      : { year: Number(year ?? first.year), month: Number(month), day: Number(day) };
  const time = momentOf({ ...date, clock: { ...clock, zone } }, null);
  if (time === null) return null;
  // The minute it began in is meant, too.
  const isBefore = month === undefined && time + MINUTE_MS <= start;
  const hasDate = month !== undefined;
  return { time: isBefore ? time + DAY_MS : time, hasDate, isDay, length: isDay ? DAY_MS : lengthOf(text) };
}

function asLine(text: string, facts: TimeFacts): TypedTime | null {
  const found = timeIn(text, { ...facts, hasSeconds: true, isTimeless: false });
  if (found === null) return null;
  const isAll = AROUND[0].test(text.slice(0, found.from)) && AROUND[1].test(text.slice(found.to));
  const isWhole = /^1\d{9}$/.test(text.slice(found.from, found.to));
  return isAll
    ? { time: found.time, hasDate: true, isDay: false, length: isWhole ? SECOND_MS : lengthOf(text) }
    : null;
}

function lengthOf(text: string): number {
  if (!text.includes(':') || /:\d\d[.,]\d/.test(text)) return 0;
  return /:\d\d:\d\d/.test(text) ? SECOND_MS : MINUTE_MS;
}

/**
 * Learns the format of a text from some of its lines: what its times, levels and objects look like, and where its
 * entries begin. An entry is a line with all that belongs to it: a stack trace, a wrapped message, a diff.
 */

import { chosenForm, type FormatChoice, type LogFormat, zoneWords } from '../../../shared/log-format.ts';
import { lineFields, linePattern } from '../../../shared/text/fields.ts';
import { objectStart } from '../../../shared/text/json-time.ts';
import { levelOf } from '../../../shared/text/levels.ts';
import { lineText } from '../../../shared/text/line-text.ts';
import {
  ACTIONS_LINE,
  type FoundTime,
  TIME_WITHIN_CHARS as LINE_CHARS,
  type TimeFacts,
  type TimeForm,
  timeIn,
  WRITTEN_ZONE,
} from '../../../shared/text/line-time.ts';
import { learnTimeForm } from '../../../shared/text/time-form.ts';

import type { Decoder } from '../bytes/encoding.ts';
import type { OpenStream } from '../bytes/open-stream.ts';
import { unitBytes } from './newlines.ts';

export interface LearntFormat {
  format: LogFormat;
  /** Facts that its times need and no line has: the order of day and month, the year. */
  form: TimeForm;
  /** Whether some of the lines are earlier than one before them, by more than threads differ. */
  timesFall: boolean;
}

/** The mark of an entry's first line: a time, an object, a level, or no indentation. */
export type EntryRule = LogFormat['entries'];

const FIRST_BYTES = 64 * 1024;
const SAMPLES = 16;
const SAMPLE_BYTES = 8 * 1024;
/** Most lines that are read of a stretch. */
const MOST_LINES = 500;

/** Learns the format from the beginning of the text and from stretches all over it, which don't overlap. */
export function formatOf(
  stream: OpenStream,
  decoder: Decoder,
  {
    writtenBy,
    choice,
    fieldPatterns,
  }: { writtenBy: number; choice?: FormatChoice; fieldPatterns?: readonly string[] },
): LearntFormat {
  const lines = linesAt(stream, decoder, 0, FIRST_BYTES);
  const rest = stream.size - FIRST_BYTES;
  const samples = Math.min(SAMPLES, Math.max(1, Math.floor(rest / SAMPLE_BYTES)));
  const last = Math.max(0, rest - SAMPLE_BYTES);
  for (let i = 0; i < samples && rest > 0; i += 1) {
    const at = FIRST_BYTES + Math.floor((last * i) / Math.max(1, samples - 1));
    lines.push(...linesAt(stream, decoder, at, SAMPLE_BYTES));
  }
  return learnFormat(lines, writtenBy, choice, fieldPatterns);
}

/** Returns the lines that begin in the stretch, without their long ends, and without a last one that is cut. */
function linesAt(stream: OpenStream, decoder: Decoder, from: number, bytes: number): string[] {
  const unit = unitBytes(decoder.unit);
  const buffer = Buffer.alloc(bytes);
  const text = decoder.decode(buffer.subarray(0, stream.read(buffer, from - (from % unit))), true);
  const lines = text.split('\n');
  if (from > 0) lines.shift();
  if (from + bytes < stream.size && lines.length > 1) lines.pop();
  return lines.slice(0, MOST_LINES).map((line) => lineText(line.slice(0, LINE_CHARS)).trimEnd());
}

/** A time behind this many characters belongs to the message; S3's stands behind two names. */
const TIME_WITHIN_CHARS = 144;
/** Share of the lines that could begin an entry from which on a rule holds. */
const MOST = 0.5;

/**
 * @param writtenBy when the text was last written to, in milliseconds since 1970
 * @param choice what a person says of the format
 * @param fieldPatterns a person's patterns of lines: the first that most entries match gives the fields
 */
export function learnFormat(
  lines: readonly string[],
  writtenBy: number,
  choice: FormatChoice = {},
  fieldPatterns: readonly string[] = [],
): LearntFormat {
  const learnt = learnTimeForm(lines, writtenBy);
  const form = chosenForm(learnt, choice);
  const facts = { ...form, writtenBy };
  const unindented = new EntryReader('unindented', facts);
  const isHeader = (line: string) => line.startsWith('#') && stampOf(line, facts) === null;
  const begins = lines.filter((line) => unindented.begins(line) && !isHeader(line));
  const isExport = begins.some((line) => line.startsWith(EXPORT_START));
  const begun = isExport ? exportedEntries(lines) : begins.length > 0 ? begins : lines;
  const step = Math.ceil(begun.length / MOST_FIRSTS);
  const firsts = begun.filter((_, i) => i % step === 0);
  const share = (has: (line: string) => boolean) =>
    firsts.length === 0 ? 0 : firsts.filter(has).length / firsts.length;
  const objects = share((line) => objectStart(line) >= 0);
  const stamped = share((line) => stampOf(line, facts) !== null);
  const isBlocks = !isExport && isInBlocks(lines, (line) => stampOf(line, facts));
  const rule: [EntryRule, number][] = [
    ['object', objects],
    ['time', isExport ? 0 : isBlocks ? 1 : stamped],
    ['level', share((line) => LEVEL_FIRST.test(line))],
  ];
  const first = (isExport ? begun : lines).find((line) => stampOf(line, facts) !== null) ?? '';
  const stamp = stamped >= LEAST ? stampOf(first, facts) : null;
  const time = stamp && first.slice(stamp.from, stamp.to);
  const levels = share((line) => levelOf(line) !== null);
  const pattern = fieldPatterns.find((one) => share((line) => linePattern(one).test(line)) >= MOST);
  const format: LogFormat = {
    name: nameOf(isBlocks ? lines.filter((line) => stampOf(line, facts) !== null) : firsts, {
      objects,
      stamped,
      levels,
      form: learnt,
    }),
    time,
    day_first: time !== null && SLASHED.test(time) ? form.isDayFirst : null,
    zone:
      time === null
        ? null
        : form.countsFromStart
          ? 'start'
          : DIGITS.test(time)
            ? 'utc'
            : WRITTEN_ZONE.test(time)
              ? 'written'
              : zoneWords(form.zone),
    level:
      levels < LEAST
        ? null
        : objects >= MOST || share((line) => LEVEL_FIELD.test(line)) >= MOST
          ? 'field'
          : 'word',
    entries: choice.entries ?? rule.find(([, held]) => held >= MOST)?.[0] ?? 'unindented',
    fields: isExport ? [] : fieldsOf(firsts, pattern),
    ...(pattern === undefined ? {} : { pattern }),
  };
  return { format, form, timesFall: fallsIn(firsts.map((line) => stampOf(line, facts)?.time ?? null)) };
}

/** Most of the lines that could begin a block. */
const MOST_BLOCKS = 0.8;

/**
 * Whether few lines have a time and each begins a block: a time alone on its line, as Oracle writes it, or the first of
 * a paragraph, as DB2 and RabbitMQ do.
 */
function isInBlocks(lines: readonly string[], stamp: (line: string) => FoundTime | null): boolean {
  const stamps = lines.map(stamp);
  const stamped = stamps.flatMap((found, i) => (found === null ? [] : [{ found, line: lines[i]! }]));
  const alone = stamped.filter(({ found, line }) => found.to - found.from >= line.trim().length);
  const isBehindBlank = (i: number) => i > 0 && lines[i - 1]!.trim() === '' && lines[i]!.trim() !== '';
  const heads = stamps.filter((_, i) => isBehindBlank(i));
  return (
    (stamped.length > 1 && alone.length >= stamped.length * MOST_BLOCKS) ||
    (heads.length > 1 && heads.filter((one) => one !== null).length >= heads.length * MOST_BLOCKS)
  );
}

/** Begins each entry of `journalctl -o export`. Its time stands on another line. */
const EXPORT_START = '__CURSOR=';

/** The entries, as one line each, without their cursors. */
function exportedEntries(lines: readonly string[]): string[] {
  const entries: string[] = [];
  for (const line of lines) {
    if (line.startsWith(EXPORT_START)) entries.push('');
    else if (entries.length > 0) entries.push(`${entries.pop()!}${line} `);
  }
  return entries;
}

/** Threads of one program write so much out of order. */
const OUT_OF_ORDER_MS = 60_000;

function fallsIn(times: readonly (number | null)[]): boolean {
  let latest = Number.NEGATIVE_INFINITY;
  return times.some((time) => {
    const isEarlier = time !== null && time < latest - OUT_OF_ORDER_MS;
    latest = Math.max(latest, time ?? latest);
    return isEarlier;
  });
}

/** Most fields that a format names. */
const MOST_FIELDS = 40;

function fieldsOf(lines: readonly string[], pattern: string | undefined): string[] {
  const counts = new Map<string, number>();
  let having = 0;
  for (const line of lines) {
    const names = new Set(lineFields(line, undefined, pattern).map(({ name }) => name));
    if (names.size > 0) having += 1;
    for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  if (having < lines.length * MOST) return [];
  const sorted = [...counts].sort(([, a], [, b]) => b - a);
  return sorted.slice(0, MOST_FIELDS).map(([name]) => name);
}

/** Lines that could begin an entry, all over the text, that are read for its format. */
const MOST_FIRSTS = 300;
const LEAST = 0.1;
const SLASHED = /^\d\d?\/\d\d?\//;
const DIGITS = /^\d{10,}/;
const LEVEL_FIELD = /\b(?:level|lvl|severity)=/i;
const LEVEL_FIRST =
  /^(?:\S{1,40} )?[[(<]?(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|ERR|CRITICAL|FATAL|trace|debug|info|warn|warning|error|fatal)[\]):>]?(?=[ \t:-]|$)/;

function stampOf(line: string, facts: TimeFacts) {
  const found = timeIn(line, facts);
  return found && (found.from <= TIME_WITHIN_CHARS || objectStart(line) >= 0) ? found : null;
}

/** By lines that most entries of the format have, and one that a text of it has. */
const TEXTS: readonly [name: string, line: RegExp, sign?: RegExp][] = [
  ['GitHub Actions', ACTIONS_LINE],
  ['Taskcluster', /^\[task(?:cluster)? \d{4}-/],
  ['Maven', /^\[(?:INFO|WARNING|ERROR)\] /, /^\[INFO\] (?:Scanning for projects|BUILD |-{9}|Building )/],
  ['glog', /^[IWEF]\d{8} \d\d:/],
  ['klog', /^[IWEF]\d{4} \d\d:/],
  ['logcat', /^\d\d-\d\d [\d:.]+ +\d+ +\d+ [VDIWEF] /],
  ['ESXi', /^[\d-]{10}(?:T\S+)? [A-Z][a-z]\(\d+\)/],
  ['Asterisk', /^\[[^\]]+\] [A-Z]+\[\d+\](?:\[C-\w+\])?:? \S+:/],
  ['Gitea', /^[\d/]{10} [\d:]{8} \S+\(\) \[[A-Z]+\] /],
  ['systemd journal export', /^__REALTIME_TIMESTAMP=/],
  ['daemontools', /^@40{7}[0-9a-f]{16} /i],
  ['Kubernetes CRI', /^[\d-]{10}T\S+ std(?:out|err) [FP] /],
  ['Unreal Engine', /^\[\d{4}(?:\.\d\d){2}-[\d.:]+\]\[/],
  ['CockroachDB', /^[IWEF]\d{6} \d\d:/],
  ['ClickHouse', /^\d{4}(?:\.\d\d){2} [\d:.]+ \[ \d+ \] \{/],
  ['WebLogic', /^####</],
  ['DB2 diagnostic log', /^\d{4}(?:-\d\d){3}\.[\d.]+[+-]\d{3} [IE]\d+/],
  ['Robot Framework', /^\d{8} [\d:.]+ - [A-Z]+ - /],
  ['tracing', /^[\d-]{10}T[\d:.]+Z {1,2}[A-Z]+ (?:[\w:{}="./ -]+: )?[\w:]+: /],
  ['env_logger', /^\[[\d-]{10}T[\d:.]+Z [A-Z]+ +[\w:]+\] /],
  ['CEF', /\bCEF:\d\|/],
  [
    'syslog',
    /^(?:<\d+>(?:1 )?)?(?:[A-Z][a-z]{2} [ \d]\d [\d:.]+ [\w.-]+ (?:\w+\.\w+ )?[\w./-]+(?:\[\d+\])?:? |[\d-]{10}T\S+ [\w.-]+ (?:[\w./-]+(?:\[\d+\]: |: )|\S+ (?:\d+|-) \S+ (?:\[|-)))/,
  ],
  ['web access log', /\[\d\d\/[A-Z][a-z]{2}\/\d{4}[: ][^\]]+\] ".*" \d{3}/],
  ['nginx error log', /^\d{4}(?:\/\d\d){2} [\d:]+ \[\w+\] \d+#\d+/],
  ['Apache error log', /^\[[A-Z][a-z]{2} [A-Z][a-z]{2} \d\d [\d:.]+ \d{4}\] \[/],
  ['Monolog', /^\[[^\]]+\] [\w-]+\.[A-Z]+: /],
  ['Rails', /^[DIWEFA], \[\d{4}-/],
  ['PostgreSQL', /\[\d+\].*[ :](?:LOG|ERROR|FATAL|PANIC|STATEMENT|DETAIL|HINT|WARNING): {2}/],
  ['Redis', /^\d+:[A-Z] \d\d /],
  ['Spark', /^\d\d\/\d\d\/\d\d [\d:]+ [A-Z]+ /],
  ['Elasticsearch', /^\[[^\]]+\]\[[A-Z]+ *\]\[/],
  ['Java GC log', /\]\[gc|: \[(?:Full )?GC/],
  ['strace', /^(?:\[pid +\d+\] |\d+ +)?[\d:.]+ \w+\(.*= /],
  ['logfmt', /(?:^| )\w+=\S+ \w+=\S+.* \w+=/],
];
const OBJECTS: typeof TEXTS = [
  ['journald JSON', /"__REALTIME_TIMESTAMP":/],
  ['Docker json-file', /^\{"log":.*"stream":"std(?:out|err)"/],
  ['MongoDB JSON', /^\{"t":\{"\$date"/],
  ['Serilog compact JSON', /^\{"@t":/],
  ['bunyan JSON', /"hostname":.*"v":0\b/],
  ['pino JSON', /^\{"level":\d+,"time":\d+/],
  ['Monolog JSON', /"level_name":/],
  ['CloudTrail', /"eventVersion":.*"eventTime":/],
  ['Kubernetes audit', /"requestReceivedTimestamp":/],
  ['macOS log', /"eventMessage":/],
  ['Cloudflare', /"EdgeStartTimestamp":/],
  ['PostgreSQL JSON', /"error_severity":/],
  ['Nextcloud JSON', /"reqId":/],
  ['Graylog JSON', /"short_message":/],
  ['Elastic Common Schema', /"ecs\.?version"|"ecs":\{/],
  ['OpenTelemetry JSON', /UnixNano":|"timestamp_ns":/],
  ['log4j JSON', /"instant":\{"epochSecond"/],
];

function nameOf(
  firsts: readonly string[],
  { objects, stamped, levels, form }: { objects: number; stamped: number; levels: number; form: TimeForm },
): string {
  const named = objects >= MOST ? OBJECTS : TEXTS;
  const most = named.find(
    ([, form, sign]) =>
      firsts.filter((line) => form.test(line)).length > firsts.length * MOST &&
      (sign === undefined || firsts.some((line) => sign.test(line))),
  );
  if (most && (stamped >= LEAST || levels >= MOST)) return most[0];
  if (objects >= MOST)
    return firsts.some((line) => objectStart(line) > 0) ? 'JSON behind names' : 'JSON lines';
  if (form.countsFromStart) return 'log with seconds since start';
  if (form.zone === 0) return 'W3C log';
  if (stamped >= MOST) return 'log with times';
  return levels >= MOST ? 'log' : 'text';
}

/** Lines that continue the entry before, although nothing indents them. */
const CONTINUES =
  /^(?:[\])}]|Caused by:|Suppressed:|\.{3} \d+ (?:more|common)|During handling of the above|The above exception was|goroutine \d+ \[|created by |stack backtrace:|note: )/;
const ERROR_NAME = /^[\w.]*(?:Error|Exception|Interrupt|Exit|Warning)\b/;
const GO_CALL = /^[\w./*()-]+\(.*\)$/;
/** A frame of a stack, behind a time that each line has. */
const FRAME =
  /^[\s\])|:>-]*(?:at .+(?:\(.*\)|:\d+(?::\d+)?\)?)$|\.{3} \d+ (?:more|common)|Caused by: |Suppressed: |File ".+", line \d+)/;
/** PostgreSQL's remarks on the message before them. Each has a time of its own. */
const REMARK = /^.{0,160}[ :](?:DETAIL|HINT|CONTEXT|STATEMENT|QUERY|LOCATION|BACKTRACE): {2}\S/;
/** MySQL's log of slow queries has the query's own time below that of the entry. */
const SET_TIMESTAMP = /^SET timestamp=/;
const DIFF =
  /^(?:diff |index |--- |\+\+\+ |@@ |[ +\\-]|new file|deleted file|similarity |rename |old mode|new mode|Binary )/;

/** Tells of lines, one after another, whether they begin an entry. */
export class EntryReader {
  readonly #rule: EntryRule;
  readonly #facts: TimeFacts;
  /** The line before, unless it is blank. */
  #before = '';
  #isInDiff = false;
  #isInExport = false;

  constructor(rule: EntryRule, facts: TimeFacts) {
    this.#rule = rule;
    this.#facts = facts;
  }

  begins(line: string): boolean {
    if (line.trim() === '') return false;
    const begins = this.#begins(line);
    this.#before = line;
    return begins;
  }

  #begins(line: string): boolean {
    if (this.#rule === 'unindented') return this.#isUnindented(line);
    if (this.#rule === 'level' && LEVEL_FIRST.test(line)) return true;
    if (this.#rule === 'object' && objectStart(line) >= 0) return true;
    const stamp = stampOf(line, this.#facts);
    if (stamp === null) return false;
    const rest = line.slice(stamp.to);
    return !FRAME.test(rest) && !REMARK.test(rest) && !SET_TIMESTAMP.test(line);
  }

  #isUnindented(line: string): boolean {
    const before = this.#before;
    this.#isInExport ||= line.startsWith(EXPORT_START);
    if (this.#isInExport) return line.startsWith(EXPORT_START);
    if (line.startsWith('diff ')) this.#isInDiff = true;
    else if (/^@@ -\d/.test(line) || (line.startsWith('+++ ') && before.startsWith('--- '))) {
      this.#isInDiff = true;
      return false;
    } else if (this.#isInDiff && DIFF.test(line)) return false;
    else this.#isInDiff = false;
    if (/^\s/.test(line) || CONTINUES.test(line)) return false;
    const isBehindFrame = /^\s/.test(before);
    if (isBehindFrame && ERROR_NAME.test(line)) return false;
    return !(
      GO_CALL.test(line) &&
      (before.startsWith('goroutine ') || (isBehindFrame && GO_PLACE.test(before)))
    );
  }
}

const GO_PLACE = /^\t\S+\.go:\d+/;

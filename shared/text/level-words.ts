/** The words that tell a severity, and a quick test that few other words pass. */

import { type Codes, isCapital } from './codes.ts';

/** From the gravest to the least. */
export const LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const;
export type Level = (typeof LEVELS)[number];

const SPELLINGS: Record<Level, string[]> = {
  fatal: ['fatal', 'ftl', 'critical', 'crit', 'emergency', 'emerg', 'alert', 'panic', 'dpanic'],
  error: ['error', 'err', 'eror', 'severe', 'fail', 'failed', 'failure'],
  warn: ['warning', 'warn', 'wrn'],
  info: ['info', 'inf', 'notice', 'information', 'informational'],
  debug: ['debug', 'dbg', 'dbug', 'fine'],
  trace: ['trace', 'trc', 'trce', 'verbose', 'finer', 'finest'],
};

/** By spelling in lower case. */
export const LEVEL_WORDS: ReadonlyMap<string, Level> = new Map(
  Object.entries(SPELLINGS).flatMap(([level, words]) => words.map((word) => [word, level as Level])),
);

/** These mean a severity in capitals or as a field's value, but are plain English before a colon. */
const PLAIN_ENGLISH: ReadonlySet<string> = new Set([
  ...[
    'failed',
    'failure',
    'alert',
    'information',
    'informational',
    'inf',
    'severe',
    'fine',
    'finer',
    'finest',
  ],
]);

/** Fields whose values are severities. */
export const LEVEL_KEYS: ReadonlySet<string> = new Set([
  ...['level', 'lvl', 'loglevel', 'severity', 'levelname', 'level_name', 'log_level', 'severity_text'],
  ...['leveldisplayname', 'messagetype', 'severitytext', 'error_severity'],
]);

/** journald's field, with a number as syslog has it, or a word. In small letters `priority` is rarely a severity. */
export const PRIORITY_KEY = 'PRIORITY';

/** By syslog's number. */
export const SYSLOG_LEVELS: readonly Level[] = [
  ...(['fatal', 'fatal', 'fatal', 'error', 'warn', 'info', 'info', 'debug'] as const),
];

/** Words that tell a severity together with what is beside them (levels.ts). */
const PHRASE_WORDS: readonly string[] = [
  ...['exception', 'traceback', 'panicked', 'segmentation', 'dumped', 'crash', 'supervisor', 'progress'],
];

/** A word that can tell a severity, by itself or with what is beside it. */
export interface KnownWord {
  /** In lower case. */
  readonly text: string;
  /** Null for keys of fields, and for words that need a phrase. */
  readonly level: Level | null;
  readonly isLevelKey: boolean;
  readonly isPlainEnglish: boolean;
}

/** By a word's first and last letter: the lengths of the severity words that have these, as bits. */
export const LENGTHS = new Uint32Array(1024);
/** By a word's last byte: the length of the name suffix (`Error`) that ends in it, or 0, and the suffix's capital. */
export const SUFFIX_LENGTH = new Uint8Array(256);
export const SUFFIX_CAPITAL = new Uint8Array(256);

/** By a word's first and last letter, as `slotOf` numbers them. */
const WORDS: KnownWord[][] = Array.from({ length: 1024 }, () => []);

/** Facilities of Cisco's devices. One that is not listed is recognised only at the start of a line. */
const CISCO_FACILITIES =
  'asa ftd pix fwsm link lineproto sys ethport eth_port_channel ospf bgp dual eigrp spantree stp cdp lldp snmp ssh sec_login crypto dhcpd ilpower platform vpc hsrp standby stackmgr authmgr mab parser ntp aaa controller port_security vlan_mgr module licensing bfd ldp tracking rtd'.split(
    ' ',
  );

/** Letters and pairs that levels.ts knows behind a time or in brackets. */
for (const text of ['e', 'w', 'i', 'd', 'f', 'v', 'wa', 'er', 'cr', 'al', 'em', ...CISCO_FACILITIES])
  LENGTHS[slotOf(text.charCodeAt(0), text.charCodeAt(text.length - 1))]! |= 1 << text.length;
for (const text of [...LEVEL_WORDS.keys(), ...LEVEL_KEYS, PRIORITY_KEY.toLowerCase(), ...PHRASE_WORDS]) {
  const slot = slotOf(text.charCodeAt(0), text.charCodeAt(text.length - 1));
  LENGTHS[slot]! |= 1 << text.length;
  WORDS[slot]!.push({
    text,
    level: LEVEL_WORDS.get(text) ?? null,
    isLevelKey: LEVEL_KEYS.has(text),
    isPlainEnglish: PLAIN_ENGLISH.has(text),
  });
}
for (const suffix of ['Error', 'Exception', 'Warning']) {
  const last = suffix.charCodeAt(suffix.length - 1);
  SUFFIX_LENGTH[last] = suffix.length;
  SUFFIX_CAPITAL[last] = suffix.charCodeAt(0);
}

/** Whether the word from `from` up to `to` could tell a severity. */
export function mayTellLevel(codes: Codes, from: number, to: number): boolean {
  const last = codes[to - 1]!;
  const length = to - from;
  if (length < 32 && ((LENGTHS[slotOf(codes[from]!, last)]! >>> length) & 1) !== 0) return true;
  const suffix = SUFFIX_LENGTH[last & 0xff]!;
  return suffix !== 0 && suffix <= length && codes[to - suffix] === SUFFIX_CAPITAL[last & 0xff];
}

/** Returns the known word from `from` up to `to`, in any case. Making text of each word took too long. */
export function knownWord(codes: Codes, from: number, to: number): KnownWord | null {
  for (const word of WORDS[slotOf(codes[from]!, codes[to - 1]!)]!) {
    const { text } = word;
    if (text.length !== to - from) continue;
    let i = 0;
    while (i < text.length && lowerCase(codes[from + i]!) === text.charCodeAt(i)) i++;
    if (i === text.length) return word;
  }
  return null;
}

function lowerCase(code: number): number {
  return isCapital(code) ? code | 0x20 : code;
}

function slotOf(first: number, last: number): number {
  return ((first & 31) << 5) | (last & 31);
}

/** Facts about a line beyond its words, for the model: a dump, a rare folder, a setting. */
import type { Weighed } from './weigh.ts';

// No lookahead: on a line of one long word it would read the word again from each of its characters.
const DUMP =
  /(?:\\(?:x[0-9a-f]{2}|[0-7]{1,3}|[abtnvfr]).?){3,}|(?:[0-9a-f]{2}[: ]){6,}|[0-9a-f]{20,}|[a-z0-9+/]{48,}/giu;
const HAS_DIGIT = /\d/;
/** Looked at in a line. */
const MOST_CHARS = 240;
const MOST_SETTING_CHARS = 160;

/** How much of a line is a dump of bytes (hexadecimal digits, escapes, Base64), from 0 to 1. */
export function opacity(line: string): number {
  const text = line.slice(0, MOST_CHARS).trim();
  if (text.length === 0) return 0;
  let dumped = 0;
  for (const [run] of text.matchAll(DUMP)) if (HAS_DIGIT.test(run)) dumped += run.length;
  return dumped / text.length;
}

/** The first two folders of an absolute path. */
const PLACE = /(?<![\w.~-])\/[\w.+@-]+\/[\w.+@-]+(?=\/)/gu;
/** If fewer lines than this name a folder, no folder is rare. */
const FEWEST_LINES = 24;
const FULL_BITS = 8;

/** Folders that few lines name, such as the project's own in a trace. */
export class RarePlaces {
  readonly #counts = new Map<string, number>();
  #lines = 0;

  constructor(candidates: readonly Weighed[]) {
    for (const { line } of candidates) {
      const places = placesIn(line.text);
      if (places.size > 0) this.#lines++;
      for (const place of places) this.#counts.set(place, (this.#counts.get(place) ?? 0) + 1);
    }
  }

  /** From 0 to 1. */
  of(text: string): number {
    if (this.#lines < FEWEST_LINES) return 0;
    let rarest = this.#lines;
    for (const place of placesIn(text)) rarest = Math.min(rarest, this.#counts.get(place) ?? 1);
    return Math.min(1, Math.log2(this.#lines / rarest) / FULL_BITS);
  }
}

function placesIn(text: string): Set<string> {
  return new Set(text.slice(0, MOST_CHARS).match(PLACE));
}

/** A time, a level, a service before what it says. */
const BEFORE = /^(?:[\w.-]{1,30}\s*\|\s|\[[^\]]{1,40}\]\s?|\d[\dT:.,Z/+-]*\s|[-+*#>•]+\s)+/u;
const SETTING =
  /^\s*(?:(?:export|set|option|config|env|declare(?: -\w+)?)\s+)?["']?-{0,2}[\p{L}_][\p{L}\p{N}_.$/[\]@-]*["']?(?:\s*(?:=>|:=|[=:])\s*|\s+)["'([{<]?[^\s=:]+(?:\s\S+){0,3}\s*$/u;
/** Where only a blank is between them, the value must look like one. */
const SIGN = /[=:]/;
const VALUE = /\s(?:["']?(?:on|off|yes|no|true|false|none|any|all|auto)\b|\S*[\d/_-]\S*)[^\s]*;?\s*$/iu;

/** Whether a line is a name with its value. */
export function isSetting(line: string): boolean {
  const text = line.slice(0, MOST_SETTING_CHARS * 2).replace(BEFORE, '');
  if (text.length > MOST_SETTING_CHARS || !SETTING.test(text)) return false;
  return SIGN.test(text) || VALUE.test(text);
}

/** Names of settings that often decide how a program behaves, whatever the program. */
const DECIDES =
  /(?<![\p{L}])(?:max|min|limit|timeout|ttl|expir\w*|retention|encoding|charset|locale|lang|collat\w+|timezone|tz|precision|rounding|scale|mode|strict|verify|insecure|policy|depth|shards?|workers?|threads?|jobs|replicas?|pool|quota|capacity|buffer|window|backlog|sparse|shallow|legacy|compat\w*|format|backend|driver|profile|platform|arch|target|revision|schema|seed|umask|endian\w*|isolation|proxy|cache|fallback|dry-?run|read-?only|feature|flag|override|exclude|include|ignore|filter|offline|mock|staging|sandbox|region|clock|epoch|duration|interval|rate|sessions?|version)(?![\p{Ll}])/iu;

export const namesDecision = (line: string) => DECIDES.test(line.slice(0, MOST_CHARS));

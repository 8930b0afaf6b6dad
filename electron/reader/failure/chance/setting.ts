/** Tells settings (names with values) from other lines, and finds names that often decide what a program does. */

const MOST_CHARS = 160;
/** A time, a level, a service before what it says. */
const BEFORE = /^(?:[\w.-]{1,30}\s*\|\s|\[[^\]]{1,40}\]\s?|\d[\dT:.,Z/+-]*\s|[-+*#>•]+\s)+/u;
const SETTING =
  /^\s*(?:(?:export|set|option|config|env|declare(?: -\w+)?)\s+)?["']?-{0,2}[\p{L}_][\p{L}\p{N}_.$/[\]@-]*["']?(?:\s*(?:=>|:=|[=:])\s*|\s+)["'([{<]?[^\s=:]+(?:\s\S+){0,3}\s*$/u;
/** Where only a blank is between them, the value must look like one. */
const SIGN = /[=:]/;
const VALUE = /\s(?:["']?(?:on|off|yes|no|true|false|none|any|all|auto)\b|\S*[\d/_-]\S*)[^\s]*;?\s*$/iu;

export function isSetting(line: string): boolean {
  const text = line.slice(0, MOST_CHARS * 2).replace(BEFORE, '');
  if (text.length > MOST_CHARS || !SETTING.test(text)) return false;
  return SIGN.test(text) || VALUE.test(text);
}

/** Names of settings that often decide how a program behaves, whatever the program. */
const DECIDES =
  /(?<![\p{L}])(?:max|min|limit|timeout|ttl|expir\w*|retention|encoding|charset|locale|lang|collat\w+|timezone|tz|precision|rounding|scale|mode|strict|verify|insecure|policy|depth|shards?|workers?|threads?|jobs|replicas?|pool|quota|capacity|buffer|window|backlog|sparse|shallow|legacy|compat\w*|format|backend|driver|profile|platform|arch|target|revision|schema|seed|umask|endian\w*|isolation|proxy|cache|fallback|dry-?run|read-?only|feature|flag|override|exclude|include|ignore|filter|offline|mock|staging|sandbox|region|clock|epoch|duration|interval|rate|sessions?|version)(?![\p{Ll}])/iu;

export const namesDecision = (line: string) => DECIDES.test(line.slice(0, 240));

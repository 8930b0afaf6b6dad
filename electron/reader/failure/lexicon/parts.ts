/**
 * Parts of expressions, and expressions for what is blanked before others run: flags, paths, names and negations. They
 * see at most 4 KB of a line.
 */

/** Any of them. */
export const any = (parts: readonly string[]) => parts.join('|');
/** Letters of any script, in few ranges: V8 takes a millisecond to compile each `\p{L}` that ignores case. */
const LETTERS = String.raw`A-Za-z\xaa\xb5\xba\xc0-\xd6\xd8-\xf6\xf8-\u02ff\u0370-\u1fff\u2c00-\u2dff\u3005-\u3007\u3031-\ud7ff\uf900-\ufdff\ufe70-\ufefc\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\uff66-\uffdc`;
/** Before and after a word of any script. */
export const L = `(?<![${LETTERS}\\d_])`;
export const R = `(?![${LETTERS}\\d_])`;
/** Any of them, as whole words. */
export const words = (parts: readonly string[]) =>
  `${L}(?:${any(parts)})${R}`.replaceAll('\\p{L}', `[${LETTERS}]`);

/** Zero errors and the like. */
export const NEGATED =
  /(?<![\w=:.])(?:(?:errors?|failures?|warnings?) (?:summary|counts?|totals?) ?[:=] ?)?(?:0|no|zero|without(?: any)?|keine?|aucune?|sans|sin|ning[uú]n\w*|нет|nessun\w*)\s+(?:\w+\s+){0,1}(?:errors?|failures?|failed|warnings?|problems?|issues?|fehlern?|erreurs?|errores|errori|ошибок|warnungen|conflicts?|vulnerabilities|leaks?)\b|\b(?:errors?|fail(?:ed|ures?|s)?|failing|warnings?|fehler|erreurs?|errores|skipped|ignored|dropped|aborted|crashed|missing|conflicts|broken|bad|lost)\s*["']?\s*[:=]\s*(?:0\b(?![.\d])|null\b|none\b|\[\])|\b(?:errors?|failures?|warnings?) 0\b(?!:)|\b0 (?:skipped|ignored|dropped|filtered out|missing|lost|conflicts)\b|\b(?:if|on|in case of) (?:an? )?(?:errors?|failures?)\b|\berror[- ](?:handl\w+|report\w+|codes?|pages?|messages?|log|trace|rate|budget|format|paths?|cases?|tests?|boundary|boundaries)\b/giu;

export const FLAG = /(?<=^|\s)-{1,2}[A-Za-z][\w-]*(?:=\S+)?/gu;

export const PATH = /(?<!\w)(?![Ff]ailure\/[Ee]rror)(?:[\w.@~+%-]*\/)+[\w.@~+%$-]*/gu;

export const FILE_NAME = /\b[\w-]+\.(?:[a-z]\w{0,4})\b(?=[\s:,)"'\]]|$)/gu;

/** Names of functions and variables that may hold telling words. */
export const NAME = /\b(?:[a-z0-9]+_\w+|_\w+|[a-z]+[A-Z]\w*|[A-Za-z]\w*(?:::\w+)+)\b(?!:)|\b\w+(?=\()/gu;

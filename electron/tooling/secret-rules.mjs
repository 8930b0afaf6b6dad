/**
 * `node electron/tooling/secret-rules.mjs RULES.toml SOURCE LICENCE_FILE`: makes shared/secrets/public-rules.json from a
 * local copy of a public set of rules, written as gitleaks writes them. SOURCE names the set and its version. SOURCE and
 * the licence are kept in the table; the build copies them to THIRD-PARTY.txt. Go's expressions become JavaScript's.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { getStaticTOMLValue, parseTOML } from 'toml-eslint-parser';
import { root } from './building/targets.mjs';
import { fail, Problem } from './machine/progress.mjs';

/** Found by rules.ts, mask.ts and named.ts themselves: over several lines, by the value, or with fewer false ones. */
const OURS = new Set([
  ...['private-key', 'generic-api-key', 'curl-auth-header', 'curl-auth-user', 'kubernetes-secret-yaml'],
  // Would take any commit for a token where the word is near, and base64 of zeros.
  ...['sourcegraph-access-token', 'square-access-token'],
  // Their keywords are in most texts; rules.ts looks for them in long words alone.
  ...['azure-ad-client-secret', 'jwt', 'twilio-api-key', 'vault-service-token'],
]);

/** The set's list of what may follow a secret. A token may have more behind it: any character that is not of a word. */
const END = String.raw`(?:[\x60'"\s;]|\\[nr]|$)`;
const NO_WORD = String.raw`(?!\w)`;
const EDGE = String.raw`\b`;

/** Any name before a keyword. It is left out: it takes time, and decides nothing. */
const ANY_NAME = String.raw`[\w.-]{0,50}?`;

/**
 * @typedef {{ id: string, regex?: string, keywords?: string[], entropy?: number }} PublicRule
 * @typedef {{ text: string, isCapture: boolean }} Part of an expression at its top level
 * @typedef {{ before?: string, secret: string, behind?: string }} Around expressions of what is masked, and around it
 */

/**
 * The expressions for JavaScript, one for each alternative.
 *
 * @param {string} regex of Go
 * @returns {{ around: Around[], anyCase: boolean }}
 */
function translate(regex) {
  const reader = new Reader(regex.replaceAll(ANY_NAME, ''));
  /** @type {Part[][]} */
  const alternatives = [[]];
  for (const part of reader.parts()) {
    if (part.text === '|') alternatives.push([]);
    else alternatives.at(-1)?.push(part);
  }
  return { around: alternatives.map(aroundSecret), anyCase: reader.ignoresCase };
}

/** The one group is the secret; all is without one, and with several. @param {Part[]} parts @returns {Around} */
function aroundSecret(parts) {
  const join = (/** @type {Part[]} */ some) => some.map(({ text }) => text).join('');
  const at = parts.findIndex(({ isCapture }) => isCapture);
  if (at < 0 || parts.findLastIndex(({ isCapture }) => isCapture) !== at) return { secret: join(parts) };
  const before = join(parts.slice(0, at));
  const behind = join(parts.slice(at + 1));
  const secret = parts[at]?.text ?? '';
  if (before !== '' && before !== EDGE) return { before, secret, behind };
  return behind === END ? { secret: before + secret + NO_WORD } : { secret: before + secret, behind };
}

/** Reads an expression of Go, and writes it without what JavaScript lacks: named groups, flags inside. */
class Reader {
  /** Whether the whole expression takes either case. */
  ignoresCase;
  #at = 0;

  /** @param {string} regex */
  constructor(regex) {
    this.ignoresCase = regex.startsWith('(?i)');
    this.regex = regex.slice(this.ignoresCase ? 4 : 0);
  }

  /** @param {boolean} [isAnyCase] @returns {Part[]} up to the end of the group */
  parts(isAnyCase = false) {
    /** @type {Part[]} */
    const parts = [];
    for (; this.#at < this.regex.length && this.regex[this.#at] !== ')'; ) {
      const isGroup = this.regex[this.#at] === '(';
      const flag = this.#take(/\(\?(-?)i\)/y);
      if (flag) {
        isAnyCase = flag[1] !== '-';
        continue;
      }
      parts.push(isGroup ? this.#group(isAnyCase) : { text: this.#atom(isAnyCase), isCapture: false });
    }
    return parts;
  }

  /** @param {boolean} isAnyCase @returns {Part} without the parentheses of a group that captures and is not repeated */
  #group(isAnyCase) {
    const [open = '(', sign, name] = this.#take(/\((?:\?(-i:|i:|:)|\?P<(\w+)>)?/y) ?? [];
    const inner = this.parts(sign === undefined || sign === ':' ? isAnyCase : sign === 'i:')
      .map(({ text }) => text)
      .join('');
    this.#at += 1;
    const count = this.#quantifier();
    return { text: `(?:${inner})${count}`, isCapture: open === '(' && !name && count === '' };
  }

  /** @param {boolean} isAnyCase */
  #atom(isAnyCase) {
    const [atom = ''] = this.#take(/\[\^?\]?(?:\\.|\[:\w+:\]|[^\]\\])*\]|\\x[0-9a-f]{2}|\\.|[\s\S]/y) ?? [];
    const text =
      (atom === String.raw`\z` ? '$' : isAnyCase && !this.ignoresCase ? eitherCase(atom) : atom) +
      this.#quantifier();
    return text;
  }

  #quantifier() {
    return this.#take(/(?:[*+?]|\{\d+(?:,\d*)?\})\??/y)?.[0] ?? '';
  }

  /** @param {RegExp} pattern */
  #take(pattern) {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.regex);
    if (found) this.#at = pattern.lastIndex;
    return found;
  }
}

/** A letter, or a class, that takes either case. @param {string} atom */
function eitherCase(atom) {
  if (/^[a-z]$/i.test(atom)) return `[${atom.toLowerCase()}${atom.toUpperCase()}]`;
  if (!atom.startsWith('[')) return atom;
  /** @type {string[]} */
  const letters = atom.match(/(?<!\\)[a-z](?:-[a-z])?/gi) ?? [];
  const others = letters.map((one) => (one === one.toLowerCase() ? one.toUpperCase() : one.toLowerCase()));
  const added = [...new Set(others)].filter((one) => !letters.includes(one));
  // A hyphen at the end stays there.
  return atom.replace(/(-?)\]$/, `${added.join('')}$1]`);
}

/** @param {string} toml @param {string} source @param {string} licence its text */
export function tableOf(toml, source, licence) {
  const { rules } = /** @type {{ rules: PublicRule[] }} */ (
    /** @type {unknown} */ (getStaticTOMLValue(parseTOML(toml)))
  );
  const taken = rules.filter(({ id, regex, keywords }) => regex && keywords?.length && !OURS.has(id));
  const rows = taken.flatMap(({ id, regex = '', keywords, entropy }) => {
    const { around, anyCase } = translate(regex);
    return around.map((one) =>
      JSON.stringify({ name: id, keywords, ...one, anyCase: anyCase || undefined, entropy }),
    );
  });
  return `{\n"source": ${JSON.stringify(source)},\n"licence": ${JSON.stringify(licence)},\n"rules": [\n${rows.join(',\n')}\n]\n}\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    const [rules, source, licence] = process.argv.slice(2);
    if (!rules || !source || !licence)
      throw new Problem(
        'three arguments are needed',
        'name the file of rules, the set with its version, and the file of its licence',
      );
    const target = join(root, 'shared/secrets/public-rules.json');
    writeFileSync(target, tableOf(readFileSync(rules, 'utf8'), source, readFileSync(licence, 'utf8').trim()));
  } catch (error) {
    fail(error);
  }
}

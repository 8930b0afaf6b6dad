/** Reading `config.json`: a key that is unknown or bad is named, and its default used. Nothing in it stops a start. */

import { spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Settings, settings } from '../../../shared/settings.ts';
import { isObject } from '../../../shared/text/json/is-object.ts';
import { nearest } from '../../../shared/text/nearest.ts';
import { findPerl } from '../../recorder/command/perl.ts';
import { exclusionProblem, settingProblem } from './setting-problem.ts';

export interface Config {
  settings: Settings;
  /** Problems with the settings, as sentences. */
  warnings: string[];
}

export function loadConfig(home: string): Config {
  const path = join(home, 'config.json');
  const warnings: string[] = [];
  const given = readObject(path, warnings);
  const entries = Object.entries(settings).map(([key, schema]) => {
    const parsed = schema.safeParse(Object.hasOwn(given, key) ? given[key] : undefined);
    if (parsed.success) return [key, parsed.data];
    warnings.push(`config.json: ${settingProblem(key as keyof Settings, given[key])}`);
    return [key, schema.parse(undefined)];
  });
  const found = Object.fromEntries(entries) as Settings;
  for (const { index, reason } of badPatterns(found.recordExclude))
    warnings.push(`config.json: ${exclusionProblem(index, found.recordExclude[index]!, reason)}`);
  const known = Object.keys(settings);
  for (const key of Object.keys(given)) {
    if (known.includes(key)) continue;
    const [near] = nearest(key, known, 1);
    warnings.push(
      `config.json: unknown setting ${JSON.stringify(key)}${near ? `, did you mean ${near}?` : ''}`,
    );
  }
  return { settings: found, warnings };
}

function readObject(path: string, warnings: string[]): Record<string, unknown> {
  let text: string;
  try {
    // A pipe or device might never end.
    if (!statSync(path).isFile()) {
      warnings.push('config.json is not a file: the defaults are used');
      return {};
    }
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code !== 'ENOENT') warnings.push(`config.json cannot be read (${code}): the defaults are used`);
    return {};
  }
  try {
    // Some editors begin a file with a byte order mark, which JSON.parse does not take.
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    if (isObject(value)) return value;
    warnings.push('config.json does not hold an object: the defaults are used');
  } catch (error) {
    warnings.push(`config.json is not valid JSON (${(error as Error).message}): the defaults are used`);
  }
  return {};
}

interface BadPattern {
  index: number;
  /** Perl's words, such as `Unmatched [`. */
  reason: string;
}

/** Settings are read for each request, patterns change rarely. */
let last: { key: string; bad: BadPattern[] } | null = null;

/** Returns none without Perl, since no command is recorded then. */
function badPatterns(patterns: readonly string[]): BadPattern[] {
  if (patterns.length === 0) return [];
  const key = JSON.stringify(patterns);
  if (last?.key !== key) last = { key, bad: askPerl(patterns) };
  return last.bad;
}

const CHECK = `local $SIG{__WARN__} = sub { };
for my $at (0 .. $#ARGV) { my $pattern = $ARGV[$at]; eval { '' =~ /$pattern/; 1 } or print "$at $@" }`;

function askPerl(patterns: readonly string[]): BadPattern[] {
  const perl = findPerl();
  // No process can be given a NUL.
  if (perl === null || patterns.some((pattern) => pattern.includes('\0'))) return [];
  const { stdout } = spawnSync(perl, ['-f', '-e', CHECK, '--', ...patterns], {
    ...{ env: {}, encoding: 'utf8', timeout: 2000, stdio: ['ignore', 'pipe', 'ignore'] },
  });
  return [...(stdout ?? '').matchAll(/^(\d+) (.*?)(?: in regex[;,].*| at -e line .*)?$/gm)].map(
    ([, index, reason]) => ({ index: Number(index), reason: reason! }),
  );
}

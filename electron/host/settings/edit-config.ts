/** Writes settings into `config.json`. The rest of the file stays as people wrote it. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { applyEdits, type JSONPath, modify } from 'jsonc-parser';
import { SpillwayError } from '../../../shared/errors.ts';
import { SETTING_RULES } from '../../../shared/setting-rules.ts';
import {
  type Preference,
  type PreferenceChange,
  type Preferences,
  settings,
} from '../../../shared/settings.ts';
import { isObject } from '../../../shared/text/json-line.ts';
import { replaceFile } from '../../store/format/small-file.ts';
import { loadConfig, valueProblem } from './config.ts';
import { prepareHome } from './home.ts';

const FORMATTING = { formattingOptions: { insertSpaces: true, tabSize: 2 } };

/** A `config.json` that is being changed. */
export class ConfigText {
  readonly #path: string;
  readonly #before: string;
  #text: string;

  /** Throws `home` if the file is not a JSON object. */
  constructor(home: string) {
    this.#path = join(home, 'config.json');
    this.#before = existsSync(this.#path) ? readFileSync(this.#path, 'utf8').replace(/^\uFEFF/, '') : '{}\n';
    this.#text = this.#before;
    if (!isObject(parsed(this.#text)))
      throw new SpillwayError('home', `${this.#path} is not valid JSON`, 'correct it, and try again');
  }

  /** The settings that the file has. */
  get given(): Record<string, unknown> {
    return parsed(this.#text) as Record<string, unknown>;
  }

  /** `undefined` removes what is there. */
  set(place: JSONPath, value: unknown, isArrayInsertion = false): void {
    this.#text = applyEdits(
      this.#text,
      modify(this.#text, place, value, { ...FORMATTING, isArrayInsertion }),
    );
  }

  /** Throws `home` where it cannot be written. */
  save(): void {
    if (this.#text === this.#before) return;
    prepareHome(dirname(this.#path));
    try {
      replaceFile(this.#path, this.#text);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      throw new SpillwayError(
        'home',
        `${this.#path} cannot be written (${code})`,
        'make its folder writable',
      );
    }
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Every setting as it is used now, and what is wrong with the file. */
export function readPreferences(home: string): Preferences {
  const { settings: used, warnings } = loadConfig(home);
  let given: Record<string, unknown> = {};
  try {
    given = new ConfigText(home).given;
  } catch {
    // The warnings say so.
  }
  const each = Object.keys(SETTING_RULES).map((key): Preference => {
    const name = key as keyof typeof SETTING_RULES;
    return { name, value: used[name], is_set: Object.hasOwn(given, name) };
  });
  return { path: join(home, 'config.json'), settings: each, problems: warnings };
}

/** Throws `usage` for a value that the setting does not take, `home` where the file cannot be changed. */
export function changePreference(home: string, { name, value }: PreferenceChange): Preferences {
  if (value !== undefined) {
    if (!settings[name].safeParse(value).success)
      throw new SpillwayError('usage', valueProblem(name, value), 'nothing was changed');
  }
  const file = new ConfigText(home);
  file.set([name], value);
  file.save();
  return readPreferences(home);
}

/** Mistakes in `config.json` cause a plain warning, and defaults are used in their place. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadConfig, settingProblem } from '../../../electron/host/settings/config.ts';
import { plainSettings } from '../../../electron/host/settings/plain-settings.ts';
import { REDACT_DEFAULT } from '../../../shared/setting-rules.ts';
import { type Settings, settings } from '../../../shared/settings.ts';
import { makeFolder, removeFolder } from '../../fixtures/folder.ts';

let home: string;

beforeEach(() => {
  home = makeFolder();
});
afterEach(() => removeFolder(home));

const load = (text: string) => {
  writeFileSync(join(home, 'config.json'), text);
  return loadConfig(home);
};

test('defaults are the same with schemas and without', () => {
  expect(plainSettings(home)).toEqual(loadConfig(home).settings);
  const { settings } = load('{"maxReplyBytes": 4000, "recordExclude": ["^ls"]}');
  expect(plainSettings(home)).toEqual(settings);
});

test('a byte order mark is skipped', () => {
  const { settings, warnings } = load('\uFEFF{"maxReplyBytes": 4000}');
  expect(warnings).toEqual([]);
  expect(settings.maxReplyBytes).toBe(4000);
});

test.each([
  [
    '{"maxReplyBytes": "many"}',
    'maxReplyBytes must be a whole number from 1000 to 1000000, not "many": its default (16384) is used',
  ],
  [
    '{"maxLineChars": 3}',
    'maxLineChars must be a whole number from 80 to 100000, not 3: its default (2000) is used',
  ],
  [
    '{"retentionHours": -1}',
    'retentionHours must be a number of 0 or more, not -1: its default (24) is used',
  ],
  [
    '{"retentionHours": 1e999}',
    'retentionHours must be a number of 0 or more, not Infinity: its default (24) is used',
  ],
  [
    '{"previewSize": "huge"}',
    'previewSize must be one of "small", "medium", "large", not "huge": its default (medium) is used',
  ],
  [
    '{"collapseProgress": null}',
    'collapseProgress must be true or false, not null: its default (true) is used',
  ],
  [
    '{"minFreeBytes": 0.5}',
    'minFreeBytes must be a whole number of 0 or more, or null, not 0.5: its default (1 GiB or 5 % of the disk, the smaller) is used',
  ],
  [
    '{"maxStreamBytes": 1e20}',
    'maxStreamBytes must be a whole number from 0 to 9007199254740991, not 100000000000000000000: its default (1073741824) is used',
  ],
  [
    '{"mcpHttp": 70000}',
    'mcpHttp must be a whole number from 0 to 65535, or null, not 70000: its default (not to serve it) is used',
  ],
  [
    '{"sources": "/var/log"}',
    'sources must be a list of paths of folders or files, not "/var/log": its default (none of your own) is used',
  ],
  [
    '{"sources": ["/var/log", {"path": "/tmp", "mpc": false}]}',
    'sources[1] must be a path, or {"path": "...", "enabled": true or false, "mcp": true or false}, not {"path":"/tmp","mpc":false}: its default (none of your own) is used',
  ],
])('a message about %s says which values are allowed, and which one is used', (text, sentence) => {
  const { settings: used, warnings } = load(text);
  expect(warnings).toEqual([`config.json: ${sentence}`]);
  expect(used).toEqual(loadConfig(join(home, 'nowhere')).settings);
});

test('patterns have the recorder’s syntax, and an invalid one leaves the others in use', () => {
  const patterns = ['(?i)^SECRET', '^a++b', '(é', '^git push', '[bad'];
  const { settings: used, warnings } = load(JSON.stringify({ recordExclude: patterns }));
  expect(warnings).toEqual([
    'config.json: recordExclude[2] must be a regular expression, not "(é" (Unmatched (): it excludes no command',
    'config.json: recordExclude[4] must be a regular expression, not "[bad" (Unmatched [): it excludes no command',
  ]);
  expect(used.recordExclude).toEqual(patterns);
  expect(plainSettings(home)).toBeNull();
});

test('what is valid of `redact` stays in use, so that no secret is shown for a mistake beside it', () => {
  const { settings: used, warnings } = load(
    JSON.stringify({ redact: { patterns: ['corp-1', '(bad'], exceptClients: 'codex', exceptSource: [] } }),
  );
  expect(used.redact).toEqual({ ...REDACT_DEFAULT, patterns: ['corp-1'] });
  expect(warnings).toEqual([
    'config.json: redact.patterns must be a list of regular expressions, not "(bad"',
    'config.json: redact.exceptClients must be a list of names, not "codex"',
    'config.json: redact has no "exceptSource", did you mean exceptSources?',
  ]);
  expect(plainSettings(home)).toBeNull();
});

test('a message repeats only the beginning of a long value', () => {
  expect(settingProblem('previewSize', 'x'.repeat(1000))).toMatch(/not "x{59}…: its default/);
});

test.each(Object.keys(settings) as (keyof Settings)[])('%s has such a message', (key) => {
  expect(settingProblem(key, { no: 'value' })).toMatch(
    new RegExp(`^${key} must be (a|one|true) .+, not \\{"no":"value"\\}: its default \\(.+\\) is used$`),
  );
  expect(settingProblem(key, { no: 'value' })).not.toContain('undefined');
});

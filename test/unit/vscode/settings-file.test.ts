/** Editing a settings.json that VS Code may be writing, and taking Spillway out of one. */
import { chmodSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { editSettings, withoutShims } from '../../../electron/vscode/settings-file.ts';
import { makeFolder, removeFolder } from '../../fixtures/folder.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = makeFolder();
  file = join(folder, 'settings.json');
});
afterEach(() => removeFolder(folder));

const text = () => readFileSync(file, 'utf8');
/** Longer than any read takes on a busy machine. */
const LONG_MS = 45_000;

describe('a settings.json', () => {
  it.each(['', '{ "mine": 1, "oth'])('that is being written (%j) is read when it is whole', async (half) => {
    writeFileSync(file, half);
    const given: string[] = [];
    const edited = editSettings(
      file,
      (whole) => {
        given.push(whole);
        return whole.replace('1', '2');
      },
      LONG_MS,
    );
    writeFileSync(file, '{ "mine": 1, "other": 3 } // kept');
    await edited;
    expect(given).toEqual(['{ "mine": 1, "other": 3 } // kept']);
    expect(text()).toBe('{ "mine": 2, "other": 3 } // kept');
  });

  it('that stays incomplete is edited as it is', async () => {
    writeFileSync(file, '{ "mine": 1 "other": 3 }');
    await editSettings(file, (whole) => whole.replace('1', '2'), 0);
    expect(text()).toBe('{ "mine": 2 "other": 3 }');
  });

  it('keeps its permissions and the link to it, and leaves no other file in the folder', async () => {
    const target = join(folder, 'dotfile');
    writeFileSync(target, '{}');
    chmodSync(target, 0o640);
    symlinkSync(target, file);
    await editSettings(file, () => '{ "a": 1 }');
    expect(readFileSync(target, 'utf8')).toBe('{ "a": 1 }');
    expect(statSync(target).mode & 0o777).toBe(0o640);
    expect(readdirSync(folder).sort()).toEqual(['dotfile', 'settings.json']);
  });

  it('without settings of ours is not written', async () => {
    writeFileSync(file, '{}');
    const { ino, mtimeMs } = statSync(file);
    await editSettings(file, (whole) => whole);
    expect(statSync(file)).toMatchObject({ ino, mtimeMs });
  });
});

describe('without the extension', () => {
  const shim = { path: '/storage/spillway.spillway/terminals/bash', icon: 'record' };
  const taken = (settings: string, before: string | null = null) =>
    withoutShims(settings, ['/storage/spillway.spillway'], before);

  it('settings keep comments, order and everything that is not its own', () => {
    const settings = `{
  // The font
  "editor.fontSize": 13,
  "terminal.integrated.profiles.linux": {
    "fish": { "path": "/usr/bin/fish" },
    "Spillway (all terminals)": ${JSON.stringify(shim)}
  },
  "terminal.integrated.defaultProfile.linux": "Spillway (all terminals)",
  "terminal.integrated.automationProfile.linux": ${JSON.stringify(shim)},
  "spillway.recordTerminals": "all",
  "files.autoSave": "off",
}
`;
    const left = taken(settings, 'fish');
    expect(left).toContain('// The font\n  "editor.fontSize": 13');
    expect(left).toContain('"fish": { "path": "/usr/bin/fish" }');
    expect(left).toContain('"terminal.integrated.defaultProfile.linux": "fish"');
    expect(left).toContain('"files.autoSave": "off"');
    expect(left).not.toMatch(/spillway/i);
    expect(left).not.toContain('automationProfile');
  });

  it('the user’s own default profile stays, and one of ours is removed', () => {
    const profiles = { 'Spillway (all terminals)': shim };
    const settings = (name: string) =>
      JSON.stringify({
        'terminal.integrated.profiles.linux': profiles,
        'terminal.integrated.defaultProfile.linux': name,
      });
    expect(JSON.parse(taken(settings('zsh')))).toEqual({ 'terminal.integrated.defaultProfile.linux': 'zsh' });
    expect(JSON.parse(taken(settings('Spillway (all terminals)')))).toEqual({});
  });

  it('empty settings and settings without ours stay as they are', () => {
    for (const settings of ['', '{}', '{ "terminal.integrated.profiles.linux": { "a": null } }'])
      expect(taken(settings)).toBe(settings);
  });
});

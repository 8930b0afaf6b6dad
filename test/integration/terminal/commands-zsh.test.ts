/** A recorded zsh stays the person’s own; a shell that cannot mark commands is recorded as it is. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hasZsh, place, setUpPeople, sit, typed } from '../../fixtures/set-up/typed-commands.ts';
import { recording, recordings } from '../../fixtures/terminal/terminal.ts';

setUpPeople();

describe.skipIf(!hasZsh)('a person’s own zsh', () => {
  it('reads all its files, and keeps its hooks and folder', async () => {
    const dot = join(place.files, 'zdot');
    mkdirSync(dot);
    const files = {
      '.zshenv': 'seen=env',
      '.zprofile': 'seen+=,profile',
      '.zshrc':
        'seen+=,rc; PS1=\'$ \'; precmd() { echo "[prompt after $?]" }; preexec() { echo "[about to run $1]" }',
      '.zlogin': 'seen+=,login',
    };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(dot, name), `${text}\n`);
    const person = sit('zsh', { args: ['--', 'zsh', '-l'], env: { ZDOTDIR: dot } });
    person.enter('echo "[$seen] [$ZDOTDIR]"; (exit 4)');
    await person.sees(`[env,profile,rc,login] [${dot}]`);
    await person.sees('[prompt after 4]');
    person.enter('exit');
    await person.exited;
    expect(person.shown).toContain('[about to run echo "[$seen] [$ZDOTDIR]"; (exit 4)]');
    expect((await typed()).map(({ exit_code }) => exit_code)).toEqual([4, 4]);
  });
});

describe.skipIf(!hasZsh)('a zsh that warns of everything', () => {
  it('has nothing to warn of', async () => {
    const zshrc = "PS1='$ '\nsetopt warn_create_global warn_nested_var nounset\n";
    const person = sit('zsh', { dotFiles: { '.zshrc': zshrc } });
    await person.runs('true');
    person.enter('exit');
    await person.exited;
    expect(person.shown).not.toContain('__spillway');
    expect(await typed()).toHaveLength(2);
  });
});

describe.skipIf(!hasZsh)('a zsh without its files', () => {
  it('is left alone', async () => {
    const person = sit('zsh', { args: ['--', 'zsh', '-f'] });
    await person.runs('echo "[$ZDOTDIR]"');
    person.enter('exit');
    await person.exited;
    expect(person.shown).toContain('[]\r\n');
    expect(await typed()).toEqual([]);
  });
});

describe('another shell', () => {
  it('is recorded as it is', async () => {
    const person = sit('/bin/sh');
    await person.runs('echo plain');
    person.enter('exit');
    await person.exited;
    const { artifact_id } = recordings(place)[0]!.record;
    expect(await typed(artifact_id)).toEqual([]);
    expect(recording(place).bytes.toString()).toContain('plain\r\n');
  });
});

/** Opens places that lines of output name. In place of an editor, a program writes down its arguments. */
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  editorCommand,
  fileOfLink,
  openInEditor,
  splitTemplate,
} from '../../../electron/host/open-in-editor.ts';
import { showInFolder } from '../../../electron/host/show-in-folder.ts';
import { fileLinks } from '../../../shared/text/file-links.ts';
import { diskHere } from '../../fixtures/disk.ts';
import { makeFolder, removeFolder } from '../../fixtures/folder.ts';
import { artifactOf, fileOf } from '../../fixtures/library/artifacts.ts';
import { until } from '../../fixtures/until.ts';

let folder: string;
let home: string;
let told: string;
let env: NodeJS.ProcessEnv;

beforeEach(() => {
  folder = makeFolder();
  home = join(folder, 'home');
  told = join(folder, 'told');
  mkdirSync(home);
  mkdirSync(join(folder, 'work'));
  mkdirSync(join(folder, 'bin'));
  const editor = join(folder, 'bin', 'code');
  writeFileSync(editor, `#!/bin/sh\nprintf '%s\\n' "$PWD" "$@" > ${told}.part\nmv ${told}.part ${told}\n`);
  chmodSync(editor, 0o755);
  env = { PATH: `${join(folder, 'bin')}:/usr/bin:/bin` };
});

afterEach(() => removeFolder(folder));

const open = (path: string, more: { longer?: string[]; line?: number; column?: number | null } = {}) =>
  openInEditor(
    { path, longer: [], line: 12, column: 5, ...more },
    { home, artifact: artifactOf('aaa', { cwd: join(folder, 'work') }), disk: diskHere, env },
  );
/** Resolves with the arguments of the last start. */
async function startedWith(): Promise<string[]> {
  const text = await until(() => (existsSync(told) ? readFileSync(told, 'utf8') : null));
  rmSync(told);
  return text.trimEnd().split('\n').slice(1);
}

const refused = (path: string) =>
  expect(open(path)).rejects.toMatchObject({ code: expect.stringMatching(/^not_/) });

describe('a place that a line names', () => {
  it('is opened by its real path, from the folder where the command ran', async () => {
    writeFileSync(join(folder, 'work', 'a b.ts'), '');
    const opened = await open('a b.ts');
    expect(opened).toEqual({ file: join(folder, 'work', 'a b.ts'), editor: 'code' });
    expect(await startedWith()).toEqual(['-g', `${join(folder, 'work', 'a b.ts')}:12:5`]);
  });

  it('is opened at its first column where the line names none', async () => {
    writeFileSync(join(folder, 'work', 'a.py'), '');
    await open(`file://${join(folder, 'work', 'a.py')}`, { column: null });
    expect(await startedWith()).toEqual(['-g', `${join(folder, 'work', 'a.py')}:12:1`]);
  });

  it('is the longest reading that is there', async () => {
    mkdirSync(join(folder, 'work', 'My App'));
    writeFileSync(join(folder, 'work', 'My App', 'a.ts'), '');
    const [link] = fileLinks(`ERROR in ${folder}/work/My App/a.ts(12,5)`);
    expect((await open(link!.path, { longer: [...link!.longer] })).file).toBe(
      join(folder, 'work', 'My App', 'a.ts'),
    );
  });

  it('is called missing only where the system says so', async () => {
    await expect(open('a.ts/b.ts')).rejects.toMatchObject({ code: 'not_found' });
    const name = 'n'.repeat(300);
    await expect(open(`${name}.ts`)).rejects.toThrow('could not be looked at (ENAMETOOLONG)');
  });

  it('may be a URL of this machine', async () => {
    writeFileSync(join(folder, 'work', 'a b.ts'), '');
    const { file } = await open(`file://localhost${folder}/work/a%20b.ts`);
    expect(file).toBe(join(folder, 'work', 'a b.ts'));
  });

  it('never reads as an option or as more arguments, whatever it is called', async () => {
    for (const name of [
      '--wait',
      '-g',
      '$(touch x)',
      'a;b',
      '{line}',
      "it's",
      '"quoted"',
      '+cmd',
      '%PATH%',
    ]) {
      writeFileSync(join(folder, 'work', name), '');
      const { file } = await open(name);
      expect(file).toBe(join(folder, 'work', name));
      expect(await startedWith()).toContain(`${file}:12:5`);
    }
  });

  it('is opened where its link leads, and only if that is a regular file', async () => {
    writeFileSync(join(folder, 'target.txt'), '');
    symlinkSync(join(folder, 'target.txt'), join(folder, 'work', 'link.ts'));
    symlinkSync('/dev/zero', join(folder, 'work', 'zero.ts'));
    symlinkSync('/proc/self/mem', join(folder, 'work', 'mem.ts'));
    expect((await open('link.ts')).file).toBe(join(folder, 'target.txt'));
    await startedWith();
    await refused('zero.ts');
    await refused('mem.ts');
  });

  it('is refused where it is no file, is another machine’s, has control characters or is a workspace', async () => {
    writeFileSync(join(folder, 'work', 'a\nb.ts'), '');
    writeFileSync(join(folder, 'work', 'x.code-workspace'), '{}');
    for (const path of [
      'missing.ts',
      '.',
      '..',
      '/',
      'a\nb.ts',
      'a\u0000b.ts',
      '/proc/self/environ',
      '//host/share/a.ts',
      '\\\\host\\share\\a.ts',
      'file://host/share/a.ts',
      'file:///a%00b',
      'x.code-workspace',
    ]) {
      await refused(path);
    }
  });

  it('is missed by its whole path, though the shortest reading is a piece of it', async () => {
    const longer = ['ERROR in /srv/a b/c.ts', 'in /srv/a b/c.ts', '/srv/a b/c.ts'];
    await expect(fileOfLink('b/c.ts', longer, folder, diskHere)).rejects.toThrow(
      'There is no file /srv/a b/c.ts',
    );
  });

  it('is refused where the folder of a relative path is not known', async () => {
    await expect(fileOfLink('a.ts', [], null, diskHere)).rejects.toMatchObject({ code: 'not_found' });
    await expect(
      openInEditor(
        { path: 'a.ts', longer: [], line: 1, column: 1 },
        { home, artifact: undefined, disk: diskHere, env },
      ),
    ).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('the editor', () => {
  const place = { file: '/w/{column} a.ts', line: 3, column: 4 };
  const disk = diskHere;

  it('is the one of the setting, with each placeholder filled once', async () => {
    writeFileSync(join(home, 'config.json'), '{}');
    const setting = `"${join(folder, 'bin', 'code')}" --at '{line} {column}' {file}`;
    expect(await editorCommand(setting, place, { env, disk })).toEqual({
      program: join(folder, 'bin', 'code'),
      args: ['--at', '3 4', '/w/{column} a.ts'],
    });
  });

  it('is read from the settings at each click', async () => {
    writeFileSync(join(folder, 'work', 'a.ts'), '');
    writeFileSync(join(home, 'config.json'), JSON.stringify({ editor: 'code --line {line} {file}' }));
    await open('a.ts');
    expect(await startedWith()).toEqual(['--line', '12', join(folder, 'work', 'a.ts')]);
    writeFileSync(join(home, 'config.json'), JSON.stringify({ editor: 'nowhere {file}' }));
    await expect(open('a.ts')).rejects.toMatchObject({ code: 'unsupported' });
    writeFileSync(join(home, 'config.json'), JSON.stringify({ editor: 'code --wait' }));
    await expect(open('a.ts')).rejects.toMatchObject({ code: 'usage' });
  });

  it('is found in absolute folders of the PATH, that of $VISUAL first', async () => {
    const kate = join(folder, 'bin', 'kate');
    writeFileSync(kate, '#!/bin/sh\n');
    chmodSync(kate, 0o755);
    expect((await editorCommand(null, place, { env, disk })).program).toBe(join(folder, 'bin', 'code'));
    expect(await editorCommand(null, place, { env: { ...env, VISUAL: 'kate -b' }, disk })).toEqual({
      program: kate,
      args: ['--line', '3', '--column', '4', '/w/{column} a.ts'],
    });
    await expect(editorCommand(null, place, { env: { PATH: '.:bin' }, disk })).rejects.toThrow(/No editor/);
  });

  it('has its template split at blanks outside quotes, and nothing else', () => {
    expect(splitTemplate(`a "b c" 'd e'f $X *`)).toEqual(['a', 'b c', 'd ef', '$X', '*']);
    expect(splitTemplate('a "b')).toBeNull();
    expect(splitTemplate('  ')).toEqual([]);
  });
});

describe('the file of an output', () => {
  const file = () => join(folder, 'work', 'a b.log');
  const show = (platform: NodeJS.Platform, given: NodeJS.ProcessEnv = {}) =>
    showInFolder(fileOf(file(), 'aaa'), {
      disk: diskHere,
      env: { ...env, ...given },
      platform,
    });

  it('is shown in the file manager of each system', async () => {
    writeFileSync(file(), '');
    for (const name of ['open', 'xdg-open']) {
      writeFileSync(join(folder, 'bin', name), readFileSync(join(folder, 'bin', 'code')));
      chmodSync(join(folder, 'bin', name), 0o755);
    }
    expect(await show('linux', { DISPLAY: ':0' })).toEqual({ file: file() });
    expect(await startedWith()).toEqual([join(folder, 'work')]);
    await show('darwin');
    expect(await startedWith()).toEqual(['-R', file()]);
  });

  it('is named where there is no desktop, or no file', async () => {
    await expect(show('linux')).rejects.toMatchObject({ code: 'not_found' });
    writeFileSync(file(), '');
    await expect(show('linux')).rejects.toThrow(`There is no file manager here: the file is ${file()}`);
  });
});

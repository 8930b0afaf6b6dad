/** The PATH that an app has which was started from an icon. */
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { lacksLoginPath, loginPath } from '../../../electron/shell/launch.ts';
import { makeFolder, removeFolder } from '../../fixtures/folder.ts';

const folder = makeFolder();
afterAll(() => removeFolder(folder));

function shell(name: string, ...lines: string[]): string {
  const path = join(folder, name);
  writeFileSync(path, ['#!/bin/sh', ...lines, ''].join('\n'));
  chmodSync(path, 0o755);
  return path;
}

describe.skipIf(process.platform === 'win32')('the login shell’s PATH', () => {
  const env = { PATH: '/usr/bin:/bin' };

  it('comes before the app’s own, once each, whatever the shell prints as it starts', async () => {
    const noisy = shell(
      'noisy',
      'echo welcome',
      'PATH=/nvm/bin:/usr/bin; export PATH',
      'eval "$4"',
      'echo bye',
    );
    expect(await loginPath(env, noisy)).toBe('/nvm/bin:/usr/bin:/bin');
  });

  it.each([
    ['a shell that fails', shell('fails', 'exit 3')],
    ['a shell that prints nothing of it', shell('silent', 'echo hello')],
    ['no such shell', join(folder, 'none')],
    ['no shell at all', ''],
  ])('is the app’s own with %s', async (_name, path) => {
    expect(await loginPath(env, path)).toBe('/usr/bin:/bin');
  });

  it('is asked for where no terminal gave one', () => {
    expect(lacksLoginPath({}, 'linux')).toBe(true);
    expect(lacksLoginPath({}, 'darwin')).toBe(true);
    expect(lacksLoginPath({ TERM: 'xterm' }, 'linux')).toBe(false);
    expect(lacksLoginPath({ SPILLWAY_ASKS_SHELL: '1' }, 'linux')).toBe(false);
    expect(lacksLoginPath({}, 'win32')).toBe(false);
  });
});

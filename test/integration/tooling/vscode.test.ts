/** Getting a real VS Code for its tests, where no npm registry answers. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeFolder, removeFolder } from '../../fixtures/folder.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
let folder: string;
beforeEach(() => {
  folder = makeFolder();
});
afterEach(() => removeFolder(folder));

test.runIf(process.platform === 'linux' && process.arch === 'x64')(
  'without a registry, the step is skipped, says so, and how to get it',
  () => {
    const code = join(folder, 'code');
    const script = `import('${join(root, 'electron', 'tooling', 'machine', 'vscode.mjs')}')
      .then(({ obtainVsCode }) => obtainVsCode())
      .catch(({ constructor, message }) => console.log(constructor.name, message))`;
    const env = { ...process.env, SPILLWAY_VSCODE: code, npm_config_registry: 'http://127.0.0.1:9' };
    const said = spawnSync(process.execPath, ['-e', script], { env, encoding: 'utf8' }).stdout;
    // A Problem of this kind skips the step (electron/tooling/test.mjs).
    expect(said).toMatch(
      /^Problem VS Code could not be fetched \(.*ECONNREFUSED.*\): run `npm test -- vscode` /m,
    );
    expect(said).toContain(`in ${code}`);
    expect(existsSync(join(code, 'server-main.js'))).toBe(false);
  },
);

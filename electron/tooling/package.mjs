/**
 * `npm run package [-- ARGS of electron-builder]`: packs the built app into release/, by default as an unpacked
 * folder for this platform. SPILLWAY_ELECTRON_DIST names a folder with the runtime, if it can't be downloaded.
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { root } from './building/targets.mjs';
import { ensure } from './machine/ensure.mjs';
import { followParent } from './machine/environment.mjs';
import { fail } from './machine/progress.mjs';

followParent();
try {
  await ensure({ verbose: true });
  const given = process.argv.slice(2);
  const runtime = process.env.SPILLWAY_ELECTRON_DIST;
  await pack([
    ...(given.length > 0 ? given : ['--dir']),
    ...(runtime ? [`--config.electronDist=${runtime}`] : []),
    '--publish=never',
  ]);
} catch (error) {
  fail(error);
}

/** @param {string[]} args */
function pack(args) {
  const builder = join(root, 'node_modules/electron-builder/cli.js');
  const child = spawn(process.execPath, [builder, ...args], { cwd: root, stdio: 'inherit' });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code) => {
      process.exitCode = code ?? 1;
      resolve(undefined);
    });
  });
}

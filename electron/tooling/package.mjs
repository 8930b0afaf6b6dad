/**
 * `npm run package [-- ARGS of electron-builder]`: packs the built app into release/, by default as an unpacked
 * folder for this platform. SPILLWAY_ELECTRON_DIST names a folder with the runtime, if it can't be downloaded.
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { root } from './building/targets.mjs';
import { downloadProblem } from './machine/electron-runtime.mjs';
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
  const child = spawn(process.execPath, [builder, ...args], {
    cwd: root,
    // Called for deb and rpm, in the place of a program that would be downloaded.
    env: { CUSTOM_FPM_PATH: join(root, 'electron/tooling/packaging/system-package.mjs'), ...process.env },
    stdio: ['inherit', 'pipe', 'pipe'],
  });
  let held = '';
  for (const [from, to] of /** @type {const} */ ([
    [child.stdout, process.stdout],
    [child.stderr, process.stderr],
  ]))
    createInterface(from).on('line', (line) => {
      // From here on it is an error with its stack, which may have a plain reason.
      if (held !== '' || line.includes('⨯')) held += `${line}\n`;
      else to.write(`${line}\n`);
    });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      process.exitCode = code ?? 1;
      const problem = code === 0 ? null : downloadProblem(held);
      if (problem) return reject(problem);
      process.stderr.write(held);
      resolve(undefined);
    });
  });
}

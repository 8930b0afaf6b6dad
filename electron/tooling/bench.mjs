/**
 * `npm run bench [-- NAME…]`: runs the benchmarks `test/bench/<NAME>.bench.ts` one after another, each in its own
 * process. They are bundled because the oldest supported Node.js can't run TypeScript; packages are not bundled.
 */
import { spawn } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { inDist, root } from './building/targets.mjs';
import { ensure } from './machine/ensure.mjs';
import { followParent } from './machine/environment.mjs';
import { fail, Problem } from './machine/progress.mjs';

followParent();
try {
  const names = choose(process.argv.slice(2));
  await ensure();
  // Otherwise a worker from an earlier build, lying beside the bundles, would be started.
  rmSync(inDist('bench'), { recursive: true, force: true });
  for (const name of names) {
    console.log(`\n=== ${name} ===`);
    if (!(await run(await bundle(name)))) process.exitCode = 1;
  }
} catch (error) {
  fail(error);
}

/** @param {string[]} asked */
function choose(asked) {
  const known = readdirSync(join(root, 'test/bench')).flatMap(
    (file) => file.match(/^(.+)\.bench\.ts$/)?.[1] ?? [],
  );
  const unknown = asked.find((name) => !known.includes(name));
  if (unknown) throw new Problem(`there is no benchmark ${unknown}`, `there are ${known.join(', ')}`);
  return asked.length > 0 ? asked : known;
}

/** @param {string} name @returns {Promise<string>} path of the bundle */
async function bundle(name) {
  const { rolldown } = await import('rolldown');
  const { watPlugin } = await import('./building/plugins.mjs');
  const { textPlugin } = await import('./building/plugins.mjs');
  const bundled = await rolldown({
    cwd: root,
    input: { [name]: join(root, `test/bench/${name}.bench.ts`) },
    platform: 'node',
    // Node.js finds no named exports in xz-decompress.
    external: /^(?!xz-decompress)[^./]/,
    plugins: [watPlugin(), textPlugin()],
    tsconfig: false,
  });
  await bundled.write({ dir: inDist('bench'), format: 'esm', sourcemap: true, codeSplitting: false });
  await bundled.close();
  return inDist('bench', `${name}.js`);
}

/** @param {string} path @returns {Promise<boolean>} */
function run(path) {
  const child = spawn(process.execPath, ['--expose-gc', '--enable-source-maps', path], {
    cwd: root,
    stdio: 'inherit',
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code) => resolve(code === 0));
  });
}

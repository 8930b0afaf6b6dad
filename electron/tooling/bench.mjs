/**
 * `npm run bench [-- ARGS]`: makes the checkout ready, bundles test/bench/main.ts and runs it. It is bundled because the
 * oldest Node.js that is supported can't run TypeScript; packages stay where they are.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensure } from './ensure.mjs';
import { followParent } from './parent.mjs';
import { fail } from './progress.mjs';
import { inDist, root } from './targets.mjs';

followParent();
try {
  await ensure();
  await import(pathToFileURL(await bundle()).href);
} catch (error) {
  fail(error);
}

/** @returns {Promise<string>} path of the bundle */
async function bundle() {
  const { rolldown } = await import('rolldown');
  const { watPlugin } = await import('./wat-plugin.mjs');
  const bundled = await rolldown({
    cwd: root,
    input: { main: join(root, 'test/bench/main.ts') },
    platform: 'node',
    external: /^[^./]/,
    plugins: [watPlugin()],
    tsconfig: false,
  });
  await bundled.write({ dir: inDist('bench'), format: 'esm', sourcemap: true, codeSplitting: false });
  await bundled.close();
  return inDist('bench', 'main.js');
}

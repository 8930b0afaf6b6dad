/** `npm run build [-- --force]`: brings dist/ up to date. Prints each step and the time it took. */
import { rmSync } from 'node:fs';
import { staleTargets } from './building/fresh.mjs';
import { inDist, targets } from './building/targets.mjs';
import { ensure } from './machine/ensure.mjs';
import { fail, Problem, say } from './machine/progress.mjs';

try {
  const args = process.argv.slice(2);
  const unknown = args.find((arg) => arg !== '--force');
  if (unknown) throw new Problem(`unknown argument ${unknown}`, 'the only one is --force');
  if (args.length > 0) rmSync(inDist('.stamps'), { recursive: true, force: true });
  const stale = new Set(staleTargets().map((target) => target.name));
  await ensure({ verbose: true });
  for (const { name } of targets) if (!stale.has(name)) say(`${name}: up to date`);
} catch (error) {
  fail(error);
}

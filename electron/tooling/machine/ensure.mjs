/**
 * Makes a checkout ready to run: installs packages and builds, only what is stale. Every command starts here, so
 * that each works on a fresh clone. Nothing here needs an installed package.
 */
import * as util from 'node:util';
import { packagesAreStale, staleTargets, stampBuilt, stampOf } from '../building/fresh.mjs';
import { inDist } from '../building/targets.mjs';
import { withLock } from './lock.mjs';
import { installPackages } from './packages.mjs';
import { Problem, say, step } from './progress.mjs';

/**
 * Installs what is missing and builds what is stale, one process at a time. Fast and silent if nothing is.
 * @param {{ verbose?: boolean, only?: 'packages' }} [options]
 * @throws {Problem}
 */
export async function ensure(options = {}) {
  checkNode(process.versions.node);
  const isReady = () => !packagesAreStale() && (options.only === 'packages' || staleTargets().length === 0);
  if (isReady()) return;
  const wait = (/** @type {string} */ owner) => say(`waiting for ${owner}, which is installing or building`);
  await withLock(
    inDist('.lock'),
    async () => {
      if (packagesAreStale()) await step('installing packages', installPackages, options);
      if (packagesAreStale())
        throw new Problem(
          'npm installed other packages than package-lock.json names',
          'remove node_modules and run the same command again',
        );
      if (options.only !== 'packages') await buildStale(options);
    },
    wait,
  );
}

/** @param {{ verbose?: boolean }} options */
async function buildStale(options) {
  for (const target of staleTargets()) {
    const stamp = stampOf(target);
    await step(`building ${target.name}`, () => build(target.name), options);
    stampBuilt(target, stamp);
  }
}

/** @param {import('../building/targets.mjs').TargetName} name */
async function build(name) {
  const { buildTarget } = await import('../building/build.mjs');
  try {
    await buildTarget(name);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const shown = process.stderr.isTTY ? message : util.stripVTControlCharacters(message);
    throw new Problem(`${name} does not build`, `see what the bundler says\n${shown}`);
  }
}

/** @param {string} version as in `20.19.0` @throws {Problem} on a Node.js that is too old */
export function checkNode(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  throw new Problem(
    `Spillway needs Node.js 20.19 or newer, this is ${version}`,
    'install a newer one and run the same command again',
  );
}

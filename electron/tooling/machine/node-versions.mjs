/** Gets other versions of Node.js for `npm test -- node`, from the npm registry. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { explain } from './packages.mjs';
import { Problem, say } from './progress.mjs';

/** Major versions that still get fixes; the newest release of each is tried. 20 no longer gets any. */
const MAJORS = [22, 24, 26];

/**
 * Returns the installed Node.js and others, each as a program. Others are kept in a folder, for the next time.
 * @returns {{ name: string, program: string }[]}
 * @throws {Problem} where the registry does not have one
 */
export function nodeVersions() {
  const installed = { name: process.version, program: process.execPath };
  const [major] = process.versions.node.split('.');
  return [installed, ...MAJORS.filter((one) => one !== Number(major)).map(obtain)];
}

/** @param {number} major */
function obtain(major) {
  const system = process.platform === 'win32' ? 'win' : process.platform;
  const name = `node-${system}-${process.arch}`;
  const folder = join(tmpdir(), `spillway-node-${major}`);
  const program = join(
    folder,
    'node_modules',
    name,
    'bin',
    process.platform === 'win32' ? 'node.exe' : 'node',
  );
  if (!existsSync(program)) {
    say(`getting Node.js ${major} …`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{"private":true}\n');
    const flags = [
      '--no-audit',
      '--no-fund',
      '--ignore-scripts',
      '--engine-strict=false',
      '--loglevel=error',
    ];
    const npm = spawnSync('npm', ['install', ...flags, `${name}@${major}`], {
      cwd: folder,
      encoding: 'utf8',
      shell: process.platform === 'win32',
    });
    if (npm.status !== 0) throw explain(npm.stderr ?? '');
    if (!existsSync(program)) throw new Problem(`${name}@${major} has no program`, 'look into its package');
  }
  return { name: `Node.js ${major}`, program };
}

/**
 * `npm run release [-- --linux --mac --win]`: does all of a release but signing and uploading. Checks that the version
 * has a dated section in CHANGELOG.md and that nothing is uncommitted, builds, packs the command line for npm, the
 * MCP bundle, the extension and the systems that are named (by default this one), and writes into release/ what goes with them:
 * SHA256SUMS, sbom.cdx.json (CycloneDX), the changes of this version, and latest.json for the update notice.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inDist, root } from '../building/targets.mjs';
import { ensure } from '../machine/ensure.mjs';
import { fail, Problem, say } from '../machine/progress.mjs';

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const folder = join(root, 'release');
const inRelease = (/** @type {string} */ name) => join(folder, name);

/** Names of files that are uploaded; electron-builder leaves others beside them. */
const PACKAGES = /^spillway.*\.(?:AppImage|deb|rpm|tar\.gz|tgz|dmg|zip|exe|mcpb|vsix)$/;

/** @param {string} changelog @param {string} version @returns {{ date: string, text: string }} */
export function changesOf(changelog, version) {
  const [, date = '', text = ''] =
    new RegExp(
      `^## ${version.replaceAll('.', '\\.')} \\((\\d{4}-\\d\\d-\\d\\d)\\)\\n([^]*?)(?=^## |(?![^]))`,
      'm',
    ).exec(changelog) ?? [];
  if (date === '')
    throw new Problem(
      `CHANGELOG.md has no dated section for ${version}`,
      `rename "Unreleased" to "${version} (${new Date().toISOString().slice(0, 10)})"`,
    );
  return { date, text: text.trim() };
}

/**
 * A bill of materials: what is bundled, with the runtime and the one dependency.
 * @param {string[]} notices texts of THIRD-PARTY.txt
 * @param {(name: string) => { version: string, license?: string } | null} packageOf null for what is not of npm
 * @param {string} made when
 */
export function billOfMaterials(notices, packageOf, made) {
  const bundled = notices.flatMap((text) =>
    text.split(/\n-{80}\n\n/).map((notice) => /^[^\s,]+/.exec(notice)?.[0] ?? ''),
  );
  const names = [...new Set([...bundled, ...Object.keys(manifest.dependencies), 'electron'])].sort();
  const component = (/** @type {string} */ name) => {
    const found = packageOf(name);
    // The table of secret rules is not from an npm package.
    if (!found) return { type: 'library', name };
    const { version, license } = found;
    const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
    const licences = license ? { licenses: [licenceOf(license)] } : {};
    return { type: 'library', name, version, purl, 'bom-ref': purl, ...licences };
  };
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: {
      timestamp: made,
      component: { type: 'application', name: manifest.name, version: manifest.version },
    },
    components: names.map(component),
  };
}

/** @param {string} license an id of SPDX, or an expression */
function licenceOf(license) {
  return / /.test(license) ? { expression: license } : { license: { id: license } };
}

/** @param {string} name */
function installed(name) {
  const path = join(root, 'node_modules', name, 'package.json');
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : null;
}

/** @param {string} command @param {string[]} args */
function run(command, ...args) {
  const { status } = spawnSync(command, args, {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (status !== 0) throw new Problem(`${command} ${args.join(' ')} failed`, 'see above');
}

/** @param {string[]} systems */
async function release(systems) {
  const { date, text } = changesOf(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), manifest.version);
  const changed = execFileSync('git', ['status', '--porcelain'], { cwd: root, encoding: 'utf8' });
  if (changed !== '')
    throw new Problem('there are changes that are not committed', `commit them:\n${changed}`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  await ensure({ verbose: true });
  run('npm', 'pack', '--ignore-scripts', '--pack-destination', folder);
  for (const script of ['mcpb.mjs', 'vsix.mjs']) run(process.execPath, join('electron/tooling', script));
  run(process.execPath, 'electron/tooling/package.mjs', ...(systems.length > 0 ? systems : [thisSystem()]));

  const notices = ['node', 'renderer'].map((target) =>
    readFileSync(inDist(target, 'THIRD-PARTY.txt'), 'utf8'),
  );
  const bill = billOfMaterials(notices, installed, `${date}T00:00:00Z`);
  writeFileSync(inRelease('sbom.cdx.json'), `${JSON.stringify(bill, null, 2)}\n`);
  writeFileSync(inRelease('CHANGES.txt'), `${text}\n`);
  writeFileSync(inRelease('latest.json'), `${JSON.stringify({ version: manifest.version, date })}\n`);
  const listed = readdirSync(folder)
    .filter((name) => PACKAGES.test(name) || name === 'sbom.cdx.json')
    .sort();
  const sum = (/** @type {string} */ name) =>
    createHash('sha256')
      .update(readFileSync(inRelease(name)))
      .digest('hex');
  writeFileSync(inRelease('SHA256SUMS'), listed.map((name) => `${sum(name)}  ${name}\n`).join(''));
  say(`${manifest.version} is in release/: sign it and upload it (electron/tooling/packaging/RELEASING.md)`);
}

function thisSystem() {
  return { darwin: '--mac', win32: '--win' }[/** @type {string} */ (process.platform)] ?? '--linux';
}

if (process.argv[1] === fileURLToPath(import.meta.url)) release(process.argv.slice(2)).catch(fail);

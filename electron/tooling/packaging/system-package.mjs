#!/usr/bin/env node
/**
 * Writes a deb or an rpm with the system's own dpkg-deb or rpmbuild. electron-builder calls it as it would call fpm, a
 * Ruby program that it downloads otherwise: `system-package.mjs -t deb --name … FROM=TO…`.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { fail, Problem } from '../machine/progress.mjs';

const text = /** @type {const} */ ({ type: 'string' });
const { values: given, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    ...{ s: { ...text, short: 's' }, t: { ...text, short: 't' }, force: { type: 'boolean' }, package: text },
    ...{ name: text, version: text, architecture: text, license: text, url: text, maintainer: text },
    ...{ vendor: text, category: text, description: text, 'after-install': text, 'after-remove': text },
    ...{ d: { ...text, short: 'd', multiple: true }, 'deb-recommends': { ...text, multiple: true } },
    ...{ 'deb-priority': text, 'deb-compression': text },
    ...{ 'rpm-os': text, 'rpm-compression': text, 'rpm-summary': text },
    'rpm-tag': { ...text, multiple: true },
  },
});
/** @param {Exclude<keyof typeof given, 'd' | 'deb-recommends' | 'rpm-tag' | 'force'>} name */
const the = (name) => given[name] ?? '';

/** An AppImage and an unpacked archive start with it; what is installed has an AppArmor profile instead. */
const NOT_INSTALLED = 'AppRun';

/** Debian's names of processors, and those of rpm. */
const RPM_ARCHES = /** @type {Record<string, string>} */ ({ amd64: 'x86_64', arm64: 'aarch64' });

const work = mkdtempSync(join(tmpdir(), 'spillway-system-package-'));
try {
  const root = join(work, 'root');
  for (const pair of positionals) {
    const at = pair.indexOf('=');
    const to = join(root, pair.slice(at + 1));
    mkdirSync(dirname(to), { recursive: true });
    cpSync(pair.slice(0, at), to, { recursive: true, verbatimSymlinks: true });
  }
  const files = settle(root, '');
  if (the('t') === 'deb') writeDeb(root, files);
  else writeRpm(root, files);
} catch (error) {
  fail(error);
} finally {
  rmSync(work, { recursive: true, force: true });
}

/**
 * Gives files and folders the modes that everybody's programs have, whatever the umask here. Returns the paths of the
 * files, from the root.
 * @param {string} root @param {string} folder @returns {string[]}
 */
function settle(root, folder) {
  chmodSync(join(root, folder), 0o755);
  return readdirSync(join(root, folder)).flatMap((name) => {
    const path = `${folder}/${name}`;
    const info = lstatSync(join(root, path));
    if (info.isDirectory()) return settle(root, path);
    if (name === NOT_INSTALLED) {
      rmSync(join(root, path));
      return [];
    }
    if (info.isFile()) chmodSync(join(root, path), info.mode & 0o100 ? 0o755 : 0o644);
    return [path];
  });
}

/** @param {string} root @param {string[]} files */
function writeDeb(root, files) {
  const control = join(root, 'DEBIAN');
  mkdirSync(control);
  const plain = files.filter((path) => lstatSync(join(root, path)).isFile());
  const bytes = plain.reduce((sum, path) => sum + lstatSync(join(root, path)).size, 0);
  const fields = {
    Package: the('name'),
    Version: the('version'),
    Architecture: the('architecture'),
    Maintainer: the('maintainer'),
    'Installed-Size': Math.ceil(bytes / 1024),
    Depends: (given.d ?? []).join(', '),
    Recommends: (given['deb-recommends'] ?? []).join(', '),
    Section: the('category'),
    Priority: the('deb-priority'),
    Homepage: the('url'),
    // The lines behind the first begin with a blank.
    Description: the('description').trim().replace(/\n\s*/g, '\n '),
  };
  const lines = Object.entries(fields).filter(([, value]) => value !== '');
  writeFileSync(join(control, 'control'), lines.map(([name, value]) => `${name}: ${value}\n`).join(''));
  const sum = (/** @type {string} */ path) =>
    createHash('md5')
      .update(readFileSync(join(root, path)))
      .digest('hex');
  writeFileSync(join(control, 'md5sums'), plain.map((path) => `${sum(path)}  ${path.slice(1)}\n`).join(''));
  writeScript(join(control, 'postinst'), '', the('after-install'));
  // It is also called while a newer version replaces this one.
  writeScript(
    join(control, 'postrm'),
    '[ "$1" = remove ] || [ "$1" = purge ] || exit 0\n',
    the('after-remove'),
  );
  run('dpkg-deb', '--root-owner-group', `-Z${the('deb-compression')}`, '--build', root, the('package'));
}

/** @param {string} path @param {string} before @param {string} from */
function writeScript(path, before, from) {
  writeFileSync(path, script(before, from));
  chmodSync(path, 0o755);
}

/** @param {string} before commands that run first @param {string} from path of a script for bash */
function script(before, from) {
  return `#!/bin/bash\n${before}${readFileSync(from, 'utf8').replace(/^#!.*\n/, '')}`;
}

/** @param {string} root @param {string[]} files */
function writeRpm(root, files) {
  const made = join(work, 'rpm');
  const spec = join(work, 'package.spec');
  const installed = files.filter((path) => !path.startsWith('/opt/'));
  const escaped = (/** @type {string} */ value) => value.replaceAll('%', '%%');
  const inSpec = (/** @type {string} */ before, /** @type {string} */ from) =>
    escaped(script(before, from).replace(/^#!.*\n/, ''));
  writeFileSync(
    spec,
    [
      // Files are packed as they are: no stripping, no links by build id.
      ...['%global __os_install_post %{nil}', '%global _build_id_links none', '%global debug_package %{nil}'],
      `%global _binary_payload w6${the('rpm-compression') === 'xzmt' ? 'T' : ''}.xzdio`,
      ...[`Name: ${the('name')}`, `Version: ${the('version').replaceAll('-', '~')}`, 'Release: 1'],
      ...[`Summary: ${escaped(the('rpm-summary'))}`, `License: ${the('license')}`, `URL: ${the('url')}`],
      ...[`Vendor: ${the('vendor')}`, `Packager: ${the('maintainer')}`, `Group: ${the('category')}`],
      ...['AutoReqProv: no', ...(given['rpm-tag'] ?? [])],
      ...(given.d ?? []).map((name) => `Requires: ${name}`),
      ...['%description', escaped(the('description'))],
      ...['%install', `cp -a '${root}/.' '%{buildroot}'`],
      ...['%post -p /bin/bash', inSpec('', the('after-install'))],
      // It is also called once a newer version has replaced this one.
      ...['%postun -p /bin/bash', inSpec('[ "$1" = 0 ] || exit 0\n', the('after-remove'))],
      ...['%files', '%defattr(-,root,root,-)'],
      ...['/opt/*', ...installed.map((path) => `"${escaped(path)}"`)],
      '',
    ].join('\n'),
  );
  const defined = ['--define', `_topdir ${made}`, '--define', `_rpmdir ${made}`];
  const arch = RPM_ARCHES[the('architecture')] ?? the('architecture');
  run('rpmbuild', '-bb', '--quiet', ...defined, '--target', `${arch}-${the('rpm-os')}`, spec);
  const [built = ''] = readdirSync(made, { recursive: true })
    .map(String)
    .filter((name) => name.endsWith('.rpm'));
  cpSync(join(made, built), `${the('package')}.next`);
  renameSync(`${the('package')}.next`, the('package'));
}

/** @param {string} command @param {string[]} args */
function run(command, ...args) {
  const { status, error, stderr } = spawnSync(command, args, { encoding: 'utf8' });
  if (error)
    throw new Problem(
      `${command} does not start (${error.message})`,
      'install dpkg to make a deb, rpm (on Fedora rpm-build) to make an rpm',
    );
  if (status !== 0) throw new Problem(`${command} failed with ${status}`, stderr);
}

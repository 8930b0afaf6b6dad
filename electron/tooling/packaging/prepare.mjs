/**
 * Makes, in dist/.package, what a package holds beyond the build (electron-builder's beforePack hook): the
 * pseudo-terminal of the system that is packed for, the man page, the completions, the metainfo and the licences.
 */
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { inDist, root } from '../building/targets.mjs';
import { explain } from '../machine/packages.mjs';
import { Problem } from '../machine/progress.mjs';

const PTY = '@lydell/node-pty';
/** Where deb and rpm put the app. */
const INSTALLED = '/opt/Spillway/resources/bin/spillway';
/** electron-builder's numbers. */
const ARCHES = /** @type {Record<number, string>} */ ({ 1: 'x64', 3: 'arm64' });
const SYSTEMS = /** @type {Record<string, string>} */ ({ darwin: 'mac', linux: 'linux', win32: 'win' });

/** @param {string[]} parts */
const made = (...parts) => inDist('.package', ...parts);
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** @param {import('electron-builder').AfterPackContext} context */
export default function prepare({ electronPlatformName: platform, arch }) {
  const name = ARCHES[arch];
  if (!name) throw new Problem(`Spillway is not packed for ${arch}`, 'name x64 or arm64');
  const folder = made(`${SYSTEMS[platform]}-${name}`);
  rmSync(folder, { recursive: true, force: true });
  placePty(platform, name, join(folder, 'pty'));
  placeCommand(join(folder, 'command'), join(folder, 'pty'));
  writeShared();
  const notices = ['node', 'renderer'].map((target) =>
    readFileSync(inDist(target, 'THIRD-PARTY.txt'), 'utf8'),
  );
  writeFileSync(made('THIRD-PARTY.txt'), notices.join(`\n${'-'.repeat(80)}\n\n`));
}

/** Windows' pseudo-terminal brings 10 MB for debuggers. */
const WITHOUT_SYMBOLS = { recursive: true, filter: (/** @type {string} */ path) => !path.endsWith('.pdb') };

/**
 * Puts the pseudo-terminal of one system there, and of no other.
 * @param {string} platform @param {string} arch @param {string} folder
 */
function placePty(platform, arch, folder) {
  const native = `${PTY}-${platform}-${arch}`;
  cpSync(join(root, 'node_modules', PTY), join(folder, PTY), { recursive: true });
  const here = join(root, 'node_modules', native);
  if (existsSync(here)) cpSync(here, join(folder, native), WITHOUT_SYMBOLS);
  else fetchPackage(`${native}@${manifest.dependencies[PTY]}`, join(folder, native));
}

/** The command line's own copy of the build, without the window. @param {string} folder @param {string} pty */
function placeCommand(folder, pty) {
  const left = /\.(?:map|cache)$|[\\/]node[\\/](?:main\.cjs|node_modules)$/;
  for (const target of ['node', 'renderer'])
    cpSync(inDist(target), join(folder, 'dist', target), {
      recursive: true,
      filter: (path) => !left.test(path),
    });
  cpSync(pty, join(folder, 'dist', 'node', 'node_modules'), { recursive: true });
  cpSync(join(root, 'package.json'), join(folder, 'package.json'));
}

/** Fetches a package of another system, which npm does not install here. @param {string} spec @param {string} folder */
function fetchPackage(spec, folder) {
  const work = mkdtempSync(join(tmpdir(), 'spillway-package-'));
  try {
    const npm = spawnSync('npm', ['pack', '--silent', '--pack-destination', work, spec], {
      cwd: work,
      encoding: 'utf8',
      shell: process.platform === 'win32',
    });
    if (npm.status !== 0) throw explain(npm.stderr ?? '');
    const tar = spawnSync('tar', ['-xzf', npm.stdout.trim()], { cwd: work, encoding: 'utf8' });
    if (tar.status !== 0) throw new Problem(`${spec} could not be unpacked`, tar.stderr ?? 'install tar');
    mkdirSync(dirname(folder), { recursive: true });
    cpSync(join(work, 'package'), folder, WITHOUT_SYMBOLS);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** The files for /usr on Linux. In tar.gz and AppImage, those of /usr/share are in resources/share. */
function writeShared() {
  const next = made('usr.next');
  rmSync(next, { recursive: true, force: true });
  const write = (/** @type {string} */ path, /** @type {string | Buffer} */ text) => {
    mkdirSync(dirname(join(next, 'share', path)), { recursive: true });
    writeFileSync(join(next, 'share', path), text);
  };
  write('man/man1/spillway.1.gz', gzipSync(manPage(), { level: 9 }));
  write('bash-completion/completions/spillway', cli('completion', 'bash'));
  write('zsh/site-functions/_spillway', cli('completion', 'zsh'));
  write('fish/vendor_completions.d/spillway.fish', cli('completion', 'fish'));
  write('metainfo/io.github.spillway.inspector.metainfo.xml', metainfo());
  write('doc/spillway/copyright', readFileSync(join(root, 'LICENSE')));
  mkdirSync(join(next, 'bin'));
  symlinkSync(INSTALLED, join(next, 'bin', 'spillway'));
  rmSync(made('usr'), { recursive: true, force: true });
  renameSync(next, made('usr'));
}

/** @param {string[]} args */
function cli(...args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [inDist('node', 'cli.js'), ...args], {
    encoding: 'utf8',
    env: { ...process.env, COLUMNS: '78' },
  });
  if (status !== 0) throw new Problem(`spillway ${args.join(' ')} failed`, stderr);
  return stdout;
}

/** The help of the program and of each command, as it is printed. */
function manPage() {
  const help = cli('--help');
  const commands = [...help.matchAll(/^ {2}([a-z]+)(?: \[options\])?(?: [<[].*?)? {2,}/gm)].map(
    ([, name = '']) => name,
  );
  const verbatim = (/** @type {string} */ text) =>
    `.nf\n${text
      .trimEnd()
      .replace(/\\/g, '\\e')
      .replace(/^([.'])/gm, '\\&$1')
      .replace(/-/g, '\\-')}\n.fi\n`;
  const sections = commands
    .filter((name) => name !== 'help')
    .map((name) => `.SS ${name}\n${verbatim(cli(name, '--help'))}`);
  return [
    `.TH SPILLWAY 1 "" "Spillway ${manifest.version}" "User Commands"`,
    '.SH NAME',
    'spillway \\- record the output of commands, and read the part that matters',
    '.SH DESCRIPTION',
    verbatim(help),
    '.SH COMMANDS',
    ...sections,
    '.SH SEE ALSO',
    manifest.homepage,
    '',
  ].join('\n');
}

/** Returns the description that software centres show (freedesktop.org's AppStream). */
function metainfo() {
  const releases = releaseOf(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), manifest.version);
  return `<?xml version="1.0" encoding="UTF-8"?>
<component type="desktop-application">
  <id>io.github.spillway.inspector</id>
  <name>Spillway</name>
  <summary>Inspector for captured command output</summary>
  <developer id="io.github.spillway"><name>The Spillway authors</name></developer>
  <metadata_license>MIT</metadata_license>
  <project_license>MIT</project_license>
  <description>
    <p>Spillway keeps the whole output of commands and of coding agents’ tools, finds the line that explains a failure,
    and compares a run with those that passed. It reads log files of any size.</p>
  </description>
  <launchable type="desktop-id">${manifest.desktopName}</launchable>
  <icon type="stock">spillway-desktop</icon>
  <url type="homepage">${manifest.homepage}</url>
  <url type="bugtracker">${manifest.bugs}</url>
  <categories><category>Development</category></categories>
  <provides><binary>spillway</binary><binary>spillway-desktop</binary></provides>
  <content_rating type="oars-1.1" />${releases}
</component>
`;
}

/** @param {string} changelog @param {string} version */
function releaseOf(changelog, version) {
  const [, date] =
    new RegExp(`^## ${version.replaceAll('.', '\\.')} \\((\\d{4}-\\d\\d-\\d\\d)\\)`, 'm').exec(changelog) ??
    [];
  return date ? `\n  <releases><release version="${version}" date="${date}" /></releases>` : '';
}

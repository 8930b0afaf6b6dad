/**
 * Builds the packages around a stand-in for Electron's runtime, with the system's dpkg-deb, rpmbuild and mksquashfs. Unpacks
 * and checks them. `npm test -- packages`.
 */
import { type ExecFileSyncOptions, execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { gunzipSync } from 'node:zlib';
import { extractAll, extractFile, listPackage } from '@electron/asar';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeFolder, removeFolder } from '../fixtures/folder.ts';
import { freshCopy, plainEnvironment, project } from '../integration/tooling/fresh-copy.ts';
import { FUSES, macRuntime, winRuntime } from './runtimes.ts';

const RUNTIME = 'a static runtime';
/** The system's commands that electron-builder needs, by kind of package. */
const NEEDS: Record<string, string[]> = {
  AppImage: ['mksquashfs', 'unsquashfs'],
  deb: ['dpkg-deb'],
  rpm: ['rpmbuild', 'rpm2cpio', 'cpio'],
  exe: ['makensis'],
};
const missing = (kind: string) =>
  (NEEDS[kind] ?? []).filter((name) => spawnSync('which', [name]).status !== 0).join(', ');
const KINDS = ['AppImage', 'deb', 'rpm', 'tar.gz'];
const BUILT = KINDS.filter((kind) => missing(kind) === '');
for (const kind of KINDS)
  if (!BUILT.includes(kind))
    console.error(
      `SKIPPED, NO ${kind} IS MADE: there is no ${missing(kind)} (apt-get install rpm cpio squashfs-tools)`,
    );

/** Resolves with the first address that a program prints. */
const firstAddress = ({ stdout }: { stdout: Readable }) =>
  new Promise<string>((resolve) => {
    let printed = '';
    stdout.on('data', (chunk) => {
      printed += chunk;
      const [, url] = /(http:\S+)\n/.exec(printed) ?? [];
      if (url) resolve(url);
    });
  });

describe.skipIf(process.platform !== 'linux')('the packages of Linux', () => {
  let folder: string;
  let app: string;
  const env = (more: NodeJS.ProcessEnv = {}) =>
    plainEnvironment({ SPILLWAY_HOME: join(folder, 'home'), SPILLWAY_FIND_AGENTS: '0', ...more });
  const inFolder = (...parts: string[]) => join(folder, ...parts);
  /** A program for sh. */
  const tool = (path: string, ...lines: string[]) => {
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, ['#!/bin/sh', ...lines, ''].join('\n'));
    chmodSync(path, 0o755);
    return path;
  };
  const pack = (output: string, runtime: string, ...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['electron/tooling/package.mjs', ...args, `--config.directories.output=${inFolder(output)}`],
      {
        cwd: project,
        env: env({
          SPILLWAY_ELECTRON_DIST: runtime,
          APPIMAGE_TOOLS_PATH: inFolder('appimage-tools'),
          ELECTRON_BUILDER_7ZIP_PATH: inFolder('7za'),
        }),
        encoding: 'utf8',
      },
    );
    if (status !== 0) throw new Error(`${stdout}${stderr}`);
  };
  const run = (command: string, args: string[], options: ExecFileSyncOptions = {}) =>
    execFileSync(command, args, { ...options, encoding: 'utf8' });
  /** Path of the one package of a kind. */
  const packed = (kind: string) =>
    inFolder('packed', readdirSync(inFolder('packed')).find((name) => name.endsWith(`.${kind}`)) ?? '');
  /** Unpacks a package, and returns the folder that has the app. */
  const unpack = (kind: string): string => {
    const to = inFolder(`as ${kind}`);
    mkdirSync(to);
    if (kind === 'deb') run('dpkg-deb', ['-x', packed(kind), to]);
    if (kind === 'rpm') run('sh', ['-c', `rpm2cpio '${packed(kind)}' | cpio -idm --quiet`], { cwd: to });
    if (kind === 'tar.gz') run('tar', ['-xzf', packed(kind), '-C', to, '--strip-components=1']);
    if (kind === 'AppImage')
      run('unsquashfs', ['-q', '-n', '-f', '-o', String(RUNTIME.length), '-d', to, packed(kind)]);
    return NEEDS[kind]?.some((name) => /deb|rpm/.test(name)) ? join(to, 'opt', 'Spillway') : to;
  };
  const unpacked: Record<string, string> = {};

  beforeAll(() => {
    folder = makeFolder();
    const runtime = inFolder('runtime');
    for (const name of ['resources', 'locales']) mkdirSync(join(runtime, name), { recursive: true });
    writeFileSync(join(runtime, 'version'), 'v45.4.1');
    tool(join(runtime, 'electron'), 'echo "started: $*"', 'exit 0', `${FUSES}111111111`);
    for (const arch of ['x64', 'arm64']) {
      mkdirSync(inFolder('appimage-tools', 'lib', arch), { recursive: true });
      mkdirSync(inFolder('appimage-tools', 'runtimes'), { recursive: true });
      writeFileSync(inFolder('appimage-tools', 'runtimes', `runtime-${arch}`), RUNTIME);
    }
    if (BUILT.includes('AppImage'))
      symlinkSync(run('which', ['mksquashfs']).trim(), inFolder('appimage-tools', 'mksquashfs'));
    tool(inFolder('appimage-tools', 'desktop-file-validate'), 'exit 0');
    tool(inFolder('7za'), 'for word; do out=$in; in=$word; done', 'gzip -c "$in" >"$out"');
    pack('packed', runtime, '--linux', ...BUILT, '--x64');
    app = inFolder('packed', 'linux-unpacked');
    for (const kind of BUILT) unpacked[kind] = unpack(kind);
  }, 600_000);
  afterAll(() => removeFolder(folder));

  it('holds dist and package.json, and nothing else', () => {
    const files = listPackage(join(app, 'resources', 'app.asar'), { isPack: false });
    const top = new Set(files.map((path) => path.split('/')[1]));
    expect([...top].sort()).toEqual(['dist', 'package.json']);
    const inDist = new Set(
      files.filter((path) => path.startsWith('/dist/')).map((path) => path.split('/')[2]),
    );
    expect([...inDist].sort()).toEqual(['node', 'preload', 'renderer']);
    expect(files.filter((path) => path.endsWith('.map'))).toEqual([]);
  });

  it('is small: everything that is needed is bundled, nothing that is not', () => {
    const bytes = readdirSync(join(app, 'resources'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .reduce((sum, entry) => sum + readFileSync(join(entry.parentPath, entry.name)).length, 0);
    // The app and the command have a copy each.
    expect(bytes).toBeLessThan(14 * 1024 * 1024);
  });

  it('has our licence beside those of the runtime', () => {
    expect(readFileSync(join(app, 'LICENSE.spillway.txt'), 'utf8')).toContain('The Spillway authors');
  });

  it('starts the window’s entry point', () => {
    const opened = join(folder, 'opened');
    extractAll(join(app, 'resources', 'app.asar'), opened);
    const { main, version } = JSON.parse(readFileSync(join(opened, 'package.json'), 'utf8'));
    expect(version).toBe(JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')).version);
    expect(readFileSync(join(opened, main), 'utf8')).toContain('requestSingleInstanceLock');
    expect(readFileSync(join(opened, 'dist/preload/preload.cjs'), 'utf8')).toContain('require("electron")');
  });

  it('has a page that a strict content security policy lets run', () => {
    const page = readFileSync(join(app, 'resources/command/dist/renderer/index.html'), 'utf8');
    for (const [, attributes, body] of page.matchAll(/<script([^>]*)>([\s\S]*?)<\/script>/g)) {
      expect([attributes, body]).toEqual([expect.stringMatching(/ src="\.\//), '']);
    }
    expect(page).toContain('<script');
    expect(page).not.toMatch(/<style| style=| on\w+=|data:|https?:/);
  });

  it('asks at run time for nothing but Node’s own modules and Electron', () => {
    const folder = join(app, 'resources/command/dist/node');
    const asked = readdirSync(folder)
      .filter((name) => /\.c?js$/.test(name))
      .flatMap((name) => [
        ...readFileSync(join(folder, name), 'utf8').matchAll(/(?:(?<![\w`'"])require\(|\bfrom ?)"([^"]+)"/g),
      ])
      .map(([, specifier]) => specifier ?? '');
    expect(asked.length).toBeGreaterThan(20);
    const foreign = asked.filter((name) => !name.startsWith('./') && !isBuiltin(name) && name !== 'electron');
    // ws does without these two native parts.
    expect(new Set(foreign)).toEqual(new Set(['bufferutil', 'utf-8-validate']));
  });

  it('runs nothing that lies outside the archive but the pseudo-terminal', () => {
    const unpacked = join(app, 'resources', 'app.asar.unpacked');
    const outside = readdirSync(unpacked, { recursive: true }).map(String);
    expect(outside.filter((path) => !path.startsWith('dist/node/node_modules/@lydell'))).toEqual([
      'dist',
      'dist/node',
      'dist/node/node_modules',
    ]);
    const main = extractFile(join(app, 'resources', 'app.asar'), 'dist/node/main.cjs').toString();
    expect(main).not.toContain('app.asar.unpacked');
  });

  it('has the fuses off that let other code run as this application', () => {
    const binary = readFileSync(join(app, 'spillway-desktop'), 'latin1');
    // runAsNode, cookieEncryption, nodeOptions, nodeCliInspect, asarIntegrity, onlyAsar, snapshot, fileProtocol, wasm
    expect(binary.slice(binary.indexOf(FUSES) + FUSES.length).slice(0, 9)).toBe('000011001');
  });

  it('lets AppArmor give the app the namespaces that its sandbox needs', () => {
    const profile = readFileSync(join(app, 'resources', 'apparmor-profile'), 'utf8');
    expect(profile).toContain('profile "spillway-desktop" "/opt/Spillway/spillway-desktop"');
    expect(profile).toContain('userns,');
  });

  it('has a man page with every command, completions that run, and metainfo that names the entry', () => {
    const share = join(app, 'resources', 'share');
    const man = gunzipSync(readFileSync(join(share, 'man/man1/spillway.1.gz'))).toString();
    for (const name of ['run', 'inspect', 'mcp', 'terminal', 'connect', 'doctor'])
      expect(man).toContain(`.SS ${name}\n`);
    execFileSync('bash', ['-n', join(share, 'bash-completion/completions/spillway')]);
    const metainfo = readFileSync(join(share, 'metainfo/io.github.spillway.inspector.metainfo.xml'), 'utf8');
    expect(metainfo).toContain('<launchable type="desktop-id">spillway-desktop.desktop</launchable>');
  });

  it('has the licences of what is bundled', () => {
    expect(readFileSync(join(app, 'THIRD-PARTY.spillway.txt'), 'utf8')).toMatch(/^react \d/m);
  });

  describe.each(BUILT)('as %s', (kind) => {
    const inApp = (...parts: string[]) => join(unpacked[kind] ?? '', ...parts);
    const isInstalled = kind === 'deb' || kind === 'rpm';
    const usr = (...parts: string[]) => inApp('../../usr', ...parts);

    it('holds the app as it was packed', () => {
      const added =
        /^(?:AppRun|usr|\.DirIcon|spillway-desktop\.(?:desktop|png)|locales|resources\/apparmor-profile)/;
      const built = (path: string) =>
        readdirSync(path, { recursive: true })
          .map(String)
          .filter((name) => !added.test(name))
          .sort();
      expect(built(inApp())).toEqual(built(app));
      for (const name of ['resources/app.asar', 'spillway-desktop'])
        expect(readFileSync(inApp(name)).equals(readFileSync(join(app, name)))).toBe(true);
      expect(lstatSync(packed(kind)).size).toBeLessThan(8 * 1024 * 1024);
    });

    it('has a desktop entry with links and types, whose name is the window’s', () => {
      if (kind === 'tar.gz') return;
      const path = isInstalled
        ? usr('share/applications/spillway-desktop.desktop')
        : inApp('spillway-desktop.desktop');
      const entry = readFileSync(path, 'utf8');
      const program = isInstalled ? '/opt/Spillway/spillway-desktop' : 'AppRun';
      expect(entry).toMatch(new RegExp(`^Exec=${program} %U$`, 'm'));
      expect(entry).toMatch(/^StartupWMClass=spillway-desktop$/m);
      expect(entry).toMatch(/^Icon=spillway-desktop$/m);
      const types = /^MimeType=(.*);$/m.exec(entry)?.[1]?.split(';') ?? [];
      expect(types).toContain('text/x-log');
      expect(types.filter((type) => type === 'x-scheme-handler/spillway')).toHaveLength(1);
      if (spawnSync('which', ['desktop-file-validate']).status === 0)
        expect(run('desktop-file-validate', [path])).toBe('');
      const icons = isInstalled ? usr('share/icons/hicolor') : inApp('usr/share/icons/hicolor');
      for (const size of [16, 24, 32, 48, 64, 128, 256, 512, 1024]) {
        const icon = readFileSync(join(icons, `${size}x${size}`, 'apps', 'spillway-desktop.png'));
        expect([icon.readUInt32BE(16), icon.readUInt32BE(20)]).toEqual([size, size]);
      }
    });

    it('never turns the sandbox off', () => {
      const scripts =
        kind === 'deb'
          ? ['postinst', 'postrm'].map((name) => run('dpkg-deb', ['--info', packed(kind), name])).join('\n')
          : kind === 'rpm'
            ? run('rpm', ['-qp', '--scripts', packed(kind)])
            : readFileSync(inApp('AppRun'), 'utf8').replace(/^for word; do\n.*\n.*--no-sandbox.*\ndone/m, '');
      expect(scripts).not.toContain('no-sandbox');
      // It would be a way around the AppArmor profile.
      if (isInstalled) expect(existsSync(inApp('AppRun'))).toBe(false);
    });

    it('has a command that runs, records, captures, connects and serves', { timeout: 120_000 }, async () => {
      const home = inFolder(`home of ${kind}`);
      const cli = (args: string[], input = '') =>
        spawnSync(inApp('resources/bin/spillway'), args, {
          ...{ cwd: folder, input, encoding: 'utf8', env: env({ SPILLWAY_HOME: home }) },
        });
      expect(cli(['run', '--', 'echo', 'hello'])).toMatchObject({ status: 0, stdout: 'hello\n' });
      expect(cli(['inspect', 'last']).stdout).toBe('hello\n');
      expect(cli(['capture', '--tee'], 'piped\n')).toMatchObject({ status: 0, stdout: 'piped\n' });
      expect(cli(['terminal', '--', 'sh', '-c', 'tty -s && echo on a terminal']).stdout).toBe(
        'on a terminal\r\n',
      );
      expect(cli(['connect', 'claude-code', '--print']).status).toBe(0);
      const hello = {
        protocolVersion: '2025-06-18',
        capabilities: {},
        clientInfo: { name: 'test', version: '1' },
      };
      const asked = { jsonrpc: '2.0', id: 1, method: 'initialize', params: hello };
      expect(cli(['mcp'], `${JSON.stringify(asked)}\n`).stdout).toContain('"serverInfo"');
      const served = spawn(inApp('resources/bin/spillway'), ['serve', '--port', '0'], {
        env: env({ SPILLWAY_HOME: home }),
      });
      const url = await firstAddress(served);
      expect((await fetch(url)).status).toBe(200);
      served.kill('SIGTERM');
      expect(await new Promise((resolve) => served.on('close', resolve))).toBe(0);
    });
  });

  describe.each(BUILT.filter((kind) => kind === 'deb' || kind === 'rpm'))('%s', (kind) => {
    const inRoot = (...parts: string[]) => join(unpacked[kind] ?? '', '../..', ...parts);

    it('has an owner, what it needs, and root’s files with everybody’s modes', () => {
      const told =
        kind === 'deb'
          ? run('dpkg-deb', ['--info', packed(kind)]) + run('dpkg-deb', ['--contents', packed(kind)])
          : run('rpm', ['-qp', '--info', '--requires', '--recommends', '-lv', packed(kind)]);
      for (const text of [
        ...[
          'The Spillway authors <spillway@users.noreply.github.com>',
          'https://github.com/spillway/inspector',
        ],
        ...['Inspector for captured command output', 'nodejs', 'libnotify', 'xdg-utils'],
        kind === 'deb' ? 'Architecture: amd64' : 'Architecture: x86_64',
      ])
        expect(told).toContain(text);
      const modes = [...told.matchAll(/^ *([-dl][-rwxsSt]{9}) .*?(?:\.\/|\/)(\S*)/gm)];
      expect(modes.length).toBeGreaterThan(100);
      expect(modes.filter(([line]) => !/root.{1,5}root/.test(line))).toEqual([]);
      expect([...new Set(modes.map(([, mode]) => mode))].sort()).toEqual([
        ...['-rw-r--r--', '-rwxr-xr-x', ...(kind === 'deb' ? ['drwxr-xr-x'] : ['drwxr-xr-x']), 'lrwxrwxrwx'],
      ]);
    });

    it('has the command on the PATH, a man page, completions, metainfo and the licence', () => {
      expect(readlinkSync(inRoot('usr/bin/spillway'))).toBe('/opt/Spillway/resources/bin/spillway');
      for (const path of [
        ...['man/man1/spillway.1.gz', 'bash-completion/completions/spillway', 'zsh/site-functions/_spillway'],
        ...['fish/vendor_completions.d/spillway.fish', 'doc/spillway/copyright'],
        'metainfo/io.github.spillway.inspector.metainfo.xml',
      ])
        expect(lstatSync(inRoot('usr/share', path)).size).toBeGreaterThan(200);
    });

    it('leaves everything as it is while a newer version replaces it', () => {
      const text =
        kind === 'deb'
          ? run('dpkg-deb', ['--info', packed(kind), 'postrm'])
          : run('rpm', ['-qp', '--qf', '%{POSTUN}', packed(kind)]);
      const script = tool(
        inFolder(`removing ${kind}`),
        text.replace(/^#!.*/, '').replace(/^if type[\s\S]*/m, 'echo removed'),
      );
      const removes = (argument: string) => run('bash', [script, argument]);
      expect(kind === 'deb' ? removes('upgrade') : removes('1')).toBe('');
      expect(kind === 'deb' ? removes('remove') : removes('0')).toBe('removed\n');
    });
  });

  describe.each(BUILT.filter((kind) => kind === 'AppImage' || kind === 'tar.gz'))(
    'the start script of %s',
    (kind) => {
      const tools = () => inFolder(`tools of ${kind}`);
      /** Starts it for a user, where `unshare` ends so. */
      const start = (unshare: number, user: number, ...words: string[]) => {
        tool(join(tools(), 'unshare'), `exit ${unshare}`);
        tool(join(tools(), 'id'), `echo ${user}`);
        const home = inFolder(`home that ${kind} serves`);
        const given = { SPILLWAY_HOME: home, ARGV0: 'x', PATH: `${tools()}:${process.env.PATH}` };
        return [join(unpacked[kind] ?? '', 'AppRun'), words, { cwd: folder, env: env(given) }] as const;
      };
      const result = (...given: Parameters<typeof start>) => {
        const [program, words, options] = start(...given);
        return spawnSync(program, words, { ...options, encoding: 'utf8' });
      };

      it('starts the app where users have namespaces, with all it was given', () => {
        expect(result(0, 1000, '--lang=de', 'file:///a%20b').stdout).toBe(
          'started: --lang=de file:///a%20b\n',
        );
      });

      it.each([
        ['has no namespaces', 1, 1000, 'this system allows no sandbox'],
        ['is root', 0, 0, 'the window has no sandbox as root'],
      ])('opens the browser interface where the user %s, and says why', async (_who, unshare, user, why) => {
        const started = spawn(...start(unshare, user, '--lang=de'));
        let said = '';
        started.stderr.on('data', (chunk) => {
          said += chunk;
        });
        expect(await firstAddress(started)).toMatch(/^http/);
        started.kill('SIGTERM');
        await new Promise((resolve) => started.on('close', resolve));
        expect(said).toContain(`spillway: ${why}`);
      });

      it('says what it needs where there is neither a sandbox nor Node.js', () => {
        tool(join(tools(), 'node'), 'exit 127');
        const { status, stderr } = result(1, 1000);
        rmSync(join(tools(), 'node'));
        expect(stderr).toContain('the browser interface needs Node.js 20.19 or newer');
        expect(status).toBe(2);
      });

      it('starts the app without a sandbox for those who ask for that alone', () => {
        expect(result(1, 1000, '--no-sandbox').stdout).toBe('started: --no-sandbox\n');
      });
    },
  );

  it('are released with sums, a bill of materials, their changes and the newest version', {
    timeout: 600_000,
  }, () => {
    const clone = freshCopy({ linked: true });
    const inRelease = (name: string) => readFileSync(join(clone, 'release', name), 'utf8');
    cpSync(join(project, 'dist'), join(clone, 'dist'), { recursive: true });
    const changes = join(clone, 'CHANGELOG.md');
    const { version } = JSON.parse(readFileSync(join(clone, 'package.json'), 'utf8'));
    const dated = `## ${version} (2026-12-01)`;
    writeFileSync(changes, readFileSync(changes, 'utf8').replace(/^## .*/m, dated));
    const git = (...args: string[]) =>
      run('git', ['-c', 'user.name=test', '-c', 'user.email=test@example.org', ...args], { cwd: clone });
    git('init', '-q');
    git('add', '-A');
    git('commit', '-qm', 'Date the changes');
    run(process.execPath, ['electron/tooling/packaging/release.mjs', '--linux', 'tar.gz', '--x64'], {
      cwd: clone,
      env: env({
        SPILLWAY_ELECTRON_DIST: inFolder('runtime'),
        ELECTRON_BUILDER_7ZIP_PATH: inFolder('7za'),
      }),
      stdio: 'pipe',
    });
    run('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: join(clone, 'release') });
    const summed = inRelease('SHA256SUMS').trim().split('\n');
    expect(summed.map((line) => line.split('  ')[1])).toEqual([
      ...['sbom.cdx.json', `spillway-${version}-linux-x64.tar.gz`, `spillway-${version}.tgz`],
      ...['spillway.mcpb', 'spillway.vsix'],
    ]);
    expect(JSON.parse(inRelease('latest.json'))).toEqual({ version, date: '2026-12-01' });
    expect(inRelease('CHANGES.txt')).toMatch(/^### .*\n\n- /);
    const { components } = JSON.parse(inRelease('sbom.cdx.json')) as { components: { name: string }[] };
    expect(components.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['@lydell/node-pty', 'electron', 'react', 'zod']),
    );
    removeFolder(clone);
  });

  const hasMakensis = missing('exe') === '';
  it.skipIf(!hasMakensis)('has steps of our own in the installer for Windows that compile', () => {
    const script = inFolder('installer.nsi');
    writeFileSync(
      script,
      [
        ...['Name x', `OutFile ${inFolder('installer.exe')}`, 'InstallDir $TEMP'],
        `!include ${join(project, 'electron/tooling/packaging/installer.nsh')}`,
        '!define APP_EXECUTABLE_FILENAME Spillway.exe',
        ...['Section', '!insertmacro customInstall', 'WriteUninstaller $INSTDIR\\u.exe', 'SectionEnd'],
        ...['Section Uninstall', '!insertmacro customUnInstall', 'SectionEnd', ''],
      ].join('\n'),
    );
    const made = run('makensis', ['-V4', '-WX', script]);
    const key = 'Software\\Classes\\Applications\\Spillway.exe';
    expect(made).toContain(`WriteRegStr: SHELL_CONTEXT\\${key}\\SupportedTypes\\.log=`);
    expect(made).toContain(`DeleteRegKey: SHELL_CONTEXT\\${key}\n`);
  });

  it('has the static runtime before the AppImage’s files', () => {
    if (BUILT.includes('AppImage'))
      expect(readFileSync(packed('AppImage'), 'latin1').slice(0, RUNTIME.length)).toBe(RUNTIME);
  });

  describe.each([
    ['win', 'win32', 'x64', winRuntime, 'win-unpacked/Spillway.exe', 'win-unpacked/resources'],
    [
      ...(['mac', 'darwin', 'arm64', macRuntime] as const),
      'mac-arm64/Spillway.app/Contents/Frameworks/Electron Framework.framework/Electron Framework',
      'mac-arm64/Spillway.app/Contents/Resources',
    ],
  ] as const)('the folder that %s’s packages hold', (name, platform, arch, runtime, fused, resources) => {
    const files = () => readdirSync(inFolder(name, resources), { recursive: true }).map(String);
    beforeAll(async () => {
      await runtime(inFolder(`${name}-runtime`));
      pack(name, inFolder(`${name}-runtime`), `--${name}`, '--dir', `--${arch}`);
    }, 600_000);

    it('has its own pseudo-terminal, in the app and in the command', () => {
      for (const place of ['app.asar.unpacked', 'command'])
        expect(
          readdirSync(inFolder(name, resources, place, 'dist/node/node_modules/@lydell')).sort(),
        ).toEqual(['node-pty', `node-pty-${platform}-${arch}`]);
      expect(files().filter((path) => /node-pty-linux|\.pdb$|AppRun/.test(path))).toEqual([]);
      expect(files().some((path) => path.endsWith('.node'))).toBe(true);
    });

    it('has all fuses, and the archive’s hash where the runtime looks for it', () => {
      const binary = readFileSync(inFolder(name, fused), 'latin1');
      expect(binary.slice(binary.indexOf(FUSES) + FUSES.length).slice(0, 9)).toBe('000011001');
      const told = name === 'mac' ? readFileSync(inFolder(name, resources, '../Info.plist'), 'utf8') : binary;
      expect(told).toMatch(name === 'mac' ? /<key>Resources\/app\.asar<\/key>/ : /resources\\\\app\.asar/);
      if (name === 'mac')
        expect(told).toMatch(/<key>CFBundleURLSchemes<\/key>\s*<array>\s*<string>spillway</);
    });

    it('has the command, and is small', () => {
      expect(files()).toContain(join('bin', name === 'win' ? 'spillway.cmd' : 'spillway'));
      expect(files()).toContain(join('command', 'dist', 'node', 'cli.js'));
      const bytes = files()
        .map((path) => lstatSync(inFolder(name, resources, path)))
        .filter((info) => info.isFile())
        .reduce((sum, { size }) => sum + size, 0);
      expect(bytes).toBeLessThan(16 * 1024 * 1024);
    });
  });

  describe('its command line', () => {
    const cli = (args: string[], path = process.env.PATH) =>
      spawnSync(join(app, 'resources', 'bin', 'spillway'), args, {
        cwd: folder,
        env: { ...env(), PATH: path },
        encoding: 'utf8',
      });

    it('runs without any package installed', () => {
      const { version } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'));
      expect(cli(['--version'])).toMatchObject({ status: 0, stdout: `${version}\n` });
      writeFileSync(join(folder, 'some.log'), 'one\ntwo\n');
      expect(cli(['inspect', 'some.log', '--mode', 'tail', '--lines', '1'])).toMatchObject({
        status: 0,
        stdout: 'two\n',
      });
      // Reads the whole file, in the workers.
      expect(cli(['inspect', 'some.log', '--mode', 'summary', '--json']).stdout).toContain('"total_lines":2');
    });

    it('runs through a link', () => {
      const link = join(folder, 'linked');
      execFileSync('ln', ['-s', join(app, 'resources', 'bin', 'spillway'), link]);
      expect(spawnSync(link, ['--version'], { env: env() }).status).toBe(0);
    });

    it('says what it needs where there is no Node.js', () => {
      const tools = join(folder, 'tools');
      mkdirSync(tools);
      for (const tool of ['dirname', 'readlink']) {
        execFileSync('ln', [
          '-s',
          execFileSync('which', [tool], { encoding: 'utf8' }).trim(),
          join(tools, tool),
        ]);
      }
      expect(cli(['--version'], tools)).toMatchObject({
        status: 2,
        stdout: '',
        stderr:
          'spillway: the command line needs Node.js 20.19 or newer: install it, or put it first on the PATH\n',
      });
    });
  });
});

describe.skipIf(process.platform === 'win32')('the npm package', () => {
  const folder = makeFolder();
  afterAll(() => removeFolder(folder));
  const output = (command: string, ...args: string[]) =>
    execFileSync(command, args, {
      cwd: project,
      env: plainEnvironment({ SPILLWAY_HOME: join(folder, 'home'), SPILLWAY_FIND_AGENTS: '0' }),
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });

  it('is the command line and its page alone, and works where it is installed for all', {
    timeout: 240_000,
  }, () => {
    const packed = output('npm', 'pack', '--json', '--ignore-scripts', '--pack-destination', folder);
    const [{ filename, size, files }] = JSON.parse(packed);
    expect(size).toBeLessThan(3 * 1024 * 1024);
    const others = (files as { path: string }[])
      .map(({ path }) => path)
      .filter((path) => !/^dist\//.test(path));
    expect(others.sort()).toEqual(['LICENSE', 'README.md', 'package.json']);

    const prefix = join(folder, 'global');
    const tarball = join(folder, filename);
    output('npm', 'install', '--global', '--prefix', prefix, '--no-audit', '--no-fund', tarball);
    const spillway = join(prefix, 'bin', 'spillway');
    expect(output(spillway, 'run', '--', 'echo', 'hello')).toBe('hello\n');
    expect(output(spillway, 'run', '--pty', '--', 'sh', '-c', 'test -t 1 && echo a terminal')).toBe(
      'a terminal\r\n',
    );
    expect(output(spillway, 'inspect', 'last', '--lines', '1')).toBe('a terminal\n');
    expect(output('sh', '-c', `echo piped | '${spillway}' capture --tee`)).toBe('piped\n');
    expect(output('sh', '-c', `'${spillway}' mcp </dev/null; echo ended $?`)).toContain('ended 0');
    expect(
      output(
        'sh',
        '-c',
        `timeout 20 '${spillway}' serve --port 0 & pid=$!; sleep 3; kill -INT $pid; wait $pid`,
      ),
    ).toContain('http://127.0.0.1:');
  });
});

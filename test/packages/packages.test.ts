/**
 * The packages, built around a stand-in for Electron's runtime, and unpacked. Stand-ins for the programs that write an
 * AppImage, a deb and an rpm keep what they are given. `npm test -- packages`.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { extractAll, extractFile, listPackage } from '@electron/asar';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import prepare from '../../electron/tooling/packaging/prepare.mjs';
import { makeFolder, removeFolder } from '../fixtures/folder.ts';
import { plainEnvironment, project } from '../integration/tooling/fresh-copy.ts';

/** A runtime's fuses: the sentinel before them, their version, how many there are, and each as a digit. */
const FUSES = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX\x01\x09';

describe.skipIf(process.platform !== 'linux')('the packages of Linux', () => {
  let folder: string;
  let app: string;
  const env = () => plainEnvironment({ SPILLWAY_HOME: join(folder, 'home'), SPILLWAY_FIND_AGENTS: '0' });
  const inFolder = (...parts: string[]) => join(folder, ...parts);
  /** A program of two lines. */
  const tool = (path: string, ...lines: string[]) => {
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, ['#!/bin/sh', ...lines, ''].join('\n'));
    chmodSync(path, 0o755);
    return path;
  };

  const pack = (output: string, executable: string, args: string[]) => {
    const runtime = inFolder(`${output}-runtime`);
    mkdirSync(join(runtime, 'resources'), { recursive: true });
    mkdirSync(join(runtime, 'locales'));
    writeFileSync(join(runtime, 'version'), 'v45.4.1');
    writeFileSync(join(runtime, 'electron'), executable);
    chmodSync(join(runtime, 'electron'), 0o755);
    const tools = inFolder('appimage-tools');
    for (const arch of ['x64', 'arm64']) {
      mkdirSync(join(tools, 'lib', arch), { recursive: true });
      mkdirSync(join(tools, 'runtimes'), { recursive: true });
      writeFileSync(join(tools, 'runtimes', `runtime-${arch}`), 'a static runtime');
    }
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['electron/tooling/package.mjs', ...args, `--config.directories.output=${inFolder(output)}`],
      {
        cwd: project,
        env: {
          ...env(),
          SPILLWAY_ELECTRON_DIST: runtime,
          APPIMAGE_TOOLS_PATH: tools,
          CUSTOM_FPM_PATH: inFolder('fpm'),
          ELECTRON_BUILDER_7ZIP_PATH: inFolder('7za'),
          KEPT: inFolder(output, 'kept'),
        },
        encoding: 'utf8',
      },
    );
    if (status !== 0) throw new Error(`${stdout}${stderr}`);
    return stdout + stderr;
  };

  beforeAll(() => {
    folder = makeFolder();
    tool(
      inFolder('appimage-tools', 'mksquashfs'),
      'mkdir -p "$KEPT"; cp -a "$1" "$KEPT/AppImage"; echo squashed >"$2"',
    );
    tool(inFolder('appimage-tools', 'desktop-file-validate'), 'exit 0');
    tool(
      inFolder('fpm'),
      'mkdir -p "$KEPT"; for word; do case "$word" in deb|rpm) kind=$word ;; esac; done',
      'for word; do printf "%s\\n" "$word"; done >"$KEPT/$kind"',
      'for word; do case "$word" in *.desktop=*|*.tpl*|*after*) cp "$(echo "$word" | cut -d= -f1)" "$KEPT/$kind.desktop" ;; esac; done',
      'while [ $# -gt 0 ]; do [ "$1" != --package ] || echo a package >"$2"; shift; done',
    );
    tool(inFolder('7za'), 'for word; do out=$in; in=$word; done', 'gzip -c "$in" >"$out"');
    pack('packed', `some program ${FUSES}111111111 and its rest`, [
      '--linux',
      'AppImage',
      'deb',
      'rpm',
      'tar.gz',
      '--x64',
    ]);
    app = inFolder('packed', 'linux-unpacked');
  }, 400_000);
  afterAll(() => removeFolder(folder));

  const kept = (name: string) => readFileSync(inFolder('packed', 'kept', name), 'utf8');

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

  it('gives a desktop entry whose name is the window’s, with links, types and no way around the sandbox', () => {
    const entry = kept('deb.desktop');
    expect(entry).toMatch(/^Exec=\/opt\/Spillway\/spillway-desktop %U$/m);
    expect(entry).toMatch(/^StartupWMClass=spillway-desktop$/m);
    expect(entry).toMatch(/^Icon=spillway-desktop$/m);
    expect(entry).toMatch(/^MimeType=.*text\/x-log;.*x-scheme-handler\/spillway;$/m);
    expect(kept('deb')).toContain('=/usr/share/applications/spillway-desktop.desktop');
    expect(entry).not.toContain('no-sandbox');
  });

  it.each(['deb', 'rpm'])('gives %s an owner, icons of every size, the man page and completions', (kind) => {
    const given = kept(kind);
    expect(given).toContain('The Spillway authors <spillway@users.noreply.github.com>');
    expect(given).toContain('https://github.com/spillway/inspector');
    for (const size of [16, 24, 32, 48, 64, 128, 256, 512, 1024])
      expect(given).toContain(`/icons/${size}x${size}.png=/usr/share/icons/hicolor/${size}x${size}/apps/`);
    for (const part of ['man', 'bash-completion', 'zsh', 'fish', 'metainfo', 'doc'])
      expect(given).toContain(`share/${part}/=/usr/share/${part}/`);
    const link = /^(.*usr-bin)\/=\/usr\/bin\/$/m.exec(given)?.[1] ?? '';
    expect(readlinkSync(join(project, link, 'spillway'))).toBe('/opt/Spillway/resources/bin/spillway');
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

  it('makes an AppImage with the static runtime, whose entry keeps the sandbox', () => {
    const [name = ''] = readdirSync(inFolder('packed')).filter((file) => file.endsWith('.AppImage'));
    expect(readFileSync(inFolder('packed', name), 'latin1')).toContain('a static runtime');
    const entry = kept('AppImage/spillway-desktop.desktop');
    expect(entry).toMatch(/^Exec=AppRun +%U$/m);
    expect(existsSync(inFolder('packed', 'kept', 'AppImage', 'resources', 'app.asar'))).toBe(true);
    expect(statSync(inFolder('packed', 'kept', 'AppImage', '.DirIcon')).size).toBeGreaterThan(500);
  });

  it('makes an archive that unpacks to the app', () => {
    const [name = ''] = readdirSync(inFolder('packed')).filter((file) => file.endsWith('.tar.gz'));
    const listed = execFileSync('tar', ['-tzf', inFolder('packed', name)], { encoding: 'utf8' });
    expect(listed).toMatch(/\/spillway-desktop$/m);
    expect(listed).toMatch(/\/resources\/bin\/spillway$/m);
  });

  it.each([
    ['win32', 'win', 'x64', 1],
    ['darwin', 'mac', 'arm64', 3],
  ])('packs for %s with its own pseudo-terminal', (platform, name, arch, number) => {
    prepare({ electronPlatformName: platform, arch: number } as Parameters<typeof prepare>[0]);
    const made = join(project, 'dist', '.package', `${name}-${arch}`);
    for (const place of ['pty', 'command/dist/node/node_modules'])
      expect(readdirSync(join(made, place, '@lydell')).sort()).toEqual([
        'node-pty',
        `node-pty-${platform}-${arch}`,
      ]);
    expect(readdirSync(join(made, 'pty', '@lydell', `node-pty-${platform}-${arch}`))).toContain(
      'package.json',
    );
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

    it('records, captures and connects', () => {
      expect(cli(['run', '--', 'echo', 'hello'])).toMatchObject({ status: 0, stdout: 'hello\n' });
      expect(cli(['inspect', 'last']).stdout).toBe('hello\n');
      expect(
        spawnSync(join(app, 'resources/bin/spillway'), ['capture'], { input: 'a\n', env: env() }).status,
      ).toBe(0);
      expect(cli(['connect', 'claude-code', '--print']).status).toBe(0);
      const hello = {
        jsonrpc: '2.0',
        id: 1,
        method: 'initialize',
        params: {
          protocolVersion: '2025-06-18',
          capabilities: {},
          clientInfo: { name: 'test', version: '1' },
        },
      };
      const mcp = spawnSync(join(app, 'resources/bin/spillway'), ['mcp'], {
        input: `${JSON.stringify(hello)}\n`,
        env: env(),
        encoding: 'utf8',
      });
      expect(mcp.stdout).toContain('"serverInfo"');
    });

    it('has the native part that terminals need, outside the archive', () => {
      expect(cli(['terminal', '--', 'sh', '-c', 'tty -s && echo on a terminal']).stdout).toBe(
        'on a terminal\r\n',
      );
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

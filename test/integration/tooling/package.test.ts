/** The contents of the package, built around a stand-in for Electron's runtime. */
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { extractAll, listPackage } from '@electron/asar';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeFolder, removeFolder } from '../../fixtures/folder.ts';
import { plainEnvironment, project } from './fresh-copy.ts';

/** A runtime's fuses: the sentinel before them, their version, how many there are, and each as a digit. */
const FUSES = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX\x01\x09';

describe.skipIf(process.platform === 'win32')('the package', () => {
  let folder: string;
  let app: string;
  const env = () => plainEnvironment({ SPILLWAY_HOME: join(folder, 'home') });

  const pack = (output: string, executable: string) => {
    const runtime = join(folder, `${output}-runtime`);
    mkdirSync(join(runtime, 'resources'), { recursive: true });
    mkdirSync(join(runtime, 'locales'));
    writeFileSync(join(runtime, 'version'), 'v45.4.1');
    writeFileSync(join(runtime, 'electron'), executable);
    chmodSync(join(runtime, 'electron'), 0o755);
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [
        'electron/tooling/package.mjs',
        ...['--linux', 'dir', `--config.directories.output=${join(folder, output)}`],
      ],
      { cwd: project, env: { ...env(), SPILLWAY_ELECTRON_DIST: runtime }, encoding: 'utf8' },
    );
    if (status !== 0) throw new Error(`${stdout}${stderr}`);
    return { app: join(folder, output, 'linux-unpacked'), printed: stdout + stderr };
  };

  beforeAll(() => {
    folder = makeFolder();
    app = pack('packed', `some program ${FUSES}111111111 and its rest`).app;
  });
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
    expect(bytes).toBeLessThan(8 * 1024 * 1024);
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
    const page = readFileSync(join(app, 'resources/app.asar.unpacked/dist/renderer/index.html'), 'utf8');
    for (const [, attributes, body] of page.matchAll(/<script([^>]*)>([\s\S]*?)<\/script>/g)) {
      expect([attributes, body]).toEqual([expect.stringMatching(/ src="\.\//), '']);
    }
    expect(page).toContain('<script');
    expect(page).not.toMatch(/<style| style=| on\w+=|data:|https?:/);
  });

  it('asks at run time for nothing but Node’s own modules and Electron', () => {
    const folder = join(app, 'resources/app.asar.unpacked/dist/node');
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

  it('has the fuses off that let other code run as this application', () => {
    const binary = readFileSync(join(app, 'spillway-desktop'), 'latin1');
    // runAsNode, cookieEncryption, nodeOptions, nodeCliInspect, asarIntegrity, onlyAsar, (left as it is),
    // fileProtocol, …
    expect(binary.slice(binary.indexOf(FUSES) + FUSES.length).slice(0, 8)).toBe('00001110');
  });

  it('says so when the runtime is only a stand-in without fuses', () => {
    expect(pack('bare', '#!/bin/sh\n').printed).toContain('this is no Electron runtime');
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
  });
});

/** The first commands a new user types, in a folder with nothing installed and nothing built. */

import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { INSTALLS } from '../../fixtures/sizes.ts';
import { until } from '../../fixtures/until.ts';
import { freshCopy, plainEnvironment, type Run, run } from './fresh-copy.ts';

/** Long enough for a slow network. */
const INSTALLING_MS = 600_000;

describe.skipIf(process.platform === 'win32')('a fresh clone', () => {
  let folder: string;
  let elsewhere: string;
  let env: NodeJS.ProcessEnv;
  const runs: Run[] = [];

  const begin = (command: string, args: string[], cwd = folder, more: NodeJS.ProcessEnv = {}) => {
    const started = run(command, args, cwd, { ...env, ...more });
    runs.push(started);
    return started;
  };
  const npmStart = (...args: string[]) => begin('npm', ['start', '--', '--no-open', ...args]);
  const spillway = (...args: string[]) =>
    begin('npm', ['--prefix', folder, 'run', '-s', 'spillway', '--', ...args], elsewhere);
  const address = (started: Run) =>
    started.says(/^Spillway is at (http:\/\/127\.0\.0\.1:\d+\/\?token=\S+)$/m);
  const result = async (started: Run) => ({
    ...(await started.ended),
    stdout: started.stdout(),
    stderr: started.stderr(),
  });

  beforeAll(() => {
    folder = freshCopy({ linked: !INSTALLS });
    elsewhere = join(folder, '..', `${folder.split('/').at(-1)}-elsewhere`);
    mkdirSync(elsewhere);
    writeFileSync(join(elsewhere, 'some file.log'), 'one\ntwo\nthree\n');
    env = plainEnvironment({ HOME: elsewhere, SPILLWAY_HOME: join(elsewhere, 'home') });
    // npm's download cache.
    env.npm_config_cache ??= join(process.env.HOME ?? '', '.npm');
  });
  afterEach(async () => {
    for (const started of runs.splice(0)) {
      started.killAll('SIGKILL');
      await started.ended;
    }
  });
  afterAll(() => {
    for (const made of [folder, elsewhere]) rmSync(made, { recursive: true, force: true, maxRetries: 3 });
  });

  it.skipIf(!INSTALLS)('survives being killed while it installs', { timeout: INSTALLING_MS }, async () => {
    const killed = npmStart('--web', '--port', '0');
    await killed.says(/installing packages …/);
    const modules = join(folder, 'node_modules');
    await until(() => existsSync(modules) && readdirSync(modules).length >= 20);
    killed.killAll('SIGKILL');
    await killed.ended;
    const started = npmStart('--web', '--port', '0');
    await address(started);
    expect(started.stderr()).toMatch(/^spillway: installing packages: done in/m);
  });

  it('is built by two commands at once, after a kill in the middle of a build, with nothing of it on stdout', async () => {
    rmSync(join(folder, 'dist'), { recursive: true, force: true });
    const killed = begin(process.execPath, ['electron/tooling/run-build.mjs']);
    await killed.says(/building renderer/);
    killed.killAll('SIGKILL');
    await killed.ended;
    expect(existsSync(join(folder, 'dist', '.lock'))).toBe(true);
    const both = await Promise.all(
      [1, 2].map(() => result(spillway('inspect', 'some file.log', '--lines', '1', '--json'))),
    );
    for (const { code, stdout } of both) {
      expect(code).toBe(0);
      expect(JSON.parse(stdout)).toMatchObject({ content: 'one' });
    }
    expect(readdirSync(join(folder, 'dist')).sort()).toEqual([
      '.stamps',
      'node',
      'preload',
      'renderer',
      'vscode',
    ]);
  });

  it('builds what is stale, and serves the file it was given to those who have its token', async () => {
    const file = join(elsewhere, 'some file.log');
    // The part that is built fastest.
    rmSync(join(folder, 'dist', 'preload'), { recursive: true, force: true });
    const started = npmStart('--web', '--port', '0', file);
    const url = await address(started);
    expect(existsSync(join(folder, 'dist', 'preload', 'preload.cjs'))).toBe(true);
    const withToken = await fetch(url);
    expect([withToken.status, withToken.headers.has('set-cookie')]).toEqual([200, true]);
    expect(await withToken.text()).toContain('<div id="root">');
    const withCookie = await fetch(new URL('/', url), {
      headers: { cookie: (withToken.headers.get('set-cookie') ?? '').split(';')[0] ?? '' },
    });
    expect(withCookie.status).toBe(200);
    expect((await fetch(new URL('/', url))).status).toBe(401);
    expect(await statusFor(url, { host: 'example.org' })).toBe(403);
    expect(await statusFor(url, { origin: 'http://example.org' })).toBe(403);

    // npm passes a signal to its shell alone; what it started must end all the same.
    started.kill('SIGTERM');
    await until(async () => (await fetch(url).catch(() => null)) === null);
    await started.ended;
  });

  it('ends with 0 on SIGTERM', async () => {
    const started = begin(process.execPath, ['electron/tooling/start.mjs', '--web', '--no-open']);
    await address(started);
    started.kill('SIGTERM');
    expect(await started.ended).toEqual({ code: 0, signal: null });
  });

  it('says in one line why there is no desktop window, and serves the browser instead', async () => {
    const started = npmStart();
    await address(started);
    expect(started.stderr().trim()).toBe(
      'spillway: no desktop window, there is no display: opening the browser interface instead',
    );
  });

  it('opens the desktop window where there is a runtime, with the paths made absolute', async () => {
    const runtime = join(elsewhere, 'runtime');
    mkdirSync(runtime);
    const script = 'rm "$SPILLWAY_AWAITED_WINDOW"\nfor each in "$@"; do echo "given: $each"; done';
    writeFileSync(join(runtime, 'electron'), `#!/bin/sh\n${script}\n`);
    chmodSync(join(runtime, 'electron'), 0o755);
    const started = begin(
      'npm',
      ['--prefix', folder, 'start', '--', 'some file.log', '/absolute.log'],
      elsewhere,
      { DISPLAY: ':99', ELECTRON_OVERRIDE_DIST_PATH: runtime },
    );
    expect((await started.ended).code).toBe(0);
    const given = [...started.stdout().matchAll(/^given: (.*)$/gm)].map(([, arg]) => arg);
    expect(given.filter((arg) => arg !== '--no-sandbox')).toEqual([
      folder,
      join(elsewhere, 'some file.log'),
      '/absolute.log',
    ]);
  });

  /** Returns a PATH with a browser opener that writes down its address. */
  const browserOpener = () => {
    const bin = join(elsewhere, 'bin');
    mkdirSync(bin, { recursive: true });
    writeFileSync(join(bin, 'xdg-open'), `#!/bin/sh\necho "$1" >> ${join(elsewhere, 'opened')}\n`);
    chmodSync(join(bin, 'xdg-open'), 0o755);
    return `${bin}:${process.env.PATH}`;
  };

  it.each([
    ['exit 127', 'lacks system libraries'],
    ['exit 1', 'ended with status 1'],
    ['exit 0', 'ended without one'],
    ['kill -TRAP $$', 'ended itself (SIGTRAP), as it does where the system allows it no sandbox'],
    ['exit 139', 'was ended by SIGSEGV'],
    // Later than its first seconds, but without a window.
    ['sleep 2.5; exit 1', 'ended with status 1'],
  ])('opens the browser where the runtime dies before it serves anybody: %s', async (death, why) => {
    const runtime = join(elsewhere, 'broken-runtime');
    mkdirSync(runtime, { recursive: true });
    writeFileSync(join(runtime, 'electron'), `#!/bin/sh\n${death}\n`);
    chmodSync(join(runtime, 'electron'), 0o755);
    rmSync(join(elsewhere, 'opened'), { force: true });
    const started = begin(process.execPath, ['electron/tooling/start.mjs'], folder, {
      DISPLAY: ':99',
      ELECTRON_OVERRIDE_DIST_PATH: runtime,
      PATH: browserOpener(),
      SPILLWAY_WINDOW_WITHIN_MS: '6000',
    });
    await address(started);
    expect(started.stderr()).toContain(`no desktop window, the Electron runtime ${why}: opening the browser`);
    await until(() => existsSync(join(elsewhere, 'opened')));
  });

  it('opens the browser where the runtime hangs without a window', async () => {
    const runtime = join(elsewhere, 'hanging-runtime');
    mkdirSync(runtime);
    writeFileSync(join(runtime, 'electron'), '#!/bin/sh\ntrap "" TERM\nwhile :; do sleep 1; done\n');
    chmodSync(join(runtime, 'electron'), 0o755);
    rmSync(join(elsewhere, 'opened'), { force: true });
    const started = begin(process.execPath, ['electron/tooling/start.mjs'], folder, {
      ...{ DISPLAY: ':99', ELECTRON_OVERRIDE_DIST_PATH: runtime, PATH: browserOpener() },
      SPILLWAY_WINDOW_WITHIN_MS: '500',
    });
    await address(started);
    expect(started.stderr()).toContain(
      'no desktop window, the Electron runtime hangs: it showed none: opening',
    );
    await until(() => existsSync(join(elsewhere, 'opened')));
  });

  const hasDisplay = spawnSync('which', ['Xvfb']).status === 0;
  if (!hasDisplay) console.error('SKIPPED, NO X SERVER WAS TRIED: there is no Xvfb (apt-get install xvfb)');

  it.skipIf(!hasDisplay)(
    'keeps the window on an X server, and opens the browser as that server dies',
    async () => {
      const display = `:${200 + (process.pid % 700)}`;
      const server = run('Xvfb', [display, '-screen', '0', '640x480x24'], elsewhere, env);
      runs.push(server);
      const socket = `/tmp/.X11-unix/X${display.slice(1)}`;
      await until(() => existsSync(socket));
      const runtime = join(elsewhere, 'runtime-on-x');
      mkdirSync(runtime);
      // The built app on a stand-in for Electron, which ends as Chromium does without its X server.
      const shim = join(folder, 'test/integration/desktop/recording-electron.cjs');
      writeFileSync(
        join(runtime, 'electron'),
        `#!${process.execPath}
const { spawn } = require('node:child_process');
const socket = require('node:net').connect(${JSON.stringify(socket)});
const app = spawn(process.execPath, [${JSON.stringify(shim)}, ${JSON.stringify(join(folder, 'dist/node/main.cjs'))}, '/app'], { stdio: ['pipe', 'inherit', 'inherit'] });
app.stdin.write('["ready"]\\n');
socket.on('error', () => {});
socket.on('close', () => { app.kill('SIGKILL'); console.error('Missing X server or $DISPLAY'); process.exit(1); });
`,
      );
      chmodSync(join(runtime, 'electron'), 0o755);
      rmSync(join(elsewhere, 'opened'), { force: true });
      const started = begin(process.execPath, ['electron/tooling/start.mjs'], folder, {
        ...{ DISPLAY: display, ELECTRON_OVERRIDE_DIST_PATH: runtime, PATH: browserOpener() },
        ...{ SPILLWAY_TEST_PROFILE: join(elsewhere, 'profile'), SPILLWAY_FIND_AGENTS: '0' },
      });
      await started.says(/^\["show"\]$/m);
      server.kill('SIGTERM');
      await address(started);
      expect(started.stderr()).toContain('Missing X server');
      expect(started.stderr()).toContain('the Electron runtime ended with status 1: opening the browser');
      await until(() => existsSync(join(elsewhere, 'opened')));
    },
  );

  it('opens neither a window nor a browser with --no-open', async () => {
    const runtime = join(elsewhere, 'unwanted-runtime');
    mkdirSync(runtime);
    writeFileSync(join(runtime, 'electron'), '#!/bin/sh\necho a window\n');
    chmodSync(join(runtime, 'electron'), 0o755);
    rmSync(join(elsewhere, 'opened'), { force: true });
    const started = begin(process.execPath, ['electron/tooling/start.mjs', '--no-open'], folder, {
      DISPLAY: ':99',
      ELECTRON_OVERRIDE_DIST_PATH: runtime,
      PATH: browserOpener(),
    });
    await address(started);
    expect(started.stdout()).not.toContain('a window');
    expect(existsSync(join(elsewhere, 'opened'))).toBe(false);
  });

  it('does not wait for the runtime: the browser is there while it is fetched', async () => {
    const mirror = createServer(() => {}).listen(0, '127.0.0.1');
    await once(mirror, 'listening');
    const { port } = mirror.address() as AddressInfo;
    const env = { DISPLAY: ':99', ELECTRON_MIRROR: `http://127.0.0.1:${port}/`, PATH: browserOpener() };
    const progress = join(folder, 'dist', 'electron-fetch.json');
    try {
      const first = begin(process.execPath, ['electron/tooling/start.mjs'], folder, env);
      await address(first);
      expect(first.stderr()).toContain('the Electron runtime (about 120 MB) is being fetched');
      await until(() => existsSync(progress) && JSON.parse(readFileSync(progress, 'utf8')).pid !== null);
      first.kill('SIGTERM');
      await first.ended;
      const second = begin(process.execPath, ['electron/tooling/start.mjs'], folder, env);
      await address(second);
      expect(second.stderr()).toContain('the Electron runtime is being fetched (0.0 MB so far)');
    } finally {
      const { pid } = JSON.parse(readFileSync(progress, 'utf8'));
      if (pid !== null) process.kill(pid, 'SIGKILL');
      mirror.closeAllConnections();
      mirror.close();
    }
  });

  it('passes a signal on to the desktop window, and its exit status back', async () => {
    const runtime = join(elsewhere, 'patient-runtime');
    mkdirSync(runtime);
    writeFileSync(
      join(runtime, 'electron'),
      // Not a shell script: a shell that waits for a command of its own may miss the signal.
      `#!${process.execPath}
process.on('SIGTERM', () => { console.log('asked to end'); process.exit(3); });
setInterval(() => {}, 1000);
console.log('waiting');
`,
    );
    chmodSync(join(runtime, 'electron'), 0o755);
    const started = begin(process.execPath, ['electron/tooling/start.mjs'], folder, {
      DISPLAY: ':99',
      ELECTRON_OVERRIDE_DIST_PATH: runtime,
    });
    await started.says(/waiting/);
    started.kill('SIGTERM');
    expect(await started.ended).toEqual({ code: 3, signal: null });
    expect(started.stdout()).toContain('asked to end');
  });

  it('refuses an option it does not know', async () => {
    const { code, stdout, stderr } = await result(
      begin(process.execPath, ['electron/tooling/start.mjs', '--wbe']),
    );
    expect([code, stdout, stderr]).toEqual([
      2,
      '',
      'spillway: unknown option --wbe: npm start -- [PATH…] [--web] [--port N] [--no-open]\n',
    ]);
  });

  it('runs the command line where the person is, adding nothing to its environment or to what it prints', async () => {
    expect(await result(spillway('inspect', 'some file.log', '--lines', '2'))).toEqual({
      code: 0,
      signal: null,
      stdout: 'one\ntwo\n',
      stderr: '',
    });
    // On Linux, the command has the very environment in which `npm` was typed.
    if (process.platform === 'linux') {
      const { stdout: given } = await result(begin('env', [], elsewhere));
      const { stdout: recorded } = await result(spillway('run', '--quiet', '--', 'env'));
      const sorted = (text: string) =>
        text
          .split('\n')
          .filter((line) => !/^(PWD|SHLVL|_)=/.test(line))
          .sort();
      expect(sorted(recorded)).toEqual(sorted(given));
    }
  });

  it('passes the exit status of the command line on', async () => {
    const { code, stderr } = await result(spillway('inspect', 'no such file.log'));
    expect(code).toBe(2);
    expect(stderr).toMatch(/^spillway: .+: .+\n$/);
  });

  it('keeps the last good build when the sources are broken, and says where', async () => {
    const source = join(folder, 'electron', 'app', 'cli.ts');
    const text = readFileSync(source, 'utf8');
    writeFileSync(source, `${text}\nconst broken = ;\n`);
    const { code, stdout, stderr } = await result(spillway('--version'));
    writeFileSync(source, text);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/spillway: node does not build: see what the bundler says\n(.|\n)*cli\.ts/);
    expect(existsSync(join(folder, 'dist', 'node', 'cli.js'))).toBe(true);
  });
});

/** The status of a request with headers that fetch does not let one set. */
function statusFor(url: string, headers: Record<string, string>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    get(url, { headers }, (response) => resolve(response.resume().statusCode)).on('error', reject);
  });
}

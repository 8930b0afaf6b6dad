/** Small parts of the tooling: arguments, environment, runtimes, messages. */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { noticesOf } from '../../../electron/tooling/building/build.mjs';
import { announceInstall, headlessShell, systemBrowser } from '../../../electron/tooling/machine/browser.mjs';
import { findElectron, runWatched } from '../../../electron/tooling/machine/electron-runtime.mjs';
import { checkNode } from '../../../electron/tooling/machine/ensure.mjs';
import { asTyped } from '../../../electron/tooling/machine/environment.mjs';
import { explain } from '../../../electron/tooling/machine/packages.mjs';
import { step } from '../../../electron/tooling/machine/progress.mjs';
import { parseStartArgs } from '../../../electron/tooling/start-args.mjs';
import { makeFolder, removeFolder } from '../../fixtures/folder.ts';

describe('what npm test says before it installs a browser', () => {
  const folder = makeFolder();
  afterEach(() => {
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
  });

  async function said(path: string, uid: number): Promise<string> {
    let text = '';
    vi.spyOn(process, 'getuid').mockReturnValue(uid);
    vi.spyOn(process.stderr, 'write').mockImplementation((part) => {
      text += part;
      return true;
    });
    for (const [name, value] of Object.entries({
      PATH: path,
      SPILLWAY_BROWSER: '',
      PLAYWRIGHT_BROWSERS_PATH: folder,
    }))
      vi.stubEnv(name, value);
    await announceInstall();
    return text;
  }

  it.runIf(existsSync('/usr/bin/apt-get'))('names the packages, and the line that avoids them', async () => {
    expect(await said(folder, 0)).toBe(
      'spillway: no browser found: the tests will install Debian’s Chromium with apt-get, as root\n' +
        'spillway: to avoid that: SPILLWAY_BROWSER=/path/to/chrome npm test\n',
    );
  });

  it('is nothing where there is a browser, or who may not install one', async () => {
    expect(await said(folder, 1000)).toBe('');
    writeFileSync(join(folder, 'chromium'), '', { mode: 0o755 });
    expect(await said(folder, 0)).toBe('');
    removeFolder(folder);
  });
});

describe('npm start’s arguments', () => {
  const parse = (...args: string[]) => parseStartArgs(args, '/here');

  it('takes the addresses of files that desktops give, and links', () => {
    const link = 'spillway://artifact/cmd-1?line=2';
    expect(parse('file:///logs/a%20b.log', link)).toMatchObject({ paths: ['/logs/a b.log'], links: [link] });
    expect(parse('file://%zz/a').paths).toEqual([resolve('/here/file://%zz/a')]);
  });

  it('are empty by default', () => {
    expect(parse()).toEqual({ paths: [], links: [], web: false, port: null, open: true, help: false });
  });

  it('take paths relative to where the person is', () => {
    expect(parse('a.log', '/b', '../c d').paths).toEqual([
      resolve('/here/a.log'),
      resolve('/b'),
      resolve('/c d'),
    ]);
  });

  it('take options before, between and after paths; anything after -- is a path', () => {
    expect(parse('--web', 'a', '--port', '0', '--no-open')).toMatchObject({
      web: true,
      port: '0',
      open: false,
    });
    expect(parse('--port=8080').port).toBe('8080');
    expect(parse('--', '--web')).toMatchObject({ web: false, paths: [resolve('/here/--web')] });
  });

  it('mean the browser if they name a port', () => {
    expect(parse('--port', '8080').web).toBe(true);
  });

  it.each([
    [['--wbe'], 'unknown option --wbe: npm start -- [PATH…] [--web] [--port N] [--no-open]'],
    [['--web=yes'], 'unknown option --web=yes'],
    [['-x', 'a'], 'unknown option -x'],
    [['--port'], '--port needs a number'],
    [['--port', 'http'], 'http is no port: give a number from 0 (any free one) to 65535'],
    [['--port', '65536'], '65536 is no port'],
    [['--port=-1'], '-1 is no port'],
  ])('%j are refused', (args, message) => {
    expect(() => parse(...args)).toThrow(message);
  });
});

describe('the environment as typed', () => {
  it('lacks the additions of npm run, also at the start of the PATH', () => {
    const path = [
      '/work/project/node_modules/.bin',
      '/work/node_modules/.bin',
      '/node_modules/.bin',
      '/usr/lib/node_modules/npm/node_modules/@npmcli/run-script/lib/node-gyp-bin',
      '/usr/bin',
      '/work/project/node_modules/.bin',
    ].join(delimiter);
    const env = {
      PATH: path,
      HOME: '/home/a',
      INIT_CWD: '/x',
      npm_lifecycle_event: 'spillway',
      npm_lifecycle_script: 'node x',
      npm_package_name: 'spillway',
      npm_config_registry: 'theirs',
    };
    expect(asTyped(env, '/work/project')).toEqual({
      // The last entry is the user's own, not npm's.
      PATH: ['/usr/bin', '/work/project/node_modules/.bin'].join(delimiter),
      HOME: '/home/a',
      npm_config_registry: 'theirs',
    });
  });

  it('is unchanged without npm', () => {
    const env = { PATH: `/work/project/node_modules/.bin${delimiter}/usr/bin`, HOME: '/home/a' };
    expect(asTyped(env, '/work/project')).toEqual(env);
  });
});

describe('Electron’s runtime', () => {
  let root: string;
  const here = { platform: 'linux' as const, uid: 1000 };
  const display = { DISPLAY: ':0' };
  const find = (env: NodeJS.ProcessEnv = display, more = {}) => findElectron({ root, env, ...here, ...more });
  const install = (folder: string, mode = 0o755) => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'electron'), '');
    chmodSync(join(folder, 'electron'), mode);
  };

  beforeEach(() => {
    root = makeFolder();
    mkdirSync(join(root, 'node_modules/electron'), { recursive: true });
  });
  afterEach(() => removeFolder(root));

  const dist = () => join(root, 'node_modules/electron/dist');
  const named = () => writeFileSync(join(root, 'node_modules/electron/path.txt'), 'electron');

  it('is found where its package says', () => {
    install(dist());
    named();
    expect(find()).toEqual({ path: join(dist(), 'electron'), args: [] });
    expect(find({ WAYLAND_DISPLAY: 'wayland-0' })).toHaveProperty('path');
  });

  it('can be fetched if the package has none, or lost it', () => {
    expect(find()).toEqual({ missing: 'the Electron runtime is not installed', fetchable: true });
    named();
    expect(find()).toMatchObject({ missing: expect.stringContaining(dist()), fetchable: true });
  });

  it('is taken only from the place that the person names, if any', () => {
    const elsewhere = join(root, 'elsewhere');
    const env = { ...display, ELECTRON_OVERRIDE_DIST_PATH: elsewhere };
    expect(find(env)).toMatchObject({ missing: expect.stringContaining(elsewhere), fetchable: false });
    install(elsewhere);
    expect(find(env)).toEqual({ path: join(elsewhere, 'electron'), args: [] });
  });

  it('is not a file that can’t be run, nor a folder', () => {
    named();
    install(dist(), 0o644);
    // Even root cannot run a file without any execute permission.
    expect(find()).toHaveProperty('missing');
    rmSync(join(dist(), 'electron'));
    mkdirSync(join(dist(), 'electron'));
    expect(find()).toHaveProperty('missing');
  });

  it('is not used without a display on Linux', () => {
    install(dist());
    named();
    expect(find({})).toEqual({ missing: 'there is no display', fetchable: false });
    expect(find({}, { platform: 'win32' })).toHaveProperty('path');
  });

  it('runs without its sandbox as root, where it refuses to run with it', () => {
    install(dist());
    named();
    expect(find(display, { uid: 0 })).toHaveProperty('args', ['--no-sandbox']);
    expect(find(display, { uid: 0, platform: 'darwin' })).toHaveProperty('args', []);
  });
});

describe('the browser to test in', () => {
  let folder: string;
  beforeEach(() => {
    folder = makeFolder();
  });
  afterEach(() => removeFolder(folder));

  it('is the named one, before any other', () => {
    for (const name of ['mine', 'chromium']) writeFileSync(join(folder, name), '');
    expect(systemBrowser({ PATH: folder, SPILLWAY_BROWSER: join(folder, 'mine') }, 'linux')).toBe(
      join(folder, 'mine'),
    );
    expect(systemBrowser({ PATH: folder }, 'linux')).toBe(join(folder, 'chromium'));
    expect(systemBrowser({ PATH: '/nowhere' }, 'linux')).toBeNull();
  });

  it('is a headless one where there is one, unless another is named', () => {
    for (const name of ['mine', 'chromium', 'chromium-headless-shell']) writeFileSync(join(folder, name), '');
    expect(headlessShell({ PATH: `/nowhere:${folder}` }, 'linux')).toBe(
      join(folder, 'chromium-headless-shell'),
    );
    expect(headlessShell({ PATH: '/nowhere' }, 'linux')).toBeNull();
    expect(headlessShell({ PATH: folder, SPILLWAY_BROWSER: join(folder, 'mine') }, 'linux')).toBeNull();
  });

  it('is never silently another one than the named one', () => {
    expect(() => systemBrowser({ PATH: folder, SPILLWAY_BROWSER: '/gone' }, 'linux')).toThrow(
      '/gone, which is not there',
    );
  });
});

describe('a failed installation', () => {
  it.each([
    [
      'npm error code ENOTFOUND\nnpm error network request failed',
      'cannot be reached: connect to the network',
    ],
    ['npm error code EAI_AGAIN', 'cannot be reached'],
    ['npm error code ECONNRESET', 'broke off: run the same command again'],
    ['npm error code ENOSPC\nnpm error no space left', 'the disk is full: make room'],
    ['npm error code EACCES', 'may not be written: see who owns'],
    [
      'npm error code EUSAGE\nnpm error `npm ci` can only install packages when … in sync',
      'disagree: run `npm install`',
    ],
    ['npm error code E401', 'refused'],
    [
      'npm error code EWHATEVER\nnpm error the moon is full\nnpm error A complete log …',
      '(the moon is full): run `npm ci`',
    ],
    ['', '(npm failed without a message)'],
  ])('with the output %j is explained in a sentence', (output, sentence) => {
    const { message } = explain(output);
    expect(message).toContain(sentence);
    expect(message).not.toContain('\n');
  });
});

describe('Node.js', () => {
  it.each(['20.19.0', '20.20.2', '22.0.0', '24.1.0'])('%s is new enough', (version) => {
    expect(() => checkNode(version)).not.toThrow();
  });
  it.each(['20.18.9', '18.20.0', '9.0.0'])('%s is too old, and it says so', (version) => {
    expect(() => checkNode(version)).toThrow(
      `Spillway needs Node.js 20.19 or newer, this is ${version}: install`,
    );
  });
});

describe('progress', () => {
  const written: string[] = [];
  beforeEach(() => {
    vi.useFakeTimers();
    written.length = 0;
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => written.push(String(text)) > 0);
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });
  const takes = (ms: number) => () => new Promise<string>((done) => setTimeout(() => done('result'), ms));

  it('is not shown for quick steps', async () => {
    const done = step('building', takes(900));
    await vi.advanceTimersByTimeAsync(900);
    expect(await done).toBe('result');
    expect(written).toEqual([]);
  });

  it('names steps of more than a second, and how long they took', async () => {
    const done = step('building', takes(2_500));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(written).toEqual(['spillway: building …\n']);
    await vi.advanceTimersByTimeAsync(1_500);
    await done;
    expect(written.at(-1)).toBe('spillway: building: done in 2.5 s\n');
  });

  it('is repeated during long steps', async () => {
    const done = step('installing', takes(40_000));
    await vi.advanceTimersByTimeAsync(40_000);
    await done;
    expect(written).toEqual([
      'spillway: installing …\n',
      'spillway: installing, 16.0 s\n',
      'spillway: installing, 31.0 s\n',
      'spillway: installing: done in 40.0 s\n',
    ]);
  });
});

describe('the notices of bundled packages', () => {
  it('name each once, with its licence', () => {
    const here = resolve('node_modules');
    const text = noticesOf([
      join(here, 'react/index.js'),
      join(here, 'react/cjs/react.production.js'),
      join(here, '@tanstack/react-virtual/dist/esm/index.js'),
      resolve('renderer/main.tsx'),
      '\0rolldown/runtime.js',
    ]);
    expect(text.match(/^react \d/gm)).toHaveLength(1);
    expect(text).toMatch(/^@tanstack\/react-virtual \d/m);
    expect(text.match(/MIT License|Permission is hereby granted/g)?.length).toBeGreaterThanOrEqual(2);
  });

  it('are empty when everything is ours', () => {
    expect(noticesOf([resolve('renderer/main.tsx')])).toBe('');
  });
});

describe('a download of the runtime', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'spillway-fetch-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const download = async (script: string, stallMs = 60_000) => {
    const progress = join(folder, 'progress.json');
    const command = [process.execPath, '-e', script];
    const problem = await runWatched(command, join(folder, 'temporary'), progress, stallMs);
    return { problem, noted: JSON.parse(readFileSync(progress, 'utf8')) };
  };

  it('is ended when it stands still, and says after how much', async () => {
    const script = `require('fs').writeFileSync(require('os').tmpdir() + '/part', 'x'.repeat(300000)); setInterval(() => {}, 1000)`;
    const { problem, noted } = await download(script, 1500);
    expect(problem).toBe('it got nothing for 2 s, after 0.3 MB');
    expect(noted).toMatchObject({ pid: null, bytes: 300_000, problem });
    expect(existsSync(join(folder, 'temporary'))).toBe(false);
  });

  it('uses the proxy that is set, and says how it ended', async () => {
    vi.stubEnv('HTTPS_PROXY', 'http://127.0.0.1:9');
    const asked = `process.exit(process.env.ELECTRON_GET_USE_PROXY === 'true' ? 0 : 1)`;
    expect((await download(asked)).problem).toBeNull();
    vi.unstubAllEnvs();
    expect((await download('process.exit(3)')).problem).toContain('npx install-electron --no');
  });
});

/**
 * Makes dist/ from the sources: `npm run build [-- --force] [renderer|node|preload …]`.
 *
 *   renderer/index.html                                -> dist/renderer   vite, for any browser, no inline scripts
 *   electron/app/cli.ts                                -> dist/node       ESM: Perl can read its head as a program
 *   electron/{app/command-line,main,workers/worker}.ts -> dist/node       CommonJS with every package bundled in
 *   electron/app/{run-loader,run}.ts                   -> dist/node       CommonJS: `spillway run` and `terminal`
 *   electron/app/worker-loader.ts                      -> dist/node       CommonJS: starts a thread
 *   electron/vscode/{extension,uninstall}.ts           -> dist/vscode     the extension for VS Code, CommonJS
 *   electron/preload.ts                                -> dist/preload    CommonJS: a sandboxed preload can't be ESM
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { textPlugin, watPlugin } from './plugins.mjs';
import { inDist, root } from './targets.mjs';

/** @typedef {import('./targets.mjs').TargetName} TargetName */

/** @type {Record<TargetName, (folder: string) => Promise<string[]>>} */
const builders = { renderer: buildRenderer, node: buildNode, preload: buildPreload, vscode: buildVsCode };

/**
 * Builds into a folder of its own and swaps it in, so that a failed or killed build leaves the last good one.
 * @param {TargetName} name
 * @throws {Error} the bundler's, with file and line
 */
export async function buildTarget(name) {
  const next = inDist(`.next-${name}`);
  rmSync(next, { recursive: true, force: true });
  mkdirSync(next, { recursive: true });
  const modules = await builders[name](next);
  const notices = noticesOf(modules);
  if (notices) writeFileSync(join(next, 'THIRD-PARTY.txt'), notices);
  swapIn(next, inDist(name), inDist(`.last-${name}`));
}

/** @param {string} next @param {string} current @param {string} last */
function swapIn(next, current, last) {
  rmSync(last, { recursive: true, force: true });
  try {
    renameSync(current, last);
  } catch {
    // There was no build yet; or, on Windows, it is in use: then overwrite its files.
  }
  try {
    renameSync(next, current);
  } catch {
    cpSync(next, current, { recursive: true });
    rmSync(next, { recursive: true, force: true });
  }
  rmSync(last, { recursive: true, force: true, maxRetries: 3 });
}

/** @param {string} folder */
async function buildRenderer(folder) {
  const { build, createLogger } = await import('vite');
  const { default: react } = await import('@vitejs/plugin-react');
  // Override the environment: React's development build is slow, and three times the size.
  process.env.NODE_ENV = 'production';
  const built = await build({
    configFile: false,
    root: join(root, 'renderer'),
    // The desktop window's own protocol and the browser shell serve the same files.
    base: './',
    mode: 'production',
    logLevel: 'warn',
    // Errors are thrown as well as logged.
    customLogger: { ...createLogger('warn'), error: () => {} },
    plugins: [react(), watPlugin()],
    build: {
      outDir: folder,
      emptyOutDir: false,
      sourcemap: true,
      // A strict content security policy allows neither data: addresses nor the polyfill's fetch.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      chunkSizeWarningLimit: 2000,
    },
  });
  return [built].flat().flatMap((one) => ('output' in one ? modulesOf(one.output) : []));
}

/**
 * Builds the program as CommonJS: an ES module takes longer to load, and V8's code cache works only with scripts.
 * @param {string} folder
 */
async function buildNode(folder) {
  const program = await bundle(folder, {
    input: {
      'command-line': 'electron/app/command-line.ts',
      main: 'electron/main.ts',
    },
    // Its main file loads its parts dynamically, which can't be bundled.
    resolve: { alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' } },
    // ws asks for its two optional native parts.
    external: ['electron', 'bufferutil', 'utf-8-validate'],
    plugins: [watPlugin(), textPlugin()],
  });
  const entry = await bundle(folder, { input: { cli: 'electron/app/cli.ts' } }, { format: 'esm' });
  makeCommand(join(folder, 'cli.js'));
  const quick = [];
  const inputs = {
    run: 'app/run-loader',
    'run-main': 'app/run',
    'mask-main': 'agent-shell/mask-output',
    worker: 'app/worker-loader',
    'worker-main': 'workers/worker',
  };
  for (const [name, input] of Object.entries(inputs)) {
    const plugins = [watPlugin(), textPlugin(), withoutSchemas];
    const one = { input: { [name]: `electron/${input}.ts` }, plugins };
    quick.push(...(await bundle(folder, one, SHORTER)));
  }
  // Answers to an MCP client's first messages, sent before the server is loaded.
  writeFileSync(
    join(folder, 'mcp-opening.json'),
    execFileSync(process.execPath, [join(folder, 'cli.js'), 'mcp-opening']),
  );
  await writeCodeCaches(folder);
  return [...program, ...entry, ...quick, ...copyNative(folder)];
}

/**
 * @param {string} folder
 * @param {import('rolldown').InputOptions} input
 * @param {import('rolldown').OutputOptions} output
 */
async function bundle(folder, input, output = {}) {
  const { rolldown } = await import('rolldown');
  const made = await rolldown({
    cwd: root,
    platform: 'node',
    tsconfig: false,
    onLog: failOnUnresolved,
    ...input,
  });
  const suffix = output.format === 'esm' ? 'js' : 'cjs';
  const written = await made.write({
    dir: folder,
    format: 'cjs',
    sourcemap: true,
    entryFileNames: `[name].${suffix}`,
    chunkFileNames: `[name]-[hash].${suffix}`,
    // Node reads the whole text at each start. Names stay, for error messages.
    minify: { compress: false, mangle: false, codegen: true },
    ...output,
  });
  await made.close();
  if (output === SHORTER) for (const { fileName } of written.output) toAscii(join(folder, fileName));
  return modulesOf(written.output);
}

/**
 * For what starts with every command: one file of short text, without the objects that V8 makes for each file. Names of
 * functions stay, for error messages.
 *
 * @type {import('rolldown').OutputOptions}
 */
const SHORTER = {
  minify: { compress: true, mangle: { toplevel: true, keepNames: true }, codegen: true },
  codeSplitting: { groups: [{ name: 'start', tags: ['$initial'] }] },
};

/**
 * Escapes other characters: V8 keeps a text that has any in two bytes for each character. A raw text can't be escaped.
 * @param {string} file
 */
function toAscii(file) {
  const text = file.endsWith('.cjs') ? readFileSync(file, 'utf8') : '';
  if (text === '' || /String\.raw`[^`]*[^\0-\x7f]/.test(text)) return;
  const escaped = (/** @type {string} */ char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
  writeFileSync(file, text.replace(/[^\0-\x7f]/g, escaped));
}

/**
 * Replaces zod in a bundle that validates nothing, but imports modules that declare schemas. Loading zod takes 20
 * ms.
 */
const withoutSchemas = {
  name: 'without-schemas',
  resolveId: (/** @type {string} */ id) => (id === 'zod' ? '\0no-schemas' : null),
  load: (/** @type {string} */ id) => (id === '\0no-schemas' ? NO_SCHEMAS : null),
};

const SCHEMA_MAKERS =
  'array boolean custom discriminatedUnion enum int literal looseObject null nullable number object record ' +
  'strictObject string toJSONSchema tuple union unknown';

const NO_SCHEMAS = `
const fail = () => { throw new Error('this bundle has no schemas') };
const schema = new Proxy(() => {}, {
  apply: () => schema,
  get: (_, key) =>
    key === Symbol.toPrimitive ? () => '' : /^(safeParse|parse)$/.test(String(key)) ? fail : schema,
});
${SCHEMA_MAKERS.split(' ')
  .map((name) => `const make_${name} = () => schema; export { make_${name} as ${name} };`)
  .join('\n')}
`;

/** Puts the launcher at the head of the file: the bundler would remove it as a comment. @param {string} file */
function makeCommand(file) {
  writeFileSync(file, launcher() + readFileSync(file, 'utf8').replace(/^\/\/# sourceMappingURL.*$/m, ''));
  rmSync(`${file}.map`, { force: true });
  chmodSync(file, 0o755);
}

/** @param {string} folder */
async function buildPreload(folder) {
  const { rolldown } = await import('rolldown');
  const bundle = await rolldown({
    cwd: root,
    input: { preload: 'electron/preload.ts' },
    platform: 'browser',
    external: ['electron'],
    tsconfig: false,
    onLog: failOnUnresolved,
  });
  const { output } = await bundle.write({
    dir: folder,
    format: 'cjs',
    sourcemap: true,
    entryFileNames: '[name].cjs',
    codeSplitting: false,
  });
  await bundle.close();
  return modulesOf(output);
}

/** Makes the extension's folder, as it lies in a .vsix (vsix.mjs). @param {string} folder */
async function buildVsCode(folder) {
  const { rolldown } = await import('rolldown');
  const modules = [];
  for (const name of ['extension', 'uninstall']) {
    const bundle = await rolldown({
      cwd: root,
      input: { [name]: `electron/vscode/${name}.ts` },
      platform: 'node',
      external: ['vscode'],
      resolve: { alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' } },
      tsconfig: false,
      onLog: failOnUnresolved,
    });
    const { output } = await bundle.write({
      dir: folder,
      format: 'cjs',
      entryFileNames: '[name].cjs',
      codeSplitting: false,
    });
    await bundle.close();
    modules.push(...modulesOf(output));
  }
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const manifest = JSON.parse(readFileSync(join(root, 'electron', 'vscode', 'manifest.json'), 'utf8'));
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify({ ...manifest, version }, null, 2)}\n`);
  cpSync(join(root, 'electron', 'vscode', 'README.md'), join(folder, 'README.md'));
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE.txt'));
  return modules;
}

/** A package that isn't bundled would be missing without node_modules.
 * @param {string} level @param {{ code?: string, message: string }} log @param {(level: any, log: any) => void} next */
function failOnUnresolved(level, log, next) {
  next(log.code === 'UNRESOLVED_IMPORT' ? 'error' : level, log);
}

/** @param {readonly { type: string, moduleIds?: string[] }[]} output */
function modulesOf(output) {
  return output.flatMap((file) => file.moduleIds ?? []);
}

/** The first lines of the built command: a Perl program that starts Node (electron/app/launcher.pl). */
const PERL = '/usr/bin/perl';

/** Returns the first lines of the command. */
function launcher() {
  if (process.platform === 'win32' || !existsSync(PERL)) return '#!/usr/bin/env node\n';
  const script = readFileSync(join(root, 'electron', 'app', 'launcher.pl'), 'utf8');
  const [first = ''] = script.split('\n', 1);
  const rest = script.slice(first.length).replace('NODE_OF_THE_BUILD', () => process.execPath);
  return interpreter(first) + rest;
}

/**
 * Returns as much of the first line as works here: BusyBox's `env` has no -S, and some Perls have no -t.
 *
 * @param {string} whole
 */
function interpreter(whole) {
  const [, words = ''] = /^#!\/usr\/bin\/env (.*)$/.exec(whole) ?? [];
  // The system passes the words as one argument; only Linux does.
  if (process.platform === 'linux' && prints('/usr/bin/env', [words], '-1 0 given')) return whole;
  return prints(PERL, ['-t'], '-1 given ') ? `#!${PERL} -t` : `#!${PERL}`;
}

/** @param {string} file @param {string[]} args @param {string} expected */
function prints(file, args, expected) {
  const script = `no warnings; print join ' ', \${^TAINT}, @ENV{'PERL_BADLANG', 'SPILLWAY_BADLANG'}`;
  const env = { ...process.env, PERL_BADLANG: 'given' };
  return spawnSync(file, [...args, '-e', script], { env }).stdout?.toString() === expected;
}

/**
 * Copies packages with native parts, which can't be bundled, beside the bundle, so that dist/ is complete. In a
 * packaged app they are kept outside the archive (electron-builder.yml).
 */
const pty = '@lydell/node-pty';

/**
 * Copies the package for this platform, if it has one; without it, terminals report an error.
 * @param {string} folder
 * @returns {string[]} a file of the package whose licence must be included
 */
function copyNative(folder) {
  const names = [pty, `${pty}-${process.platform}-${process.arch}`];
  const source = (/** @type {string} */ name) => join(root, 'node_modules', name);
  if (!names.every((name) => existsSync(source(name)))) return [];
  for (const name of names) cpSync(source(name), join(folder, 'node_modules', name), { recursive: true });
  return [join(source(pty), 'package.json')];
}

// Collects the licences of the bundled packages, which require a copy of their text.

/** @param {string[]} modules paths of all modules in a bundle @returns {string} empty if all are our own */
export function noticesOf(modules) {
  const folders = [...new Set(modules.flatMap((path) => packageFolder(path) ?? []))].sort();
  const tables = new Set(modules.filter((path) => path.endsWith('public-rules.json')));
  return [...folders.map(noticeOf), ...[...tables].map(noticeOfTable)].join(`\n${'-'.repeat(80)}\n\n`);
}

/** Returns the folder of the innermost package that holds a module. @param {string} path */
function packageFolder(path) {
  return path.replaceAll('\\', '/').match(/^\0?(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//)?.[1];
}

/** @param {string} folder */
function noticeOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((entry) => /^(licen[cs]e|copying)(\.|$)/i.test(entry));
  const text = file ? readFileSync(join(folder, file), 'utf8').trim() : `License: ${license}`;
  return `${name} ${version}\n\n${text}\n`;
}

/** A table made from another project names it (electron/tooling/secret-rules.mjs). @param {string} path */
function noticeOfTable(path) {
  const { source, licence } = JSON.parse(readFileSync(path, 'utf8'));
  return `${source}\n\n${licence}\n`;
}

// Fills V8's code caches (electron/app/cached-code.ts) by running commands of a fresh build once. Without a cache, each
// start compiles its code.

/** @param {string} folder where the program was built */
async function writeCodeCaches(folder) {
  const home = mkdtempSync(join(tmpdir(), 'spillway-build-'));
  const env = {
    ...process.env,
    SPILLWAY_HOME: home,
    SPILLWAY_FIND_AGENTS: '0',
    SPILLWAY_WRITE_CODE_CACHE: folder,
  };
  const start = (/** @type {string[]} */ ...args) =>
    spawnSync(process.execPath, args, { env, input: args.includes('mask-output') ? SECRET : '' });
  const command = ['--quiet', '--', process.execPath, '--version'];
  const cli = join(folder, 'cli.js');
  // Each adds to what those before it have cached.
  const run = join(folder, 'run.cjs');
  for (const name of ['run', 'terminal']) start(run, name, ...command);
  start(run, 'run', '--quiet', '--', process.execPath, '--eval', FAILURE);
  for (const args of [['mask-output', home], ['mcp'], ['list'], ['inspect', cli, '--pattern', 'x']])
    start(cli, ...args);
  await serveOnce(cli, env);
  // A thread that is ended can't write; on the main thread the same code ends by itself.
  start(join(folder, 'worker.cjs'));
  rmSync(home, { recursive: true, force: true });
}

/** A command that prints more than is explained at its end alone, and fails. */
const FAILURE = `for (let n = 0; n < 20000; n += 1) console.log('reading part ' + n + ' of the list');
  console.error('error: cannot read the last part: it is not there'); process.exitCode = 1`;

/** A message to `mask-output`: an output's index, its length, and a line with a secret. */
const SECRET = '\0\x1a\0\0\0PASSWORD=ab12cd34ef56gh78\n';

/** Starts the host, and ends it once it can be reached. @param {string} cli @param {NodeJS.ProcessEnv} env */
async function serveOnce(cli, env) {
  const host = spawn(process.execPath, [cli, 'serve', '--port', '0'], {
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: 30_000,
  });
  host.stdout.once('data', () => host.kill());
  await new Promise((resolve) => host.once('close', resolve).once('error', resolve));
}

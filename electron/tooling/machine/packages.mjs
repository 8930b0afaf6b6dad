/** Installs what package-lock.json asks for. Nothing here needs an installed package. */
import { spawn } from 'node:child_process';
import { root } from '../building/targets.mjs';
import { Problem } from './progress.mjs';

/**
 * A checkout includes development packages and those of other platforms, whatever the environment says. Electron's
 * tools declare a newer Node.js than they need.
 */
const flags = [
  'ci',
  '--include=dev',
  '--include=optional',
  '--engine-strict=false',
  '--no-audit',
  '--no-fund',
  '--no-progress',
  '--loglevel=error',
];

/** @throws {Problem} a sentence that says what to do */
export async function installPackages() {
  const { status, output } = await npm(flags);
  if (status !== 0) throw explain(output);
}

/** @param {string[]} args @returns {Promise<{ status: number | null, output: string }>} */
function npm(args) {
  // Use the npm that started this process; on Windows the command is a script, which needs a shell.
  const script = process.env.npm_execpath ?? '';
  const own = /npm-cli\.js$/.test(script);
  const command = own ? process.execPath : 'npm';
  const given = own ? [script, ...args] : args;
  return new Promise((resolve, reject) => {
    const child = spawn(command, given, {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: !own && process.platform === 'win32',
    });
    let output = '';
    const collect = (/** @type {Buffer} */ chunk) => {
      output += chunk;
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    const passOn = (/** @type {NodeJS.Signals} */ signal) => child.kill(signal);
    const signals = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);
    for (const signal of signals) process.on(signal, passOn);
    child.on('error', () => reject(new Problem('npm was not found', 'install it, it comes with Node.js')));
    child.on('close', (status, signal) => {
      for (const name of signals) process.off(name, passOn);
      if (signal)
        reject(new Problem(`the installation was ended by ${signal}`, 'run the same command again'));
      else resolve({ status, output });
    });
  });
}

const causes = [
  {
    sign: /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ENETUNREACH|EHOSTUNREACH|ENOTCACHED/,
    what: 'the packages could not be fetched, the registry cannot be reached',
    todo: 'connect to the network (or set a proxy or a mirror for npm), then run the same command again',
  },
  {
    sign: /ETIMEDOUT|ESOCKETTIMEDOUT|ECONNRESET|ERR_SOCKET_TIMEOUT/,
    what: 'the packages could not be fetched, the connection broke off',
    todo: 'run the same command again',
  },
  {
    sign: /E40[13]\b/,
    what: 'the packages could not be fetched, the registry refused',
    todo: 'see `npm config get registry` and the credentials for it',
  },
  {
    sign: /SELF_SIGNED_CERT|UNABLE_TO_(GET|VERIFY)|CERT_/,
    what: 'the packages could not be fetched, the registry’s certificate is not trusted',
    todo: 'set NODE_EXTRA_CA_CERTS to the certificate of your proxy',
  },
  {
    sign: /ENOSPC/,
    what: 'the packages could not be installed, the disk is full',
    todo: 'make room (about 1 GB), then run the same command again',
  },
  {
    sign: /EACCES|EPERM|EROFS/,
    what: 'the packages could not be installed, node_modules may not be written',
    todo: 'see who owns this folder',
  },
  {
    sign: /EUSAGE|in sync/,
    what: 'package.json and package-lock.json disagree',
    todo: 'run `npm install`, and look at what changed',
  },
];

/** @param {string} output what npm printed @returns {Problem} */
export function explain(output) {
  const cause = causes.find(({ sign }) => sign.test(output));
  if (cause) return new Problem(cause.what, cause.todo);
  const last = output
    .split('\n')
    .map((line) => line.replace(/^npm (error|ERR!) ?/, '').trim())
    .find((line) => line !== '' && !line.startsWith('code ') && !line.startsWith('A complete log'));
  return new Problem(
    `the packages could not be installed (${last ?? 'npm failed without a message'})`,
    'run `npm ci` to see everything it says',
  );
}

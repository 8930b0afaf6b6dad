/** Checks the runtime and the system, and says what Spillway does without. */
import { readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import zlib from 'node:zlib';
import { isProgram } from '../../reader/disks/entries.ts';
import { browserCommand } from '../browser.ts';
import { type Check, fail, ok, warn } from './check.ts';

export function checkMachine(): Check[] {
  return [
    checkNode(process.versions.node),
    checkSimd(),
    checkZstd(),
    checkBrowser(process.env, process.platform),
    ...checkInotify(),
  ];
}

/** Older versions lack APIs that Spillway uses. */
const LEAST_NODE = [20, 19];

export function checkNode(version: string): Check {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const enough = major > LEAST_NODE[0]! || (major === LEAST_NODE[0] && minor >= LEAST_NODE[1]!);
  return enough
    ? ok('node', `Node.js ${version}`)
    : fail('node', `Node.js ${version} is too old`, `install ${LEAST_NODE.join('.')} or newer`);
}

/** `(module (func (result v128) (i8x16.splat (i32.const 0))))` */
const SIMD_MODULE = new Uint8Array([
  0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 5, 1, 0x60, 0, 1, 0x7b, 3, 2, 1, 0, 10, 8, 1, 6, 0, 0x41, 0, 0xfd, 0x0f,
  0x0b,
]);

function checkSimd(): Check {
  try {
    new WebAssembly.Module(SIMD_MODULE);
    return ok('simd', 'lines are counted with WebAssembly SIMD');
  } catch {
    return warn(
      'simd',
      'no WebAssembly SIMD here: counting lines is slower',
      'use a newer Node.js or processor',
    );
  }
}

function checkZstd(): Check {
  return 'createZstdDecompress' in zlib
    ? ok('zstd', '.zst files can be read')
    : warn('zstd', '.zst files cannot be read', 'use Node.js 22.15 or newer, or decompress them first');
}

export function checkBrowser(env: NodeJS.ProcessEnv, platform: string): Check {
  const { command } = browserCommand('', platform);
  if (platform !== 'linux') return ok('browser', `opened with ${command}`);
  const todo = 'open the printed address yourself (over SSH: forward its port)';
  if (!env.DISPLAY && !env.WAYLAND_DISPLAY) return warn('browser', 'there is no display', todo);
  return (env.PATH ?? '').split(delimiter).some((folder) => isProgram(join(folder, command)))
    ? ok('browser', `opened with ${command}`)
    : warn('browser', `there is no ${command} to open one`, todo);
}

/** Each watched file takes one, and other programs need some too. */
const FEW_WATCHES = 32_768;

function checkInotify(): Check[] {
  if (process.platform !== 'linux') return [];
  let limit: number;
  try {
    limit = Number(readFileSync('/proc/sys/fs/inotify/max_user_watches', 'utf8'));
  } catch {
    return [warn('watching', 'how many files can be watched is not known', 'check that /proc is mounted')];
  }
  const found = `up to ${limit} files and folders can be watched`;
  return [
    limit < FEW_WATCHES
      ? warn('watching', found, 'raise it: sysctl fs.inotify.max_user_watches=524288')
      : ok('watching', found),
  ];
}

/**
 * Sets the fuses of the packaged runtime (electron-builder's afterPack hook). Turns off everything that makes the
 * binary run other code than ours, or with more rights than it needs. Playwright drives Electron through
 * nodeCliInspect, so the end-to-end test of the window runs an unpackaged runtime.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Problem, say } from '../machine/progress.mjs';

/** In the order of their places in the runtime. A runtime that has one more is refused, as we have not judged it. */
export const FUSES = {
  runAsNode: false,
  cookieEncryption: false,
  nodeOptionsEnvironmentVariable: false,
  nodeCliInspectArguments: false,
  embeddedAsarIntegrityValidation: true,
  onlyLoadAppFromAsar: true,
  // It would need a snapshot file of its own.
  loadBrowserProcessSpecificV8Snapshot: false,
  grantFileProtocolExtraPrivileges: false,
  // V8's usual way to check bounds of WebAssembly; without it, masking and search are slower.
  wasmTrapHandlers: true,
};

/** The bytes before the fuses in every Electron binary. */
const SENTINEL = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';
/** Electron's has over 100 MB. */
const SMALLEST_RUNTIME_BYTES = 1_000_000;
const REMOVED = 'r'.charCodeAt(0);

/** @param {import('electron-builder').AfterPackContext} context */
export default function setFuses(context) {
  const path = fuseFile(context);
  const bytes = readFileSync(path);
  if (bytes.includes(SENTINEL)) {
    burn(bytes, path);
    writeFileSync(path, bytes);
    sign(context);
  } else if (bytes.length < SMALLEST_RUNTIME_BYTES) {
    // The packaging test uses one where no runtime can be downloaded.
    say('this is no Electron runtime but something standing in for one: it has no fuses');
  } else {
    throw new Problem(
      `${path} has no fuses`,
      'pack a runtime that has: without them any program can run as this one',
    );
  }
}

/**
 * Writes the fuses into the bytes, into each half of a universal binary.
 * @param {Buffer} bytes @param {string} path
 */
export function burn(bytes, path) {
  const wanted = Object.values(FUSES);
  for (let at = bytes.indexOf(SENTINEL); at !== -1; at = bytes.indexOf(SENTINEL, at + 1)) {
    const [version, count] = bytes.subarray(at + SENTINEL.length);
    if (version !== 1 || count !== wanted.length) {
      throw new Problem(
        `${path} has ${count} fuses of version ${version}, and ${wanted.length} of version 1 are known`,
        'judge the new ones in electron/tooling/packaging/fuses.mjs',
      );
    }
    for (const [index, on] of wanted.entries()) {
      const place = at + SENTINEL.length + 2 + index;
      if (bytes[place] !== REMOVED) bytes.write(on ? '1' : '0', place, 'latin1');
    }
  }
}

/** Apple's processors refuse a changed binary that is not signed anew; a release is signed properly afterwards. */
function sign(
  /** @type {import('electron-builder').AfterPackContext} */ { electronPlatformName, packager, appOutDir },
) {
  if (electronPlatformName !== 'darwin' || process.platform !== 'darwin') return;
  const kept = '--preserve-metadata=entitlements,requirements,flags,runtime';
  const app = join(appOutDir, `${packager.appInfo.productFilename}.app`);
  const { status, stderr } = spawnSync('codesign', ['--sign', '-', '--force', kept, '--deep', app], {
    encoding: 'utf8',
  });
  if (status !== 0)
    throw new Problem(`${app} could not be signed`, stderr ?? 'install the command line tools');
}

/** On macOS the fuses are in a framework. @param {import('electron-builder').AfterPackContext} context */
function fuseFile({ electronPlatformName: platform, packager, appOutDir }) {
  const { productFilename } = packager.appInfo;
  if (platform === 'darwin') {
    const frameworks = `${productFilename}.app/Contents/Frameworks`;
    return join(appOutDir, frameworks, 'Electron Framework.framework/Electron Framework');
  }
  const name = 'executableName' in packager ? String(packager.executableName) : productFilename;
  return join(appOutDir, platform === 'win32' ? `${name}.exe` : name);
}

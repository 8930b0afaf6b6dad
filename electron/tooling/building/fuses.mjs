/**
 * Sets the fuses of the packaged runtime (electron-builder's afterPack hook). Turns off everything that makes the
 * binary run other code than ours, or with more rights than it needs. Playwright drives Electron through
 * nodeCliInspect, so the end-to-end test of the window runs an unpackaged runtime.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FuseV1Options, FuseVersion } from '@electron/fuses';
import { Problem, say } from '../machine/progress.mjs';

const fuses = {
  [FuseV1Options.RunAsNode]: false,
  [FuseV1Options.EnableCookieEncryption]: false,
  [FuseV1Options.EnableNodeOptionsEnvironmentVariable]: false,
  [FuseV1Options.EnableNodeCliInspectArguments]: false,
  [FuseV1Options.EnableEmbeddedAsarIntegrityValidation]: true,
  [FuseV1Options.OnlyLoadAppFromAsar]: true,
  [FuseV1Options.GrantFileProtocolExtraPrivileges]: false,
};

/** The bytes before the fuses in every Electron binary. */
const SENTINEL = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';
/** Electron's has over 100 MB. */
const SMALLEST_RUNTIME_BYTES = 1_000_000;

/** @param {import('electron-builder').AfterPackContext} context */
export default async function setFuses(context) {
  if (isStandIn(context))
    return say('this is no Electron runtime but something standing in for one: it has no fuses');
  await context.packager.addElectronFuses(context, { version: FuseVersion.V1, ...fuses });
}

/**
 * Recognises a script packed in place of the runtime: the packaging test uses one where no runtime can be
 * downloaded.
 * @param {import('electron-builder').AfterPackContext} context
 */
function isStandIn({ electronPlatformName: platform, packager, appOutDir }) {
  // On macOS the fuses are in a framework, and this check does not apply.
  if (platform === 'darwin' || platform === 'mas') return false;
  const name =
    'executableName' in packager ? String(packager.executableName) : packager.appInfo.productFilename;
  const path = join(appOutDir, platform === 'win32' ? `${name}.exe` : name);
  const bytes = readFileSync(path);
  if (bytes.includes(SENTINEL)) return false;
  if (bytes.length < SMALLEST_RUNTIME_BYTES) return true;
  throw new Problem(
    `${path} has no fuses`,
    'pack a runtime that has: without them any program can run as this one',
  );
}

/**
 * Sets the fuses of the packed runtime (electron-builder's afterPack hook). Off is everything that makes the binary run
 * other code than ours, or under more rights than it needs. Playwright drives Electron over nodeCliInspect, so the
 * end-to-end test of the window runs against a plain runtime, not a packed one.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FuseV1Options, FuseVersion } from '@electron/fuses';
import { Problem, say } from './progress.mjs';

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
/** Bytes; Electron's is over 100 MB. */
const SMALLEST_RUNTIME = 1_000_000;

/** @param {import('electron-builder').AfterPackContext} context */
export default async function setFuses(context) {
  if (isStandIn(context))
    return say('this is no Electron runtime but something standing in for one: it has no fuses');
  await context.packager.addElectronFuses(context, { version: FuseVersion.V1, ...fuses });
}

/** A check of the packaging where no runtime can be downloaded packs a script in its place.
 * @param {import('electron-builder').AfterPackContext} context */
function isStandIn({ electronPlatformName: platform, packager, appOutDir }) {
  // On macOS a framework has the fuses, and this check does not apply.
  if (platform === 'darwin' || platform === 'mas') return false;
  const name =
    'executableName' in packager ? String(packager.executableName) : packager.appInfo.productFilename;
  const path = join(appOutDir, platform === 'win32' ? `${name}.exe` : name);
  const bytes = readFileSync(path);
  if (bytes.includes(SENTINEL)) return false;
  if (bytes.length < SMALLEST_RUNTIME) return true;
  throw new Problem(
    `${path} has no fuses`,
    'pack a runtime that has: without them any program can run as this one',
  );
}

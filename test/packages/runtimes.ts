/** Stand-ins for Electron's runtime on other systems, with what electron-builder changes in them. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import prepare from '../../electron/tooling/packaging/prepare.mjs';
import { project } from '../integration/tooling/fresh-copy.ts';

/** A runtime's fuses: the sentinel before them, their version, how many there are, and each as a digit. */
export const FUSES = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX\x01\x09';
const ALL_ON = Buffer.from(`${FUSES}111111111 `, 'latin1');

/** The part of resedit, which electron-builder brings, that is used. */
interface ResEdit {
  NtExecutable: { from(bytes: Buffer, options: object): { generate(): ArrayBuffer } };
  NtExecutableResource: { from(file: unknown): { entries: unknown; outputResource(file: unknown): void } };
  Resource: {
    VersionInfo: {
      createEmpty(): {
        setStringValues(language: object, values: Record<string, string>): void;
        outputToResourceEntries(entries: unknown): void;
      };
    };
  };
}

/** A program of Windows, made of the pseudo-terminal's library, with the resource that names its version. */
export async function winRuntime(folder: string): Promise<void> {
  for (const name of ['resources', 'locales']) mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, 'version'), 'v45.4.1');
  prepare({ electronPlatformName: 'win32', arch: 1 } as Parameters<typeof prepare>[0]);
  const library = join(project, 'dist/.package/win-x64/pty/@lydell/node-pty-win32-x64/conpty.node');
  const edit = createRequire(import.meta.url)('resedit') as ResEdit;
  const file = edit.NtExecutable.from(readFileSync(library), { ignoreCert: true });
  const resources = edit.NtExecutableResource.from(file);
  const version = edit.Resource.VersionInfo.createEmpty();
  version.setStringValues({ lang: 1033, codepage: 1200 }, { ProductName: 'Electron' });
  version.outputToResourceEntries(resources.entries);
  resources.outputResource(file);
  writeFileSync(join(folder, 'electron.exe'), Buffer.concat([Buffer.from(file.generate()), ALL_ON]));
}

const PLIST = `<?xml version="1.0" encoding="UTF-8"?>
<plist version="1.0"><dict><key>CFBundleExecutable</key><string>Electron</string></dict></plist>
`;

/** An application of macOS, with its framework and helpers. */
export async function macRuntime(folder: string): Promise<void> {
  const inContents = (...parts: string[]) => join(folder, 'Electron.app', 'Contents', ...parts);
  const write = (path: string, text: string | Buffer) => {
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, text, { mode: 0o755 });
  };
  mkdirSync(inContents('Resources'), { recursive: true });
  write(join(folder, 'version'), 'v45.4.1');
  write(inContents('MacOS', 'Electron'), '#!/bin/sh\n');
  write(inContents('Info.plist'), PLIST);
  write(inContents('Frameworks', 'Electron Framework.framework', 'Electron Framework'), ALL_ON);
  for (const kind of ['', ' (GPU)', ' (Plugin)', ' (Renderer)']) {
    const helper = `Electron Helper${kind}`;
    write(inContents('Frameworks', `${helper}.app`, 'Contents', 'MacOS', helper), '#!/bin/sh\n');
    write(inContents('Frameworks', `${helper}.app`, 'Contents', 'Info.plist'), PLIST);
  }
}

/** `npm run vsix`: makes release/spillway.vsix, the extension for VS Code, without a network. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inDist, root } from './building/targets.mjs';
import { ensure } from './machine/ensure.mjs';
import { zip } from './mcpb.mjs';

/** Returns the package (VSIX manifest 2.0.0, Open Packaging Conventions) of the built extension. */
export function vsix() {
  const manifest = JSON.parse(readFileSync(inDist('vscode', 'package.json'), 'utf8'));
  const names = readdirSync(inDist('vscode')).sort();
  return zip([
    { name: 'extension.vsixmanifest', bytes: Buffer.from(described(manifest)) },
    { name: '[Content_Types].xml', bytes: Buffer.from(typesOf(names)) },
    ...names.map((name) => ({ name: `extension/${name}`, bytes: readFileSync(inDist('vscode', name)) })),
  ]);
}

/** @param {{ name: string, publisher: string, version: string, displayName: string, description: string, categories: string[], engines: { vscode: string }, extensionKind: string[] }} manifest */
function described(manifest) {
  const { name, publisher, version, displayName, description, categories, engines, extensionKind } = manifest;
  return `<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011" xmlns:d="http://schemas.microsoft.com/developer/vsx-schema-design/2011">
  <Metadata>
    <Identity Language="en-US" Id="${name}" Version="${version}" Publisher="${publisher}" />
    <DisplayName>${displayName}</DisplayName>
    <Description xml:space="preserve">${description}</Description>
    <Categories>${categories.join(',')}</Categories>
    <Properties>
      <Property Id="Microsoft.VisualStudio.Code.Engine" Value="${engines.vscode}" />
      <Property Id="Microsoft.VisualStudio.Code.ExtensionKind" Value="${extensionKind.join(',')}" />
    </Properties>
    <License>extension/LICENSE.txt</License>
  </Metadata>
  <Installation>
    <InstallationTarget Id="Microsoft.VisualStudio.Code" />
  </Installation>
  <Dependencies />
  <Assets>
    <Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true" />
    <Asset Type="Microsoft.VisualStudio.Services.Content.Details" Path="extension/README.md" Addressable="true" />
    <Asset Type="Microsoft.VisualStudio.Services.Content.License" Path="extension/LICENSE.txt" Addressable="true" />
  </Assets>
</PackageManifest>
`;
}

/** @param {readonly string[]} names */
function typesOf(names) {
  const extensions = new Set(['vsixmanifest', ...names.map((name) => name.slice(name.lastIndexOf('.') + 1))]);
  const defaults = [...extensions].map(
    (one) => `<Default Extension="${one}" ContentType="application/octet-stream" />`,
  );
  return `<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">${defaults.join('')}</Types>
`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await ensure();
  mkdirSync(join(root, 'release'), { recursive: true });
  const bytes = vsix();
  writeFileSync(join(root, 'release', 'spillway.vsix'), bytes);
  console.log(`release/spillway.vsix (${Math.round(bytes.length / 1024)} KiB): code --install-extension it`);
}

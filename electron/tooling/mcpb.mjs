/**
 * `npm run mcpb [-- IDENTIFIER NAME]`: makes release/spillway.mcpb, which Claude Desktop and others install as an
 * MCP server, and release/server.json, which describes it to a registry of servers. IDENTIFIER is the address it
 * will be published at, NAME its name there (`io.github.someone/spillway`).
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { crc32, deflateRawSync } from 'node:zlib';
import { inDist, root } from './building/targets.mjs';
import { ensure } from './machine/ensure.mjs';

const { version, description, license, engines } = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
);

export const manifest = {
  manifest_version: '0.3',
  name: 'spillway',
  display_name: 'Spillway',
  version,
  description,
  license,
  author: { name: 'Spillway' },
  server: {
    type: 'node',
    entry_point: 'server/cli.js',
    mcp_config: {
      command: 'node',
      // The flag keeps Node's debugger shut (electron/host/no-debugger.ts).
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the client fills it in
      args: ['--inspect-port=192.0.2.1:65535', '${__dirname}/server/cli.js', 'mcp'],
    },
  },
  compatibility: { runtimes: { node: engines.node } },
};

/** Names the format of server.json. Registries refuse a description without it. */
export const SERVER_SCHEMA = 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json';

/** @param {Buffer} bundle @param {string} identifier @param {string} name */
export function serverDescription(bundle, identifier, name) {
  const fileSha256 = createHash('sha256').update(bundle).digest('hex');
  const transport = { type: 'stdio' };
  return {
    $schema: SERVER_SCHEMA,
    name,
    description,
    version,
    packages: [{ registryType: 'mcpb', identifier, version, fileSha256, transport }],
  };
}

/**
 * Makes a zip archive (APPNOTE.TXT). Every file gets the same time, so that equal contents give equal archives.
 * @param {{ name: string, bytes: Buffer }[]} files
 * @returns {Buffer}
 */
export function zip(files) {
  /** @type {Buffer[]} */
  const parts = [];
  /** @type {Buffer[]} */
  const directory = [];
  let offset = 0;
  for (const { name, bytes } of files) {
    const path = Buffer.from(name);
    const packed = deflateRawSync(bytes);
    const facts = Buffer.alloc(26);
    facts.writeUInt16LE(20, 0);
    facts.writeUInt16LE(0x0800, 2);
    facts.writeUInt16LE(8, 4);
    facts.writeUInt16LE(0x21, 8);
    facts.writeUInt32LE(crc32(bytes), 10);
    facts.writeUInt32LE(packed.length, 14);
    facts.writeUInt32LE(bytes.length, 18);
    facts.writeUInt16LE(path.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), facts, path, packed]);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00'), facts, place, path]));
    parts.push(local);
    offset += local.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(files.length, 4);
  end.writeUInt16LE(files.length, 6);
  end.writeUInt32LE(listed.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, listed, Buffer.from('PK\x05\x06'), end]);
}

/** @returns {{ name: string, bytes: Buffer }[]} the files of the command line, without the window */
function contents() {
  const names = readdirSync(inDist('node'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.map') && entry.name !== 'main.cjs')
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  const server = names.map((path) => ({
    name: `server/${path
      .slice(inDist('node').length + 1)
      .split(sep)
      .join('/')}`,
    bytes: readFileSync(path),
  }));
  return [{ name: 'manifest.json', bytes: Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`) }, ...server];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [identifier = 'spillway.mcpb', name = 'local/spillway'] = process.argv.slice(2);
  await ensure();
  mkdirSync(join(root, 'release'), { recursive: true });
  const bundle = zip(contents());
  writeFileSync(join(root, 'release', 'spillway.mcpb'), bundle);
  const described = serverDescription(bundle, identifier, name);
  writeFileSync(join(root, 'release', 'server.json'), `${JSON.stringify(described, null, 2)}\n`);
  console.log(`release/spillway.mcpb (${Math.round(bundle.length / 1024)} KiB) and release/server.json`);
}

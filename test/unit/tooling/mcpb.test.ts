/** The bundle that Claude Desktop installs. */
import { inflateRawSync } from 'node:zlib';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { NO_DEBUGGER } from '../../../electron/host/no-debugger.ts';
import { manifest, SERVER_SCHEMA, serverDescription, zip } from '../../../electron/tooling/mcpb.mjs';

test('the bundle is a zip archive, whose directory has the name and position of each file', () => {
  const files = [
    { name: 'manifest.json', bytes: Buffer.from('{}') },
    { name: 'server/größe.txt', bytes: Buffer.alloc(100_000, 'ab') },
  ];
  const archive = zip(files);
  const end = archive.lastIndexOf('PK\x05\x06');
  expect(archive.readUInt16LE(end + 10)).toBe(2);
  let at = archive.readUInt32LE(end + 16);
  const read = files.map(() => {
    const [packed, name, place] = [
      archive.readUInt32LE(at + 20),
      archive.readUInt16LE(at + 28),
      archive.readUInt32LE(at + 42),
    ];
    const path = archive.subarray(at + 46, at + 46 + name).toString();
    expect(archive.subarray(place, place + 4).toString()).toBe('PK\x03\x04');
    at += 46 + name;
    return {
      name: path,
      bytes: inflateRawSync(archive.subarray(place + 30 + name, place + 30 + name + packed)),
    };
  });
  expect(read).toEqual(files);
  expect(at).toBe(end);
});

test('the bundle starts with Node, and server.json has its hash', () => {
  expect(manifest.server.mcp_config.args.at(-1)).toBe('mcp');
  expect(manifest.server.mcp_config.args[0]).toBe(NO_DEBUGGER[0]);
  const described = serverDescription(
    Buffer.from('x'),
    'https://example.org/spillway.mcpb',
    'org.example/spillway',
  );
  expect(described.packages[0]).toMatchObject({
    registryType: 'mcpb',
    fileSha256: '2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881',
  });
  expect(described.version).toBe(manifest.version);
});

/** A version and no range of them, nor a tag. */
const ExactVersion = z
  .string()
  .min(1)
  .max(255)
  .regex(/^(?!latest$)[^\s^~<>=*|]+$/);

/** The rules of the registry's schema of 2025-12-11 for a description such as ours. */
const ServerJson = z.strictObject({
  $schema: z.literal(SERVER_SCHEMA),
  name: z
    .string()
    .min(3)
    .max(200)
    .regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
  description: z.string().min(1).max(100),
  version: ExactVersion,
  packages: z.array(
    z.strictObject({
      registryType: z.literal('mcpb'),
      identifier: z.url(),
      version: ExactVersion,
      fileSha256: z.string().regex(/^[a-f0-9]{64}$/),
      transport: z.strictObject({ type: z.literal('stdio') }),
    }),
  ),
});

const served = () =>
  serverDescription(Buffer.from('x'), 'https://example.org/spillway.mcpb', 'org.example/spillway');

test('server.json is valid for the registry of MCP servers', () => {
  expect(ServerJson.parse(JSON.parse(JSON.stringify(served())))).toEqual(served());
});

test.each([
  ['without its schema', { $schema: undefined }],
  ['with a name that has no namespace', { name: 'spillway' }],
  ['with a description over 100 characters', { description: 'x'.repeat(101) }],
  ['with a range of versions', { version: '^1.0.0' }],
  ['with a hash that is none', { packages: [{ ...served().packages[0], fileSha256: 'x' }] }],
])('a server.json %s would be refused', (_, change) => {
  expect(ServerJson.safeParse({ ...served(), ...change }).success).toBe(false);
});

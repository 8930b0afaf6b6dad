/** A file that is followed while another program writes to it as fast as it can. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createHost, type LocalHost } from '../../../electron/host/create.ts';
import type { DocumentState } from '../../../shared/api/rows.ts';
import { makeFolder, removeFolder } from '../../fixtures/folder.ts';
import { untilPasses } from '../../fixtures/until.ts';

const LINE_BYTES = 64;
const CHUNK_LINES = 16_384;
const CHUNKS = 128;
const LINES = CHUNKS * CHUNK_LINES;

/** Appends 128 MiB of equal lines. */
const WRITER = `
const { openSync, writeSync } = require('node:fs');
const file = openSync(process.argv[1], 'a');
const chunk = Buffer.from(('x'.repeat(${LINE_BYTES - 1}) + '\\n').repeat(${CHUNK_LINES}));
for (let i = 0; i < ${CHUNKS}; i += 1) writeSync(file, chunk);
`;

let folder: string;
let host: LocalHost;

beforeEach(async () => {
  folder = makeFolder();
  writeFileSync(join(folder, 'flood.log'), 'first\n');
  host = await createHost({ home: join(folder, 'home'), watch: false, paths: [join(folder, 'flood.log')] });
});
afterEach(async () => {
  await host.close();
  removeFolder(folder);
});

test('a flood is counted whole while it is followed, and its end is shown', async () => {
  const path = join(folder, 'flood.log');
  const [file] = (await host.list({})).outputs;
  const states: DocumentState[] = [];
  const stop = host.watchDocument(
    { artifact_id: file!.artifact_id, stream: 'output' },
    (state) => states.push(state),
    (error) => {
      throw error;
    },
  );
  const [code] = await once(spawn(process.execPath, ['-e', WRITER, path], { stdio: 'inherit' }), 'exit');
  expect(code).toBe(0);
  appendFileSync(path, 'last\n');
  await untilPasses(() => {
    expect(states.at(-1)).toMatchObject({ total_lines: LINES + 2, total_bytes: 6 + LINES * LINE_BYTES + 5 });
    expect(states.at(-1)!.indexed_bytes).toBe(states.at(-1)!.total_bytes);
  });
  // All of it is one text: no part was mistaken for another file.
  expect(new Set(states.map(({ generation }) => generation))).toEqual(new Set([1]));
  const { content } = await host.inspect({ file_path: path, mode: 'tail', lines: 1 });
  expect(content).toBe('last');
  stop();
});

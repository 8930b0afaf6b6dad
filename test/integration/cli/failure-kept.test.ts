/**
 * The recorder stores the explanation of a large failed command in a file. Without the file, readers compute it again.
 */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addExplained } from '../../../electron/store/contents/explained.ts';
import { FailureView } from '../../../shared/views.ts';
import { makePlace, type Place, runCli } from '../../fixtures/cli.ts';
import { onlyCapture } from '../../fixtures/library/captured.ts';

const CAUSE = 'gen: schema/orders.json: duplicate id 4711 in definitions';
const MIB = 1024 * 1024;

let place: Place;

const run = (...args: string[]) => runCli(args, place);

/** Records a command that prints 5 MiB with the cause in the middle, and fails. */
async function failLarge(): Promise<{ id: string; path: string }> {
  const regular = 'gen: schema/parcel pass 1 (no errors so far)';
  const half = `awk 'BEGIN { for (i = 0; i < ${Math.ceil((2.5 * MIB) / regular.length)}; i++) print "${regular}" }'`;
  await run('run', '--quiet', '--', 'sh', '-c', `${half}; echo '${CAUSE}'; ${half}; exit 7`);
  const { record, folder } = onlyCapture(place.home);
  return { id: record.artifact_id, path: join(folder, `${record.artifact_id}.explained`) };
}

async function view(id: string, ...options: string[]) {
  const { stdout } = await run('inspect', id, '--mode', 'failure', '--json', ...options);
  return FailureView.parse(JSON.parse(stdout));
}

describe('the explanation of a large failed run, recorded once,', () => {
  let large: { id: string; path: string };
  let explanation: string;
  beforeAll(async () => {
    place = makePlace();
    large = await failLarge();
    explanation = readFileSync(large.path, 'utf8');
  });
  beforeEach(() => writeFileSync(large.path, explanation));
  afterAll(() => place.remove());

  test('is kept, and shown without reading the output again', async () => {
    const { id, path } = large;
    const before = await view(id);
    expect(before).toMatchObject({ cause: { stream: 'combined', text: CAUSE }, truncated: true });
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll('id 4711', 'id 4712'));
    const kept = await view(id);
    expect(kept.cause).toEqual(before.cause);
    expect(kept.content).toBe(before.content.replaceAll('id 4711', 'id 4712'));
    const range = await view(id, '--start', '2');
    expect(range.cause?.text).toBe(CAUSE);
  });

  test.each([
    ['damaged', (text: string) => text.replaceAll('id 4711', 'id 4712').slice(0, -3)],
    [
      'of another version',
      (text: string) => text.replaceAll('4711', '4712').replace(/"version":\d+/, '"version":999'),
    ],
    [
      'of other bytes',
      (text: string) => text.replaceAll('id 4711', 'id 4712').replace('"bytes":', '"bytes":1'),
    ],
    ['too large', (text: string) => text.replaceAll('id 4711', 'id 4712') + ' '.repeat(2 * MIB)],
  ])('does no harm when it is %s', async (_, damage) => {
    writeFileSync(large.path, damage(explanation));
    const { cause, content } = await view(large.id);
    expect(cause?.text).toBe(CAUSE);
    expect(content).toContain(CAUSE);
    expect(content).not.toContain('4712');
  });
});

describe('the explanation of a large failed run', () => {
  beforeEach(() => {
    place = makePlace();
  });
  afterEach(() => place.remove());

  test('is kept by the first who asks where the recorder kept none', async () => {
    const script = `yes 'gen: schema/parcel pass 1' | head -n 200000; echo '${CAUSE}'; echo 'gen: sealed' >&2; exit 1`;
    await run('run', '--quiet', '--', 'sh', '-c', script);
    const { record, folder } = onlyCapture(place.home);
    const id = record.artifact_id;
    const path = join(folder, `${id}.explained`);
    rmSync(path, { force: true });
    expect(existsSync(path)).toBe(false);
    await view(id, '--start', '2');
    expect(existsSync(path)).toBe(false);
    expect((await view(id)).cause).toMatchObject({ stream: 'combined', text: CAUSE });
    expect((await view(id, '--stream', 'stdout')).cause).toMatchObject({ stream: 'stdout', text: CAUSE });
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll('id 4711', 'id 4712'));
    expect((await view(id)).content).toContain('id 4712');
    expect((await view(id, '--stream', 'stdout')).content).toContain('id 4712');
    expect((await view(id, '--stream', 'stderr')).content).toBe('gen: sealed');
  });

  test('is not written beside files that are not ours', async () => {
    writeFileSync(join(place.files, 'big.log'), `${'regular\n'.repeat(700_000)}${CAUSE}\n`);
    const before = readdirSync(place.files);
    expect((await view('big.log')).cause?.text).toBe(CAUSE);
    expect(readdirSync(place.files)).toEqual(before);
  });

  test('leaves nothing behind when the capture is removed meanwhile', () => {
    const id = 'cmd-gone-2026-01-13T10-30-00-abc123';
    const none = new Set<number>();
    const explanation = {
      cause: null,
      ranked: [],
      blank: none,
      totalLines: 1,
      essential: none,
      tellsOfFailure: false,
      isPlain: false,
    };
    addExplained(place.files, id, { name: 'output', bytes: 1, explanation });
    expect(readdirSync(place.files)).toEqual([]);
  });

  test('goes with its capture', async () => {
    const { id, path } = await failLarge();
    expect(existsSync(path)).toBe(true);
    await run('cleanup', '--older-than', '0');
    expect(existsSync(dirname(path)) && existsSync(path)).toBe(false);
    expect((await run('inspect', id)).status).not.toBe(0);
  });
});

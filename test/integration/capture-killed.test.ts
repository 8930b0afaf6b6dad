/**
 * kill -9 of the recorder, at moments that a seed decides. What is readable is a beginning of what the command wrote, with
 * all that had passed through; and whoever looks next finds it interrupted and whole. SPILLWAY_KILLS says how often (15).
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { decodeArrivals } from '../../electron/library/captures/times.ts';
import { type Capture, capturesIn, storedBytes, streamOf } from '../fixtures/captured.ts';
import { finished, makePlace, type Place, runCli, startCli } from '../fixtures/cli.ts';

const kills = Number(process.env.SPILLWAY_KILLS ?? 15);
const writer = fileURLToPath(new URL('../fixtures/writer.mjs', import.meta.url));
const BYTES = 8_000_000;
/** Milliseconds. */
const TIMEOUT = 60_000 + kills * 4000;
const wanted = numberedLines();

function numberedLines(): Buffer {
  const lines: string[] = [];
  for (let line = 1, size = 0; size < BYTES + 100_000; line += 1) {
    lines.push(`line ${line}\n`);
    size += lines.at(-1)!.length;
  }
  return Buffer.from(lines.join(''));
}

/** Kills the recorder once it has passed on so many bytes; how many it had passed on in the end. */
async function killAfter(place: Place, seed: number, target: number, options: string[]): Promise<number> {
  const args = ['run', ...options, '--', process.execPath, writer, String(seed), String(BYTES)];
  const child = startCli(args, place);
  let seen = 0;
  child.stdout.on('data', (chunk: Buffer) => {
    expect(chunk.equals(wanted.subarray(seen, seen + chunk.length))).toBe(true);
    seen += chunk.length;
    if (seen >= target) child.kill('SIGKILL');
  });
  expect((await finished(child)).signal).toBe('SIGKILL');
  return seen;
}

const seeds = Array.from({ length: kills }, (_, i) => i + 1);
/** Up to 2 MB, more often early. */
const targetOf = (seed: number) => Math.floor(((Math.imul(seed, 2_654_435_761) >>> 0) / 2 ** 32) ** 2 * 2e6);

describe('after kill -9', () => {
  let place: Place;
  const seen = new Map<string, number>();
  let mended: Capture[] = [];

  beforeAll(async () => {
    place = makePlace({ minFreeBytes: 0 });
    for (const seed of seeds) {
      const passed = await killAfter(place, seed, targetOf(seed), []);
      const capture = capturesIn(place.home).find(({ record }) => !seen.has(record.artifact_id))!;
      seen.set(capture.record.artifact_id, passed);
      expect(capture.record.status).toBe('running');
    }
    const { stdout } = await runCli(['list', '--limit', '1000', '--json'], place);
    const { outputs } = JSON.parse(stdout);
    expect(outputs).toHaveLength(kills);
    for (const output of outputs) expect(output.status).toBe('interrupted');
    mended = capturesIn(place.home);
  }, TIMEOUT);
  afterAll(() => place.remove());

  test('what is stored is a beginning of what was written, and nothing that had passed through is missing', () => {
    for (const capture of mended) {
      const stored = storedBytes(capture, 'stdout');
      expect(stored.equals(wanted.subarray(0, stored.length))).toBe(true);
      expect(stored.length).toBeGreaterThanOrEqual(seen.get(capture.record.artifact_id)!);
    }
  });

  test('no time of arrival speaks of bytes that are not there', () => {
    for (const capture of mended) {
      const times = decodeArrivals(readFileSync(join(capture.folder, `${capture.record.artifact_id}.times`)));
      const size = storedBytes(capture, 'stdout').length;
      for (const { end } of times) expect(end).toBeLessThanOrEqual(size);
    }
  });

  test('the record is mended: interrupted, with what the files hold', () => {
    for (const capture of mended) {
      expect(capture.record).toMatchObject({ status: 'interrupted', recorder: null, exit_code: null });
      expect(streamOf(capture, 'stdout').total_bytes).toBe(storedBytes(capture, 'stdout').length);
    }
  });
});

test(
  'after kill -9 beyond the cap, the head and the end are put together, and the gap is true',
  async () => {
    const place = makePlace({ minFreeBytes: 0 });
    for (const seed of seeds.slice(0, Math.max(3, Math.floor(kills / 4)))) {
      await killAfter(place, seed, 3_000_000 + targetOf(seed) * 2, ['--max-bytes', '200000']);
    }
    await runCli(['list', '--json'], place);
    for (const capture of capturesIn(place.home)) {
      const { gap } = streamOf(capture, 'stdout');
      const stored = storedBytes(capture, 'stdout');
      expect(gap).not.toBe(null);
      const { offset, bytes, line, lines } = gap!;
      const rest = wanted.subarray(offset + bytes, bytes + stored.length);
      expect(stored.equals(Buffer.concat([wanted.subarray(0, offset), rest]))).toBe(true);
      expect(line).toBe(linesIn(wanted.subarray(0, offset)));
      expect(lines).toBe(linesIn(wanted.subarray(offset, offset + bytes)));
      expect(stored.length - offset).toBeGreaterThan(0);
    }
    place.remove();
  },
  TIMEOUT,
);

function linesIn(bytes: Buffer): number {
  return bytes.toString('latin1').split('\n').length - 1;
}

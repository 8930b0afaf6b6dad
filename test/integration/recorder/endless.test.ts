/** Records endless, single-line and binary output in bounded memory and disk, at the reader's pace. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { cliEntry, finished, makePlace, type Place, runCli, startCli } from '../../fixtures/cli.ts';
import {
  capturesIn,
  onlyCapture,
  standsStill,
  storedBytes,
  streamOf,
} from '../../fixtures/library/captured.ts';
import { LINE_BYTES } from '../../fixtures/sizes.ts';

let place: Place;

beforeEach(() => {
  place = makePlace({ minFreeBytes: 0 });
});
afterEach(() => place.remove());

/** Peak memory of a process in KiB; 0 if the system does not report it. */
function mostMemory(pid: number): number {
  if (process.platform !== 'linux') return 0;
  return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]);
}

test(`a single line of ${LINE_BYTES / 1e6} MB stays bounded, in memory and on disk, with its end readable`, async () => {
  const bytes = LINE_BYTES;
  const script = `head -c ${bytes} /dev/zero | tr '\\0' x; printf 'the end'; touch done; read line`;
  const child = startCli(['run', '--json', '--max-bytes', '10000000', '--', 'sh', '-c', script], place);
  const end = finished(child);
  await expect.poll(() => existsSync(join(place.files, 'done'))).toBe(true);
  const most = mostMemory(child.pid!);
  child.stdin.end('\n');
  const head = JSON.parse((await end).stdout);
  expect(most).toBeLessThan(150_000);
  expect(head.stdout).toMatchObject({
    total_lines: 1,
    total_bytes: 10_000_000,
    dropped_bytes: bytes + 7 - 10_000_000,
    truncated: true,
  });
  expect(head.parts).toMatchObject([
    { start_line: 1, end_line: 1 },
    { start_line: 1, end_line: 1 },
  ]);
  expect(head.parts[1].content).toMatch(/^x+the end$/);
  const stored = storedBytes(onlyCapture(place.home), 'stdout').toString('latin1');
  expect(stored).toMatch(/^x+the end$/);
  expect(stored.length).toBe(10_000_000);
});

test('a reader that stops reading holds the input up, and nothing piles up', async () => {
  const child = startCli(['capture', '--tee'], place);
  child.stdout.pause();
  const end = finished(child);
  child.stdout.pause();
  child.stdin.end(Buffer.alloc(8_000_000, 'some line\n'));
  const size = () => {
    const [capture] = capturesIn(place.home);
    return capture ? storedBytes(capture, 'output').length : 0;
  };
  await expect.poll(size).toBeGreaterThan(10_000);
  await standsStill(size);
  expect(size()).toBeLessThan(3_000_000);
  child.stdout.resume();
  const { status, stdout } = await end;
  expect({ status, length: stdout.length }).toEqual({ status: 0, length: 8_000_000 });
  expect(size()).toBe(8_000_000);
});

test('output without end takes no more room than the cap, in memory neither, until it is ended', async () => {
  const child = startCli(['run', '--quiet', '--max-bytes', '4000000', '--', 'yes'], place);
  let seen = 0;
  child.stdout.on('data', (chunk: Buffer) => {
    seen += chunk.length;
  });
  await expect.poll(() => seen).toBeGreaterThan(100_000_000);
  const { folder } = onlyCapture(place.home);
  // The head, and at most three segments of the tail.
  const onDisk = readdirSync(folder).map((name) => statSync(join(folder, name), { throwIfNoEntry: false }));
  expect(onDisk.reduce((sum, stats) => sum + (stats?.size ?? 0), 0)).toBeLessThan(12_000_000);
  const most = mostMemory(child.pid!);
  const ended = new Promise((resolve) => child.once('close', resolve));
  child.kill('SIGTERM');
  await ended;
  expect(most).toBeLessThan(150_000);
  const capture = onlyCapture(place.home);
  const { gap, total_bytes, total_lines } = streamOf(capture, 'stdout');
  expect(total_bytes).toBeLessThanOrEqual(4_000_000);
  expect(storedBytes(capture, 'stdout').equals(Buffer.alloc(total_bytes, 'y\n'))).toBe(true);
  expect(total_bytes + gap!.bytes).toBeGreaterThanOrEqual(seen);
  expect(total_lines).toBe(Math.ceil((total_bytes + gap!.bytes) / 2));
  expect(capture.record).toMatchObject({ status: 'cancelled', signal: 'SIGTERM' });
});

test('input without end ends with its reader', async () => {
  const script = `yes | "$0" "$1" capture --tee | head -2; echo "\${PIPESTATUS[1]}"`;
  const { stdout } = spawnSync('bash', ['-c', script, process.execPath, cliEntry], {
    encoding: 'utf8',
    env: { ...process.env, SPILLWAY_HOME: place.home },
    timeout: 60_000,
  });
  expect(stdout).toBe('y\ny\n0\n');
  expect(onlyCapture(place.home).record).toMatchObject({ kind: 'capture', status: 'finished' });
});

test('input that is broken off by Ctrl-C is recorded as far as it came', async () => {
  const child = startCli(['capture', '--tee'], place);
  child.stdin.write('as far as this\n');
  let seen = '';
  child.stdout.on('data', (chunk) => {
    seen += chunk;
  });
  const end = finished(child);
  await expect.poll(() => seen).toBe('as far as this\n');
  child.kill('SIGINT');
  expect((await end).signal).toBe('SIGINT');
  const capture = onlyCapture(place.home);
  expect(storedBytes(capture, 'output').toString()).toBe('as far as this\n');
  expect(capture.record).toMatchObject({ status: 'finished', warnings: [expect.stringMatching(/SIGINT/)] });
});

test('binary data comes through and is stored unchanged', async () => {
  const result = await runCli(
    ['run', '--', 'sh', '-c', 'head -c 300000 /dev/zero; printf "\\377\\376"'],
    place,
  );
  expect(result.status).toBe(0);
  const capture = onlyCapture(place.home);
  const stored = storedBytes(capture, 'stdout');
  expect(stored.length).toBe(300_002);
  expect([...stored.subarray(-3)]).toEqual([0, 255, 254]);
  expect(streamOf(capture, 'stdout').content_type).toBe('binary');
});

/** Compares every view of a recorded command with what the command printed. */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createHost } from '../../../electron/host/create.ts';
import type { Host } from '../../../electron/host/host.ts';
import { type Recording, startRecording } from '../../../electron/recorder/streams/recording.ts';
import { Settings } from '../../../shared/settings.ts';
import * as fc from '../../fixtures/fast-check.ts';
import { makeFolder } from '../../fixtures/folder.ts';
import { cases } from '../../fixtures/sizes.ts';

let home: string;
let host: Host;

beforeAll(async () => {
  home = join(makeFolder(), 'home');
  mkdirSync(home, { mode: 0o700 });
  host = await createHost({ home, watch: false, threads: 0 });
});
afterAll(async () => {
  await host.close();
  rmSync(join(home, '..'), { recursive: true, force: true });
});

interface Said {
  stream: 'stdout' | 'stderr';
  text: string;
}

const said: fc.Arbitrary<Said[]> = fc.array(
  fc.record({
    stream: fc.constantFrom('stdout', 'stderr'),
    text: fc.constantFrom('line\n', 'a', '\n', 'zwölf\nund ', '漢字\n', 'two\nlines\n'),
  }),
  { maxLength: 60 },
);

function record(settings: Partial<Settings>, inline: boolean): Recording {
  const budget = { bytes: inline ? 100_000 : 0, lines: inline ? 100_000 : 0 };
  return startRecording({
    home,
    settings: Settings.parse({ minFreeBytes: 0, ...settings }),
    session: 'default',
    kind: 'cmd',
    label: 'said',
    command: 'said',
    args: [],
    cwd: null,
    envNames: null,
    streams: ['stdout', 'stderr'],
    budgets: { stdout: budget, stderr: budget },
  });
}

/** As test/integration/store/combined.test.ts has it. */
function model(all: readonly Said[]): string {
  const waiting = { stdout: '', stderr: '' };
  let last: Said['stream'] = 'stdout';
  let combined = '';
  for (const { stream, text } of all) {
    const line = waiting[stream] + text;
    const end = line.lastIndexOf('\n') + 1;
    combined += line.slice(0, end);
    waiting[stream] = line.slice(end);
    last = stream;
  }
  const [first, second] =
    last === 'stdout' ? [waiting.stderr, waiting.stdout] : [waiting.stdout, waiting.stderr];
  return combined + first + (first && second ? '\n' : '') + second;
}

describe('what a command said on both streams', () => {
  test('is read as it was said, folded or not, while it runs and afterwards', async () => {
    await fc.assert(
      fc.asyncProperty(said, fc.boolean(), fc.nat(60), async (all, inline, pause) => {
        const recording = record({}, inline);
        const id = recording.artifactId!;
        for (const [i, { stream, text }] of all.entries()) {
          recording.write(stream, Buffer.from(text));
          if (i !== pause) continue;
          const running = await host.read({ artifact_id: id, limit: 1024 * 1024 });
          expect(model(all.slice(0, i + 1)).startsWith(running.content)).toBe(true);
          expect(running.running).toBe(true);
        }
        await recording.finish({ status: 'succeeded', exit_code: 0 });
        const whole = await host.read({ artifact_id: id, limit: 1024 * 1024 });
        expect(whole.content).toBe(model(all));
        expect(whole.note).toBeUndefined();
        for (const stream of ['stdout', 'stderr'] as const) {
          const own = all.filter((one) => one.stream === stream).map(({ text }) => text);
          expect((await host.read({ artifact_id: id, stream, limit: 1024 * 1024 })).content).toBe(
            own.join(''),
          );
        }
      }),
      { numRuns: cases(60) },
    );
  });

  test('has its own line numbers where more came than is kept', async () => {
    const sizes = fc.record({
      cap: fc.integer({ min: 20, max: 4000 }),
      lines: fc.integer({ min: 1, max: 1500 }),
    });
    await fc.assert(
      fc.asyncProperty(sizes, fc.integer({ min: 1, max: 999 }), async ({ cap, lines }, chunk) => {
        const recording = record({ maxStreamBytes: cap }, false);
        const id = recording.artifactId!;
        const all = Array.from({ length: lines }, (_, i) => `line ${i + 1}\n`).join('');
        for (let at = 0; at < all.length; at += chunk) {
          recording.write('stdout', Buffer.from(all.slice(at, at + chunk)));
          if (at < 5000) recording.write('stderr', Buffer.from(`at ${at}\n`));
        }
        const running = await host.inspect({ artifact_id: id, stream: 'stdout', mode: 'tail' });
        // Arrival times are written a little later than the output.
        if (running.note !== undefined) expect(all.length).toBeGreaterThan(cap / 2);
        await recording.finish({ status: 'succeeded', exit_code: 0 });
        const view = await host.inspect({
          artifact_id: id,
          stream: 'stdout',
          mode: 'grep',
          pattern: 'line',
          max_matches: 2000,
        });
        expect(view.total_lines).toBe(lines);
        const shown = view.content.split('\n').filter((line) => line !== '' && line !== '--');
        for (const line of shown) expect(line).toMatch(/^(\d+):line \1$/);
        const combined = await host.inspect({
          artifact_id: id,
          mode: 'grep',
          pattern: 'line',
          max_matches: 2000,
          context_lines: 0,
        });
        expect(
          combined.content
            .split('\n')
            .filter((line) => line.includes(':line'))
            .map((line) => line.replace(/^\d+:/, '')),
        ).toEqual(shown.map((line) => line.replace(/^\d+:/, '')));
        const { outputs } = await host.list({ limit: 1000 });
        const [stdout, stderr] = outputs.find((artifact) => artifact.artifact_id === id)!.streams;
        expect(stdout!.total_bytes + stdout!.dropped_bytes).toBe(all.length);
        expect(combined.total_lines).toBe(lines + stderr!.total_lines!);
      }),
      { numRuns: 15 },
    );
  });
});

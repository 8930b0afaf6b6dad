import type { Writable } from 'node:stream';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { runAll, type Step } from '../../../electron/tooling/run-steps.mjs';

let printed: string;
beforeEach(() => {
  printed = '';
  const print = (text: unknown) => {
    printed += String(text);
    return true;
  };
  vi.spyOn(process.stdout, 'write').mockImplementation(print);
  vi.spyOn(console, 'log').mockImplementation(print);
});
afterEach(() => vi.restoreAllMocks());

interface Gated {
  step: Step;
  started: Promise<void>;
  end(passed: boolean): void;
}

/** A step that prints its name as it starts, and ends when it is told to. */
function gated(name: string, more: Partial<Step> = {}): Gated {
  let begin = () => {};
  const started = new Promise<void>((resolve) => {
    begin = resolve;
  });
  let end: Gated['end'] = () => {};
  const ended = new Promise<boolean>((resolve) => {
    end = resolve;
  });
  const run = (_: string[], output: Writable = process.stdout) => {
    output.write(`${name} runs\n`);
    begin();
    return ended;
  };
  return { step: { name, what: `the ${name}`, run, ...more }, started, end };
}

const outcomes = async (results: ReturnType<typeof runAll>) =>
  (await results).map(({ steps, outcome }) => `${steps.map(({ name }) => name)} ${outcome}`);

test('a step runs beside the one before it, and prints after it', async () => {
  const front = gated('front');
  const beside = gated('beside', { beside: true });
  const results = runAll([front.step, beside.step]);
  await Promise.all([front.started, beside.started]);
  beside.end(false);
  expect(printed).not.toContain('beside runs');
  front.end(true);
  expect(await outcomes(results)).toEqual(['front passed', 'beside failed']);
  expect(printed.indexOf('beside runs')).toBeGreaterThan(printed.indexOf('front runs'));
});

test('a step waits for the step that it needs, and does not run if that failed', async () => {
  for (const passes of [true, false]) {
    const build = gated('build');
    const needing = gated('needing', { beside: true, needs: 'build' });
    needing.end(true);
    const results = runAll([build.step, needing.step]);
    await build.started;
    expect(printed).not.toContain('needing');
    build.end(passes);
    expect(await outcomes(results)).toEqual([
      `build ${passes ? 'passed' : 'failed'}`,
      `needing ${passes ? 'passed' : 'not run'}`,
    ]);
    printed = '';
  }
});

test('steps that must run alone run after all that run together', async () => {
  const front = gated('front');
  const alone = vi.fn(async () => false);
  const beside = gated('beside', { beside: true, alone });
  beside.end(true);
  const results = runAll([front.step, beside.step]);
  await beside.started;
  expect(alone).not.toHaveBeenCalled();
  front.end(true);
  expect(await outcomes(results)).toEqual(['front passed', 'beside failed']);
  expect(alone).toHaveBeenCalledOnce();
});

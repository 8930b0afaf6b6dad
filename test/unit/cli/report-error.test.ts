import { afterEach, expect, test, vi } from 'vitest';
import { output, reportError } from '../../../electron/cli/output/print.ts';
import { toSpillwayError } from '../../../shared/errors.ts';

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

test.each([
  ['as it was thrown', new Error('it broke')],
  ['from a worker', toSpillwayError(new Error('it broke'))],
])('a defect, %s, asks for the report once', async (_, error) => {
  vi.stubEnv('SPILLWAY_DEBUG', '');
  const told: string[] = [];
  vi.spyOn(output(2).outlet, 'write').mockImplementation((bytes) => {
    told.push(String(bytes));
    return null;
  });
  expect(await reportError(error)).toBe(2);
  expect(told.join('')).toBe(
    'spillway: it broke: this is a defect of Spillway, please report it (SPILLWAY_DEBUG=1 shows where it happened)\n',
  );
});

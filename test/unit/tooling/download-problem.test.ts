/** The message of `npm run package` when the runtime cannot be downloaded. */
import { expect, test } from 'vitest';
import { downloadProblem } from '../../../electron/tooling/machine/electron-runtime.mjs';

test('one sentence says why, and what to do', () => {
  const printed = `  ⨯ connect ECONNREFUSED 127.0.0.1:1  failedTask=build stackTrace=RequestError: connect ECONNREFUSED
    at ClientRequest.<anonymous> (/x/node_modules/got/dist/source/core/index.js:970:111)`;
  expect(downloadProblem(printed)?.message).toBe(
    'the Electron runtime could not be downloaded (connect ECONNREFUSED 127.0.0.1:1): set ELECTRON_MIRROR to a place that has it, or SPILLWAY_ELECTRON_DIST to a folder with it unpacked',
  );
});

test('another failure keeps its own words', () => {
  expect(downloadProblem('  ⨯ cannot find the icon  failedTask=build')).toBeNull();
});

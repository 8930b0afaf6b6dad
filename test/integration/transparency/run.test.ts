/**
 * `spillway run` changes nothing about what a command does: a hundred commands, bare and behind it. Each run compares
 * a third of them, and all with a known difference; `npm test -- --full` compares all.
 */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cliEntry, makePlace, type Place } from '../../fixtures/cli.ts';
import { isOnTurn } from '../../fixtures/sizes.ts';
import { transparencyCases } from '../../fixtures/transparency/cases.ts';
import { canCompare, observe } from '../../fixtures/transparency/compare.ts';

const compared = transparencyCases
  .map((each, index) => ({ ...each, index }))
  .filter(({ known, index }) => known !== undefined || isOnTurn(index, 3));

let place: Place;

beforeAll(() => {
  place = makePlace({ minFreeBytes: 0 });
});
afterAll(() => place.remove());

describe.runIf(canCompare).concurrent('behind spillway run, a command that', () => {
  test.each(compared)('$name ($at)', async (each) => {
    const folder = (kind: string) => join(place.files, `${kind}-${each.index}`);
    const prefix = `${cliEntry} run --quiet --`;
    const env = { SPILLWAY_HOME: place.home };
    const [bare, wrapped] = await Promise.all([
      observe(each, '', folder('bare'), env),
      observe(each, prefix, folder('run'), env),
    ]);
    if (each.known === undefined) expect(wrapped).toEqual(bare);
    else expect(wrapped, 'a known difference is gone').not.toEqual(bare);
  });
});

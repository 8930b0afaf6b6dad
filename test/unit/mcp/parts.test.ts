import { expect, test } from 'vitest';
import { fitLists } from '../../../electron/mcp/budget.ts';
import { parseResourceUri, resourceUri } from '../../../electron/mcp/resources.ts';
import { Turns } from '../../../electron/mcp/transport/admission.ts';
import fc from '../../fixtures/fast-check.ts';

const ID = 'cmd-npm_test-2026-01-13T10-30-00-abc123';

test('a resource is named by id and stream, and a page of it by offset and limit', () => {
  expect(resourceUri(ID, 'stdout')).toBe(`spillway://artifact/${ID}/stdout`);
  expect(parseResourceUri(resourceUri(ID, 'combined', 512))).toEqual({
    artifact_id: ID,
    stream: 'combined',
    offset: 512,
    limit: null,
  });
  expect(parseResourceUri(`spillway://artifact/${ID}/output?limit=7&offset=3`)).toMatchObject({
    offset: 3,
    limit: 7,
  });
});

test.each([
  `spillway://artifact/${ID}`,
  `spillway://artifact/${ID}/`,
  `spillway://artifact/${ID}/other`,
  `spillway://artifact/${ID}/stdout/x`,
  `spillway://artifact/${ID}/stdout#x`,
  ` spillway://artifact/${ID}/stdout`,
  `spillway://artifact/${encodeURIComponent(ID).replace('-', '%2d')}/stdout`,
])('%s names nothing', (uri) => {
  expect(parseResourceUri(uri)).toBeNull();
});

test.each([
  ['offset=x', '`offset` cannot be "x": give a whole number'],
  ['offset=1e9', '`offset` cannot be "1e9": give a whole number'],
  ['limit=0', '`limit` cannot be 0: give at least 1'],
  ['limit=9999999', '`limit` cannot be 9999999: give at most 1048576'],
  ['other=1', 'a resource has no argument "other": It takes offset, limit'],
])('?%s names a resource, and its fault is said', (query, fault) => {
  expect(() => parseResourceUri(`spillway://artifact/${ID}/stdout?${query}`)).toThrow(fault);
});

test('random text is never taken for the name of a resource', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const page = parseResourceUri(`spillway://artifact/${text}`);
      if (page !== null) expect(text.startsWith(`${page.artifact_id}/${page.stream}`)).toBe(true);
    }),
  );
});

test('facts that exceed their limit lose the ends of their longest lists, and say so', () => {
  const facts = { count: 1000, many: Array.from({ length: 1000 }, (_, i) => `number ${i}`), few: ['a', 'b'] };
  expect(fitLists(facts, ['many', 'few'], 1_000_000)).toEqual({ facts, cut: false });
  const { facts: fitted, cut } = fitLists(facts, ['many', 'few'], 2000);
  expect(cut).toBe(true);
  expect(JSON.stringify(fitted).length).toBeLessThanOrEqual(2000);
  expect(fitted.count).toBe(1000);
  expect(fitted.few).toEqual(['a', 'b']);
  expect(fitted.many).toEqual(facts.many.slice(0, fitted.many.length));
  expect(fitLists({ list: ['x'.repeat(100)] }, ['list'], 10).facts).toEqual({ list: [] });
});

test('a queue gives turns in order, and takes each back once', async () => {
  const turns = new Turns(2, 1);
  const never = new AbortController().signal;
  const first = await turns.take(never);
  await turns.take(never);
  let third = false;
  const waiting = turns.take(never).then((giveBack) => {
    third = true;
    return giveBack;
  });
  expect(await turns.take(never)).toBeNull();
  expect(third).toBe(false);
  first!();
  first!();
  (await waiting)!();
  expect(await turns.take(never)).not.toBeNull();
  const leaving = new AbortController();
  const left = turns.take(leaving.signal);
  leaving.abort(new Error('left'));
  await expect(left).rejects.toThrow('left');
});

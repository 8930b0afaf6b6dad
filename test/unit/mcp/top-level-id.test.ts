import { expect, test } from 'vitest';
import { TopLevelId } from '../../../electron/mcp/transport/top-level-id.ts';
import fc from '../../fixtures/fast-check.ts';

function idIn(text: string): string | number | null {
  const scanner = new TopLevelId();
  scanner.push(Buffer.from(text));
  return scanner.id;
}

test('finds the id of any JSON object as JSON.parse does, wherever it stands', () => {
  const id = fc.oneof(
    fc.maxSafeInteger(),
    fc.string({ maxLength: 20 }),
    fc.string({ unit: 'grapheme', maxLength: 9 }),
  );
  const other = fc.dictionary(fc.string(), fc.jsonValue()).map((members) => {
    delete members.id;
    return Object.entries(members);
  });
  fc.assert(
    fc.property(other, id, other, fc.constantFrom(0, 2), (before, value, after, indent) => {
      const message = Object.fromEntries([...before, ['id', value], ...after]);
      expect(idIn(JSON.stringify(message, null, indent))).toBe(value);
    }),
  );
});

test('ignores an id that is nested, in a string, or not a valid request id', () => {
  expect(idIn('{"params":{"id":1,"a":[{"id":2}]}}')).toBeNull();
  expect(idIn('{"text":"\\",\\"id\\":5,\\"","x":1}')).toBeNull();
  expect(idIn('{"id":{"id":3}}')).toBeNull();
  expect(idIn('{"id":1.5}')).toBeNull();
  expect(idIn('{"id":true}')).toBeNull();
  expect(idIn('[{"id":1}]')).toBeNull();
  expect(idIn(`{"id":"${'x'.repeat(1000)}"}`)).toBeNull();
  expect(idIn('"id"')).toBeNull();
  expect(idIn('not json at all } { ] :')).toBeNull();
});

test('recognises an id whose name is escaped', () => {
  expect(idIn('{"\\u0069d": 7}')).toBe(7);
});

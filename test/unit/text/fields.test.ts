/** Fields of lines: read, compared, and counted over a text. */
import { describe, expect, it } from 'vitest';
import { countValues, ValueTotal } from '../../../electron/reader/summary/field-values.ts';
import {
  conditionOf,
  conditionsOf,
  conditionTest,
  fieldReader,
  lineFields,
  unitNote,
} from '../../../shared/text/fields.ts';
import { lineText } from '../../../shared/text/line-text.ts';
import fc from '../../fixtures/fast-check.ts';
import { cases } from '../../fixtures/sizes.ts';

const ACCESS = '1.2.3.4 - bob [01/Mar/2026:10:00:00 +0000] "GET /a?b=1 HTTP/1.1" 503 12 "-" "curl"';

describe('a field', () => {
  it.each([
    ['status', '{"status":500}', '500'],
    ['status', 'web-1  | {"status": "ok"}', 'ok'],
    ['service', 'web-1  | {"status": "ok"}', 'web-1'],
    ['service', 'web-1  | {"service": "own"}', 'own'],
    ['service', 'a plain line', null],
    ['http.path', '{"http":{"path":"/a"}}', '/a'],
    ['http.path', '{"http.path":"/b","http":{"path":"/a"}}', '/b'],
    ['path', '{"http":{"path":"/a"}}', null],
    ['log.level', '{"log.level":"error"}', 'error'],
    ['status', '1.2.3.4 - - [01/Mar/2026:10:00:00 +0000] "-" 400 0 "-" "-"', '400'],
    ['path', '1.2.3.4 - - [01/Mar/2026:10:00:00 +0000] "" 408 0', null],
    ['tags', '{"tags":["a",{"b":1}]}', '["a",{"b":1}]'],
    ['gone', '{"gone":null}', 'null'],
    ['a', '{"msg":"a=1"}', null],
    ['status', 'ts=1 status=500 x', '500'],
    ['msg', 'level=info msg="a \\"b\\" c" n=1', 'a "b" c'],
    ['n', 'level=info (n=7)', '7'],
    ['n', 'mn=7', null],
    ['status', ACCESS, '503'],
    ['path', ACCESS, '/a?b=1'],
    ['user', ACCESS, 'bob'],
    ['level', '2026-03-01 10:00:00 ERROR x', 'error'],
    ['status', '{"status":5', null],
    ['constructor', '{"a":"constructor"}', null],
  ])('%s of %s', (name, line, value) => {
    expect(fieldReader(name)(line)).toBe(value);
  });

  it('is a named group of the pattern', () => {
    expect(fieldReader('ms', [/took (?<ms>\d+)/])('took 12 ms')).toBe('12');
  });
});

describe('the fields of a line', () => {
  it.each<[string, Record<string, string>]>([
    [
      '{"t":1,"http":{"status":500,"at":{"a":{"b":{"c":1}}}},"tags":[1]}',
      { t: '1', 'http.status': '500', 'http.at.a.b': '{"c":1}', tags: '[1]' },
    ],
    ['web-1  | {"msg":"a \\"b\\""}', { service: 'web-1', msg: 'a \\"b\\"' }],
    ['ts=1 msg="a \\"b\\" c=2" n= z=""', { ts: '1', msg: 'a \\"b\\" c=2', n: '', z: '' }],
    ['the value is a=1', {}],
    [ACCESS, { client: '1.2.3.4', user: 'bob', method: 'GET', path: '/a?b=1', status: '503', size: '12' }],
    ['plain', {}],
  ])('are found where they are written: %s', (line, fields) => {
    const found = lineFields(line).map(({ name, from, to }) => [name, line.slice(from, to)]);
    expect(Object.fromEntries(found)).toEqual(fields);
  });

  it('are read and found by the same names, with the same values', () => {
    const value = fc.oneof(fc.integer(), fc.boolean(), fc.string({ maxLength: 20 }));
    const name = fc.constantFrom('a', 'b-c', 'd', 'level', 'toString');
    const objects = fc.dictionary(name, fc.oneof(value, fc.dictionary(name, value)), {
      noNullPrototype: true,
    });
    fc.assert(
      fc.property(objects, (object) => {
        const line = JSON.stringify(object);
        for (const { name, json } of lineFields(line)) {
          const { from, to } = json!.value;
          const read = fieldReader(name)(line);
          expect(read).toBe(line[from] === '"' ? JSON.parse(line.slice(from, to)) : line.slice(from, to));
          const where = conditionOf(name, read!);
          // A condition on a level asks for the line's own.
          if (where !== null && name !== 'level')
            expect(conditionTest(conditionsOf(where))(line), where).toBe(true);
        }
      }),
      { numRuns: cases(300) },
    );
  });

  it('have no condition if their name cannot be in one', () => {
    expect(conditionOf('a b', '1')).toBe(null);
  });
});

describe('a condition', () => {
  it.each([
    ['status>=500', '{"status":500}', true],
    ['status>500', '{"status":500}', false],
    ['status>99', '{"status":"100"}', true],
    ['status!=200', '{"status":500}', true],
    ['status!=200', '{"other":500}', false],
    ['status=ok', '{"status":"OK"}', true],
    ['duration>1s', 'duration=1500ms', true],
    ['duration>1s', 'duration=1m2.5s', true],
    ['duration>1s', 'duration=999.9ms', false],
    ['duration<1ms', 'duration=900µs', true],
    ['duration>1s', '{"duration":1500}', true],
    ['duration_s>1s', '{"duration_s":0.5}', false],
    ['latencySeconds>1s', '{"latencySeconds":1.5}', true],
    ['duration_ms>100', 'duration_ms=1s', true],
    ['event.duration>3s', '{"event":{"duration":3100000000}}', true],
    ['event.duration>3s', '{"event.duration":2900000000}', false],
    ['event.duration_ms>3s', '{"event.duration_ms":2900}', false],
    ['size>=1KiB', 'size=1.0kB', false],
    ['size>=1kB', 'size=1KiB', true],
    ['duration>1s', 'duration=soon', false],
    ['duration<0', 'duration=-3s', true],
    ['cpu>=9%', 'cpu=10%', true],
    ['cpu>9', 'cpu=10%', true],
    ['size>1k', 'size=900B', false],
    ['size>1K', 'size=1.5kB', true],
    ['level>=warn', '2026-03-01 10:00:00 ERROR x', true],
    ['level>=warn', '{"level":30}', false],
    ['level=error', '{"level":50}', true],
    ['time>2026-03-01T10:00', '{"time":"2026-03-01T10:00:01Z"}', true],
    ['msg~"b c"', '{"msg":"a B C"}', true],
    ['a=1, b=2', 'a=1 b=2', true],
    ['a=1 and b=2', 'a=1 b=3', false],
    ['a = "x, y"', '{"a":"x, y"}', true],
  ])('%s of %s: %s', (where, line, holds) => {
    expect(conditionTest(conditionsOf(where))(line)).toBe(holds);
  });

  it.each([
    ['event.duration>3s', '{"event":{"duration":3100000000}}', 'event.duration in ns'],
    ['took>1s, wait<2s', 'took=1500 wait=3', 'took in ms, wait in ms'],
    ['took>1s', 'took=1500ms', null],
    ['took_us>1s', 'took_us=1500', null],
    ['took>1000', 'took=1500', null],
  ])('says which unit it assumes: %s of %s', (where, line, units) => {
    const said = units && `numbers without a unit were taken for ${units}`;
    expect(unitNote(conditionsOf(where), [line])).toBe(said);
  });

  it.each(['', 'status', 'status>>1', 'status>', '>5', 'a=1 b=2', 'a="x'])('is refused: %j', (where) => {
    expect(() => conditionsOf(where)).toThrow(/condition/);
  });
});

it('values are counted alike however the text is divided', () => {
  const line = fc.oneof(
    fc
      .record({ status: fc.constantFrom(200, 404, 'x'), other: fc.string() })
      .map((one) => JSON.stringify(one)),
    fc.constantFrom('', 'status=200 a', '"status"', '{"status":', '{"a":{"status":1}}', 'é status="a b"'),
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 40 }), fc.nat(40), (lines, cut) => {
      const read = fieldReader('status');
      const total = new ValueTotal();
      const parts = [lines.slice(0, cut), lines.slice(cut)];
      let before = 0;
      for (const part of parts) {
        const bytes = Buffer.from(part.map((text) => `${text}\n`).join(''));
        total.add(countValues(bytes, 0, bytes.length, { name: 'status', groups: [] }), before);
        before += part.length;
      }
      const { values, lines: having, distinct } = total.result('status', 100);
      const told = lines.flatMap((text, i) => {
        const value = read(text);
        return value === null ? [] : [{ value, line: i + 1 }];
      });
      expect(having).toBe(told.length);
      expect(distinct).toBe(new Set(told.map(({ value }) => value)).size);
      for (const { value, count, first_line } of values) {
        const same = told.filter((one) => one.value === value);
        expect([count, first_line]).toEqual([same.length, same[0]!.line]);
      }
    }),
    { numRuns: cases(300) },
  );
});

it('a field of JSON is counted as it is read, whatever else the line holds', () => {
  const value = fc.oneof(
    fc.constantFrom(
      'x',
      'q"a":1',
      'é',
      '{',
      ']},',
      '\t',
      '\u007f',
      '\u0085',
      0,
      -0,
      1.5,
      1e21,
      true,
      null,
      [],
    ),
    fc.integer(),
  );
  const key = fc.constantFrom('a', 'b', 'a.b', 'level', 'c"d');
  const object = (inner: fc.Arbitrary<unknown>) => fc.array(fc.tuple(key, inner), { maxLength: 4 });
  const written = (one: unknown): string =>
    Array.isArray(one) && one.length > 0
      ? `{${one.map(([name, held]) => `${JSON.stringify(name)}: ${written(held)}`).join(',')}}`
      : JSON.stringify(one);
  const line = fc
    .tuple(object(fc.oneof(value, object(fc.oneof(value, object(value))))), fc.nat(60), fc.nat(6))
    .map(([one, cut, end]) => {
      const text = Array.isArray(one) && one.length === 0 ? '{}' : written(one);
      return end === 0 ? text.slice(0, cut) : text + (['', '\r', '}', ' x', ',1'][end] ?? '');
    });
  const sample: [string, string][] = [
    ['{"a":{"c":1},"z":{"b":2}}', 'a.b'],
    ['{"a":{"b":1},"a":5}', 'a.b'],
    [String.raw`{"a":"x\ty"}`, 'a'],
  ];
  fc.assert(
    fc.property(line, fc.constantFrom('a', 'b', 'a.b', 'a.b.a', 'level'), (text, name) => {
      const bytes = Buffer.from(`${text}\n`);
      const read = fieldReader(name)(lineText(bytes.toString('utf8', 0, bytes.length - 1)));
      const { values } = countValues(bytes, 0, bytes.length, { name, groups: [] });
      expect(values.map(([counted]) => counted)).toEqual(read === null ? [] : [read]);
    }),
    { numRuns: cases(3000), examples: sample },
  );
});

it('only so many values are counted one by one, and that is said', () => {
  const bytes = Buffer.from(Array.from({ length: 20_010 }, (_, i) => `id=${i}\n`).join(''));
  const total = new ValueTotal();
  total.add(countValues(bytes, 0, bytes.length, { name: 'id', groups: [] }), 0);
  const result = total.result('id', 2);
  expect(result).toMatchObject({ lines: 20_010, distinct: 20_000, exact: false });
  expect(result.shapes).toEqual([{ shape: '<n>', count: 20_000, first_line: 1, example: '0' }]);
  expect(result.range).toEqual({ least: 0, most: 19_999 });
});

import { Buffer } from 'node:buffer';
import { describe, expect, it } from 'vitest';
import { decoderFor } from '../../../electron/reader/bytes/encoding.ts';
import {
  fieldOfLine,
  MOST_PARSED,
  messageBeside,
} from '../../../electron/reader/summary/json/json-messages.ts';
import {
  finishSummary,
  jsonLinesFacts,
  mergeSummaries,
  type SummaryTotal,
  startSummary,
} from '../../../electron/reader/summary/merge.ts';
import { summariseBytes } from '../../../electron/reader/summary/summarise.ts';

function totalOf(text: string): SummaryTotal {
  const total = startSummary();
  mergeSummaries(total, summariseBytes(Buffer.from(text)));
  return total;
}

const messages = (text: string) =>
  finishSummary(totalOf(text), { maxShapes: 10 }).shapes.map(({ count, shape }) => [count, shape]);

/** Facts of a text of which the first `headBytes` are the beginning that was read. */
function facts(text: string, headBytes = Number.POSITIVE_INFINITY) {
  const bytes = Buffer.from(text);
  const beginning = {
    bytes: bytes.subarray(0, headBytes),
    isWhole: headBytes >= bytes.length,
    decoder: decoderFor('utf-8'),
  };
  return jsonLinesFacts(totalOf(text), beginning);
}

const line = (fields: object) => `${JSON.stringify(fields)}\n`;

describe('the most frequent messages', () => {
  it('leave out lines of punctuation alone', () => {
    const punctuation = ['},\n', '-----\n', '║\n'].map((text) => text.repeat(9)).join('');
    expect(messages(`${punctuation}a {\n✅\n12\n`)).toEqual([
      [1, 'a {'],
      [1, '✅'],
      [1, '<n>'],
    ]);
  });

  it('are found in an object that holds the message and other fields', () => {
    const text =
      line({ level: 'info', message: { text: 'it failed 3 times', nested: 1 } }) +
      line({ _index: 'a', _source: { level: 'error', message: 'no route to 1.2.3.4' } });
    expect(messages(text)).toEqual([
      [1, 'info: it failed <n> times'],
      [1, 'no route to <ip>'],
    ]);
  });

  it('of JSON lines are their messages, with the level where it is a word', () => {
    const text =
      line({ level: 'info', msg: 'request 1 done', service: 'api' }) +
      line({ level: 'info', service: 'web', msg: 'request 2 done' }) +
      line({ level: 30, msg: 'listening on port 80' }) +
      line({ level: 'ERROR', message: 'cannot open "a.txt"\nat x', n: 1 });
    expect(messages(text)).toEqual([
      [2, 'info: request <n> done'],
      [1, 'listening on port <n>'],
      [1, 'error: cannot open "<s>"'],
    ]);
  });

  it('are found in coloured lines, with CRLF, and where the line goes on beyond what a shape covers', () => {
    const coloured = '\x1b[1m{\x1b[0m\x1b[34m"msg"\x1b[0m:\x1b[32m"it is on"\x1b[0m}\r\n';
    const long = line({ msg: 'it is on', rest: 'x '.repeat(2000) });
    expect(messages(coloured + long + line({ msg: `so ${'y '.repeat(400)}` }))).toEqual([
      [2, 'it is on'],
      [1, expect.stringMatching(/^so( y)+…$/)],
    ]);
  });

  it('are the whole lines if a line has no message, is broken, or has one that its shape masks', () => {
    expect(
      messages('{"level":"info","n":1}\n{"msg":"broken thing"\n{"msg": "started"}\n{"msg":"..."}\n'),
    ).toEqual([
      [1, '{"level":"info","n":<n>}'],
      [1, '{"msg":"broken thing"'],
      [1, '{"msg": "<s>"}'],
      [1, '{"msg":"..."}'],
    ]);
  });

  it('of indented JSON are the lines with messages, if there are any', () => {
    const indented = (fields: object) => `${JSON.stringify(fields, null, 2)}\n`;
    const text = indented({ level: 'info', msg: 'request 1 done', http: { status: 200 }, tags: ['a', 3] });
    expect(messages(`${text.repeat(3)}plain line\n`)).toEqual([
      [3, '"msg": "request <n> done",'],
      [1, 'plain line'],
    ]);
    expect(messages(indented({ name: 'left-pad', files: ['a'] }))).toEqual([
      [1, '"name": "<s>",'],
      [1, '"files": ['],
      [1, '"<s>"'],
    ]);
  });

  it('count low, and say so, if there are too many kinds of JSON lines to parse each', () => {
    const kind = (i: number) => `k${String.fromCharCode(97 + (i % 26), 97 + (Math.floor(i / 26) % 26))}`;
    const text = Array.from({ length: MOST_PARSED + 1 }, (_, i) =>
      line({ msg: 'one thing', [kind(i)]: 'x y' }),
    );
    expect(finishSummary(totalOf(text.slice(1).join('')), { maxShapes: 1 })).toMatchObject({
      shapes: [{ count: MOST_PARSED, shape: 'one thing', first_line: 1 }],
      shapes_exact: true,
    });
    expect(finishSummary(totalOf(text.join('')), { maxShapes: 1 })).toMatchObject({
      shapes: [{ count: MOST_PARSED }],
      shapes_exact: false,
    });
  });
});

describe('the JSON facts of a text with an object in each line', () => {
  it('are the keys in the order in which they come', () => {
    expect(facts(line({ b: 1, a: { c: 2 } }) + line({ a: 1, 'ü"': 2 }))).toEqual({
      type: 'object',
      keys: ['b', 'a', 'ü"'],
      per_line: true,
    });
  });

  it('say how many lines the keys are from if not from all', () => {
    const first = line({ a: 1, long: 'x'.repeat(600), last: 1 });
    const text = first + line({ a: 1 }).repeat(500) + line({ a: 1, rare: true });
    expect(facts(text, first.length + 5)).toEqual({
      type: 'object',
      keys: ['a', 'long', 'last', 'rare'],
      per_line: true,
      sampled_lines: 4,
    });
  });

  it('are none if most lines are no objects', () => {
    const one = line({ a: 1 });
    expect(facts(`${one}\nplain\nplain\n`)).toBeNull();
    expect(facts(`${one}\n\nplain\n`)).toBeNull();
    expect(facts(`${one}${one}\n\n\nplain\n`)).toMatchObject({ keys: ['a'] });
    expect(facts('{\n  "a": 1\n}\n'.repeat(9))).toBeNull();
    expect(facts('')).toBeNull();
  });
});

describe('a line of indented JSON', () => {
  it('may be a level, a message, or another field', () => {
    expect(fieldOfLine('  "level": "error",')).toMatchObject({ isLevel: true, isMessage: false });
    expect(fieldOfLine('\t"severity" : 50')).toMatchObject({ isLevel: true });
    expect(fieldOfLine('  "level": "not a word",')).toMatchObject({ isLevel: false });
    expect(fieldOfLine('  "Message": "x",')).toMatchObject({ isMessage: true });
    expect(fieldOfLine('  "message": {')).toMatchObject({ isMessage: false });
    expect(fieldOfLine('  "msg": "it was cut her')).toMatchObject({ isMessage: true });
    for (const other of ['', '  },', 'level: "error"', '"x"', '{"level":"error"}'])
      expect(fieldOfLine(other), other).toBeNull();
  });

  it('with a level has its message in the same object', () => {
    const beside = (fields: object, indent: number | string = 2) => {
      const other = { level: 'info', msg: 'another one' };
      const lines = JSON.stringify([other, fields, other], null, indent).split('\n');
      const at = messageBeside(
        lines,
        lines.findIndex((text) => text.includes('"error",') || text.endsWith('"error"')),
      );
      return at === null ? null : lines[at]!.trim();
    };
    expect(beside({ level: 'error', msg: 'no route' })).toBe('"msg": "no route"');
    expect(beside({ text: 'less likely', a: { b: [1] }, msg: 'no route', level: 'error' }, '\t')).toBe(
      '"msg": "no route",',
    );
    expect(beside({ level: 'error', inner: { message: 'no route' } })).toBe('"message": "no route"');
    expect(beside({ id: 'x', why: 'it is full', level: 'error' })).toBe('"why": "it is full",');
    expect(beside({ id: 'x', level: 'error' })).toBeNull();
  });

  it('with a level has it between the same brackets where nothing is indented', () => {
    const lines = '{\n"msg": "another"\n}\n{\n"level": "error",\n"id": "x"\n}\n{\n"msg": "another"\n}'.split(
      '\n',
    );
    expect(messageBeside(lines, 4)).toBeNull();
    expect(messageBeside(['{', '"level": "error",', '"msg": "x"', '}'], 1)).toBe(2);
  });
});

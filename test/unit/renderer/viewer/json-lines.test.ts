import { describe, expect, it } from 'vitest';
import {
  jsonLayout,
  jsonOfRow,
  messageLayout,
  piecesOfFragment,
  showsMatches,
} from '../../../../renderer/viewer/text/json-layout.ts';
import {
  atBreaks,
  foldedLine,
  type LineFragment,
  textOf,
  unfoldedLines,
  unfoldedText,
} from '../../../../renderer/viewer/text/json-lines.ts';
import { matchPieces } from '../../../../renderer/viewer/text/pieces.ts';
import { KnownLayouts, rowLayouts } from '../../../../renderer/viewer/text/row-layouts.ts';
import { STYLE } from '../../../../shared/api/rows.ts';
import { MAX_WHOLE_LINE_CHARS } from '../../../../shared/limits.ts';
import { jsonLine } from '../../../../shared/text/json-line.ts';

const folded = (text: string, isClipped = false) => {
  const line = jsonLine(text, isClipped);
  return line && foldedLine(line);
};
const shown = (text: string, isClipped = false) => {
  const line = folded(text, isClipped);
  return line && textOf(line.fragments);
};
const row = (text: string, more = {}) => ({
  text,
  runs: null,
  offset: 0,
  bytes: text.length,
  clipped: false,
  ...more,
});

it('unfolds a string that is as long as a copied line can be', () => {
  const text = JSON.stringify({ log: 'x'.repeat(MAX_WHOLE_LINE_CHARS), end: true });
  expect(unfoldedText(jsonLine(text)!)).toBe(JSON.stringify(JSON.parse(text), null, 2));
});

describe('a line that is a JSON object', () => {
  it('is shown alike behind the name of a service, and unfolds', () => {
    const text = 'web-1  | {"level":"error","msg":"compose","time":"2026-03-01T15:04:05Z","a":{"b":1}}';
    expect(shown(text)).toBe('web-1  | 2026-03-01 15:04:05     ERROR compose  a={"b":1}');
    const bare = jsonLine(text.slice(9))!;
    expect(unfoldedText(jsonLine(text)!)).toBe(unfoldedText(bare));
    expect(jsonLine('said {"level":"error"} at last')).toBeNull();
    expect(jsonLine('{{"a":1}')).toBeNull();
  });

  it("has the message among tracing's fields, and journald's as a list of bytes", () => {
    const rust =
      '{"timestamp":"2026-03-01T15:04:05Z","level":"ERROR","fields":{"message":"rust"},"target":"app"}';
    expect(shown(rust)).toBe('2026-03-01 15:04:05     ERROR rust  target=app');
    const more = '{"level":"ERROR","fields":{"message":"rust","id":7}}';
    expect(shown(more)).toBe('ERROR rust  fields={"message":"rust","id":7}');
    const bytes = [...Buffer.from('Nov-29 \u001b[32minfö\u001b[39m')].join(',');
    expect(shown(`{"MESSAGE":[${bytes}],"PRIORITY":"6"}`)).toBe('INFO  Nov-29 infö');
  });

  it('is shown as time, level, message and the other fields', () => {
    const zap =
      '{"level":"error","ts":"2026-11-23T03:58:09.123456Z","caller":"api/x.go:12","msg":"no route","user":{"id":7},"ok":true}';
    expect(shown(zap)).toBe(
      '2026-11-23 03:58:09.123 ERROR no route  caller=api/x.go:12 user={"id":7} ok=true',
    );
    expect(folded(zap)).toMatchObject({ level: 'error', hasMessage: true });
  });

  it.each([
    [
      'pino',
      '{"level":50,"time":"2026-11-23T03:58:09Z","pid":7,"msg":"down"}',
      '2026-11-23 03:58:09     ERROR down  pid=7',
    ],
    [
      'bunyan',
      '{"name":"api","level":30,"msg":"up","time":"2026-11-23T03:58:09.1Z","v":0}',
      '2026-11-23 03:58:09.100 INFO  up  name=api v=0',
    ],
    [
      'docker',
      String.raw`{"log":"hello \"you\"\n","stream":"stdout","time":"2026-11-23T03:58:09.123456789Z"}`,
      '2026-11-23 03:58:09.123 hello "you"  stream=stdout',
    ],
    [
      'docker, coloured',
      String.raw`{"log":"\u001b[32mok\u001b[0m\r\n","stream":"stderr"}`,
      'ok  stream=stderr',
    ],
    ['structlog', '{"event":"login","level":"warning","user":"a b"}', 'WARNING login  user="a b"'],
    [
      'ECS',
      '{"@timestamp":"2026-11-23T03:58:09.000Z","log.level":"debug","message":"x"}',
      '2026-11-23 03:58:09.000 DEBUG x',
    ],
    ['journald', '{"PRIORITY":"3","MESSAGE":"failed","_PID":"1"}', 'ERROR failed  _PID=1'],
    [
      'Go slog',
      '{"time":"2026-11-23T03:58:09.5+01:00","level":"INFO","msg":"","n":1.5e3}',
      '2026-11-23 03:58:09.500 INFO   n=1.5e3',
    ],
    ['no log at all', '{"a":1,"b":[1,2],"c":null,"d":""}', 'a=1 b=[1,2] c=null d=""'],
  ])('of %s', (_, text, expected) => {
    expect(shown(text)?.replace(/ {2,}$/, '')).toBe(expected);
  });

  it.each([1763870289, 1763870289.5, 1763870289500, '"1763870289500000"', 1763870289500000000])(
    'has the local time of %s',
    (time) => {
      const year = shown(`{"ts":${time},"msg":"x"}`);
      expect(year).toMatch(/^2025-11-2\d \d\d:\d8:09\.[05]00 x$/);
    },
  );

  it('keeps an invalid level, time or message among the fields', () => {
    expect(shown('{"level":"high","time":12.5,"msg":{"a":1}}')).toBe('level=high time=12.5 msg={"a":1}');
  });

  it('writes out what a string holds, on one line', () => {
    const text = String.raw`{"msg":"a\nb\tc\\d\u00e9\ud83d\ude00\u0000\u202e","k":"x y"}`;
    expect(shown(text)).toBe('a↵b c\\dé😀␀\u21c4  k="x y"');
  });

  it.each(['{"a":1', '{a:1}', '{"a":1} x', '[{"a":1}]', '{', '{}', 'x {"a":1}', '{"a":01}', ''])(
    'is shown raw when it is broken or not an object: %s',
    (text) => expect(jsonLine(text)).toBeNull(),
  );

  it('is shown as far as it was fetched', () => {
    expect(shown('{"level":30,"msg":"long","body":"abc', true)).toBe('INFO  long  body=abc');
    expect(shown('{"level":30,"msg":"long","req":{"a":[1,2', true)).toBe('INFO  long  req={"a":[1,2');
    expect(shown('{"msg":"long","bo', true)).toBe('long');
    expect(shown('{"msg":"a\\', true)).toBe('a\\');
    expect(shown('{"msg":}', true)).toBeNull();
    expect(shown('{"msg" "x"', true)).toBeNull();
    expect(shown('{ not json but long', true)).toBeNull();
  });

  it('stays raw where a program coloured it, or where it is not stored', () => {
    const text = '{"msg":"x"}';
    expect(jsonOfRow(row(text))).not.toBeNull();
    expect(jsonOfRow(row(text, { runs: [{ start: 0, end: 3, style: STYLE.bold }] }))).toBeNull();
    expect(jsonOfRow(row('', { missing: true }))).toBeNull();
  });

  it('takes no longer for endless nesting', () => {
    expect(jsonLine(`{"a":${'['.repeat(1990)}`, true)?.fields).toHaveLength(1);
    expect(jsonLine(`{"a":"${'\\'.repeat(1990)}`, true)?.fields).toHaveLength(1);
  });
});

describe("a line of GitHub Actions' log", () => {
  const time = '2026-05-14T19:51:16.9380960Z';
  const shown = (text: string, more = {}) => {
    const layout = messageLayout(row(text, more), null);
    return layout && textOf(layout.folded.flat());
  };

  it('is shown without its job, step and time, with its indentation', () => {
    expect(shown(`Build Wheels\tbuild\t${time}   PLATFORMS="ios"`)).toBe('  PLATFORMS="ios"');
    expect(shown(`${time} ##[error]no such file`)).toBe('##[error]no such file');
    expect(shown(`a\tb\t\uFEFF${time}`)).toBe('');
  });

  it('is shown as written where another program wrote it, where a match would be hidden, or from its middle', () => {
    for (const text of ['user\tlogin\t2026-05-14T19:51:16Z ok', `x ${time} y`, '2026-05-14 10:00:00 y'])
      expect(shown(text)).toBeNull();
    expect(shown(`${time} x`, { piece: { start: 9, end: 12 } })).toBeNull();
    const layout = messageLayout(row(`a\tb\t${time} x`), null)!;
    expect([showsMatches(layout, [0, 1]), showsMatches(layout, [33, 34])]).toEqual([false, true]);
  });
});

describe('an unfolded line', () => {
  const text = String.raw`{"msg":"x","err":{"stack":"Error: no\n    at a\n","code":null},"list":[1,{"a":[]}],"n":12345678901234567890}`;
  const line = jsonLine(text)!;

  it('has each field on a line of its own, and texts at their line ends', () => {
    expect(unfoldedLines(line).map(textOf)).toEqual([
      '{',
      '  "msg": "x",',
      '  "err": {',
      '    "stack": "Error: no\\n',
      '          at a\\n",',
      '    "code": null',
      '  },',
      '  "list": [',
      '    1,',
      '    {',
      '      "a": []',
      '    }',
      '  ],',
      '  "n": 12345678901234567890',
      '}',
    ]);
  });

  it('is copied as JSON with every digit', () => {
    expect(unfoldedText(line)).toBe(
      JSON.stringify(JSON.parse(text), null, 2).replace(/"n": \d+/, '"n": 12345678901234567890'),
    );
  });

  it('is bounded', () => {
    const many = jsonLine(`{"a":[${'1,'.repeat(900)}1]}`)!;
    const lines = unfoldedLines(many);
    expect(lines).toHaveLength(400);
    expect(textOf(lines.at(-1)!)).toContain('more');
  });

  it('ends where the row does', () => {
    expect(unfoldedLines(jsonLine('{"a":1,"b":{"c":"x', true)!).map(textOf)).toEqual([
      '{',
      '  "a": 1,',
      '  "b": {',
      '    "c": "x',
    ]);
  });
});

describe('a match in a JSON line', () => {
  const text = '{"level":50,"msg":"say \\"hi\\" now","user":"bob"}';
  const marks = (fragments: readonly LineFragment[], from: number, to: number, of = text) => {
    const pieces = matchPieces([{ text: of, classes: [], style: null }], [from, to]);
    return fragments
      .flatMap((fragment) => piecesOfFragment(fragment, pieces))
      .filter(({ match }) => match)
      .map((each) => each.text);
  };
  const found = (what: string, of = text) => {
    const from = of.indexOf(what);
    return marks(folded(of)!.fragments, from, from + what.length, of).join('|');
  };

  it('is marked where it is shown', () => {
    expect(found('say')).toBe('say');
    expect(found('\\"hi\\" n')).toBe('"|hi|"| n');
    expect(found('50')).toBe('ERROR');
    expect(found('user":"bo')).toBe('user|=|bo');
    expect(found(':"bob')).toBe('=|bob');
  });

  it('marks only its own characters in the time', () => {
    const timed = '{"time":"2026-11-23T03:58:09.123456Z","msg":"up"}';
    expect(found('-', timed)).toBe('-');
    expect(found('58', timed)).toBe('58');
    // Not shown: the last digit stands for it.
    expect(found('456', timed)).toBe('3');
  });

  it('makes the line raw where it would be hidden', () => {
    const layout = jsonLayout(row(text), false, null)!;
    const isShown = (what: string) => {
      const from = text.indexOf(what);
      return showsMatches(layout, [from, from + what.length]);
    };
    expect(['say', '50', 'user', '":"bob', '"level":50'].map(isShown)).toEqual([
      true,
      true,
      true,
      true,
      true,
    ]);
    expect(['level', '"msg"', '{'].map(isShown)).toEqual([false, false, false]);
    const unfolded = jsonLayout(row(text), true, null)!;
    expect(showsMatches(unfolded, [2, 7])).toBe(true);
  });

  it('is kept when the text wraps', () => {
    const [first, second] = atBreaks(folded(text)!.fragments, [12]);
    expect([textOf(first!), textOf(second!)]).toEqual(['ERROR say "h', 'i" now  user=bob']);
    const at = text.indexOf('i\\"');
    expect(marks(second!, at, at + 1)).toEqual(['i']);
  });
});

describe('the height of a row', () => {
  const json = row('{"level":30,"msg":"x"}');
  const plain = row('x');
  const rows = {
    count: 2,
    lineOf: (index: number) => index + 11,
    rowOf: (line: number) => line - 11,
    row: (index: number) => [json, plain][index],
    want: () => {},
    follow: () => {},
  };
  const layoutsOf = (more = {}) =>
    rowLayouts(new KnownLayouts(null), {
      rows: () => rows,
      json: true,
      unfolded: new Set([11, 12]),
      matchesOf: null,
      ...more,
    });

  it('is that of its lines when it is unfolded', () => {
    const { heights } = layoutsOf();
    expect([heights.linesOf(0), heights.linesOf(1)]).toEqual([5, 1]);
  });

  it('is one line when nothing is unfolded, or when JSON is shown raw', () => {
    expect(layoutsOf({ unfolded: new Set() }).heights.linesOf(0)).toBe(1);
    expect(layoutsOf({ json: false }).heights.linesOf(0)).toBe(1);
    expect(layoutsOf({ json: false }).layoutOf(json, 11).json).toBeNull();
  });

  it('is that of the raw line where a match would be hidden', () => {
    const known = layoutsOf({ unfolded: new Set(), matchesOf: () => [2, 7] });
    expect(known.layoutOf(json, 11).json).toBeNull();
  });
});

/** The table made from a public set of rules: its examples are masked, wherever they stand. */
import { describe, expect, test } from 'vitest';
import { tableOf } from '../../../electron/tooling/secret-rules.mjs';
import { usualSecrets } from '../../../shared/secrets/mask.ts';
import publicRules from '../../../shared/secrets/public-rules.json' with { type: 'json' };
import fc from '../../fixtures/fast-check.ts';

/** How programs and configurations assign a secret to a name. */
const ASSIGNMENTS = [
  'NAMEToken := "SECRET"',
  '"NAME_token": "SECRET",',
  "NAME_TOKEN = 'SECRET'",
  'NAME_TOKEN=SECRET',
  'NAMEToken => "SECRET"',
  '<NAMEToken>\n    SECRET\n</NAMEToken>',
  'System.setProperty("NAME_TOKEN", "SECRET")',
];
const ALONE = ['SECRET', 'x = "SECRET"', 'fetching SECRET now'];

type Row = {
  name: string;
  keywords: string[];
  before?: string;
  secret: string;
  behind?: string;
  entropy?: number;
};

/** Texts that a rule is for, and their secrets; of a rule with a name before the value, in each assignment. */
function examplesOf({ name, keywords, before = '', secret, entropy = 0 }: Row) {
  const form = new RegExp(`^(?:${secret.replaceAll(/\\b|\(\?!\\w\)$/g, '')})$`);
  const isAssigned = before.includes('[ \\t\\w.-]{0,20}');
  return fc
    .sample(fc.stringMatching(form), { numRuns: 12, seed: 5 })
    .flatMap((value) =>
      (isAssigned ? ASSIGNMENTS : ALONE).map((text) => ({
        rule: name,
        secret: value,
        text: text.replaceAll('NAME', () => keywords[0]!).replaceAll('SECRET', () => value),
      })),
    )
    .filter((one) => hasKeyword(one.text, keywords) && isVaried(one.secret, entropy));
}

const hasKeyword = (text: string, keywords: readonly string[]) =>
  keywords.some((keyword) => text.toLowerCase().includes(keyword));

/** Has a fifth more different characters than its entropy needs: then it is above it. */
const isVaried = (text: string, entropy: number) => new Set(text).size >= 1.2 * 2 ** entropy;

const examples = (publicRules.rules as Row[]).flatMap(examplesOf);

test('nearly every example of the public rules is masked', () => {
  const missed = examples.filter(({ text, secret }) =>
    usualSecrets.mask(text).text.includes(secret.slice(-6)),
  );
  expect(new Set(examples.map(({ rule }) => rule)).size).toBeGreaterThan(180);
  expect(missed.length / examples.length).toBeLessThan(0.01);
});

test('what is found in a short text is found in a long one, among other lines', () => {
  const lines = Array.from(
    { length: 40 },
    (_, i) => `| 12:00:${i} INFO built src/module-${i}/index.js in ${i} ms\n`,
  );
  const [before, behind] = [lines.join(''), `\n${lines.join('')}`];
  const found = examples.filter((_, i) => i % 5 === 0);
  for (const [i, { text }] of found.entries()) {
    // The texts begin at even and at odd places: keywords are looked for two characters at a time.
    const start = before.slice(i % 2);
    const { text: masked } = usualSecrets.mask(start + text + behind);
    expect(masked).toBe(start + usualSecrets.mask(text).text + behind);
  }
});

test.each([
  'commit 909cae2d7aa85cee374bc895ec1e8b71ce697520 of sourcegraph',
  'sourcegraph: 909cae2d7aa85cee374bc895ec1e8b71ce697520 is the newest',
  'linear-gradient(90deg, #909cae2d7aa8)',
  'asia-east1, npm_config_registry, sl. 3, ext_commons',
  'heroku: deployed in 12 s',
])('no secret is seen in %s', (text) => {
  expect(usualSecrets.mask(text)).toEqual({ text, count: 0 });
});

describe('an expression of Go becomes one of JavaScript', () => {
  const made = (regex: string) => {
    const rules = `[[rules]]\nid = "it"\nregex = '''${regex}'''\nkeywords = ["k"]\n`;
    const table = JSON.parse(tableOf(rules, 'a set', 'a licence')) as { rules: (Row & { anyCase?: true })[] };
    return table.rules.map(({ name, keywords, ...row }) => row);
  };

  test.each<[string, ...Partial<Row & { anyCase: true }>[]]>([
    ['k[0-9]{4}', { secret: 'k[0-9]{4}' }],
    ['(?i)\\bk_[a-z]{4}', { secret: '\\bk_[a-z]{4}', anyCase: true }],
    // A flag inside holds up to the end of its group.
    ['k-(?i)[a-f0-9]{4}-x', { secret: 'k-[a-f0-9A-F]{4}-[xX]' }],
    ['(?:a(?i)b)c', { secret: '(?:a[bB])c' }],
    ['(?i:k(?-i:AB))_(?P<name>x)', { secret: '(?:[kK](?:AB))_(?:x)' }],
    // Only the group is the secret.
    ['name = "([a-z]+)"', { before: 'name = "', secret: '(?:[a-z]+)', behind: '"' }],
    ['\\b(k_[a-z]+)(?:[\\x60\'"\\s;]|\\\\[nr]|$)', { secret: '\\b(?:k_[a-z]+)(?!\\w)' }],
    [
      'a=(x)|b=(y)\\z',
      { before: 'a=', secret: '(?:x)', behind: '' },
      { before: 'b=', secret: '(?:y)', behind: '$' },
    ],
    // Any name before the keyword is left out.
    ['[\\w.-]{0,50}?(?:name)=([0-9])', { before: '(?:name)=', secret: '(?:[0-9])', behind: '' }],
  ])('%s', (regex, ...rows) => {
    expect(made(regex)).toEqual(rows);
  });

  test('rules that are found otherwise are left out', () => {
    const rules = `[[rules]]\nid = "jwt"\nregex = 'ey'\nkeywords = ["ey"]\n[[rules]]\nid = "file"\npath = 'x'\n`;
    expect(JSON.parse(tableOf(rules, 'a set', 'a licence'))).toMatchObject({ source: 'a set', rules: [] });
  });
});

import { expect, test } from 'vitest';
import { Secrets } from '../../../shared/secrets/mask.ts';

const secrets = new Secrets();

/** Made up: of so many characters of an alphabet, always the same. */
function made(chars: number, alphabet = 'aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zC'): string {
  return Array.from({ length: chars }, (_, i) => alphabet[(i * 7 + (i >> 3)) % alphabet.length]).join('');
}
const hex = (chars: number) => made(chars, '3f9a0c7be1d52648');
const upper = (chars: number) => made(chars, 'ABC2DEF3GHI4JKL5MNO6PQR7STU');

/** A text, and the secrets in it between « and ». */
function expectMasked(marked: string): void {
  const text = marked.replace(/[«»]/g, '');
  const masked = marked.replace(/«([^»]*)»/gs, (_, secret: string) => secret.replace(/[^\n]/g, '*'));
  expect(secrets.mask(text).text).toBe(masked);
  // Masked text stays as it is.
  expect(secrets.mask(masked)).toEqual({ text: masked, count: 0 });
}

test.each([
  ['GitHub', `ghp_${made(36)}`],
  ['GitHub, fine-grained', `github_pat_${made(22)}_${made(59)}`],
  ['GitLab', `glpat-${made(20)}`],
  ['AWS', `AKIA${upper(16)}`],
  ['Azure', `${made(3)}8Q~${made(34)}`],
  ['Google', `AIza${made(35)}`],
  ['Google OAuth', `ya29.${made(60)}`],
  ['Slack', `xoxb-${'1234567890'}-${'1234567890123'}-${made(24)}`],
  ['Stripe', `sk_live_${made(24)}`],
  ['npm', `npm_${made(36)}`],
  ['PyPI', `pypi-AgEIcHlwaS5vcmc${made(60)}`],
  ['OpenAI', `sk-proj-${made(48)}`],
  ['Anthropic', `sk-ant-api03-${made(93)}AA`],
  ['Hugging Face', `hf_${made(34)}`],
  ['SendGrid', `SG.${made(22)}.${made(43)}`],
  ['Docker', `dckr_pat_${made(27)}`],
  ['DigitalOcean', `dop_v1_${hex(64)}`],
  ['Databricks', `dapi${hex(32)}`],
  ['Vault', `hvs.${made(90)}`],
  ['Telegram', `1234567890:AA${made(33)}`],
  ['a JSON web token', `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTYifQ.${made(43)}`],
])('a token of %s is masked, wherever it stands', (_, token) => {
  for (const around of [
    'X',
    'using X for this',
    '{"a":["X"]}',
    'fetch X.',
    "x = 'X';",
    '\u001b[31mX\u001b[0m',
  ]) {
    const text = around.replace('X', token);
    expect(secrets.mask(text)).toEqual({ text: around.replace('X', '*'.repeat(token.length)), count: 1 });
  }
});

test.each([
  'DB_PASSWORD=«hunter2»',
  'Step 3/9 : ENV DB_PASSWORD «hunter2»',
  '<password kind="plain">«hunter2»</password>',
  '<db:password a="1" b="2">«hunter2!»</db:password>',
  'DB_PASSWORD | «hunter2»',
  '| API_TOKEN | «a8f3e1b9c2d4e5» |',
  'DBPASS=«hunter2»',
  'user=me&pw=«hunter2»',
  `https://bucket.example/x?X-Amz-Signature=«${hex(64)}»&a=1`,
  `https://maps.example/js?key=«${made(32)}»`,
  'db_password: "«hunter3 secret»"',
  'mysql -u root -p«hunter6secret» shop',
  'export API_TOKEN="«a1b2c3d4e5f6»"',
  `AWS_SECRET_ACCESS_KEY=«${made(40)}»`,
  `SECRET_KEY_BASE=«${hex(64)}»`,
  `  STRIPE_KEY: x\nSTRIPE_KEY=«${made(24)}»`,
  'docker run -e POSTGRES_PASSWORD=«postgres» postgres:16',
  'declare -x NPM_TOKEN="«0a1b2c3d-4e5f-6071-8293-a4b5c6d7e8f9»"',
  '{"user":"ann","password":"«s3cr3t!!»","id":7}',
  '{"env":["A=1","MYSQL_ROOT_PASSWORD=«tiger1»"]}',
  'body: {\\"client_secret\\":\\"«q8Zx-1uV»\\"}',
  'password: «hunter2»',
  'login --token «abcd1234efgh» --verbose',
  `GET /v1?access_token=«${made(20)}»&page=2`,
  'x-api-key: «9f8e7d6c5b4a»',
  `//registry.npmjs.org/:_authToken=«${made(30)}»`,
  'postgres://app:«p4ss»@db.internal:5432/app',
  `git clone https://«${made(40)}»@example.com/a.git`,
  `Authorization: Bearer «${made(40)}»`,
  'Authorization: Basic «dXNlcjpwYXNzMTIz»',
  `> authorization: token «${made(20)}»`,
  "authorization: '«abcdef-ghijkl»'",
  `square «EAAA${made(60)}»`,
  'Set-Cookie: sid=«8f7a6b5c4d»; Path=/; HttpOnly',
  'Cookie: a=«1234abcd»; theme=«dark»',
  "curl -u admin:«tops3cret» 'https://example.com'",
  'machine example.com login ann password «hunter2»',
  `DefaultEndpointsProtocol=https;AccountName=a;AccountKey=«${made(86)}==»;`,
])('the value is masked in %s', (marked) => expectMasked(marked));

const body = Array.from({ length: 12 }, (_, i) => made(64).slice(i) + made(i)).join('\n');
const key = `-----BEGIN RSA PRIVATE KEY-----\n«${body}\n${made(20)}==»\n-----END RSA PRIVATE KEY-----`;

test('a private key is masked over its lines, whole or in part', () => {
  expectMasked(`a\n${key}\nb`);
  // Cut at its end, at its beginning, and in the middle of a line.
  expectMasked(`a\n${key.slice(0, 300)}»`);
  expectMasked(`«${key.replace(/[«»]/g, '').slice(200)}`.replace('\n-----END', '»\n-----END'));
  expect(secrets.mask(key.replace(/[«»]/g, '')).count).toBe(1);
  // As a value of JSON.
  const escaped = key.replace(/[«»]/g, '').replaceAll('\n', '\\n');
  const shown = secrets.mask(`{"private_key":"${escaped}\\n"}`).text;
  for (const line of body.split('\n')) expect(shown).not.toContain(line.slice(0, 16));
});

test('a private key is masked behind the times and numbers of its lines', () => {
  const stamped = key.split('\n').map((line, i) => `2026-01-13T10:30:${10 + i}.123Z ${line}`);
  const text = stamped.join('\n').replace(/[«»]/g, '');
  const shown = secrets.mask(text);
  expect(shown.count).toBe(1);
  expect(shown.text).toHaveLength(text.length);
  expect(shown.text).toContain('2026-01-13T10:30:12.123Z ****');
  for (const line of body.split('\n')) expect(shown.text).not.toContain(line.slice(8, 24));
});

test('the middle of a private key is known only by what is before it', () => {
  const middle = body.split('\n').slice(3, 6).join('\n');
  expect(secrets.mask(middle).count).toBe(0);
  expect(secrets.mask(`${middle}\nnext line`, { inKey: true }).text).toBe(
    `${middle.replace(/[^\n]/g, '*')}\nnext line`,
  );
});

test('a token that a terminal wrapped over lines is masked', () => {
  const token = `ghp_${made(36)}`;
  const line = `remote: the token that was given to this is ${token}`;
  const wrapped = `${line.slice(0, 60)}\n${line.slice(60)}\nnext`;
  expect(secrets.mask(wrapped).text).toBe(
    `${line.slice(0, 44)}${'*'.repeat(16)}\n${'*'.repeat(token.length - 16)}\nnext`,
  );
});

test.each([
  'commit 3f9a0c7be1d526483f9a0c7be1d526483f9a0c7b',
  'id 123e4567-e89b-12d3-a456-426614174000',
  '"integrity": "sha512-v2kDEe57lecTulaDIuNTPy3Ry4gLGJ6Z1O3vE1krgXZNrsQ+LFTGHVxVjcXPs17LhbZVGedAJv8XZ1tvj5FvSg=="',
  'sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  `AUTH_TOKEN: ${'$'}{{ secrets.AUTH_TOKEN }}`,
  'TOKEN=***',
  'curl -H "Authorization: Bearer $TOKEN" x',
  'ii  gir1.2-secret-1:amd64        0.20.5-3',
  'a.b.StringUtilsTest#testSplitAllTokens_StringChar:org.apache.lang.builder.HashTest#testMaximum:a.b.C',
  `Dx+EAAAAAAC4UAAAAMNmLg8fhAAAAAAAVUiJ5UFUSYn8SIPsCEjHB2jnaAJIi38/dAXo`,
  `headers: ['Authorization', 'Cache-Control', 'Content-Type']`,
  'endpoint.headers.authorization = withAuthorizationPrefix(token);',
  'password=<password>',
  'PASSWORD=',
  'export TOKEN=$(cat /run/secrets/token)',
  `SECRET=${'$'}{SECRET:-}`,
  'max_tokens: 4096, total_tokens=123456',
  'error: unexpected token: `}` at line 3',
  'SyntaxError: Unexpected token export',
  'password: string;',
  'const token = getToken(request);',
  'token: &str, secret: Option<String>',
  'password=self.password, token=settings.API_TOKEN',
  'POSTGRES_PASSWORD_FILE=/run/secrets/postgres_password',
  'SSH_KEY_PATH=/home/a/.ssh/id_ed25519',
  'Password: ',
  'warning: password is missing',
  'cache-key: node-linux-3f9a0c7be1d52648',
  'CACHE_KEY=node-linux-3f9a0c7be1d526483f9a0c7b',
  'key: 0123456789abcdef',
  'tokenizer=bert-base-uncased-v2',
  'secretName: my-app-tls-2',
  'error: invalid token: expired',
  'https://example.com:8080/a@b',
  'git@github.com:a/b.git',
  'AWS_ACCESS_KEY_ID=AKIAIOSFODNN7EXAMPLE',
  "KeyError: 'token'",
  '"token_type":"Bearer","expires_in":3600',
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  '-----BEGIN CERTIFICATE-----\nMIIDdzCCAl+gAwIBAgIEAgAAuTANBgkqhkiG9w0BAQUFADBaMQswCQYDVQQGEwJJ\n-----END CERTIFICATE-----',
  'passed 12, passwordless login: enabled',
  'Setting up libsecret-1-0:amd64 (0.21.4-1)',
  'module.ca_key_secret.data.aws_region.current: Reading...',
  `headers: { authorization: \`Bearer ${'$'}{TOKEN}\` }`,
  'bypass=1234abcd compass=north12345',
])('no secret is seen in %s', (text) => {
  expect(secrets.mask(text)).toEqual({ text, count: 0 });
});

test('a person adds patterns and exceptions', () => {
  const own = new Secrets({ patterns: ['corp-\\d{6}', 'badge (\\w+)', '('], except: ['^hunter2$', '['] });
  expect(own.mask('corp-123456 badge x9y8z7 PASSWORD=hunter2 PASSWORD=hunter3').text).toBe(
    '*********** badge ****** PASSWORD=hunter2 PASSWORD=*******',
  );
});

test('a long line without a secret takes no time that grows with its square', () => {
  const text = `${'a1B2/'.repeat(200_000)} token ${'.'.repeat(100_000)}`;
  expect(secrets.mask(text).text).toBe(text);
});

test('a secret is found wherever a long text is divided, with the words before it on another line', () => {
  const said = `authorization:\n  Zm9vYmFyYmF6\nurl https://me:hunter2x@host\nnpm_${'a1B2c3D4e5F6'.repeat(3)}`;
  const { text, count } = secrets.mask(said);
  expect(count).toBe(3);
  const filler = 'İ the worker took a job of the queue\n';
  const rest = filler.repeat(600);
  for (let more = 0; more < 160; more += 1) {
    const first = `${'x'.repeat(more)}\n${filler.repeat(218)}`;
    expect(secrets.mask(`${first}${said}\n${rest}`)).toEqual({ text: `${first}${text}\n${rest}`, count });
  }
});

test.each([
  // Whatever stands before it.
  'Cookie: a=1; sessionid=«7egyFWZY9Zmti18c6EudM7Oyf5TNS05k»',
  'Cookie: lang=en; ok=1; JSESSIONID=«7egyFWZY9Zmti18c6»',
  'Cookie: x; sid=«7egyFWZY9Zmti18c6»',
  // In a list of variables.
  '{"name":"API_TOKEN","value":"«7egyFWZY9Zmti18c6»"}',
  '[{"Key": "DB_PASSWORD", "Value": "«hunter2x»"}]',
  '- name: DB_PASSWORD\n  value: «hunter2x»',
  '<add key="ApiKey" value="«7egyFWZY9Zmti18c6»"/>',
  // Letters alone, and digits alone.
  'password=«UdSBrgZZyJiuet»',
  'password=«12345678»',
  'api_key=«UdSBrgZZyJiuetQQ»',
  'token=«QwErTyUiOpAsDfGh»',
  // A terminal's title, and a link.
  `a \u001b]0;«ghp_${made(36)}»\u0007 b`,
  `c \u001b]8;;https://x/«ghp_${made(36)}»\u001b\\link\u001b]8;;\u001b\\ d`,
])('masked: %j', expectMasked);

test.each([
  'password=Required',
  'PWD=/root',
  'OLDPWD=/tmp',
  '{"name":"tokens","value":"4512"}',
  '- name: LOG_LEVEL\n  value: debug42debug',
  'token=getAccessTokenFromCache',
  'Cookie: none',
  'the cookie: a jar of it; sweet',
  'retries_password=3',
  `\u001b]0;make all\u0007`,
])('no secret: %j', (text) => {
  expect(secrets.mask(text)).toEqual({ text, count: 0 });
});

/** No reply of any tool, and no resource, carries a secret of an output, a command line or a label. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readActivity } from '../../../electron/host/activity.ts';
import { secretsForAgents } from '../../../electron/mcp/redaction.ts';
import { REDACT_DEFAULT } from '../../../shared/setting-rules.ts';
import { client, connectFor, place, setUpMcp, texts, ways } from '../../fixtures/mcp/clients.ts';
import { until } from '../../fixtures/until.ts';

setUpMcp();
connectFor(ways.find(({ name }) => name === 'socket')!);

const TOKEN = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`;
const PASSWORD = 'tr0ub4dor&3';
/** Could be a word of a label. */
const PLAIN = 'Zx9kQ7vLmWp2';
const KEY_LINES = Array.from(
  { length: 40 },
  (_, i) => `MIIEv${'QkG9w0BAqE5xZ7'.repeat(4)}${'abcdefghij'[i % 10]}9X`,
);
const KEY = ['-----BEGIN PRIVATE KEY-----', ...KEY_LINES, '-----END PRIVATE KEY-----'].join('\n');
/** Told by the line before, by a table's header, by the next line: shown alone, it is masked all the same. */
const BELOW = 'Vk3nR8wTq5';
const WRAPPED = 'p7J2mZ5xLq9B';
const LINES_APART = `password:\n  ${BELOW}\n- name: DB_PASSWORD\n  value: ${BELOW}\ncalls with github_pat_${'Q7'.repeat(9)}\n${WRAPPED}${'Q7'.repeat(21)} ok\n`;
const TABLE = `id,password\n1,${BELOW}\n2,${BELOW}\n`;
/** A key in one line of JSON, longer than any excerpt of a line. */
const KEY_IN_JSON = `{"private_key":"${KEY.replaceAll('\n', '\\n').replace(/\\nMII.*\\n/, (body) => body.repeat(3))}"}\n`;
/** A table below other text, too long for one block of a preview. */
const LATE_TABLE = `${'INFO ready\n'.repeat(30)}id,login,password\n${Array.from({ length: 400 }, (_, i) => `${i},user${i},${BELOW}`).join('\n')}\n`;
const TEXT = `first line\nDB_PASSWORD=${PASSWORD}\nfetching with ${TOKEN}\n${KEY}\nerror: ${TOKEN} was refused\nend\n${LINES_APART}${KEY_IN_JSON}`;

/** A session is found by its name, so that stays as it is. */
const SESSION = `deploy ${TOKEN}`;

/** Every eight characters of a secret, so that none comes in pieces. */
const PIECES = [TOKEN.slice(4), PASSWORD, PLAIN, BELOW, WRAPPED, ...KEY_LINES.slice(0, 1)].flatMap((secret) =>
  Array.from({ length: secret.length - 7 }, (_, i) => secret.slice(i, i + 8)),
);

function expectNoSecret(value: unknown): void {
  const text = JSON.stringify(value);
  for (const piece of PIECES) expect(text).not.toContain(JSON.stringify(piece).slice(1, -1));
}

let id: string;
let late: string;
const table = () => join(place.files, 'users.csv');
const call = (name: string, args: Record<string, unknown>) => client.callTool({ name, arguments: args });
const head = (result: { content: unknown }) => JSON.parse(texts(result)[0]!);

beforeAll(async () => {
  const file = join(place.files, 'secret.txt');
  writeFileSync(file, TEXT);
  writeFileSync(table(), TABLE);
  const ran = await call('run_command', {
    command: `cat ${file}; echo "token=${TOKEN}" >&2; echo ${TOKEN} | grep -c none`,
  });
  id = head(ran).artifact_id;
  writeFileSync(join(place.files, 'late.csv'), LATE_TABLE);
  const listed = await call('run_command', { command: 'cat late.csv', cwd: place.files });
  late = head(listed).artifact_id;
  replies.push(['run_command', ran], ['run_command', listed]);
});

/** The replies, with their tools. */
const replies: [tool: string, reply: unknown][] = [];
afterAll(() => replies.splice(0));

const CALLS: [tool: string, args: (id: string) => Record<string, unknown>][] = [
  ['run_command', () => ({ command: 'false', args: [`--token=${TOKEN}`] })],
  ['run_command', () => ({ command: `echo -u; curl --user bob:${PLAIN} no-such-file:` })],
  ['run_command', () => ({ command: `curl -u bob:${PLAIN} no-such-file:` })],
  ['run_command', () => ({ command: `no-such-program-${TOKEN}`, args: ['x'] })],
  ['inspect_output', (artifact_id) => ({ artifact_id, mode: 'head' })],
  ['inspect_output', (artifact_id) => ({ artifact_id, mode: 'tail', lines: 30 })],
  ['inspect_output', (artifact_id) => ({ artifact_id, mode: 'range', start_line: 10, end_line: 14 })],
  ['inspect_output', (artifact_id) => ({ artifact_id, pattern: 'ghp_', context_lines: 1 })],
  ['inspect_output', (artifact_id) => ({ artifact_id, pattern: 'QkG9', context_lines: 0, max_matches: 3 })],
  ['inspect_output', (artifact_id) => ({ artifact_id, pattern: 'e5F6', raw: true })],
  ...[49, 51, 52, 53, 54].map((line): (typeof CALLS)[number] => [
    'inspect_output',
    (artifact_id) => ({ artifact_id, stream: 'stdout', start_line: line, end_line: line }),
  ]),
  ['inspect_output', (artifact_id) => ({ artifact_id, pattern: 'Vk3n|p7J2|QkG9', context_lines: 0 })],
  ['inspect_output', (artifact_id) => ({ artifact_id, pattern: '^\\{.*b9X', context_lines: 0 })],
  ['inspect_output', () => ({ file_path: table(), start_line: 3, end_line: 3 })],
  ['inspect_output', () => ({ file_path: table(), pattern: '^2' })],
  ['inspect_output', () => ({ artifact_id: late, start_line: 300, end_line: 302 })],
  ...['tail', 'failure', 'summary'].map((mode): (typeof CALLS)[number] => [
    'inspect_output',
    () => ({ artifact_id: late, mode }),
  ]),
  ['inspect_output', () => ({ artifact_id: late, pattern: 'user21' })],
  ['read_command_output', (artifact_id) => ({ artifact_id, offset: 5000, limit: 300 })],
  ['read_command_output', (artifact_id) => ({ artifact_id, offset: 9000, limit: 300 })],
  ['search_outputs', () => ({ pattern: 'Vk3n|p7J2' })],
  ['inspect_output', (artifact_id) => ({ artifact_id, mode: 'summary' })],
  ['inspect_output', (artifact_id) => ({ artifact_id, mode: 'failure' })],
  ['inspect_output', (artifact_id) => ({ artifact_id, mode: 'outline' })],
  ['inspect_output', () => ({ artifact_id: `cmd-${TOKEN}` })],
  ['read_command_output', (artifact_id) => ({ artifact_id, offset: 0 })],
  ['read_command_output', (artifact_id) => ({ artifact_id, offset: 60, limit: 20 })],
  ['read_command_output', (artifact_id) => ({ artifact_id, offset: 900, limit: 400 })],
  ['read_command_output', (artifact_id) => ({ artifact_id, search: 'password|ghp' })],
  ['read_command_output', (artifact_id) => ({ artifact_id, search: 'MIIEv|^[A-Za-z0-9+/]{30,}$' })],
  ['wait_for_output', (artifact_id) => ({ artifact_id, pattern: 'refused' })],
  ['stop_command', (artifact_id) => ({ artifact_id })],
  ['capture_output', () => ({ content: TEXT, source: `tool ${TOKEN}` })],
  ['capture_output', () => ({ content: TEXT.repeat(5), source: 'tool' })],
  ['list_outputs', () => ({})],
  ['list_outputs', () => ({ query: TOKEN })],
  ['search_outputs', () => ({ pattern: 'ghp_|PASSWORD|MIIEv' })],
  ['get_terminal_output', () => ({})],
  ['get_terminal_output', () => ({ terminal_id: TOKEN })],
  ['use_session', () => ({ session: SESSION })],
  ['storage_stats', () => ({})],
  ['compare_outputs', (artifact_id) => ({ artifact_id, baselines: [join(place.files, 'app.log')] })],
  ['cleanup_outputs', () => ({ dry_run: true, older_than_hours: 0 })],
  ['end_session', () => ({ session: SESSION })],
];

test('no tool lets a secret out', async () => {
  for (const [tool, args] of CALLS) replies.push([tool, await call(tool, args(id))]);
  const { tools } = await client.listTools();
  expect([...new Set(CALLS.map(([tool]) => tool))].sort()).toEqual(tools.map(({ name }) => name).sort());
  for (const [, reply] of replies) expectNoSecret(reply);
});

test('what is masked keeps its lines and columns, is found, and is counted', async () => {
  const found = await call('inspect_output', {
    artifact_id: id,
    stream: 'stdout',
    pattern: TOKEN,
    context_lines: 0,
  });
  const stars = '*'.repeat(TOKEN.length);
  expect(head(found)).toMatchObject({ match_count: 2, redacted: 2 });
  expect(texts(found)[1]).toBe(`3:fetching with ${stars}\n--\n46:error: ${stars} was refused`);
  const env = { MY_SECRET: 'swordfish', OTHER: 'herring' };
  const given = await call('run_command', { command: 'printenv MY_SECRET OTHER', env });
  expect(texts(given)[1]).toBe('*********\nherring');
  const range = await call('inspect_output', {
    artifact_id: id,
    stream: 'stdout',
    start_line: 20,
    end_line: 21,
  });
  expect(texts(range)[1]).toBe(
    KEY_LINES.slice(0, 2)
      .map((line) => '*'.repeat(line.length))
      .join('\n'),
  );
  const plain = await call('inspect_output', {
    artifact_id: id,
    stream: 'stdout',
    start_line: 1,
    end_line: 1,
  });
  expect(head(plain)).not.toHaveProperty('redacted');
});

test('a value longer than an excerpt, rows far below their header, and lines alone are masked', async () => {
  const rows = Array.from({ length: 5000 }, (_, i) => `${i},user${i},${BELOW}`);
  const texts: [text: string, tool: string, args: Record<string, unknown>][] = [
    [`{"password":"${BELOW.repeat(230)}","x":1}\n`, 'inspect_output', { mode: 'grep', pattern: '"x"' }],
    [`id,user,password\n${rows.join('\n')}\n`, 'read_command_output', { offset: 60_000, limit: 120 }],
    [
      `machine h\n  login me\n  password ${BELOW}\n`,
      'inspect_output',
      { mode: 'grep', pattern: 'password', context_lines: 0 },
    ],
  ];
  for (const [text, tool, args] of texts) {
    writeFileSync(join(place.files, 'one.txt'), text);
    const { artifact_id } = head(await call('run_command', { command: 'cat one.txt', cwd: place.files }));
    const reply = await call(tool, { artifact_id, ...args });
    expectNoSecret(reply);
    expect(JSON.stringify(reply)).toContain('****');
  }
});

test('errors name no secret that a call has in the place of a tool or an argument', async () => {
  const error = await call(TOKEN, {}).catch(String);
  expectNoSecret(error);
  expect(error).toContain('Unknown tool');
  const reply = await call('list_outputs', { [TOKEN]: 1 });
  expectNoSecret(reply);
  await until(() =>
    readActivity(place.home).some(({ tool, ok }) => tool === '*'.repeat(TOKEN.length) && !ok),
  );
  expect(texts(reply)[0]).toMatch(/has no argument "\*{20}/);
});

test('no file but the streams has a secret of a command or of variables', async () => {
  const session = 'with variables';
  await call('use_session', { session, env: { API_TOKEN: PLAIN } });
  const shown = await call('run_command', { command: `echo "$API_TOKEN"; echo ${TOKEN}; seq 40`, session });
  expect(texts(shown)[1]).toMatch(/^\*{12}\n\*+\n1\n/);
  const files = () =>
    readdirSync(place.home, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !/\.(?:log|txt)$/.test(entry.name))
      .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8').replaceAll(SESSION, ''));
  expect(files().length).toBeGreaterThan(5);
  expectNoSecret(files());
  await call('end_session', { session, delete: true });
});

test('no resource lets a secret out', async () => {
  const { resources } = await client.listResources();
  expect(resources.length).toBeGreaterThan(2);
  expectNoSecret(resources);
  for (const { uri } of resources) expectNoSecret(await client.readResource({ uri }));
  const { uri } = resources.find((one) => one.uri.includes(id) && one.uri.endsWith('/stderr'))!;
  await until(() =>
    readActivity(place.home, id).some(
      ({ tool, what, reads }) =>
        tool === 'resources/read' && what === uri && JSON.stringify(reads[0]!.lines) === '[[1,1]]',
    ),
  );
});

test('a masked text is refused as an argument, with the reason', async () => {
  const stars = '*'.repeat(TOKEN.length);
  for (const [tool, args] of [
    ['run_command', { command: `curl -H "Authorization: Bearer ${stars}" example.com` }],
    ['run_command', { command: 'login', args: ['--token', stars] }],
    ['inspect_output', { artifact_id: id, pattern: stars, fixed: true }],
  ] as const) {
    const refused = await call(tool, args);
    expect(refused.isError).toBe(true);
    expect(texts(refused)[0]).toMatch(/has a masked secret in it/);
  }
  const refusedCalls = () => readActivity(place.home).filter(({ ok }) => !ok);
  await until(
    () =>
      refusedCalls()
        .slice(-3)
        .map(({ tool }) => tool)
        .join() === 'run_command,run_command,inspect_output',
  );
  // Stars of other origin run.
  const ran = await call('run_command', { command: 'printf "/********************/\n"; echo "** a **"' });
  expect(head(ran)).toMatchObject({ success: true });
});

test('`redact` in config.json adds patterns, or switches masking off', async () => {
  const config = join(place.home, 'config.json');
  writeFileSync(config, JSON.stringify({ redact: { patterns: ['first'], except: ['^tr0ub4dor'] } }));
  const lines = { artifact_id: id, stream: 'stdout', start_line: 1, end_line: 2 };
  expect(texts(await call('inspect_output', lines))[1]).toBe(`***** line\nDB_PASSWORD=${PASSWORD}`);
  writeFileSync(config, JSON.stringify({ redact: { mcp: false } }));
  expect(texts(await call('inspect_output', lines))[1]).toBe(`first line\nDB_PASSWORD=${PASSWORD}`);
});

test('clients and sources that `redact` excepts get text as it is', async () => {
  const given = (redact: object) =>
    writeFileSync(join(place.home, 'config.json'), JSON.stringify({ redact }));
  const { resources } = await client.listResources();
  const { uri } = resources.find((one) => one.uri.includes(id) && one.uri.includes('stdout'))!;
  const lines = { artifact_id: id, stream: 'stdout', start_line: 2, end_line: 2 };
  const shown = async () =>
    JSON.stringify([await call('inspect_output', lines), await client.readResource({ uri })]);
  for (const excepting of [{ exceptSources: ['captures'] }, { exceptClients: ['TEST'] }]) {
    given(excepting);
    expect((await shown()).split(`DB_PASSWORD=${PASSWORD}`)).toHaveLength(3);
  }
  for (const excepting of [{ exceptSources: [place.files] }, { exceptClients: ['codex', 'tes'] }]) {
    given(excepting);
    expectNoSecret(await shown());
  }
  const redact = { ...REDACT_DEFAULT, exceptClients: ['codex'] };
  expect(secretsForAgents({ redact }, 'codex-mcp-client', null)).toBeNull();
  expect(secretsForAgents({ redact }, 'claude-code', null)).not.toBeNull();
});

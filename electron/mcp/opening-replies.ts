/** Asks the server for its replies to a client's first requests. The build writes them to a file. */
import { PassThrough } from 'node:stream';
import type { Host } from '../host/host.ts';
import { createAgent } from './agent.ts';
import { Commands } from './commands/commands.ts';
import { serveClient } from './connection.ts';

export interface OpeningReplies {
  legacy: {
    /** Supported protocol versions, the preferred one first. */
    versions: string[];
    initialize: object;
    tools: object;
  };
  modern: { version: string; discover: object; tools: object };
}

const LEGACY_VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07'];
const MODERN_VERSION = '2026-07-28';
const CLIENT = { name: 'build', version: '0' };

/** Returns the replies with the tools that run commands (`running`) and without (`reading`). */
export async function openingReplies(
  version: string,
): Promise<Record<'running' | 'reading', OpeningReplies>> {
  return { running: await replies(version, true), reading: await replies(version, false) };
}

async function replies(version: string, runs: boolean): Promise<OpeningReplies> {
  const params = { capabilities: {}, clientInfo: CLIENT };
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': MODERN_VERSION,
    'io.modelcontextprotocol/clientInfo': CLIENT,
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const versions: string[] = [];
  for (const asked of LEGACY_VERSIONS) {
    const [reply] = await ask(version, runs, [['initialize', { ...params, protocolVersion: asked }]]);
    if ((reply as { protocolVersion: string }).protocolVersion === asked) versions.push(asked);
  }
  const [initialize, tools] = await ask(version, runs, [
    ['initialize', { ...params, protocolVersion: versions[0] }],
    ['tools/list', {}],
  ]);
  const [discover, modernTools] = await ask(version, runs, [
    ['server/discover', { _meta }],
    ['tools/list', { _meta }],
  ]);
  return {
    legacy: { versions, initialize: initialize!, tools: tools! },
    modern: { version: MODERN_VERSION, discover: discover!, tools: modernTools! },
  };
}

/** Sends the requests to a new server and returns its results. None of them needs a host. */
async function ask(
  version: string,
  runs: boolean,
  requests: [method: string, params: object][],
): Promise<object[]> {
  const input = new PassThrough();
  const output = new PassThrough();
  let text = '';
  output.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  const commands = new Commands({ home: '', cwd: '/', env: {}, recorder: null });
  const agent = createAgent({} as Host, { home: '', version, commands: runs ? commands : null });
  const { closed } = serveClient(agent, { input, output });
  const lines = requests.map(([method, params], id) =>
    JSON.stringify({ jsonrpc: '2.0', id, method, params }),
  );
  input.end(`${lines.join('\n')}\n`);
  await closed;
  const replies: object[] = [];
  for (const line of text.trim().split('\n')) {
    const { id, result } = JSON.parse(line) as { id: number; result?: object };
    if (result === undefined) throw new Error(`no reply to ${requests[id]?.[0]}: ${line}`);
    replies[id] = result;
  }
  return replies;
}

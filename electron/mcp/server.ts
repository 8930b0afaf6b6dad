/**
 * The MCP server of one connection: the tools over the host's API. One object for each connection, or replies
 * would cross over. Tools are announced and called by name from a Map, so no name reaches a prototype.
 */
import type { CallToolResult } from '@modelcontextprotocol/server';
import { McpServer, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { SpillwayError } from '../../shared/errors.ts';
import { MAX_REPLY_CHARS } from '../../shared/limits.ts';
import { nearest } from '../../shared/text/nearest.ts';
import type { Host } from '../host/host.ts';
import { INSTRUCTIONS } from './instructions.ts';
import { inspectOutput } from './tools/inspect-output.ts';
import { listOutputs } from './tools/list-outputs.ts';
import type { Tool } from './tools/tool.ts';

export interface McpServerOptions {
  /** Spillway's own, as clients show it. */
  version: string;
  /** Characters in the body of one reply; `maxReplyChars` of the settings. */
  maxReplyChars?: number | undefined;
  /** Told of defects, with all they say; the client is told only that there was one. */
  onDefect?: ((error: unknown) => void) | undefined;
}

export function createMcpServer(host: Host, options: McpServerOptions): McpServer {
  const maxReplyChars = options.maxReplyChars ?? MAX_REPLY_CHARS;
  const tools = new Map(
    [listOutputs(host, maxReplyChars), inspectOutput(host, maxReplyChars)].map((tool) => [
      tool.definition.name,
      tool,
    ]),
  );
  const mcp = new McpServer(
    { name: 'spillway', title: 'Spillway', version: options.version },
    { capabilities: { tools: { listChanged: false } }, instructions: INSTRUCTIONS },
  );
  mcp.server.setRequestHandler('tools/list', () => ({
    tools: [...tools.values()].map((tool) => tool.definition),
  }));
  mcp.server.setRequestHandler('tools/call', async (request, context) => {
    const tool = tools.get(request.params.name);
    if (tool === undefined) throw unknownTool(request.params.name, [...tools.keys()]);
    return call(tool, request.params.arguments, context.mcpReq.signal, options.onDefect);
  });
  return mcp;
}

async function call(
  tool: Tool,
  args: unknown,
  signal: AbortSignal,
  onDefect: McpServerOptions['onDefect'],
): Promise<CallToolResult> {
  try {
    return await tool.call(args, { access: 'agent', signal });
  } catch (error) {
    if (error instanceof SpillwayError && error.code !== 'internal')
      return failure(`${error.what}: ${error.todo}`);
    if (!signal.aborted) onDefect?.(error);
    // A message of ours that was not written for an agent may hold paths.
    return failure(
      'Spillway failed at this, which is a defect of its own: try another mode or fewer lines, or read the file itself',
    );
  }
}

function failure(text: string): CallToolResult {
  return { content: [{ type: 'text', text }], isError: true };
}

function unknownTool(name: string, known: string[]): ProtocolError {
  const said = JSON.stringify(name.length > 80 ? `${name.slice(0, 80)}…` : name);
  const [near] = nearest(name.slice(0, 80), known, 1);
  return new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `Unknown tool ${said}: ${near ? `did you mean ${near}? ` : ''}The tools are ${known.join(', ')}`,
  );
}

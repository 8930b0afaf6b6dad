/**
 * Decides which HTTP requests may enter. It refuses pages of other sites and made-up host names (DNS rebinding)
 * first, then requests without the token.
 */
import type { IncomingMessage } from 'node:http';
import { foreignPart, isSame, MCP_POLICY } from '../../host/socket/local-request.ts';

export const MCP_PATH = '/mcp';

interface Refused {
  status: 400 | 401 | 403 | 404;
  why: string;
}

/** Null lets the request in. */
export function refusalOf(request: IncomingMessage, token: string): Refused | null {
  const foreign = foreignPart(request, MCP_POLICY);
  if (foreign !== null) return { status: 403, why: FOREIGN[foreign] };
  const bearer = bearerOf(request);
  if (bearer === undefined || !isSame(bearer, token)) {
    const fault = bearer === undefined ? 'it came without a token' : "its token is not this home's";
    return {
      status: 401,
      why: `${fault}: send the one in run/mcp-http.token of the home as \`Authorization: Bearer\``,
    };
  }
  if (pathOf(request) !== MCP_PATH) return { status: 404, why: `MCP is at ${MCP_PATH}` };
  return null;
}

const FOREIGN = {
  host: 'it was addressed to another host than this machine',
  origin: 'it was sent by a page of another origin',
  site: 'it was sent by a page of another site',
};

function bearerOf(request: IncomingMessage): string | undefined {
  const given = request.headersDistinct.authorization ?? [];
  return given.length === 1 ? /^bearer +([\w.~+/-]+=*) *$/i.exec(given[0]!)?.[1] : undefined;
}

function pathOf(request: IncomingMessage): string {
  return (request.url ?? '').split('?', 1)[0]!;
}

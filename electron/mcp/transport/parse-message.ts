/** Parses a text as a JSON-RPC message. Every invalid one gets a reply that says what is wrong with it. */
import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/server';
import {
  INVALID_PARAMS,
  INVALID_REQUEST,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResponse,
  PARSE_ERROR,
  PROTOCOL_VERSION_META_KEY,
  specTypeSchemas,
} from '@modelcontextprotocol/server';
import { isObject } from '../../../shared/text/json-line.ts';
import { WANTED } from '../arguments.ts';

/**
 * An error reply. Its id is null when the request's id could not be read, which the SDK's own type does not allow.
 */
export interface Refusal {
  readonly jsonrpc: '2.0';
  readonly id: RequestId | null;
  readonly error: { readonly code: number; readonly message: string };
}

export type Parsed =
  | { readonly kind: 'message'; readonly message: JSONRPCMessage }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

/** A message comes as a line of a stream, or as the body of an HTTP request. */
type Carrier = 'line' | 'body';

const ONE_EACH = {
  line: { notJson: 'this line is not JSON: send one JSON-RPC message on each line', own: 'on its own line' },
  body: {
    notJson: 'the body is not JSON: send one JSON-RPC message in each request',
    own: 'in a request of its own',
  },
};

export function parseMessage(text: string, carrier: Carrier = 'line'): Parsed {
  const { notJson, own } = ONE_EACH[carrier];
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return refused(null, PARSE_ERROR, `Parse error: ${notJson}`);
  }
  if (Array.isArray(value)) {
    return refused(
      null,
      INVALID_REQUEST,
      `Invalid request: batches are no part of MCP: send each message ${own}`,
    );
  }
  if (isJSONRPCRequest(value) || isJSONRPCNotification(value) || isJSONRPCResponse(value)) {
    const problem = isJSONRPCRequest(value) ? badParams(value) : null;
    return problem === null
      ? { kind: 'message', message: value }
      : refused(idOf(value), INVALID_PARAMS, `Invalid params of ${field(value, 'method')}: ${problem}`);
  }
  return refused(idOf(value), INVALID_REQUEST, `Invalid request: ${whatIsWrong(value)}`);
}

export function refused(id: RequestId | null, code: number, message: string): Parsed & { kind: 'refused' } {
  return { kind: 'refused', refusal: { jsonrpc: '2.0', id, error: { code, message } } };
}

function idOf(value: unknown): RequestId | null {
  const id = field(value, 'id');
  return typeof id === 'string' || (typeof id === 'number' && Number.isInteger(id)) ? id : null;
}

function whatIsWrong(value: unknown): string {
  if (typeof value !== 'object' || value === null) return 'a message is a JSON object';
  if (field(value, 'jsonrpc') !== '2.0') return '`jsonrpc` must be "2.0"';
  if (typeof field(value, 'method') !== 'string') return '`method` must be a string';
  const id = field(value, 'id');
  if (id !== undefined && idOf(value) === null) return '`id` must be a string or an integer';
  const params = field(value, 'params');
  if (params !== undefined && !isObject(params)) return '`params` must be an object';
  return 'only `jsonrpc`, `id`, `method` and `params` make a request, and `_meta` must be as MCP has it';
}

/** Says what is wrong with a request's parameters, in plainer words than the SDK's validator. */
function badParams({ method, params }: { method: string; params?: object | undefined }): string | null {
  if (method === 'tools/call') {
    if (typeof field(params, 'name') !== 'string') return '`name` must be a string, the name of a tool';
    const given = field(params, 'arguments');
    return given === undefined || isObject(given) ? null : '`arguments` must be an object';
  }
  // Requests that carry their revision are of one without these: the SDK says that it has no such method.
  const isRemoved =
    /^(initialize|resources\/(un)?subscribe)$/.test(method) &&
    field(field(params, '_meta'), PROTOCOL_VERSION_META_KEY) !== undefined;
  if (isRemoved) return null;
  if (/^resources\/(read|(un)?subscribe)$/.test(method))
    return typeof field(params, 'uri') === 'string' ? null : '`uri` must be a string';
  return Object.hasOwn(SCHEMAS, method) ? fault(SCHEMAS[method]!, { method, params: params ?? {} }) : null;
}

const SCHEMAS: Record<string, Pick<(typeof specTypeSchemas)['Request'], '~standard'>> = {
  initialize: specTypeSchemas.InitializeRequest,
  'tools/list': specTypeSchemas.ListToolsRequest,
  'resources/list': specTypeSchemas.ListResourcesRequest,
  'resources/templates/list': specTypeSchemas.ListResourceTemplatesRequest,
};

/** Names the first parameter that the schema refuses. */
function fault(schema: (typeof SCHEMAS)[string], request: object): string | null {
  const result = schema['~standard'].validate(request);
  if (result instanceof Promise || !result.issues) return null;
  const { path = [], message } = result.issues[0]!;
  const name = path
    .slice(1)
    .map((step) => String(typeof step === 'object' ? step.key : step))
    .join('.');
  const expected = /expected (\w+)/.exec(message)?.[1] ?? '';
  return `\`${name}\` must be ${WANTED[expected] ?? 'as MCP has it'}`;
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}

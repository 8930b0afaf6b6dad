/**
 * A model server on 127.0.0.1 that makes an agent run given shell commands, one a turn, and keeps what the
 * agent sent back. Speaks as much of four protocols as the clients need: Anthropic messages, OpenAI responses
 * and chat completions, Gemini.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface FakeModel {
  readonly url: string;
  /** The client's reply to each command, in order, as it came first. */
  readonly results: string[];
  /** Every request's path and body. */
  readonly requests: { path: string; body: unknown }[];
  /** Tools that were offered, by name. */
  readonly tools: Set<string>;
  close(): Promise<void>;
}

/** A call of a tool, in place of a shell command. `namespace`: of the tool, where a client has them (Codex). */
export type Call = { tool: string; namespace?: string; arguments: Record<string, unknown> };

/** What the model wants next: one call, or several in one turn. */
export type Turn = string | Call | readonly (string | Call)[];

/** `call` makes the arguments of the client's own shell tool. */
export async function startFakeModel(
  commands: readonly Turn[],
  call: (command: string, tools: ReadonlySet<string>) => Call,
): Promise<FakeModel> {
  const model = new Model(commands, call);
  const server = createServer((request, response) => void model.answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return Object.assign(model, {
    url: `http://127.0.0.1:${port}`,
    close: () => {
      server.closeAllConnections();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  });
}

// biome-ignore lint/suspicious/noExplicitAny: bodies of four protocols
type Body = any;

class Model {
  readonly results: string[] = [];
  readonly requests: { path: string; body: unknown }[] = [];
  readonly tools = new Set<string>();
  readonly #turns: readonly (readonly (string | Call)[])[];
  readonly #call: (command: string, tools: ReadonlySet<string>) => Call;

  constructor(commands: readonly Turn[], call: (command: string, tools: ReadonlySet<string>) => Call) {
    this.#turns = commands.map((turn) => (Array.isArray(turn) ? turn : [turn as string | Call]));
    this.#call = call;
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? '').split('?')[0]!;
    const body = await bodyOf(request);
    this.requests.push({ path, body });
    if (request.method !== 'POST') json(response, { data: [], models: [] });
    else if (path.endsWith('/messages')) this.#anthropic(body, response);
    else if (path.endsWith('/responses')) this.#responses(body, response);
    else if (path.endsWith('/chat/completions')) this.#chat(body, response);
    else if (/:(stream)?generateContent$/i.test(path)) this.#gemini(path, body, response);
    else json(response, path.endsWith('/count_tokens') ? { input_tokens: 10 } : {});
  }

  /** The next turn's calls, none when the answer is to be text. Requests without tools are the client's own. */
  #next(tools: string[], results: string[]): (Call & { id: number })[] {
    for (const tool of tools) this.tools.add(tool);
    // As they came: Gemini CLI shortens what is old in each later request.
    this.results.push(...results.slice(this.results.length));
    let before = 0;
    const turn = this.#turns.find((calls) => {
      before += calls.length;
      return before > results.length;
    });
    if (tools.length === 0 || turn === undefined) return [];
    return turn.map((one, at) => ({
      ...(typeof one === 'string' ? this.#call(one, new Set(tools)) : one),
      id: results.length + at,
    }));
  }

  #anthropic(body: Body, response: ServerResponse): void {
    const tools = (body.tools ?? []).map((tool: Body) => tool.name);
    const results = (body.messages ?? []).flatMap((message: Body) =>
      (Array.isArray(message.content) ? message.content : [])
        .filter((block: Body) => block.type === 'tool_result')
        .map((block: Body) => textOf(block.content)),
    );
    const next = this.#next(tools, results);
    const blocks = next.map(({ id, tool }) => ({
      type: 'tool_use',
      id: `toolu_${id}`,
      name: tool,
      input: {},
    }));
    const message = { id: `msg_${results.length}`, type: 'message', role: 'assistant', model: body.model };
    const usage = { input_tokens: 10, output_tokens: 5 };
    const stop_reason = next.length > 0 ? 'tool_use' : 'end_turn';
    if (!body.stream) {
      const calls = blocks.map((block, at) => ({ ...block, input: next[at]!.arguments }));
      const content = calls.length > 0 ? calls : [{ type: 'text', text: 'done' }];
      json(response, { ...message, content, stop_reason, stop_sequence: null, usage });
      return;
    }
    const parts =
      blocks.length > 0
        ? blocks.map((block, at) => ({
            block,
            delta: { type: 'input_json_delta', partial_json: JSON.stringify(next[at]!.arguments) },
          }))
        : [{ block: { type: 'text', text: '' }, delta: { type: 'text_delta', text: 'done' } }];
    events(response, [
      {
        type: 'message_start',
        message: { ...message, content: [], stop_reason: null, stop_sequence: null, usage },
      },
      ...parts.flatMap(({ block, delta }, index) => [
        { type: 'content_block_start', index, content_block: block },
        { type: 'content_block_delta', index, delta },
        { type: 'content_block_stop', index },
      ]),
      { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage },
      { type: 'message_stop' },
    ]);
  }

  #responses(body: Body, response: ServerResponse): void {
    const tools = (body.tools ?? []).map((tool: Body) => tool.name ?? tool.type);
    const results = (body.input ?? [])
      .filter((item: Body) => /_output$/.test(item.type))
      .map((item: Body) => textOf(item.output));
    const next = this.#next(tools, results);
    const calls = next.map(({ id, tool, namespace, arguments: given }) => ({
      ...{ type: 'function_call', id: `fc_${id}`, call_id: `call_${id}` },
      ...{ name: tool, arguments: JSON.stringify(given), status: 'completed' },
      ...(namespace === undefined ? {} : { namespace }),
    }));
    const text = {
      ...{ type: 'message', id: 'msg_1', role: 'assistant', status: 'completed' },
      content: [{ type: 'output_text', text: 'done', annotations: [] }],
    };
    const output = calls.length > 0 ? calls : [text];
    const usage = { input_tokens: 10, output_tokens: 5, total_tokens: 15 };
    const result = {
      id: `resp_${results.length}`,
      object: 'response',
      status: 'completed',
      output,
      usage,
    };
    events(response, [
      { type: 'response.created', response: { ...result, status: 'in_progress', output: [] } },
      ...output.flatMap((item, output_index) => [
        { type: 'response.output_item.added', output_index, item },
        { type: 'response.output_item.done', output_index, item },
      ]),
      { type: 'response.completed', response: result },
    ]);
  }

  #chat(body: Body, response: ServerResponse): void {
    const tools = (body.tools ?? []).map((tool: Body) => tool.function.name);
    const results = (body.messages ?? [])
      .filter((message: Body) => message.role === 'tool')
      .map((message: Body) => textOf(message.content));
    const next = this.#next(tools, results);
    const tool_calls = next.map(({ id, tool, arguments: given }, index) => ({
      ...{ index, id: `call_${id}`, type: 'function' },
      function: { name: tool, arguments: JSON.stringify(given) },
    }));
    const message =
      next.length > 0
        ? { role: 'assistant', content: null, tool_calls }
        : { role: 'assistant', content: 'done' };
    const finish_reason = next.length > 0 ? 'tool_calls' : 'stop';
    const head = { id: 'chat_1', created: 1, model: body.model };
    const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
    if (!body.stream) {
      json(response, {
        ...head,
        object: 'chat.completion',
        choices: [{ index: 0, message, finish_reason }],
        usage,
      });
      return;
    }
    const chunk = { ...head, object: 'chat.completion.chunk' };
    events(response, [
      { ...chunk, choices: [{ index: 0, delta: message, finish_reason: null }] },
      { ...chunk, choices: [{ index: 0, delta: {}, finish_reason }] },
      { ...chunk, choices: [], usage },
      '[DONE]',
    ]);
  }

  #gemini(path: string, body: Body, response: ServerResponse): void {
    const declared = (body.tools ?? []).flatMap((tool: Body) => tool.functionDeclarations ?? []);
    const results = (body.contents ?? []).flatMap((content: Body) =>
      content.parts
        .filter((part: Body) => part.functionResponse)
        .map((part: Body) => textOf(part.functionResponse.response)),
    );
    const next = this.#next(
      declared.map((tool: Body) => tool.name),
      results,
    );
    // Its small classifier wants JSON.
    const text =
      body.generationConfig?.responseMimeType === 'application/json'
        ? '{"model_choice":"pro","reasoning":"-"}'
        : 'done';
    const calls = next.map(({ tool, arguments: args }) => ({ functionCall: { name: tool, args } }));
    const parts = calls.length > 0 ? calls : [{ text }];
    const reply = {
      candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP', index: 0 }],
      usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 },
    };
    if (path.includes('stream')) events(response, [reply]);
    else json(response, reply);
  }
}

async function bodyOf(request: IncomingMessage): Promise<Body> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  try {
    return JSON.parse(Buffer.concat(chunks).toString());
  } catch {
    return {};
  }
}

function textOf(content: Body): string {
  if (typeof content === 'string') return content;
  if (Array.isArray(content)) return content.map(textOf).join('');
  if (typeof content?.text === 'string') return content.text;
  return typeof content?.output === 'string' ? content.output : JSON.stringify(content);
}

function json(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

function events(response: ServerResponse, list: readonly (Record<string, unknown> | string)[]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const event of list) {
    const name = typeof event === 'string' || !event.type ? '' : `event: ${event.type}\n`;
    response.write(`${name}data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`);
  }
  response.end();
}

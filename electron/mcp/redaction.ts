/**
 * Keeps secrets from agents. A reply's texts are masked before they are cut to a budget (reply.ts). `callTool` masks
 * replies that were made in another way, and refuses arguments that contain a mask.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { CallToolResult } from '@modelcontextprotocol/server';
import type { StreamName } from '../../shared/artifact.ts';
import { SpillwayError } from '../../shared/errors.ts';
import { linesAround, type Secrets, secretsOf } from '../../shared/secrets/mask.ts';
import { headerIn } from '../../shared/secrets/named.ts';
import type { Settings } from '../../shared/settings.ts';
import { isObject } from '../../shared/text/json-line.ts';
import { agentNamed } from '../agents/agents.ts';
import type { Host } from '../host/host.ts';

/** The secrets that replies of the current call mask; none outside of a call, or where `redact.mcp` is off. */
const current = new AsyncLocalStorage<Secrets | null>();

/**
 * Returns what to mask in a reply to this client, about an output of this source (the `source` of its artifact). Null
 * where the settings say that nothing is.
 */
export function secretsForAgents(
  { redact }: Pick<Settings, 'redact'>,
  client: string | null,
  source: string | null,
): Secrets | null {
  const names = client === null ? [] : [client.toLowerCase(), agentNamed(client)?.id];
  const isReadable =
    !redact.mcp ||
    redact.exceptClients.some((one) => names.includes(one.toLowerCase())) ||
    (source !== null && redact.exceptSources.includes(source));
  return isReadable ? null : secretsOf(redact);
}

export function whileMasking<T>(secrets: Secrets | null, work: () => T): T {
  return current.run(secrets, work);
}

/** Masks values that are given under the names of secrets, too. */
export function whileKnowing<T>(variables: Record<string, string>, work: () => T): T {
  const secrets = current.getStore();
  const known = Object.entries(variables).flatMap(([name, value]) =>
    secrets && secrets.find(`${name}="${value.replaceAll('"', "'")}"`).length > 0 ? value.split(/\r?\n/) : [],
  );
  const long = known.filter(({ length }) => length >= LEAST_KNOWN_CHARS);
  return secrets && long.length > 0 ? current.run(secrets.with(long), work) : work();
}

/** A shorter text is in too many words. */
const LEAST_KNOWN_CHARS = 4;

/** Masks the texts in an object, at any depth, and counts in `redacted`. */
export function maskedFacts<T extends object>(facts: T): T {
  const secrets = current.getStore();
  if (!secrets) return facts;
  const masking = new Masking(secrets);
  const masked = masking.value(facts) as T;
  return counted(masked, masking.count);
}

/** Masks a head and the texts that follow it. A secret may go on from one to the next. */
export function maskedReply(head: object, blocks: readonly string[]): { head: object; blocks: string[] } {
  const secrets = current.getStore();
  if (!secrets) return { head, blocks: [...blocks] };
  const told = [...new Set(blocks.flatMap((block) => secrets.told(block)))];
  const masking = new Masking(told.length > 0 ? secrets.with(told) : secrets);
  const shown = masking.value(head) as object;
  let before = '';
  let header = '';
  const texts = blocks.map((block) => {
    const title = TITLE.exec(block)?.[0] ?? '';
    const text = block.slice(title.length);
    const around = linesAround(text);
    const known = `${around.header ? header : ''}${around.before > 0 ? before : ''}`;
    const masked = masking.text(title) + masking.text(text, known);
    before = text.endsWith('\n') ? text : `${text}\n`;
    header = headerIn(before) || header;
    return masked;
  });
  return { head: counted(shown, masking.count), blocks: texts };
}

/** The heading of a block, which names its lines. */
const TITLE = /^\[[^\n]*\]\n/;

/** The option of requests to the host by which their views are masked. */
export function redactOption(): { redact?: Secrets } {
  const secrets = current.getStore();
  return secrets ? { redact: secrets } : {};
}

/** Masks a line that is shown without those around it, which may tell that it is secret. */
export async function maskedLine(
  host: Pick<Host, 'inspect'>,
  output: { artifact_id: string; stream?: StreamName },
  line: number | null,
  text: string,
): Promise<string> {
  if (!current.getStore() || line === null) return text;
  const { before, behind, header } = linesAround(text);
  if (before + behind === 0 && !header) return text;
  const range = { mode: 'range' as const, start_line: line, end_line: line };
  const view = await host.inspect({ ...output, ...range }, { access: 'agent', ...redactOption() });
  return view.redacted === undefined ? text : view.content.slice(0, text.length);
}

/** A part of a stream in a reply. */
interface ShownPart {
  stream: string;
  start_line: number;
  end_line: number;
  content: string;
  clipped?: 'beginning' | 'end';
}

/** Masks what the lines above parts of a command's output tell to be secret. */
export async function maskedParts<P extends ShownPart>(
  host: Pick<Host, 'inspect'>,
  artifact_id: string | null,
  parts: readonly P[],
): Promise<P[]> {
  if (!current.getStore() || artifact_id === null) return [...parts];
  const masked = async (part: P): Promise<P> => {
    const { start_line, end_line, content, clipped } = part;
    const { before, header } = linesAround(content);
    if (start_line === 1 || (before === 0 && !header)) return part;
    const stream = part.stream === 'output' ? {} : { stream: part.stream as StreamName };
    const range = { mode: 'range' as const, start_line, end_line };
    const view = await host.inspect(
      { artifact_id, ...stream, ...range },
      { access: 'agent', ...redactOption() },
    );
    if (view.redacted === undefined) return part;
    const shown = view.content.split('\n');
    const lines = content.split('\n').map((line, i) => {
      const like = shown[i] ?? '';
      return withStars(line, clipped === 'end' && i === 0 ? like.slice(-line.length) : like);
    });
    return { ...part, content: lines.join('\n') };
  };
  return Promise.all(parts.map(masked));
}

/** Puts the stars of a line into one that begins as it does. */
function withStars(line: string, like: string): string {
  return like.includes('*')
    ? Array.from({ length: line.length }, (_, i) => (like[i] === '*' ? '*' : line[i])).join('')
    : line;
}

/** Masks one text. */
export function maskedText(text: string): string {
  return current.getStore()?.mask(text).text ?? text;
}

class Masking {
  count = 0;
  readonly #secrets: Secrets;

  constructor(secrets: Secrets) {
    this.#secrets = secrets;
  }

  text(text: string, before = ''): string {
    const masked = this.#secrets.mask(text, { before });
    this.count += masked.count;
    return masked.text;
  }

  value(value: unknown): unknown {
    if (typeof value === 'string') return this.text(value);
    if (Array.isArray(value)) return value.map((one) => this.value(one));
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, this.value(one)]));
  }
}

function counted<T extends object>(facts: T, count: number): T {
  if (count === 0) return facts;
  const known = 'redacted' in facts && typeof facts.redacted === 'number' ? facts.redacted : 0;
  return { ...facts, redacted: known + count };
}

/** Replies whose texts are masked. */
const masked = new WeakSet<CallToolResult>();

export function isMasked(reply: CallToolResult): CallToolResult {
  if (current.getStore()) masked.add(reply);
  return reply;
}

/** Masks the blocks of a reply that reply.ts did not make. */
export function ensureMasked(reply: CallToolResult): CallToolResult {
  const secrets = current.getStore();
  if (!secrets || masked.has(reply)) return reply;
  const masking = new Masking(secrets);
  return {
    ...reply,
    content: reply.content.map((block) =>
      block.type === 'text' ? { ...block, text: masking.text(block.text) } : block,
    ),
    ...(reply.structuredContent
      ? { structuredContent: masking.value(reply.structuredContent) as Record<string, unknown> }
      : {}),
  };
}

/** Matches a mask: alone, or behind a name or a scheme. */
const MASK =
  /^\*{4,}$|(?:[=:"'@`]|\bbearer|\bbasic|\btoken)\s?\*{4,}(?!\*)(?![*/])|PRIVATE KEY-+\s*\*{8,}|[^\s/*(]\*{12,}/i;
/** Texts to keep, and names. */
const NOT_CHECKED = new Set(['content']);

/** Throws `usage` for arguments with a masked text in them: a command would run, a search look for the mask. */
export function refuseMasks(given: unknown): void {
  if (!current.getStore() || !isObject(given)) return;
  for (const [name, value] of Object.entries(given))
    if (!NOT_CHECKED.has(name) && hasMask(value))
      throw new SpillwayError(
        'usage',
        `\`${name}\` has a masked secret in it (***), which is not in the output itself`,
        'leave it out: search for the text around it, or take the secret from where the command finds it, such as a variable',
      );
}

/** Arguments are texts, lists and records of them. What is nested deeper is refused as an argument. */
const MOST_DEPTH = 3;

function hasMask(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') return value.includes('****') && MASK.test(value);
  if (depth > MOST_DEPTH || !(Array.isArray(value) || isObject(value))) return false;
  return Object.values(value).some((one) => hasMask(one, depth + 1));
}

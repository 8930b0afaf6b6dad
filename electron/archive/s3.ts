/**
 * Speaks to an S3-compatible store, with paths of the form `/bucket/key`, which every store takes. A request that
 * cannot be answered now is repeated after a random pause; one that is refused throws.
 */
import { createHash, randomBytes } from 'node:crypto';
import { createReadStream, readFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { AwsV4Signer } from 'aws4fetch';
import { SpillwayError, toSpillwayError } from '../../shared/errors.ts';
import type { ArchiveSettings } from '../../shared/settings.ts';

interface Stored {
  key: string;
  bytes: number;
}

interface Page {
  objects: Stored[];
  isLast: boolean;
}

/** The content of a put: a text, or a file that is read again for each try. `md5` is in base64. */
export interface Body {
  content: Buffer | { path: string };
  bytes: number;
  md5: string;
}

export function textBody(text: string): Body {
  const content = Buffer.from(text);
  return { content, bytes: content.length, md5: createHash('md5').update(content).digest('base64') };
}

interface Answer {
  status: number;
  headers: http.IncomingHttpHeaders;
  body: Buffer;
}

interface Asked {
  method: 'GET' | 'HEAD' | 'PUT' | 'DELETE';
  key?: string;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: Body;
  /** Statuses besides 2xx that are an answer, not a failure. */
  takes?: readonly number[];
}

/** Tries of one request, and the pauses between them. */
const TRIES = 6;
const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 5000;

/** How long a request may take. */
interface Pace {
  /** A store that says nothing for so long will not answer any more. */
  silenceMs: number;
  /** Waits between two tries. */
  pause(ms: number, signal: AbortSignal | undefined): Promise<void>;
}

const USUAL_PACE: Pace = {
  silenceMs: 20_000,
  pause: (ms, signal) => sleep(ms, undefined, signal ? { signal } : {}),
};
/** Larger answers are not ours. */
const MAX_ANSWER_BYTES = 512 * 1024 * 1024;

export class S3 {
  readonly bucket: string;
  /** Prefix of all keys: empty, or ends with `/`. */
  readonly prefix: string;
  /** Requests that were sent, and bytes received in answers. */
  readonly spent = { requests: 0, bytes: 0 };
  readonly #settings: ArchiveSettings;
  readonly #credentials: Credentials;
  readonly #signal: AbortSignal | undefined;
  readonly #endpoint: URL;
  readonly #agent: http.Agent;
  /** How far the store's clock is ahead of ours. It refuses signatures of another time. */
  #skewMs = 0;

  readonly #pace: Pace;

  constructor(
    settings: ArchiveSettings,
    credentials: Credentials,
    signal?: AbortSignal,
    pace: Partial<Pace> = {},
  ) {
    this.#pace = { ...USUAL_PACE, ...pace };
    const [, bucket, prefix] = /^s3:\/\/([^/]+)\/?(.*?)\/?$/.exec(settings.url)!;
    this.bucket = bucket!;
    this.prefix = prefix ? `${prefix}/` : '';
    this.#settings = settings;
    this.#credentials = credentials;
    this.#signal = signal;
    this.#endpoint = new URL(settings.endpoint ?? `https://s3.${settings.region}.amazonaws.com`);
    const { Agent } = this.#endpoint.protocol === 'https:' ? https : http;
    this.#agent = new Agent({ keepAlive: true, maxSockets: 16 });
  }

  /** `s3://bucket/key` */
  link(key: string): string {
    return `s3://${this.bucket}/${this.prefix}${key}`;
  }

  /** Address of the key, or of what begins with it, as other programs take it. */
  address(key: string): string {
    return new URL(`/${this.bucket}/${this.prefix}`, this.#endpoint).href + key;
  }

  /** Returns false when `onlyNew` is set and the object was there before. */
  async put(key: string, body: Body, { onlyNew = false } = {}): Promise<boolean> {
    const { sse } = this.#settings;
    const headers = {
      'content-md5': body.md5,
      ...(sse ? { 'x-amz-server-side-encryption': sse } : {}),
      ...(onlyNew ? { 'if-none-match': '*' } : {}),
    };
    const { status } = await this.#ask({ method: 'PUT', key, headers, body, takes: onlyNew ? [412] : [] });
    return status !== 412;
  }

  /** Returns null if the object does not exist. `range` is as in HTTP: `0-99`, `-100`. */
  async get(key: string, range?: string): Promise<{ content: Buffer; size: number } | null> {
    const headers = range === undefined ? {} : { range: `bytes=${range}` };
    const answer = await this.#ask({ method: 'GET', key, headers, takes: [404] });
    if (answer.status === 404) return this.#missing(answer);
    const total = /\/(\d+)$/.exec(answer.headers['content-range'] ?? '')?.[1];
    return { content: answer.body, size: total === undefined ? answer.body.length : Number(total) };
  }

  /** Returns the object's MD5 in hexadecimal, or null if the object does not exist or the store gives none. */
  async tagOf(key: string): Promise<string | null> {
    const { status, headers } = await this.#ask({ method: 'HEAD', key, takes: [404] });
    return status === 404 ? null : (headers.etag ?? '').replaceAll('"', '');
  }

  async delete(key: string): Promise<void> {
    await this.#ask({ method: 'DELETE', key, takes: [404] });
  }

  /** Yields the objects whose key begins with `prefix`, in order, page by page: of 1,000 at most, or some fewer. */
  async *list(prefix: string): AsyncGenerator<Page> {
    let token: string | undefined;
    do {
      const query = {
        ...{ 'list-type': '2', prefix: this.prefix + prefix },
        ...(token === undefined ? {} : { 'continuation-token': token }),
      };
      const text = (await this.#ask({ method: 'GET', query })).body.toString();
      token = valueIn(text, 'IsTruncated') === 'true' ? valueIn(text, 'NextContinuationToken') : undefined;
      const objects = [...text.matchAll(/<Contents>.*?<\/Contents>/gs)].map(([entry]) => ({
        key: valueIn(entry, 'Key').slice(this.prefix.length),
        bytes: Number(valueIn(entry, 'Size')),
      }));
      yield { objects, isLast: !token };
    } while (token);
  }

  close(): void {
    this.#agent.destroy();
  }

  /** A key that is missing is an answer; a bucket that is missing is not. */
  #missing({ body }: Answer): null {
    if (valueIn(body.toString(), 'Code') === 'NoSuchBucket') throw this.#refused(404, 'NoSuchBucket');
    return null;
  }

  async #ask(asked: Asked): Promise<Answer> {
    for (let tried = 1; ; tried += 1) {
      let problem: string;
      let least = 0;
      try {
        const answer = await this.#send(asked);
        const { status, headers, body } = answer;
        if ((status >= 200 && status < 300) || asked.takes?.includes(status)) return answer;
        const code = valueIn(body.toString(), 'Code') || String(status);
        if (code === 'RequestTimeTooSkewed' && tried === 1) {
          this.#skewMs = Date.parse(headers.date ?? '') - Date.now() || 0;
          continue;
        }
        // 409: another put of the same key was under way.
        if (status < 500 && ![408, 409, 429].includes(status)) throw this.#refused(status, code);
        problem = `it answered ${code}`;
        least = Math.min(MAX_PAUSE_MS, Number(headers['retry-after'] ?? 0) * 1000 || 0);
      } catch (error) {
        this.#signal?.throwIfAborted();
        if (error instanceof SpillwayError) throw error;
        problem = (error as NodeJS.ErrnoException).code ?? (error as Error).message;
      }
      if (tried === TRIES)
        throw new SpillwayError(
          'stalled',
          `the archive at ${this.#endpoint.host} cannot be reached: ${problem}`,
          'what is not shipped is shipped later',
        );
      const most = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** tried);
      await this.#pace.pause(least + Math.random() * most, this.#signal);
    }
  }

  #refused(status: number, code: string): SpillwayError {
    const [what, todo] =
      code === 'NoSuchBucket'
        ? [`there is no bucket ${this.bucket}`, 'correct archive.url in config.json, or make the bucket']
        : status === 403
          ? [`the archive refused this (${code})`, '`spillway archive check` tells which rights are missing']
          : [`the archive answered ${code}`, '`spillway archive check` tests it'];
    return new SpillwayError(
      status === 403 ? 'no_permission' : code === 'NoSuchBucket' ? 'not_found' : 'unsupported',
      what,
      todo,
    );
  }

  async #send({ method, key, query = {}, headers = {}, body }: Asked): Promise<Answer> {
    const url = new URL(this.#endpoint);
    const path = key === undefined ? '' : `/${encodeURI(this.prefix + key)}`;
    url.pathname = `/${this.bucket}${path}`;
    url.search = new URLSearchParams(query).toString();
    const datetime = new Date(Date.now() + this.#skewMs).toISOString().replace(/[:-]|\.\d+/g, '');
    const { region } = this.#settings;
    const signer = new AwsV4Signer({
      ...{ method, url: url.href, headers, service: 's3', region, datetime },
      ...this.#credentials,
    });
    const signed = await signer.sign();
    const all = Object.fromEntries(signed.headers);
    this.spent.requests += 1;
    const { request } = url.protocol === 'https:' ? https : http;
    return new Promise((resolve, reject) => {
      const sent = request(
        signed.url,
        {
          ...{ method, agent: this.#agent, timeout: this.#pace.silenceMs },
          headers: body ? { ...all, 'content-length': body.bytes } : all,
          ...(this.#signal ? { signal: this.#signal } : {}),
        },
        (answer) => this.#receive(answer).then(resolve, reject),
      );
      sent.on('error', reject);
      sent.on('timeout', () => sent.destroy(new Error('it does not answer')));
      if (!body) return void sent.end();
      if (Buffer.isBuffer(body.content)) return void sent.end(body.content);
      const file = createReadStream(body.content.path, { highWaterMark: 256 * 1024 });
      this.#pour(file, sent).catch((error: unknown) => sent.destroy(error as Error));
    });
  }

  /** Sends no more bytes a second than `bandwidth`. */
  async #pour(file: Readable, sent: http.ClientRequest): Promise<void> {
    const { bandwidth } = this.#settings;
    const began = performance.now();
    let bytes = 0;
    for await (const chunk of file as AsyncIterable<Buffer>) {
      if (sent.destroyed) return;
      bytes += chunk.length;
      if (!sent.write(chunk))
        await new Promise<void>((resolve) => {
          const done = () => {
            sent.off('drain', done).off('close', done);
            resolve();
          };
          sent.on('drain', done).on('close', done);
        });
      const ahead = bandwidth === null ? 0 : (bytes / bandwidth) * 1000 - (performance.now() - began);
      if (ahead > 0) await sleep(ahead, undefined, this.#signal ? { signal: this.#signal } : {});
    }
    sent.end();
  }

  async #receive(answer: http.IncomingMessage): Promise<Answer> {
    const parts: Buffer[] = [];
    let bytes = 0;
    for await (const part of answer as AsyncIterable<Buffer>) {
      parts.push(part);
      bytes += part.length;
      this.spent.bytes += part.length;
      if (bytes > MAX_ANSWER_BYTES) throw new Error('its answer is too long');
    }
    return { status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(parts) };
  }
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

const patterns = new Map<string, RegExp>();

/** Returns the text of the first such element of an XML answer; empty when there is none. */
function valueIn(xml: string, name: string): string {
  const pattern = patterns.get(name) ?? new RegExp(`<${name}>([^<]*)</${name}>`);
  patterns.set(name, pattern);
  const text = pattern.exec(xml)?.[1] ?? '';
  if (!text.includes('&')) return text;
  return text.replace(/&(?:#(\d+)|(\w+));/g, (whole, code, named) =>
    code === undefined ? (ENTITIES[named] ?? whole) : String.fromCodePoint(Number(code)),
  );
}

// Tries what the credentials may do in the bucket, and names what a machine that only ships does not need.

type Right = 'put' | 'get' | 'list' | 'delete';

export interface ArchiveCheck {
  url: string;
  /** Whether each is allowed; null where it could not be tried. */
  rights: Record<Right, boolean | null>;
  /** The store puts an object once when it is asked to. */
  puts_once: boolean | null;
  /** Sentences about what needs attention. */
  problems: string[];
  /** The least policies, in Amazon's form: of a machine that ships, and of one that reads. */
  policies: { ship: object; read: object };
}

/** Leaves nothing behind where it may delete; else one small object. Rejects when the store cannot be reached. */
export async function checkArchive(store: S3, archive: ArchiveSettings): Promise<ArchiveCheck> {
  const { space } = archive;
  const key = `v1/${space}/check/${randomBytes(6).toString('hex')}`;
  const body = textBody('written by `spillway archive check`\n');
  const isAllowed = async (work: () => Promise<unknown>): Promise<boolean> => {
    try {
      await work();
      return true;
    } catch (error) {
      if (toSpillwayError(error).code === 'no_permission') return false;
      throw error;
    }
  };
  const put = await isAllowed(() => store.put(key, body));
  const puts_once = put ? !(await store.put(key, body, { onlyNew: true })) : null;
  const get = await isAllowed(() => store.get(key));
  const list = await isAllowed(() => store.list(`v1/${space}/check/`).next());
  // Deleting what is not there tells as much.
  const isDeletable = await isAllowed(() => store.delete(key));
  const rights = { put, get, list, delete: isDeletable };
  return {
    ...{ url: archive.url, rights, puts_once },
    problems: problemsOf(archive, rights, puts_once),
    policies: {
      ship: policyOf(store, space, ['s3:PutObject']),
      read: policyOf(store, space, ['s3:GetObject'], true),
    },
  };
}

function problemsOf(
  { endpoint }: ArchiveSettings,
  rights: ArchiveCheck['rights'],
  putsOnce: boolean | null,
): string[] {
  const tooMuch = (['get', 'list', 'delete'] as const).filter((right) => rights[right]);
  const isOpen = endpoint?.startsWith('http:') && !/^http:\/\/(?:localhost|127\.|\[::1\])/.test(endpoint);
  return [
    ...(rights.put ? [] : ['these credentials may not put objects: nothing can be shipped']),
    ...(tooMuch.length > 0
      ? [`a machine that only ships needs only to put: these credentials may also ${tooMuch.join(', ')}`]
      : []),
    ...(rights.delete ? ['who takes them from this machine can delete what all machines shipped'] : []),
    ...(putsOnce === false
      ? [
          'the store ignores If-None-Match: two machines that ship one capture both put it, with the same bytes',
        ]
      : []),
    ...(isOpen ? ['endpoint is http: what is shipped can be read on its way'] : []),
  ];
}

function policyOf({ bucket, prefix }: S3, space: string, actions: string[], lists = false): object {
  const under = `${prefix}v1/${space}/*`;
  const objects = { Effect: 'Allow', Action: actions, Resource: `arn:aws:s3:::${bucket}/${under}` };
  const listing = {
    ...{ Effect: 'Allow', Action: ['s3:ListBucket'], Resource: `arn:aws:s3:::${bucket}` },
    Condition: { StringLike: { 's3:prefix': under } },
  };
  return { Version: '2012-10-17', Statement: lists ? [objects, listing] : [objects] };
}

// Finds credentials where every S3 client looks: the AWS variables, then a profile in the AWS files.

interface Credentials {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string;
}

/** Throws `no_permission` when there are none. */
export function findCredentials(env: NodeJS.ProcessEnv = process.env): Credentials {
  const named = credentialsIn((name) => env[name.toUpperCase()]);
  if (named) return named;
  const profile = env.AWS_PROFILE || 'default';
  const folder = join(env.HOME || homedir(), '.aws');
  const files: [path: string, section: string][] = [
    [env.AWS_SHARED_CREDENTIALS_FILE || join(folder, 'credentials'), profile],
    // Its sections have another name, but for the default one.
    [env.AWS_CONFIG_FILE || join(folder, 'config'), profile === 'default' ? profile : `profile ${profile}`],
  ];
  for (const [path, section] of files) {
    const values = profileIn(textOf(path), section);
    const found = credentialsIn((name) => values.get(name));
    if (found) return found;
  }
  throw new SpillwayError(
    'no_permission',
    `there are no credentials for the archive in the variables, nor in the profile ${JSON.stringify(profile)}`,
    'set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or name a profile of ~/.aws/credentials in AWS_PROFILE',
  );
}

function credentialsIn(value: (name: string) => string | undefined): Credentials | null {
  const accessKeyId = value('aws_access_key_id');
  const secretAccessKey = value('aws_secret_access_key');
  const sessionToken = value('aws_session_token');
  if (!accessKeyId || !secretAccessKey) return null;
  return { accessKeyId, secretAccessKey, ...(sessionToken ? { sessionToken } : {}) };
}

/** Returns the settings of one section: `name = value` below `[section]`. */
export function profileIn(text: string, section: string): Map<string, string> {
  const values = new Map<string, string>();
  let isOurs = false;
  for (const line of text.split(/\r?\n/)) {
    const head = /^\s*\[\s*(.*?)\s*\]/.exec(line);
    if (head) isOurs = head[1] === section;
    const pair = /^([\w-]+)\s*=\s*(.*?)\s*$/.exec(line);
    if (isOurs && pair) values.set(pair[1]!.toLowerCase(), pair[2]!);
  }
  return values;
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/**
 * Decides which requests are let in. Refuses pages of other sites and foreign host names (DNS rebinding) first, then
 * requests with no token, code or cookie that is good.
 */
import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { foreignPart, INSPECTOR_POLICY, isSame } from '../host/socket/local-http.ts';

export interface Gate {
  passes: Passes;
  cookieName: string;
}

type Verdict =
  /** `by`: what let it in. A page requested with a token or a code gets the cookie. */
  | { pass: true; by: 'token' | 'code' | 'cookie' }
  | { pass: false; status: 400 | 401 | 403 | 405; why: string };

export function judgeRequest(request: IncomingMessage, gate: Gate): Verdict {
  const foreign = foreignPart(request, INSPECTOR_POLICY);
  if (foreign !== null) return refused(403, FOREIGN[foreign]);
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return refused(405, 'only GET and HEAD are supported');
  const url = requestUrl(request);
  if (url === null) return refused(400, 'the address is not valid here');
  const { passes, cookieName } = gate;
  const [token, code] = [url.searchParams.get('token'), url.searchParams.get('code')];
  if (token && passes.takeToken(token)) return { pass: true, by: 'token' };
  if (code && passes.takeCode(code, () => isOwnPeer(request.socket))) return { pass: true, by: 'code' };
  const cookie = cookieValue(request.headers.cookie, cookieName);
  if (cookie !== null && isSame(cookie, passes.cookie)) return { pass: true, by: 'cookie' };
  if (token === null && code === null) return refused(401, 'the token is missing');
  return refused(401, 'this address is not good (any longer)');
}

const FOREIGN = {
  host: 'the request names another host than this machine',
  origin: 'a page of another origin sent the request',
  site: 'a page of another site sent the request',
};

/** Returns the requested path and query; null when the target is not a plain path, such as a proxy's absolute form. */
export function requestUrl(request: IncomingMessage): URL | null {
  const target = request.url ?? '';
  if (!target.startsWith('/') || target.startsWith('//')) return null;
  try {
    return new URL(target, 'http://localhost');
  } catch {
    return null;
  }
}

function refused(status: 400 | 401 | 403 | 405, why: string): Verdict {
  return { pass: false, status, why };
}

// Names, makes and reads the cookie that lets a browser in.

const PREFIX = 'spillway-';
/** Browsers that restore their session keep cookies of old inspectors, until requests become too large. */
const MAX_KEPT = 16;

/**
 * Returns the name of the cookie; the same for an inspector restarted with the same host, home
 * and port. Browsers share cookies between ports: without a hash of the inspector, two would log each other out.
 */
export function cookieName(...place: Array<string | number>): string {
  return PREFIX + createHash('sha256').update(JSON.stringify(place)).digest('hex').slice(0, 12);
}

/**
 * Returns the `Set-Cookie` headers that store `value` under `name`, and expire cookies of old inspectors beyond
 * `MAX_KEPT`.
 */
export function cookieHeaders(name: string, value: string, cookieHeader: string | undefined): string[] {
  const others = pairs(cookieHeader)
    .map(([key]) => key)
    .filter((key) => key !== name && /^spillway-[0-9a-f]{12}$/.test(key));
  return [
    `${name}=${value}; Path=/; HttpOnly; SameSite=Strict`,
    ...others.slice(MAX_KEPT).map((key) => `${key}=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict`),
  ];
}

/** Returns the value of a cookie; null without it. */
export function cookieValue(cookieHeader: string | undefined, name: string): string | null {
  return pairs(cookieHeader).find(([key]) => key === name)?.[1] ?? null;
}

function pairs(cookieHeader: string | undefined): Array<[string, string]> {
  return (cookieHeader ?? '').split(';').map((pair) => {
    const [key = '', ...rest] = pair.split('=');
    return [key.trim(), rest.join('=').trim()];
  });
}

// Tells whether a connection on this machine comes from a process of this user.

/** Columns of /proc/net/tcp (proc(5)). */
const LOCAL = 1;
const REMOTE = 2;
const UID = 7;
const LOOPBACK = /^(?:::ffff:)?127\.|^::1$/;

/**
 * True for a process of this user, and of root, which may do everything anyway: it also passes on what comes from
 * outside a virtual machine. False where Linux does not say whose it is. Other systems cannot be asked: true there.
 */
function isOwnPeer(socket: Pick<Socket, 'remoteAddress' | 'remotePort' | 'localPort'>): boolean {
  if (process.platform !== 'linux') return true;
  const { remoteAddress = '', remotePort = 0, localPort = 0 } = socket;
  if (!LOOPBACK.test(remoteAddress)) return false;
  const uid = uidOf(remotePort, localPort, tables());
  return uid !== null && (uid === 0 || uid === process.getuid?.());
}

/** Returns the user of the socket that has the first port here and the second there; null if there is none. */
export function uidOf(localPort: number, remotePort: number, tables: readonly string[]): number | null {
  const hex = (port: number) => `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const [local, remote] = [hex(localPort), hex(remotePort)];
  for (const table of tables) {
    for (const line of table.split('\n').slice(1)) {
      const columns = line.trim().split(/\s+/);
      if (columns[LOCAL]?.endsWith(local) && columns[REMOTE]?.endsWith(remote)) return Number(columns[UID]);
    }
  }
  return null;
}

function tables(): string[] {
  return ['tcp', 'tcp6'].flatMap((name) => {
    try {
      return readFileSync(`/proc/self/net/${name}`, 'latin1');
    } catch {
      // Without IPv6 there is one of them.
      return [];
    }
  });
}

// Lets browsers in. A printed address has a token. An address that a browser is started with has a code, since
// every user of the machine can read the arguments of a program. Both are exchanged for the cookie, whose value stands
// in no address, so what a browser's history keeps is of no use later.

/** How long a token is good after its first use: for a reload, or a browser that fetches ahead. */
export const TOKEN_MS = 60_000;
/** Least time that a printed token must still be good. */
const PRINTED_MS = 50_000;
/** How long a browser may take to start. */
export const CODE_MS = 5 * 60_000;
/** More addresses than people ask for; the oldest are forgotten. */
const MOST_KEPT = 64;

interface Timed {
  value: string;
  until: number;
}

export class Passes {
  /** Value of the cookie. */
  readonly cookie = secret();
  readonly #now: () => number;
  #unused: string | null;
  #used: Timed[] = [];
  #codes: Timed[] = [];

  /** `now`: milliseconds of a clock that never goes back. */
  constructor(token = secret(), now = () => performance.now()) {
    this.#unused = token;
    this.#now = now;
  }

  /** The token to print: the same one until it is used, and while most of its minute is left. */
  get token(): string {
    const last = this.#used.at(-1);
    if (this.#unused === null && last && last.until - this.#now() >= PRINTED_MS) return last.value;
    this.#unused ??= secret();
    return this.#unused;
  }

  /** A code, good once. */
  newCode(): string {
    const value = secret();
    this.#codes = [...this.#valid(this.#codes), { value, until: this.#now() + CODE_MS }].slice(-MOST_KEPT);
    return value;
  }

  /** Whether the token is good. Its time begins to run with this. */
  takeToken(given: string): boolean {
    this.#used = this.#valid(this.#used);
    if (this.#unused !== null && isSame(given, this.#unused)) {
      const used = { value: this.#unused, until: this.#now() + TOKEN_MS };
      this.#used = [...this.#used, used].slice(-MOST_KEPT);
      this.#unused = null;
      return true;
    }
    return this.#used.some(({ value }) => isSame(given, value));
  }

  /** Whether the code is good and `mayHave` is true, which is asked only for a good one. Then it is good no more. */
  takeCode(given: string, mayHave: () => boolean): boolean {
    this.#codes = this.#valid(this.#codes);
    const found = this.#codes.find(({ value }) => isSame(given, value));
    if (found === undefined || !mayHave()) return false;
    this.#codes = this.#codes.filter((code) => code !== found);
    return true;
  }

  #valid(passes: readonly Timed[]): Timed[] {
    return passes.filter(({ until }) => until > this.#now());
  }
}

function secret(): string {
  return randomBytes(32).toString('base64url');
}

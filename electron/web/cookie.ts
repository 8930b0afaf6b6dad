/**
 * The cookie that a token is exchanged for. Cookies do not know ports: its name carries a hash of whose inspector
 * it is, or two inspectors would log each other out.
 */
import { createHash } from 'node:crypto';

const PREFIX = 'spillway-';
/** Cookies of inspectors that are gone pile up in a browser that restores its session, until no request fits. */
const MAX_KEPT = 16;

/** The same for an inspector that is started again in the same place. */
export function cookieName(...place: Array<string | number>): string {
  return PREFIX + createHash('sha256').update(JSON.stringify(place)).digest('hex').slice(0, 12);
}

/** The `Set-Cookie` headers that keep `token` under `name`, and drop others of ours when there are too many. */
export function cookieHeaders(name: string, token: string, cookieHeader: string | undefined): string[] {
  const others = pairs(cookieHeader)
    .map(([key]) => key)
    .filter((key) => key !== name && /^spillway-[0-9a-f]{12}$/.test(key));
  return [
    `${name}=${token}; Path=/; HttpOnly; SameSite=Strict`,
    ...others.slice(MAX_KEPT).map((key) => `${key}=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict`),
  ];
}

export function cookieValue(cookieHeader: string | undefined, name: string): string | null {
  return pairs(cookieHeader).find(([key]) => key === name)?.[1] ?? null;
}

function pairs(cookieHeader: string | undefined): Array<[string, string]> {
  return (cookieHeader ?? '').split(';').map((pair) => {
    const [key = '', ...rest] = pair.split('=');
    return [key.trim(), rest.join('=').trim()];
  });
}

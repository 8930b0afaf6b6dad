/** Names, makes and reads the cookie that lets a browser in. */
import { createHash } from 'node:crypto';

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

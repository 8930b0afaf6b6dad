import { describe, expect, it } from 'vitest';
import { cookieHeaders, cookieName, cookieValue } from '../../../electron/web/gate.ts';

describe('the cookie', () => {
  it('has a name for each inspector', () => {
    const names = [
      cookieName('host', '/home', 1),
      cookieName('host', '/home', 2),
      cookieName('host2', '/home', 1),
    ];
    expect(new Set(names).size).toBe(3);
    expect(names[0]).toMatch(/^spillway-[0-9a-f]{12}$/);
    expect(cookieName('host', '/home', 1)).toBe(names[0]);
  });

  it('is out of reach of scripts and of other sites', () => {
    expect(cookieHeaders('spillway-0123456789ab', 'tok', undefined)).toEqual([
      'spillway-0123456789ab=tok; Path=/; HttpOnly; SameSite=Strict',
    ]);
  });

  it('drops those of inspectors that ended long ago, and no others', () => {
    const ours = [...Array(20).keys()].map((n) => `spillway-${n.toString(16).padStart(12, '0')}`);
    const header = [...ours, 'spillway-theme', 'session'].map((name) => `${name}=x`).join('; ');
    const headers = cookieHeaders(ours[0]!, 'tok', header);
    expect(headers).toHaveLength(1 + 3);
    expect(headers.slice(1).map((line) => line.split('=', 1)[0])).toEqual(ours.slice(17));
    expect(headers.slice(1).every((line) => line.includes('Max-Age=0'))).toBe(true);
  });

  it('is found among others, whatever they look like', () => {
    expect(cookieValue('a=1; b=2=3;c; =; b=4', 'b')).toBe('2=3');
    expect(cookieValue('bb=1', 'b')).toBeNull();
    expect(cookieValue('__proto__=1', '__proto__')).toBe('1');
    expect(cookieValue(undefined, 'b')).toBeNull();
  });
});

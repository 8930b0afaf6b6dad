/** How long an address lets a browser in, and whom. */
import { beforeEach, expect, it } from 'vitest';
import { CODE_MS, Passes, TOKEN_MS, uidOf } from '../../../electron/web/gate.ts';

let now: number;
let passes: Passes;
beforeEach(() => {
  now = 0;
  passes = new Passes('first-token-first-token', () => now);
});

it('a printed token is good until it is used, however late, and for a minute after', () => {
  now = 1e9;
  expect(passes.takeToken('first-token-first-token')).toBe(true);
  now += TOKEN_MS - 1;
  expect(passes.takeToken('first-token-first-token')).toBe(true);
  now += 1;
  expect(passes.takeToken('first-token-first-token')).toBe(false);
});

it('the token to print is the same until it is used, and then another once its minute has begun to run out', () => {
  const { token } = passes;
  expect(passes.token).toBe(token);
  passes.takeToken(token);
  expect(passes.token).toBe(token);
  now += TOKEN_MS / 2;
  const next = passes.token;
  expect(next).not.toBe(token);
  expect(passes.token).toBe(next);
  expect(passes.takeToken(token)).toBe(true);
  expect(passes.takeToken(next)).toBe(true);
  expect(passes.takeToken(`${next}x`)).toBe(false);
});

it('a code is good once, for a while, and only for whom it is meant', () => {
  const [code, other] = [passes.newCode(), passes.newCode()];
  expect(passes.takeCode(code, () => false)).toBe(false);
  expect(passes.takeCode(code, () => true)).toBe(true);
  expect(passes.takeCode(code, () => true)).toBe(false);
  now += CODE_MS;
  expect(passes.takeCode(other, () => true)).toBe(false);
});

it('who asks with a code is looked up for a good one only', () => {
  const looked = () => {
    throw new Error('it was looked up');
  };
  expect(passes.takeCode('guess', looked)).toBe(false);
});

it('the cookie is neither a token nor a code', () => {
  expect([passes.token, passes.newCode()]).not.toContain(passes.cookie);
  expect(passes.takeToken(passes.cookie)).toBe(false);
  expect(passes.takeCode(passes.cookie, () => true)).toBe(false);
});

const TCP = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:5208 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 11 1
   1: 0100007F:5208 0100007F:D431 01 00000000:00000000 00:00000000 00000000     0        0 12 1
   2: 0100007F:D431 0100007F:5208 01 00000000:00000000 00:00000000 00000000 65534        0 13 1
`;

it('the user of a connection is the one of its other end', () => {
  expect(uidOf(0xd431, 0x5208, [TCP])).toBe(65534);
  expect(uidOf(0x5208, 0xd431, ['', TCP])).toBe(0);
  expect(uidOf(0xd432, 0x5208, [TCP])).toBe(null);
});

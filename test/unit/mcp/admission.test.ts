import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { beforeEach, expect, test } from 'vitest';
import { Admission, MAX_IN_FLIGHT, MAX_WAITING } from '../../../electron/mcp/transport/admission.ts';

const request = (id: number, method = 'tools/call'): JSONRPCMessage => ({ jsonrpc: '2.0', id, method });
const cancel = (requestId: number): JSONRPCMessage => ({
  jsonrpc: '2.0',
  method: 'notifications/cancelled',
  params: { requestId },
});

let delivered: JSONRPCMessage[];
let admission: Admission;
const ids = () => delivered.map((message) => ('id' in message ? message.id : 'cancel'));

beforeEach(() => {
  delivered = [];
  admission = new Admission((message) => delivered.push(message));
});

test('delivers requests in order up to the limit in flight, and the next when one is settled', () => {
  for (let id = 1; id <= MAX_IN_FLIGHT + 2; id += 1) admission.offer(request(id));
  expect(delivered).toHaveLength(MAX_IN_FLIGHT);
  admission.settle(3);
  admission.next();
  expect(ids().at(-1)).toBe(MAX_IN_FLIGHT + 1);
  expect(delivered).toHaveLength(MAX_IN_FLIGHT + 1);
});

test('is full when the queue has reached its limit', () => {
  for (let id = 1; id < MAX_IN_FLIGHT + MAX_WAITING; id += 1) admission.offer(request(id));
  expect(admission.full).toBe(false);
  admission.offer(request(0));
  expect(admission.full).toBe(true);
});

test('delivers a cancellation before waiting requests, and frees the place of the cancelled one', () => {
  for (let id = 1; id <= MAX_IN_FLIGHT + 1; id += 1) admission.offer(request(id));
  admission.offer(cancel(2));
  expect(ids().at(-1)).toBe('cancel');
  admission.next();
  expect(ids().at(-1)).toBe(MAX_IN_FLIGHT + 1);
});

test('delivers neither a request that was cancelled in the queue nor its cancellation', () => {
  for (let id = 1; id <= MAX_IN_FLIGHT + 1; id += 1) admission.offer(request(id));
  admission.offer(cancel(MAX_IN_FLIGHT + 1));
  for (let id = 1; id <= MAX_IN_FLIGHT; id += 1) admission.settle(id);
  admission.next();
  expect(ids()).toEqual(Array.from({ length: MAX_IN_FLIGHT }, (_, index) => index + 1));
  expect(admission.idle).toBe(true);
});

test('does not count subscriptions, which stay open, as in flight', () => {
  for (let id = 1; id <= 20; id += 1) admission.offer(request(id, 'subscriptions/listen'));
  expect(delivered).toHaveLength(20);
  expect(admission.idle).toBe(true);
});

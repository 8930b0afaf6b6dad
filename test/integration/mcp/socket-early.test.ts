/** Clients of the MCP socket while what serves them is being loaded. */
import net from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { Agent } from '../../../electron/mcp/agent.ts';
import { type McpSocket, serveMcpSocket } from '../../../electron/mcp/socket.ts';
import { makePlace, type Place } from '../../fixtures/cli.ts';
import { until } from '../../fixtures/until.ts';

const defects: unknown[] = [];
let place: Place;
let served: McpSocket;

/** Serves agents that `createAgent` gives. */
async function serve(createAgent: () => Promise<Agent>): Promise<void> {
  place = makePlace();
  defects.length = 0;
  const onDefect = (error: unknown) => defects.push(error);
  served = await serveMcpSocket({ runDir: join(place.home, 'run'), createAgent, onDefect });
}

/** Connects; the agent comes when the returned function is called, which resolves once the agent was closed. */
async function clientBeforeItsAgent() {
  let arrive: (agent: Agent) => void = () => {};
  let isAsked = false;
  await serve(() => {
    isAsked = true;
    return new Promise((resolve) => {
      arrive = resolve;
    });
  });
  const socket = net.connect(served.path).on('error', () => {});
  await until(() => isAsked);
  const agentComes = () =>
    new Promise<void>((resolve) => {
      arrive({ close: async () => resolve() } as Partial<Agent> as Agent);
    });
  return { socket, agentComes };
}

afterEach(async () => {
  await served.close();
  place.remove();
});

test('the agent of a client that has left by then is closed', async () => {
  const { socket, agentComes } = await clientBeforeItsAgent();
  socket.destroy();
  await agentComes();
  await until(() => served.clients() === 0);
  expect(defects).toEqual([]);
});

test('an agent that comes when the socket is closed is closed, too', async () => {
  const { agentComes } = await clientBeforeItsAgent();
  await served.close();
  await agentComes();
  expect(defects).toEqual([]);
});

test('a client that cannot be served is disconnected, and the defect is told', async () => {
  await serve(async () => {
    throw new Error('not there');
  });
  const socket = net.connect(served.path).on('error', () => {});
  await new Promise((resolve) => socket.once('close', resolve).resume());
  expect(defects).toEqual([new Error('not there')]);
});

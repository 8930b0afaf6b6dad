/** MCP on a socket of this user's alone: `run/mcp.sock`, one server for each connection. */
import type { Socket } from 'node:net';
import { listenPrivately } from '../host/socket/private-socket.ts';
import type { Agent } from './agent.ts';
import { serveClient } from './connection.ts';

/** Connections at once; those beyond it are closed at once. */
const MAX_CONNECTIONS = 512;

export interface McpSocket {
  readonly path: string;
  /** Clients that are connected now. */
  clients(): number;
  close(): Promise<void>;
}

/** Errors are those of `listenPrivately`: `busy` when another process holds the socket, `home` when it is not safe. */
export async function serveMcpSocket(given: { runDir: string; createAgent(): Agent }): Promise<McpSocket> {
  const { runDir, createAgent } = given;
  const { server, path, close } = await listenPrivately(runDir, 'mcp');
  server.maxConnections = MAX_CONNECTIONS;
  let clients = 0;
  server.on('connection', (socket: Socket) => {
    clients += 1;
    socket.once('close', () => {
      clients -= 1;
    });
    // A client that has said all it wants to still gets its answers.
    socket.allowHalfOpen = true;
    const connection = serveClient(createAgent(), { input: socket, output: socket });
    void connection.closed.then(() => socket.end(() => socket.destroy()));
  });
  return { path, clients: () => clients, close };
}

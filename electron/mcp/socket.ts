/**
 * MCP on a socket of this user's alone: `run/mcp.sock`, one server for each connection. What serves a client is loaded
 * for the first one: it takes as long as all the rest of an inspector's start.
 */
import type { Socket } from 'node:net';
import { listenPrivately } from '../host/socket/private-socket.ts';
import type { Agent } from './agent.ts';

/** Most connections at a time. Further ones are closed as they arrive. */
const MAX_CONNECTIONS = 512;

export interface McpSocket {
  readonly path: string;
  /** Clients that are connected now. */
  clients(): number;
  close(): Promise<void>;
}

interface McpSocketOptions {
  runDir: string;
  createAgent(): Agent | Promise<Agent>;
  /** Told when a client could not be served; it has been disconnected then. */
  onDefect?: ((error: unknown) => void) | undefined;
}

/** Throws like `listenPrivately`: `busy` when another process holds the socket, `home` when the home is not safe. */
export async function serveMcpSocket({
  runDir,
  createAgent,
  onDefect,
}: McpSocketOptions): Promise<McpSocket> {
  const { server, path, close } = await listenPrivately(runDir, 'mcp');
  server.maxConnections = MAX_CONNECTIONS;
  let clients = 0;
  server.on('connection', (socket: Socket) => {
    clients += 1;
    socket.once('close', () => {
      clients -= 1;
    });
    // A client may go away while its server is loaded.
    socket.on('error', () => socket.destroy());
    // A client that has said all it wants to still gets its answers.
    socket.allowHalfOpen = true;
    serve(socket, createAgent).catch((error) => {
      socket.destroy();
      onDefect?.(error);
    });
  });
  return { path, clients: () => clients, close };
}

async function serve(socket: Socket, createAgent: McpSocketOptions['createAgent']): Promise<void> {
  const [{ serveClient }, agent] = await Promise.all([import('./connection.ts'), createAgent()]);
  // A client may have left while the server was loaded. Its `end` event has passed, so check for it here.
  if (socket.destroyed || socket.readableEnded) await agent.close();
  else await serveClient(agent, { input: socket, output: socket }).closed;
  socket.end(() => socket.destroy());
}

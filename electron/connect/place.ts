/** Describes this machine and this Spillway, for connecting clients. */

import { spawn } from 'node:child_process';
import { delimiter, isAbsolute, join } from 'node:path';
import type { Handshake, RecordMode } from '../../shared/agents.ts';
import type { Machine, Wanted } from '../agents/client.ts';
import { NO_DEBUGGER } from '../host/no-debugger.ts';
import { loginShell, resolveHome, userFolder } from '../host/settings/home-path.ts';
import { isProgram } from '../reader/disks/entries.ts';
import { lastingEntry } from './installed.ts';

export interface ConnectContext {
  machine: Machine;
  home: string;
  /** Starts Spillway's command: Node, and the command's file. */
  command: readonly [string, string];
  /** Environment variables that servers need besides the usual ones. */
  env: Record<string, string>;
}

/** `command`: Node, and the path of Spillway's command; agents are given the launcher of an installed app in its place. */
export function placeFor([node, entry]: ConnectContext['command'], env: NodeJS.ProcessEnv): ConnectContext {
  const home = resolveHome(env);
  const { SPILLWAY_HOME: _, XDG_STATE_HOME: __, ...rest } = env;
  return {
    machine: { env, folder: userFolder(), loginShell: loginShell(), platform: process.platform },
    ...{ home, command: [node, lastingEntry(home, entry)] },
    // The server finds the default home itself.
    env: resolveHome(rest) === home ? {} : { SPILLWAY_HOME: home },
  };
}

/** Returns what a connection needs that gives the client Spillway's server, and records as `record` says. */
export function wantedFor({ command, env, home }: ConnectContext, record: RecordMode | null): Wanted {
  const [node, entry] = command;
  const started = [node, ...NO_DEBUGGER, entry] as const;
  return {
    server: [...started, 'mcp'],
    proxy: [...started, 'proxy', '--'],
    ...{ env, home, record, serves: true, proxied: [] },
  };
}

// Tests that a client can reach Spillway: starts the server as the client would, and asks it.

/** The variables that every client passes on. Codex passes on no others. */
const PASSED_ON = ['HOME', 'LANG', 'PATH', 'SHELL', 'TERM', 'USERPROFILE', 'SystemRoot', 'LOCALAPPDATA'];
const PATIENCE_MS = 15_000;

export async function shakeHands({ server, env }: Wanted, machine: Machine): Promise<Handshake> {
  const began = performance.now();
  const kept = Object.fromEntries(
    PASSED_ON.flatMap((name) => (machine.env[name] ? [[name, machine.env[name]]] : [])),
  );
  const [command, ...args] = server;
  const child = spawn(command, args, {
    env: { ...kept, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
    windowsHide: true,
  });
  const params = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'spillway connect', version: '1' },
  };
  child.stdin.on('error', () => {});
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`);
  const problem = await new Promise<string | null>((resolve) => {
    let [out, errors] = ['', ''];
    const timer = setTimeout(() => resolve(`no answer within ${PATIENCE_MS / 1000} seconds`), PATIENCE_MS);
    timer.unref();
    child.stderr.on('data', (chunk) => {
      errors += chunk;
    });
    child.stdout.on('data', (chunk) => {
      out += chunk;
      if (out.includes('\n'))
        resolve(/"result"/.test(out) ? null : `it answered ${out.trim().slice(0, 200)}`);
    });
    child.once('error', (error) => resolve(error.message));
    child.once('close', (status) => resolve(errors.trim().split('\n').at(-1) || `it ended with ${status}`));
  });
  child.stdin.end();
  child.kill();
  return { ok: problem === null, duration_ms: Math.round(performance.now() - began), problem };
}

/** Returns the program's path; null if it is not on the PATH. */
export function findProgram(name: string, env: NodeJS.ProcessEnv): string | null {
  const endings = process.platform === 'win32' ? ['.exe', '.cmd'] : [''];
  for (const folder of (env.PATH ?? '').split(delimiter).filter(isAbsolute))
    for (const ending of endings) {
      const path = join(folder, name + ending);
      if (isProgram(path)) return path;
    }
  return null;
}

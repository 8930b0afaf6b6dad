/** Reads what the client itself says of Spillway in its list of servers. */
import { spawn } from 'node:child_process';
import type { Client, Machine, Wanted } from './client.ts';
import { findProgram } from './handshake.ts';

interface ClientListing {
  /** The line about Spillway, or why there is none. */
  line: string;
  /** False where the list does not name Spillway, or names it as something that does not work. */
  isUsable: boolean;
  /** Says what to do when it is not usable. */
  advice: string | null;
}

const PATIENCE_MS = 60_000;
const UNUSABLE =
  /[✗✘]|\b(?:disabled|disconnected|not connected|failed|error|pending|untrusted|blocked|rejected)\b/i;

/** Returns null if the client has no list, is not installed or cannot be started. */
export async function readClientList(
  client: Client,
  wanted: Wanted,
  machine: Machine,
): Promise<ClientListing | null> {
  const { command, list, name } = client;
  const path = command === null ? null : findProgram(command, machine.env);
  if (path === null || list === undefined) return null;
  const said = await printed(path, list, machine);
  if (said === null) return null;
  const lines = said.text.split('\n').flatMap((one) => one.trim() || []);
  const line = lines.find((one) => /spillway/i.test(one));
  const see = `see what \`${command} ${list.join(' ')}\` prints`;
  if (line === undefined) {
    const why = said.status === 0 ? '' : `: ${lines.at(-1) ?? 'it prints nothing'}`;
    return { line: `it does not name Spillway${why}`, isUsable: false, advice: see };
  }
  // Paths on the line may contain any word.
  const ours = [...wanted.server, ...Object.values(wanted.env)];
  const state = UNUSABLE.exec(ours.reduce((rest, word) => rest.replaceAll(word, ''), line))?.[0];
  if (state === undefined) return { line, isUsable: true, advice: null };
  const isDisabled = /disabled|untrusted|pending|rejected|blocked/i.test(state);
  const enable = `enable the server in ${name}, or trust the folder in which you start ${name}`;
  return { line, isUsable: false, advice: isDisabled ? enable : see };
}

async function printed(
  path: string,
  args: readonly string[],
  { env, folder }: Machine,
): Promise<{ text: string; status: number | null } | null> {
  const child = spawn(path, args, { env, cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  return await new Promise((resolve) => {
    let all = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (all += chunk));
    const timer = setTimeout(() => child.kill(), PATIENCE_MS);
    child.once('error', () => resolve(null));
    child.once('close', (status) => {
      clearTimeout(timer);
      resolve({ text: withoutColours(all), status });
    });
  });
}

function withoutColours(text: string): string {
  return text.replace(/\u001b\[[0-9;?]*[A-Za-z]/g, '');
}

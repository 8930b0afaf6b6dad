/** Lists the clients that Spillway can be connected to. To add one, write its file and import it here. */
import { SpillwayError } from '../../shared/errors.ts';
import { nearest } from '../../shared/text/nearest.ts';
import type { Client } from './client.ts';
import { claudeCode } from './clients/claude-code.ts';
import { codex } from './clients/codex.ts';
import { copilot } from './clients/copilot.ts';
import { gemini } from './clients/gemini.ts';
import { opencode } from './clients/opencode.ts';
import { amp, claudeDesktop, cline, cursor, qwen, vscode } from './clients/others.ts';

export const CLIENTS: readonly Client[] = [
  ...[claudeCode, codex, gemini, opencode, copilot, qwen, cline],
  ...[cursor, vscode, claudeDesktop, amp],
];

/** Finds a client by its id, command or name, ignoring case. Throws `usage`, which names the nearest. */
export function clientNamed(word: string): Client {
  const plain = word.toLowerCase().replace(/[\s_]+/g, '-');
  const found = CLIENTS.find((client) =>
    [client.id, client.command, client.name.toLowerCase().replaceAll(' ', '-')].includes(plain),
  );
  if (found) return found;
  const ids = CLIENTS.map(({ id }) => id);
  const [near] = nearest(plain, ids, 1);
  throw new SpillwayError(
    'usage',
    `there is no client ${JSON.stringify(word)}`,
    `${near ? `did you mean ${near}? The` : 'the'} clients are ${ids.join(', ')}`,
  );
}

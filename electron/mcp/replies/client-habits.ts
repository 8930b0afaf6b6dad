/** Tells what each known client passes on to its model, as measured with the real ones in November 2026. */

interface ClientHabits {
  /** In the name that the client gives itself. */
  readonly name: RegExp;
  /** The client cuts a reply that has more bytes. A client that counts characters cuts later. */
  readonly mostBytes: number;
  /** The same where less is passed on at times; by default `mostBytes`. */
  readonly usualBytes?: number;
  /** The form that the client shows of a result that has both, text and structured content. It shows the other if that one is empty. */
  readonly shows?: 'text' | 'structured' | 'both';
  /** The same for a result that is an error. */
  readonly showsOfError?: 'text' | 'structured' | 'both';
}

const HABITS: readonly ClientHabits[] = [
  { name: /cline/i, mostBytes: 8000 },
  { name: /copilot/i, mostBytes: 20_480, shows: 'both' },
  { name: /qwen/i, mostBytes: 26_000, shows: 'both' },
  { name: /gemini/i, mostBytes: 40_000, shows: 'text', showsOfError: 'both' },
  // 12,000 bytes with models that it does not know. Its own first line counts: `Wall time: 0.1 seconds`, `Output:`.
  { name: /codex/i, mostBytes: 47_900, usualBytes: 11_900, shows: 'structured' },
  { name: /claude/i, mostBytes: 50_000, shows: 'structured', showsOfError: 'text' },
  { name: /opencode/i, mostBytes: 51_200, shows: 'text' },
];

export function habitsOf(client: string | null): Omit<ClientHabits, 'name'> | null {
  return HABITS.find(({ name }) => client !== null && name.test(client)) ?? null;
}

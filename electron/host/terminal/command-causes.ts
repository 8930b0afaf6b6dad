/** Finds the cause of each failed command of a terminal, and remembers it: their output no longer changes. */
import type { Cause } from '../../../shared/artifact.ts';
import type { TypedCommand } from '../../../shared/terminals.ts';
import type { FailureView } from '../../../shared/views.ts';

/** One request explains so much output that was not explained before: more takes longer than a list may. */
const MOST_BYTES = 16 * 1024 * 1024;
const MOST_KNOWN = 2000;

/** Explains lines of a terminal. */
type ExplainLines = (range: { start_line: number; end_line: number }) => Promise<FailureView>;

export class CommandCauses {
  readonly #known = new Map<string, Cause | null>();

  /** Adds `cause` to failed commands, the first of the list first. The rest get theirs with a later request. */
  async addTo(commands: readonly TypedCommand[], explain: ExplainLines): Promise<TypedCommand[]> {
    let left = MOST_BYTES;
    const asked = commands.filter((command) => {
      if (command.status !== 'failed' || this.#known.has(keyOf(command))) return false;
      const bytes = bytesOf(command);
      if (bytes > left) return false;
      left -= bytes;
      return true;
    });
    await Promise.all(asked.map((command) => this.#find(command, explain)));
    return commands.map((command) => ({ ...command, cause: this.#known.get(keyOf(command)) ?? null }));
  }

  async #find(command: TypedCommand, explain: ExplainLines): Promise<void> {
    const { start_line, end_line } = command;
    try {
      const { cause } =
        start_line === null || end_line === null ? { cause: null } : await explain({ start_line, end_line });
      if (this.#known.size >= MOST_KNOWN) this.#known.clear();
      this.#known.set(keyOf(command), cause);
    } catch {
      // The terminal was removed, or the request was cancelled: ask again next time.
    }
  }
}

const bytesOf = ({ start_offset, end_offset }: TypedCommand) => (end_offset ?? start_offset) - start_offset;
const keyOf = ({ artifact_id, number }: TypedCommand) => `${artifact_id} ${number}`;

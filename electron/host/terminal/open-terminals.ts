/**
 * Reads what editors write down of their terminals, in `run/terminals/` of the home: which one is active.
 * VS Code's extension writes one file for each window (electron/vscode/terminals.ts).
 */
import { join } from 'node:path';
import * as z from 'zod';
import type { CaptureEntry } from '../../store/format/entry.ts';
import { readOwn } from '../../store/format/small-file.ts';
import { entryNames } from '../../store/format/walk.ts';
import { isProcessAlive } from '../../store/processes.ts';

const EditorWindow = z.object({
  /** The process that wrote it, and removes it at its end. */
  owner: z.number().int().positive(),
  workspace: z.string().nullable(),
  /** Process id of the active terminal. */
  active: z.number().int().nullable(),
  /** When a terminal was last chosen, or a command ended in one. */
  changed_at: z.string(),
  terminals: z.array(z.object({ pid: z.number().int() })),
});
type EditorWindow = z.infer<typeof EditorWindow>;

/**
 * Returns the terminal in use: the active one of the editor window used last, unless there was output since in a
 * terminal outside of editors. `entries`: all terminals, the most recently active first, with `activity` in
 * milliseconds.
 */
export function terminalInUse(
  home: string,
  entries: readonly { entry: CaptureEntry; activity: number }[],
): CaptureEntry | null {
  const latest = entries[0];
  for (const { active, changed_at, terminals } of editorWindows(home)) {
    const found = entries.find(({ entry }) => active !== null && pidOf(entry) === active);
    if (!found || !latest) continue;
    const isLatestHere = terminals.some(({ pid }) => pid === pidOf(latest.entry));
    return isLatestHere || latest.activity <= Date.parse(changed_at) ? found.entry : latest.entry;
  }
  return latest?.entry ?? null;
}

/** The one used last comes first. */
function editorWindows(home: string): EditorWindow[] {
  const folder = join(home, 'run', 'terminals');
  return entryNames(folder)
    .filter((name) => name.endsWith('.json'))
    .flatMap((name) => read(join(folder, name)) ?? [])
    .filter(({ owner }) => isProcessAlive(owner))
    .sort((a, b) => b.changed_at.localeCompare(a.changed_at));
}

function pidOf({ record }: CaptureEntry): number | null {
  return record.status === 'running' ? (record.recorder?.pid ?? null) : null;
}

function read(path: string): EditorWindow | null {
  try {
    return EditorWindow.safeParse(JSON.parse(readOwn(path) ?? '')).data ?? null;
  } catch {
    return null;
  }
}

/** Explains a failure in a terminal: the last command that failed there, as its earlier ones are history. */
import { argumentOn } from '../../../shared/arguments/argument.ts';
import { isTerminalId } from '../../../shared/artifact-names.ts';
import { clipText } from '../../../shared/text/clip.ts';
import type { InspectParams, View } from '../../../shared/views.ts';
import type { Host, RequestOptions } from '../host.ts';

const MOST_COMMAND_CHARS = 60;

/**
 * Returns what `host.inspect` does, but where that would explain all of a terminal, the view of the output of the last
 * command that failed there. Its note names the command. The window explains what it shows, so it doesn't use this.
 */
export async function inspectLastFailed(
  host: Pick<Host, 'inspect' | 'terminalCommands'>,
  asked: InspectParams,
  { onProgress, ...options }: RequestOptions,
): Promise<View> {
  const view = await host.inspect(asked, { ...options, ...(onProgress ? { onProgress } : {}) });
  const { mode, artifact_id } = view;
  if (mode !== 'failure' || !isTerminalId(artifact_id)) return view;
  if (asked.start_line !== undefined || asked.end_line !== undefined) return view;
  const { commands } = await host.terminalCommands({ artifact_id, failed: true, limit: 1 });
  const [last] = commands;
  if (last === undefined) return view;
  const { start_line, end_line } = last;
  const name = `the last command that failed here, ${JSON.stringify(clipText(last.command, MOST_COMMAND_CHARS).text)}`;
  if (start_line === null || end_line === null)
    return withNote(view, `${name}, printed nothing: this is of all`);
  const found = await host.inspect({ ...asked, start_line, end_line }, options);
  const { surface = 'tool' } = options;
  return withNote(
    found,
    `this is of ${name}: lines ${start_line} to ${end_line}; for others give ${argumentOn(surface, 'start_line')} and ${argumentOn(surface, 'end_line')}`,
  );
}

function withNote(view: View, note: string): View {
  return { ...view, note: view.note === undefined ? note : `${note}; ${view.note}` };
}

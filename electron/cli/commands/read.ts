/** `spillway read`: prints a range of bytes as text; with a pattern, the matching lines from an offset on. */
import { SpillwayError } from '../../../shared/errors.ts';
import type { ByteWindow, ReadParams } from '../../../shared/views.ts';
import { forOutput, noteForPerson, print, printJson, tell } from '../output/print.ts';
import { clipped, redactedNote } from '../output/views.ts';
import { fromPipe, targetOf, withArchived } from '../target.ts';
import { type Look, redacting, searchNeedsThreads, withHost } from '../with-host.ts';

export async function read(given: string, params: ReadParams, look: Look): Promise<number> {
  return fromPipe(given, (target) => {
    const wanted = async () => (await import('../../host/archive/reader.ts')).wantedByRead(params);
    return withArchived(target, wanted, (home) => readTarget(target, params, look, home));
  });
}

async function readTarget(
  given: string,
  params: ReadParams,
  { json, redact }: Look,
  home: string | undefined,
): Promise<number> {
  const { search } = params;
  if (search === '') throw new SpillwayError('usage', '--search cannot be ""', 'say what to look for');
  const window = await withHost(
    async (host) =>
      host.read(
        { ...(await targetOf(given, host)), ...params },
        { surface: 'command line', ...redacting(redact) },
      ),
    {
      home,
      threads: search !== undefined && searchNeedsThreads(given, search),
    },
  );
  if (json) {
    await printJson(window);
    return 0;
  }
  const searched = window.match_count !== undefined;
  // Matching lines lack a final line end; a range of bytes has its own.
  await print(forOutput(searched && window.content !== '' ? `${window.content}\n` : window.content, false));
  for (const note of [...notes(window), ...redactedNote(window.redacted)]) await tell(noteForPerson(note));
  return 0;
}

function notes(window: ByteWindow): string[] {
  const said = window.note === undefined ? [] : [window.note];
  const { match_count: count, lines_shown: shown, next_offset: next } = window;
  if (count === undefined) return said;
  if (count === 0) said.push('no line matches');
  else if (shown === 0) said.push(`none of the ${count} matching lines is at or after this offset`);
  else if (next !== null)
    said.push(`these are ${shown} of ${count} matching lines: go on with --offset ${next}`);
  return [...said, ...clipped(window.clipped_lines)];
}

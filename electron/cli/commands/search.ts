/** `spillway search`: prints the lines of all outputs that match, once for each message. */
import { MAX_LIST_LIMIT } from '../../../shared/limits.ts';
import type { FoundOutputs, FoundShape, SearchOutputsParams } from '../../../shared/search-outputs.ts';
import { formatCount, plural } from '../../../shared/text/format.ts';
import type { ArchiveFilter, FoundArchived } from '../archived.ts';
import { forOutput, noteForPerson, print, printJson, styled, tell } from '../output/print.ts';
import { withHost } from '../with-host.ts';

/** Returns the exit status: 1 if nothing was found; 2 if the search gave up, or no output could be searched. */
export async function search(
  params: SearchOutputsParams,
  json: boolean,
  archive: ArchiveFilter | null,
): Promise<number> {
  const found: FoundOutputs & Partial<FoundArchived> = archive
    ? await (await import('../archived.ts')).searchArchived(params, archive, json)
    : await withHost(
        (host) => host.searchOutputs({ ...params, limit: MAX_LIST_LIMIT }, { surface: 'command line' }),
        // Outputs may be large, and only a thread can end an expression that makes no progress.
        { threads: true },
      );
  if (json) await printJson(found);
  else await report(found);
  if (found.timed_out) return 2;
  if (found.match_count > 0) return 0;
  return found.searched === 0 && found.unsearched > 0 ? 2 : 1;
}

async function report(found: FoundOutputs & Partial<FoundArchived>): Promise<void> {
  const { outputs, shapes, match_count, searched, unsearched, timed_out } = found;
  const lines = shapes.flatMap((shape) => [exampleOf(shape), ...othersOf(shape, found)]);
  await print(lines.map((line) => `${line}\n`).join(''));
  if (searched + unsearched === 0)
    return tell(noteForPerson('no output is like that: leave out some of the options'));
  const where = `of ${plural(searched, 'output', 'outputs')}`;
  const notes = [
    `${plural(match_count, 'line', 'lines')} in ${formatCount(outputs.length)} ${where}`,
    ...(found.archive?.hosts.length
      ? [
          `on ${plural(found.archive.hosts.length, 'machine')}: ${found.archive.hosts.slice(0, MOST_NAMED).join(', ')}${found.archive.hosts.length > MOST_NAMED ? ', …' : ''}`,
        ]
      : []),
    ...(unsearched > 0 ? [`${formatCount(unsearched)} could not be searched: binary or unreadable`] : []),
    ...(timed_out
      ? ['the expression took too long in some of them, which were not searched to the end']
      : []),
    ...(outputs.some((one) => one.truncated)
      ? ['of an output with very many matches, the first are here']
      : []),
  ];
  for (const note of notes) await tell(noteForPerson(note));
}

/** As `grep -Hn` prints it. */
function exampleOf({ artifact_id, line_number, text }: FoundShape): string {
  return `${styled(artifact_id, 'cyan')}:${line_number}:${forOutput(text, false)}`;
}

/** Other outputs with the message that are named. */
const MOST_NAMED = 5;

/** A line for the other places that have the message; none if there are none. */
function othersOf(
  { shape, count, output_count, artifact_id }: FoundShape,
  { outputs }: FoundOutputs,
): string[] {
  if (count === 1) return [];
  if (output_count === 1) return [`    ${formatCount(count)} lines like it`];
  const others = outputs.flatMap((one) => {
    const line = one.artifact_id === artifact_id ? undefined : one.lines.find((each) => each.shape === shape);
    return line ? [`${one.artifact_id}:${line.line_number}`] : [];
  });
  const left = others.length - MOST_NAMED;
  const named = [
    ...others.slice(0, MOST_NAMED),
    ...(left > 0 ? [`and ${plural(left, 'more', 'more')}`] : []),
  ];
  return [
    `    ${formatCount(count)} lines like it in ${formatCount(output_count)} outputs: ${named.join(', ')}`,
  ];
}

/** `spillway search`: prints the lines of all outputs that match, once for each message. */
import { MAX_LIST_LIMIT } from '../../../shared/limits.ts';
import type { FoundOutputs, FoundShape, SearchOutputsParams } from '../../../shared/search-outputs.ts';
import { formatBytes, formatCount, formatRelative, plural } from '../../../shared/text/format.ts';
import type { ArchiveFilter } from '../../host/archive/reader.ts';
import type { ArchivedShape, FoundArchived, SearchPlan } from '../../host/archive/search.ts';
import { resolveHome } from '../../host/settings/home-path.ts';
import { forOutput, noteForPerson, print, printJson, styled, tell } from '../output/print.ts';
import { withHost } from '../with-host.ts';

type Found = FoundOutputs & Partial<Pick<FoundArchived, 'archive'>>;

/** Returns the exit status: 1 if nothing was found; 2 if the search gave up, or no output could be searched. */
export async function search(
  params: SearchOutputsParams,
  json: boolean,
  archive: ArchiveFilter | null,
): Promise<number> {
  const found: Found = archive
    ? await searchArchive(params, archive, json)
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

/** Prints each message when it is found, before the rest is read. */
async function searchArchive(params: SearchOutputsParams, filter: ArchiveFilter, json: boolean) {
  const { searchArchived } = await import('../../host/archive/search.ts');
  const reports = {
    onPlan: (plan: SearchPlan) => void tell(noteForPerson(planned(plan))),
    onProblem: (problem: string) => void tell(noteForPerson(`${problem}; reads the captures themselves`)),
    onPage: (shapes: readonly ArchivedShape[]) =>
      void print(shapes.map((shape) => `${exampleOf(shape)}\n`).join('')),
  };
  const options = { surface: 'command line' } as const;
  return searchArchived(resolveHome(process.env), params, filter, json ? {} : reports, options);
}

function planned({ captures, bytes, left_out, budget_bytes, clickhouse }: SearchPlan): string {
  const [size, most] = [formatBytes(bytes), formatBytes(budget_bytes)];
  if (clickhouse !== null)
    return `asks ClickHouse at ${clickhouse} about ${plural(captures, 'capture')} of the archive, ${size}, and reads at most ${most}`;
  const left =
    left_out > 0 ? `; leaves out the ${left_out} oldest: narrow it with --since, --host or --failed` : '';
  return `searches ${plural(captures, 'capture')} of the archive, ${size} of at most ${most}${left}`;
}

async function report(found: Found): Promise<void> {
  const { outputs, shapes, match_count, searched, unsearched, timed_out, archive } = found;
  const lines = archive
    ? machinesOf(shapes as ArchivedShape[])
    : shapes.flatMap((shape) => [exampleOf(shape), ...othersOf(shape, found)]);
  await print(lines.map((line) => `${line}\n`).join(''));
  if (searched + unsearched === 0 && !archive?.captures)
    return tell(noteForPerson('no output is like that: leave out some of the options'));
  const where = `of ${plural(searched, 'output', 'outputs')}`;
  const hosts = archive?.hosts ?? [];
  const notes = [
    `${plural(match_count, 'line', 'lines')} in ${formatCount(outputs.length)} ${where}`,
    ...(hosts.length > 0
      ? [
          `on ${plural(hosts.length, 'machine')}: ${hosts.slice(0, MOST_NAMED).join(', ')}${hosts.length > MOST_NAMED ? ', …' : ''}`,
        ]
      : []),
    ...(archive?.left_out && archive.candidates !== null
      ? [
          `left out the ${formatCount(archive.left_out)} oldest that ClickHouse named: narrow it with --since, --host or --failed`,
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

/** A line for each message that several captures have, those on most machines first. */
function machinesOf(shapes: readonly ArchivedShape[]): string[] {
  const now = Date.now();
  const ago = (time: string) => formatRelative(Date.parse(time), now);
  return shapes
    .filter(({ output_count }) => output_count > 1)
    .sort((a, b) => b.host_count - a.host_count || b.output_count - a.output_count)
    .map(
      ({ host_count, output_count, first_at, last_at, text }) =>
        `${plural(host_count, 'machine')}, ${plural(output_count, 'capture')}, first ${ago(first_at)}, last ${ago(last_at)}: ${forOutput(text.trim(), false)}`,
    );
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

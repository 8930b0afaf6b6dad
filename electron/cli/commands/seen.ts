/** `spillway seen`: which agents got which lines of an output. */
import { countOf, mergedLines, type Seen } from '../../../shared/activity.ts';
import type { Lines } from '../../../shared/artifact.ts';
import { escapeLine } from '../../../shared/text/escape.ts';
import { formatBytes, formatCount, formatRelative, plural } from '../../../shared/text/format.ts';
import { print, printJson, terminalLook } from '../output/print.ts';
import { table } from '../output/table.ts';
import { targetOf } from '../target.ts';
import { withHost } from '../with-host.ts';

export async function seen(given: string, json: boolean): Promise<number> {
  const result = await withHost(async (host) => {
    const { artifact_id } = await host.read({ ...(await targetOf(given, host)), limit: 1, as_text: true });
    return host.seen({ artifact_id });
  });
  if (json) await printJson(result);
  else await print(reportOf(result, Date.now(), terminalLook()));
  return 0;
}

const COLUMNS = [
  { name: 'AGENT', shrinks: true },
  { name: 'SESSION' },
  { name: 'CALLS', right: true },
  { name: 'LINES', right: true },
  { name: 'SHARE', right: true },
  { name: 'TOKENS', right: true },
  { name: 'LAST', drops: 1 },
] as const;

/** `now`: milliseconds since the epoch. */
export function reportOf(
  { artifact_id, agents, streams, total_lines, total_bytes, total_tokens, unread }: Seen,
  now: number,
  { isTerminal, columns }: { isTerminal: boolean; columns: number },
): string {
  const lines = total_lines === null ? '' : `${plural(total_lines, 'line')}, `;
  const whole = `${artifact_id}: ${lines}${formatBytes(total_bytes)}, about ${formatCount(total_tokens)} tokens\n`;
  if (agents.length === 0) return `${whole}No agent read it.\n`;
  const rows = agents.map((one) => [
    escapeLine(one.agent ?? 'an agent'),
    escapeLine(one.session),
    formatCount(one.calls),
    formatCount(one.lines),
    one.share === null ? '-' : percent(one.share),
    `~${formatCount(one.tokens)}`,
    formatRelative(Date.parse(one.last_at), now),
  ]);
  const parts = streams.flatMap(({ stream, total_lines: all, in_reply, searched }) => {
    const rest = all === null ? [] : restOf(in_reply, all);
    return [
      `${stream}, in replies: ${rangesOf(in_reply)}\n`,
      ...(rest.length === 0
        ? []
        : [`${stream}, ${searched ? 'searched, not shown' : 'never reached'}: ${rangesOf(rest)}\n`]),
    ];
  });
  const note = unread ? 'No agent got more of it than the preview.\n' : '';
  return `${whole}${table(COLUMNS, rows, isTerminal ? columns : null)}${parts.join('')}${note}`;
}

function percent(share: number): string {
  return share > 0 && share < 0.01 ? '<1 %' : `${Math.round(share * 100)} %`;
}

/** The lines that are in no range. */
function restOf(ranges: readonly Lines[], total: number): Lines[] {
  const rest: Lines[] = [];
  let next = 1;
  for (const [from, to] of mergedLines(ranges)) {
    if (from > next) rest.push([next, Math.min(from - 1, total)]);
    next = Math.max(next, to + 1);
  }
  if (next <= total) rest.push([next, total]);
  return rest;
}

/** Ranges that a report names. */
const MOST_RANGES = 12;

function rangesOf(ranges: readonly Lines[]): string {
  if (ranges.length === 0) return 'none';
  const named = ranges
    .slice(0, MOST_RANGES)
    .map(([from, to]) => (from === to ? String(from) : `${from}-${to}`));
  const more = ranges.slice(MOST_RANGES);
  return `${named.join(', ')}${more.length > 0 ? `, … (${plural(countOf(more), 'line')} more)` : ''}`;
}

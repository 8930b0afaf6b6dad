/** `spillway sources`: lists the agents whose captures were found, and switches them. */
import { SpillwayError } from '../../../shared/errors.ts';
import { Rescue, type SourceChange, type SourceInfo, type SourceList } from '../../../shared/sources.ts';
import { escapeLine } from '../../../shared/text/escape.ts';
import { formatBytes, formatCount, plural } from '../../../shared/text/format.ts';
import { checkSourceName } from '../../host/library/agent-sources.ts';
import { print, printJson, terminalLook } from '../output/print.ts';
import { table } from '../output/table.ts';
import { withHost } from '../with-host.ts';

export interface SourcesOptions {
  on?: boolean;
  off?: boolean;
  /** Undefined when neither --mcp nor --no-mcp was given. */
  mcp?: boolean;
  rescue?: string;
  json?: boolean;
}

export async function sources(names: string[], options: SourcesOptions): Promise<number> {
  const change = changeOf(options);
  const isChange = Object.keys(change).length > 0;
  if (isChange && names.length === 0)
    throw new SpillwayError('usage', 'no source is named', 'name one: `spillway sources` alone lists them');
  for (const name of names) checkSourceName(name);
  const list = await withHost((host) =>
    isChange ? host.setSources({ names, ...change }) : host.sources({}),
  );
  const named = names.length === 0 ? list.sources : list.sources.filter(({ name }) => names.includes(name));
  if (options.json) await printJson({ ...list, sources: named });
  else await print(report(named, names));
  return 0;
}

function changeOf({ on, off, mcp, rescue }: SourcesOptions): Omit<SourceChange, 'names'> {
  if (on && off) throw new SpillwayError('usage', '--on and --off exclude each other', 'give one of them');
  const kept = rescue === undefined ? undefined : Rescue.safeParse(rescue);
  if (kept?.success === false)
    throw new SpillwayError(
      'usage',
      `--rescue cannot be ${JSON.stringify(rescue)}`,
      'give off, failed or all',
    );
  return {
    ...(on || off ? { enabled: on === true } : {}),
    ...(mcp === undefined ? {} : { mcp }),
    ...(kept?.success ? { rescue: kept.data } : {}),
  };
}

/** `names`: those asked for; empty for all. */
function report(sources: SourceList['sources'], names: readonly string[]): string {
  if (sources.length === 0)
    return `no captures of ${names.length === 0 ? 'agents' : names.join(', ')} were found on this machine\n`;
  const { isTerminal, columns } = terminalLook();
  const rows = sources.map((one) => [
    escapeLine(one.name),
    one.title,
    one.enabled ? 'on' : 'off',
    one.mcp ? 'yes' : 'no',
    one.rescue,
    rescued(one),
    formatCount(one.captures),
    formatBytes(one.bytes),
    escapeLine(one.folders.join(' ')) + (one.in_memory ? ' (in memory)' : ''),
  ]);
  return table(COLUMNS, rows, isTerminal ? columns : null) + sources.map(missed).join('');
}

function rescued({ rescued }: SourceInfo): string {
  if (rescued === null) return '-';
  const kept = formatCount(rescued.kept);
  return rescued.missed === 0 ? kept : `${kept}, ${formatCount(rescued.missed)} missed`;
}

/** Why the last capture was missed; empty when none was. */
function missed({ title, rescued }: SourceInfo): string {
  if (rescued === null || rescued.missed === 0) return '';
  const { missed, missed_bytes, why } = rescued;
  return `${title}: ${plural(missed, 'deleted capture')} (${formatBytes(missed_bytes)}) not kept, the last because ${escapeLine(why ?? '')}\n`;
}

const COLUMNS = [
  { name: 'NAME' },
  { name: 'AGENT' },
  { name: 'LISTED' },
  { name: 'OVER MCP' },
  { name: 'RESCUE' },
  { name: 'KEPT' },
  { name: 'CAPTURES', right: true },
  { name: 'SIZE', right: true },
  { name: 'WHERE', shrinks: true },
] as const;

/** `spillway list`: lists outputs in a table. */
import { type ActivityEntry, seenOf } from '../../../shared/activity.ts';
import type { Artifact, Status } from '../../../shared/artifact.ts';
import { DEFAULT_LIST_LIMIT, MAX_LIST_LIMIT } from '../../../shared/limits.ts';
import { isFailure } from '../../../shared/recording.ts';
import { escapeLine, shownCommand } from '../../../shared/text/escape.ts';
import { formatBytes, formatCount, formatRelative, shortenMiddle } from '../../../shared/text/format.ts';
import type { ListParams, ListResult } from '../../../shared/views.ts';
import { passedOn, readActivity } from '../../host/activity.ts';
import type { ArchiveFilter } from '../../host/archive/reader.ts';
import type { Host } from '../../host/host.ts';
import { unfitHome } from '../../host/settings/home.ts';
import { resolveHome } from '../../host/settings/home-path.ts';
import { causeInHead } from '../../host/views/failure.ts';
import { print, printJson, type Style, styled, tell, terminalLook } from '../output/print.ts';
import { table, tableWidth } from '../output/table.ts';
import { withHost } from '../with-host.ts';

export async function list(
  params: ListParams,
  { json, unread, archive }: { json: boolean; unread: boolean; archive: ArchiveFilter | null },
): Promise<number> {
  const result: ListResult = archive
    ? await (await import('../../host/archive/reader.ts')).listArchived(
        resolveHome(process.env),
        params,
        archive,
      )
    : await withHost((host) => (unread ? unreadIn(host, params) : host.list(params, { causes: true })));
  if (json) {
    await printJson(result);
    return 0;
  }
  for (const { source, file_count } of result.left_out ?? []) {
    await tell(
      `spillway: left out ${formatCount(file_count)} files of ${escapeLine(source)}, an opened folder: list them with --kind file`,
    );
  }
  if (result.outputs.length === 0) {
    if (result.left_out) return 0;
    const narrowed = unread || Object.keys(params).some((name) => name !== 'limit');
    const problem = unfitHome(resolveHome(process.env));
    await tell(
      archive
        ? 'spillway: nothing in the archive is like that: look further back with --since 30d'
        : problem
          ? `spillway: nothing is captured here yet, as ${problem.what}: ${problem.todo}`
          : narrowed
            ? 'spillway: nothing matches: leave out some of the options'
            : 'spillway: nothing is captured here yet: record a command with `spillway run -- CMD`, open a file with `spillway open PATH`, or watch a folder with "sources" in config.json',
    );
    return 0;
  }
  const { isTerminal, columns } = terminalLook();
  const head = archive ? ARCHIVE_HEAD : HEAD;
  let rows = result.outputs.map((artifact) => (archive ? archivedRow : row)(artifact, Date.now()));
  // An id takes half of a terminal's width. The archive finds only whole ones.
  if (isTerminal && !archive && tableWidth(head, rows) > columns) rows = withShortIds(rows);
  const shown = table(head, rows, isTerminal ? columns : null);
  await print(isTerminal ? withCauses(shown, result.outputs, columns) : shown);
  if (result.next_cursor !== null) {
    await tell(`spillway: there are more than these ${result.outputs.length}: give a larger --limit`);
  }
  return 0;
}

/** Outputs of which no agent got more than the preview. Files of folders count only if they are asked for. */
async function unreadIn(host: Host, params: ListParams): Promise<ListResult> {
  const read = new Map<string, ActivityEntry[]>();
  for (const entry of readActivity(resolveHome(process.env)))
    for (const id of new Set(entry.reads.map(({ artifact_id }) => artifact_id))) {
      const held = read.get(id);
      if (held) held.push(entry);
      else read.set(id, [entry]);
    }
  const outputs: Artifact[] = [];
  const { limit = DEFAULT_LIST_LIMIT, kind } = params;
  let cursor: string | null | undefined = params.cursor;
  for (;;) {
    const page = { ...params, limit: MAX_LIST_LIMIT, ...(cursor ? { cursor } : {}) };
    const found = await host.list(page, { causes: true });
    for (const one of found.outputs) {
      if (one.kind === 'file' && kind !== 'file') continue;
      const passed = await passedOn(one, async () => null);
      if (seenOf(one, read.get(one.artifact_id) ?? [], passed).unread) outputs.push(one);
    }
    cursor = found.next_cursor;
    if (cursor === null || outputs.length >= limit) break;
  }
  return { outputs: outputs.slice(0, limit), next_cursor: null };
}

const HEAD = [
  { name: 'ID' },
  { name: 'STATUS', paint: (status: string) => styled(status, statusStyle(status)) },
  { name: 'SIZE', right: true, drops: 2 },
  { name: 'LINES', right: true, drops: 1 },
  // Which of several runs it is tells more than how much it printed.
  { name: 'AGE', right: true, drops: 3 },
  { name: 'COMMAND', shrinks: true },
] as const;

/** The keys tell no more. */
const ARCHIVE_HEAD = [HEAD[0], HEAD[1], HEAD[4], { name: 'HOST' }, { name: 'LABEL', shrinks: true }] as const;

function archivedRow(artifact: Artifact & { host?: string }, now: number): string[] {
  const { artifact_id, started_at, host = '', label } = artifact;
  return [artifact_id, statusOf(artifact), formatRelative(Date.parse(started_at!), now), host, label];
}

function row(artifact: Artifact, now: number): string[] {
  const size = artifact.streams.reduce((sum, stream) => sum + stream.total_bytes, 0);
  return [
    artifact.artifact_id,
    statusOf(artifact),
    formatBytes(size),
    lines(artifact),
    artifact.started_at === null ? '-' : formatRelative(Date.parse(artifact.started_at), now),
    escapeLine(whatItIs(artifact)),
  ];
}

/** Adds under each failed output the line that explains why, as far as the terminal's width has room for it. */
function withCauses(rows: string, outputs: readonly Artifact[], columns: number): string {
  const [head, ...lines] = rows.split('\n');
  const causes = outputs.map(({ cause }) => {
    const text = cause && escapeLine(causeInHead(cause.text.trim(), Math.max(20, columns - 2)));
    return text ? [styled(`  ${text}`, 'faint')] : [];
  });
  return [head, ...lines.flatMap((line, i) => [line, ...(causes[i] ?? [])])].join('\n');
}

/** Shortens the ids to their last parts, where these tell them apart. */
function withShortIds(rows: readonly string[][]): string[][] {
  const last = ([id]: readonly string[]) => id!.slice(id!.lastIndexOf('-') + 1);
  const counts = new Map<string, number>();
  for (const row of rows) counts.set(last(row), (counts.get(last(row)) ?? 0) + 1);
  return rows.map((row) => (counts.get(last(row)) === 1 ? [last(row), ...row.slice(1)] : row));
}

/** Returns the status and how the command ended: `failed (2)`, `failed (SIGKILL)`. */
function statusOf({ status, exit_code, signal }: Artifact): string {
  const how = signal ?? (exit_code === 0 ? null : exit_code);
  return how === null ? status : `${status} (${how})`;
}

/** A command may be a whole script. */
const MOST_COMMAND_CHARS = 200;

/** Returns a command's line or a file's path; else the label. */
function whatItIs({ command, args, kind, label, streams }: Artifact): string {
  if (command !== null) return shortenMiddle(shownCommand(command, args ?? []), MOST_COMMAND_CHARS);
  return (kind === 'file' ? streams[0]?.file_path : null) ?? label;
}

/** `shown`: from `statusOf`. */
function statusStyle(shown: string): Style | null {
  const status = shown.split(' ', 1)[0] as Status;
  if (isFailure(status)) return 'red';
  if (status === 'cancelled') return 'yellow';
  return status === 'succeeded' ? 'green' : status === 'running' ? 'cyan' : null;
}

/** Returns the line count; `-` until every stream has been counted. */
function lines(artifact: Artifact): string {
  let sum = 0;
  for (const stream of artifact.streams) {
    if (stream.total_lines === null) return '-';
    sum += stream.total_lines;
  }
  return formatCount(sum);
}

/** Tells from a call and its reply what the agent got to see, for the activity log. */
import type { CallToolResult } from '@modelcontextprotocol/server';
import { type Lines, mergedLines, type Read } from '../../shared/activity.ts';
import { StreamName } from '../../shared/artifact.ts';
import { isObject } from '../../shared/text/json-line.ts';

/** Tools that make an output, whose replies have its preview. */
const MAKING = new Set(['run_command', 'capture_output']);
/** A reply that jumps about more is logged by its first ranges. */
const MOST_RANGES = 400;

export function readsIn(tool: string, { content, isError }: CallToolResult): Read[] {
  const [first, ...blocks] = content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  const head = first === undefined || isError ? null : parsed(first);
  if (head === null) return [];
  if (tool === 'search_outputs') return foundIn(blocks.join('\n'));
  const { artifact_id } = head;
  if (typeof artifact_id !== 'string') return [];
  const made = MAKING.has(tool) && head.cached !== true ? { made: true as const } : {};
  const ranges = new Map<StreamName, Lines[]>();
  const add = (stream: unknown, from: unknown, to: unknown) => {
    const known = StreamName.safeParse(stream);
    if (!known.success || typeof from !== 'number' || typeof to !== 'number') return;
    const held = ranges.get(known.data);
    if (held) held.push([from, to]);
    else ranges.set(known.data, [[from, to]]);
  };
  const stream = head.stream ?? (tool === 'compare_outputs' ? 'combined' : 'output');
  if (Array.isArray(head.parts))
    for (const part of head.parts) if (Array.isArray(part)) add(part[0], part[1], part[2]);
  const isSearch = typeof head.match_count === 'number';
  if (isSearch) for (const line of numbersIn(blocks[0] ?? '')) add(stream, line, line);
  else if (tool === 'compare_outputs')
    for (const line of findingsIn(blocks[0] ?? '')) add(stream, line, line);
  else if (head.parts === undefined) add(stream, head.start_line, head.end_line);
  add(stream, head.line_number, head.line_number);
  const named = [...listIn(head.first_errors, 'line_number'), ...listIn(head.shapes, 'first_line')];
  for (const line of named) add(stream, line, line);
  const isWhole = isSearch
    ? head.timed_out !== true && head.unsearched !== true
    : WHOLE.has(String(head.mode ?? tool));
  const searched = isWhole ? { searched: true as const } : {};
  if (ranges.size === 0) {
    const known = StreamName.safeParse(stream);
    return known.success ? [{ artifact_id, stream: known.data, lines: [], ...searched, ...made }] : [];
  }
  return [...ranges].map(([name, lines]) => ({
    ...{ artifact_id, stream: name, lines: mergedLines(lines).slice(0, MOST_RANGES), ...searched, ...made },
  }));
}

/** Views that look at every line. */
const WHOLE = new Set(['summary', 'failure', 'compare_outputs']);

function parsed(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

/** The lines that a grep prints. */
function numbersIn(text: string): number[] {
  return [...text.matchAll(/^(\d+)[:-]/gm)].map(([, number]) => Number(number));
}

function findingsIn(text: string): number[] {
  return [...text.matchAll(/^(?:new|changed|order) +(\d+) /gm)].map(([, number]) => Number(number));
}

function listIn(list: unknown, field: string): unknown[] {
  return Array.isArray(list) ? list.map((one) => (isObject(one) ? one[field] : null)) : [];
}

/** Reads the reply of a search over outputs: for each a line with its id, then the lines found in it. */
function foundIn(text: string): Read[] {
  const reads: Read[] = [];
  for (const line of text.split('\n')) {
    const [, id] = /^\[([A-Za-z0-9._-]{1,120}), /.exec(line) ?? [];
    const [, number] = /^(\d+):/.exec(line) ?? [];
    if (id !== undefined) reads.push({ artifact_id: id, stream: 'combined', lines: [], searched: true });
    else if (number !== undefined) reads.at(-1)?.lines.push([Number(number), Number(number)]);
  }
  return reads;
}

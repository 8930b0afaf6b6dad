/** Adds the proxy's `inspect_output` to a server's list of tools. */
import type { Host } from '../../host/host.ts';
import { inspectOutput } from '../tools/inspect-output.ts';

/** Inserts the tool into a JSON array. All other bytes stay. */
export function toolsWithOurs(list: string): string {
  const end = list.lastIndexOf(']');
  const isEmpty = list.slice(1, end).trim() === '';
  return `${list.slice(0, end)}${isEmpty ? '' : ','}${announced()}${list.slice(end)}`;
}

/** The definition alone needs no host. */
function announced(): string {
  return JSON.stringify(inspectOutput({} as Host).definition);
}

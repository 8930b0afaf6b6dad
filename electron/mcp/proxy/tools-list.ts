/** Adds our tool to a server's list of tools. */
import type { Host } from '../../host/host.ts';
import { inspectOutput } from '../tools/inspect-output.ts';

/** `list`: a JSON array, every byte of which stays. */
export function toolsWithOurs(list: string): string {
  const end = list.lastIndexOf(']');
  const isEmpty = list.slice(1, end).trim() === '';
  return `${list.slice(0, end)}${isEmpty ? '' : ','}${announced()}${list.slice(end)}`;
}

/** Announcing it touches no host. */
function announced(): string {
  return JSON.stringify(inspectOutput({} as Host).definition);
}

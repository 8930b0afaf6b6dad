/** Reads a line as a JSON-RPC message: only the fields that the proxy needs. */
import type { Id } from './asked.ts';

export interface ProxiedMessage {
  readonly id?: Id;
  readonly method?: string;
  readonly params: Record<string, unknown>;
  readonly result?: Record<string, unknown>;
}

/** Returns null for a line that is not a message, or that can't be changed safely. Such a line passes unchanged. */
export function readMessage(line: Buffer): { message: ProxiedMessage; text: string } | null {
  try {
    // Decoding would change bytes that are not valid UTF-8.
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(line);
    const value: unknown = JSON.parse(text);
    if (!isObject(value)) return null;
    const { id, method, params, result } = value;
    return {
      text,
      message: {
        ...(typeof id === 'string' || typeof id === 'number' ? { id } : {}),
        ...(typeof method === 'string' ? { method } : {}),
        params: isObject(params) ? params : {},
        ...(isObject(result) ? { result } : {}),
      },
    };
  } catch {
    return null;
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

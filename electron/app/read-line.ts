/** Reads one line from a socket and ignores what follows. */
import type { Socket } from 'node:net';
import { StringDecoder } from 'node:string_decoder';

/**
 * Resolves with the line without its `\n`; with null when the socket ends first, or the line is longer than
 * `longest` characters. Rejects with the socket's error.
 */
export function readLine(socket: Socket, longest: number): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const decoder = new StringDecoder('utf8');
    const parts: string[] = [];
    let length = 0;
    const settle = (line: string | null) => {
      socket.pause();
      socket.off('data', onData).off('end', onClose).off('close', onClose).off('error', reject);
      resolve(line);
    };
    const onClose = () => settle(null);
    const onData = (chunk: Buffer) => {
      const end = chunk.indexOf(0x0a);
      const text = decoder.write(end < 0 ? chunk : chunk.subarray(0, end));
      length += text.length;
      if (length > longest) return settle(null);
      parts.push(text);
      if (end >= 0) settle(parts.join(''));
    };
    socket.on('data', onData).on('end', onClose).on('close', onClose).on('error', reject);
  });
}

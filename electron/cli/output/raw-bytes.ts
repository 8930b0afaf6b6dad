/**
 * Restores the bytes of lines printed with `--raw`. In a view, bytes that are not valid UTF-8 became U+FFFD; those
 * lines are read again in an encoding that maps each byte to a different character.
 */

import type { InspectParams, LinesView, View } from '../../../shared/views.ts';
import type { Host } from '../../host/host.ts';
import { windows1252 } from '../../reader/bytes/encoding.ts';

/** Maps all 256 bytes to different characters. */
const BYTE_ENCODING = 'windows-1252';
const REPLACED = '\ufffd';

/** Returns the view's content as bytes, with a final line end. Clipped lines are not restored. */
export async function rawBytes(
  view: View,
  params: InspectParams,
  host: Pick<Host, 'inspect'>,
): Promise<Buffer> {
  const isText =
    params.encoding !== undefined || view.encoding !== 'utf-8' || !view.content.includes(REPLACED);
  if (isText) return Buffer.from(`${view.content}\n`);
  const { artifact_id, file_path, stream, as_text } = params;
  const bytesOf = async (number: number) => {
    const one = await host.inspect({
      ...{ artifact_id, file_path, stream, as_text, raw: true },
      ...{ mode: 'range', start_line: number, end_line: number, encoding: BYTE_ENCODING },
    });
    return toBytes(one.content);
  };
  const lines = view.mode === 'grep' ? grepLines(view.content) : viewLines(view as LinesView);
  const parts: Buffer[] = [];
  for (const { number, prefix, text } of lines) {
    const bytes = number !== null && text.includes(REPLACED) ? await bytesOf(number) : null;
    parts.push(Buffer.from(prefix));
    parts.push(bytes?.toString() === text ? bytes : Buffer.from(text));
    parts.push(Buffer.from('\n'));
  }
  return Buffer.concat(parts);
}

interface PrintedLine {
  /** Null for the separator between blocks of grep. */
  number: number | null;
  /** Printed in front of the line. */
  prefix: string;
  text: string;
}

function grepLines(content: string): PrintedLine[] {
  return content.split('\n').map((line) => {
    const [, prefix, number, text] = /^((\d+)[:-])(.*)$/s.exec(line) ?? [];
    if (prefix === undefined) return { number: null, prefix: '', text: line };
    return { number: Number(number), prefix, text: text! };
  });
}

/** After a gap these numbers are wrong; `rawBytes` compares the lines it reads with the text. */
function viewLines({ content, start_line }: LinesView): PrintedLine[] {
  return content.split('\n').map((text, i) => ({ number: (start_line ?? 1) + i, prefix: '', text }));
}

let byteOf: Map<string, number> | undefined;

function toBytes(text: string): Buffer {
  byteOf ??= new Map(
    Array.from({ length: 256 }, (_, byte) => [windows1252(String.fromCharCode(byte)), byte]),
  );
  return Buffer.from([...text].map((char) => byteOf!.get(char) ?? 0x3f));
}

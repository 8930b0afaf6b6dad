/** Writes decisions about agents' directories into config.json. The rest of the file stays as people wrote it. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { applyEdits, findNodeAtLocation, modify, parse, parseTree } from 'jsonc-parser';
import { SpillwayError } from '../../../shared/errors.ts';
import type { SourceChange } from '../../../shared/sources.ts';
import { replaceFile } from '../../store/format/small-file.ts';
import { prepareHome } from './home.ts';

const FORMATTING = { formattingOptions: { insertSpaces: true, tabSize: 2 } };

type Decision = Omit<SourceChange, 'names'>;

/** Throws `home` where the file cannot be read as JSON, or written. */
export function writeSources(home: string, decisions: ReadonlyMap<string, Decision>): void {
  const path = join(home, 'config.json');
  const before = existsSync(path) ? readFileSync(path, 'utf8') : '{}\n';
  let text = before;
  if (parseTree(text)?.type !== 'object') {
    throw new SpillwayError('home', `${path} is not valid JSON`, 'correct it, and switch the source again');
  }
  if (findNodeAtLocation(parseTree(text)!, ['sources'])?.type !== 'array')
    text = applyEdits(text, modify(text, ['sources'], [], FORMATTING));
  for (const [kind, decision] of decisions) text = withDecision(text, kind, decision);
  if (text !== before) write(path, text);
}

function withDecision(text: string, kind: string, decision: Decision): string {
  const { sources } = parse(text) as { sources: unknown[] };
  const index = sources.findIndex(
    (one) => typeof one === 'object' && one !== null && (one as { kind?: unknown }).kind === kind,
  );
  const known = index < 0 ? { kind, enabled: true, mcp: false } : (sources[index] as object);
  const value = JSON.parse(JSON.stringify({ ...known, ...decision })) as object;
  const place = ['sources', index < 0 ? sources.length : index];
  return applyEdits(text, modify(text, place, value, { ...FORMATTING, isArrayInsertion: index < 0 }));
}

function write(path: string, text: string): void {
  prepareHome(dirname(path));
  try {
    replaceFile(path, text);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new SpillwayError('home', `${path} cannot be written (${code})`, 'make its folder writable');
  }
}

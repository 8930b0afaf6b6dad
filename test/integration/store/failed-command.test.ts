/** The last command that failed in a terminal, for an editor: its output is found after a gap, too. */
import { appendFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { lastFailedCommand } from '../../../electron/host/terminal/editor-terminals.ts';
import { artifactId, commandsFile, outputFile, recordFile } from '../../../electron/store/format/names.ts';
import type { Gap } from '../../../electron/store/format/record.ts';
import { makeHome, type StoredCapture, storeCapture } from '../../fixtures/library/stored-captures.ts';

let home: string;
let remove: () => void;
beforeEach(() => {
  ({ home, remove } = makeHome());
});
afterEach(() => remove());

const ID = artifactId('terminal', 'bash', new Date(), 'abcdef');

/** A terminal with `text` in its file, which lacks the bytes of the gap. */
function terminal(text: string, gap: Gap | null): StoredCapture {
  const made = storeCapture(home, { kind: 'capture', id: ID, text });
  const record = { ...made.record, kind: 'terminal' as const };
  record.streams[0]!.gap = gap;
  writeFileSync(join(made.folder, recordFile(ID)), JSON.stringify(record));
  return made;
}

/** Adds a command whose output has these offsets in all that was printed. */
function typed(
  { folder }: StoredCapture,
  number: number,
  [start_offset, end_offset]: [number, number],
  exit_code: number,
): void {
  const at = { prompt_line: 1, prompt_offset: 0, start_line: 1, start_offset };
  const time = '2026-01-13T10:30:00.000Z';
  const begun = { type: 'begun', number, command: `command ${number}`, cwd: '/', started_at: time, ...at };
  const ended = { type: 'ended', number, exit_code, ended_at: time, end_offset, end_line: 2 };
  appendFileSync(
    join(folder, commandsFile(ID)),
    `${JSON.stringify(begun)}\n${JSON.stringify(ended)}\n{"type":"of a later version"}\n`,
  );
}

const asked = ({ folder }: StoredCapture) => lastFailedCommand({ folder, artifactId: ID });

it('has the output that follows a gap', () => {
  const made = terminal('head\nfailing\n', { offset: 5, line: 1, bytes: 1000, lines: 10 });
  typed(made, 1, [1005, 1013], 2);
  typed(made, 2, [1013, 1013], 0);
  expect(asked(made)).toMatchObject({ command: 'command 1', exitCode: 2, output: 'failing\n', missing: 0 });
});

it('says how much of the output is not stored', () => {
  const made = terminal('head\nfailing\n', { offset: 5, line: 1, bytes: 1000, lines: 10 });
  typed(made, 1, [3, 1013], 2);
  expect(asked(made)).toMatchObject({ output: 'd\nfailing\n', missing: 1000 });
});

it('is none where none failed, and for Ctrl-C', () => {
  const made = terminal('head\n', null);
  typed(made, 1, [0, 5], 0);
  typed(made, 2, [5, 5], 130);
  expect(asked(made)).toBeNull();
});

it.skipIf(process.platform === 'win32')('is not read through a link', () => {
  const made = terminal('head\n', null);
  typed(made, 1, [0, 5], 1);
  writeFileSync(join(home, 'elsewhere'), 'secret\n');
  rmSync(join(made.folder, outputFile(ID)));
  symlinkSync(join(home, 'elsewhere'), join(made.folder, outputFile(ID)));
  expect(asked(made)).toMatchObject({ output: '', missing: 5 });
});

/** Registers the kinds of sources. To add one: write its file beside this one or in `agents/`, and list it here. */
import { claudeCode } from './agents/claude-code.ts';
import { cline } from './agents/cline.ts';
import { codex } from './agents/codex.ts';
import { copilot } from './agents/copilot.ts';
import { cursor } from './agents/cursor.ts';
import { droid } from './agents/droid.ts';
import { gemini } from './agents/gemini.ts';
import { goose } from './agents/goose.ts';
import { kimi } from './agents/kimi.ts';
import { kilo, opencode } from './agents/opencode.ts';
import { pi } from './agents/pi.ts';
import { qwen } from './agents/qwen.ts';
import { roo } from './agents/roo.ts';
import { vscode } from './agents/vscode.ts';
import { directory } from './directory.ts';
import { singleFile } from './single-file.ts';
import type { SourceKind } from './source.ts';

export const agentKinds: readonly SourceKind[] = [
  ...[claudeCode, codex, gemini, opencode, kilo, copilot, qwen, kimi],
  ...[droid, pi, cline, cursor, vscode, roo, goose],
];

export const sourceKinds: readonly SourceKind[] = [directory, singleFile, ...agentKinds];

/** Returns the kind of that name, as it stands in config.json. */
export function sourceKindNamed(name: string): SourceKind | undefined {
  return sourceKinds.find((kind) => kind.name === name);
}

/** Registers the agents' kinds of sources. To add one: write its file in `agents/`, and list it here. */
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
import type { SourceKind } from './source.ts';

export const agentKinds: readonly SourceKind[] = [
  ...[claudeCode, codex, gemini, opencode, kilo, copilot, qwen, kimi],
  ...[droid, pi, cline, cursor, vscode, roo, goose],
];

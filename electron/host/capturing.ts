/**
 * Capturing without a whole host: what the command line starts quickly, and MCP uses too. Runs and records commands,
 * records streams and tool responses, and gives for each the head and the parts of CONTRACT 6.
 */

export { currentFolder } from '../recorder/command/current-folder.ts';
export { findPerl } from '../recorder/command/perl.ts';
export { recordOn } from '../recorder/streams/record-on.ts';
export { isInForeground } from '../recorder/terminal/foreground.ts';
export { loadNativePty } from '../recorder/terminal/load-pty.ts';
export type { Left } from './recording/left.ts';
export { headOfNotRun, NotRunnable } from './recording/not-runnable.ts';
export { type Capturing, openCapturing } from './recording/place.ts';
export { captureResponse, type ResponseOptions } from './recording/response.ts';
export {
  type RunHooks,
  type RunningRecorded,
  type RunRequest,
  type RunResult,
  runRecorded,
} from './recording/run.ts';
export { type Captured, captureStream, type StreamOptions } from './recording/stream.ts';

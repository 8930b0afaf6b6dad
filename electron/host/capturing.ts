/**
 * Capturing without a whole host: what the command line starts quickly, and MCP uses too. Runs and records commands,
 * records streams and tool responses, and gives for each the head and the parts of CONTRACT 6.
 */

export { currentFolder } from '../capture/current-folder.ts';
export { findPerl } from '../capture/perl.ts';
export { recordOn } from '../capture/record-on.ts';
export { isInForeground } from '../capture/terminal/foreground.ts';
export { loadNativePty } from '../capture/terminal/load-pty.ts';
export type { Left } from './capturing/left.ts';
export { headOfNotRun, NotRunnable } from './capturing/not-runnable.ts';
export { type Capturing, openCapturing } from './capturing/place.ts';
export { captureResponse, type ResponseOptions } from './capturing/response.ts';
export {
  type RunHooks,
  type RunningRecorded,
  type RunRequest,
  type RunResult,
  runRecorded,
} from './capturing/run.ts';
export { type Captured, captureStream, type StreamOptions } from './capturing/stream.ts';

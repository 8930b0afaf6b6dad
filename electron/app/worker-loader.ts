/** Loads a thread's code (electron/workers/pool.ts) with V8's code cache, which makes it start a quarter faster. */
import { cachedCode } from './cached-code.ts';

declare const require: NodeJS.Require;
declare const __dirname: string;

// A package's archive has no caches; what is required of it has its integrity checked.
const load = /\.asar(?:[\\/]|$)/.test(__dirname)
  ? (name: string) => require(`./${name}`)
  : cachedCode(__dirname, require);
load('worker-main.cjs');

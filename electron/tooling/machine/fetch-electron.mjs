/** Fetches the Electron runtime; `npm start` starts it, and does not wait for it. */
import { fetchWatched } from './electron-runtime.mjs';

await fetchWatched();

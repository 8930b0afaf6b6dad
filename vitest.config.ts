/** Vitest looks for its configuration here; it is written in electron/tooling/vitest.mjs. */
export { default } from './electron/tooling/vitest.mjs';

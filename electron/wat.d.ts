/** WebAssembly text, compiled when it is imported (electron/tooling/building/plugins.mjs). */
declare module '*.wat' {
  const bytes: Uint8Array<ArrayBuffer>;
  export default bytes;
}

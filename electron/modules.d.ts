/** Programs in other languages, as their text (electron/tooling/building/plugins.mjs). */
declare module '*.pl' {
  const text: string;
  export default text;
}
declare module '*.bash' {
  const text: string;
  export default text;
}
declare module '*.sh' {
  const text: string;
  export default text;
}
/** WebAssembly text, compiled when it is imported (electron/tooling/building/plugins.mjs). */
declare module '*.wat' {
  const bytes: Uint8Array<ArrayBuffer>;
  export default bytes;
}

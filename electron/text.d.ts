/** Programs in other languages, as their text (electron/tooling/building/text-plugin.mjs). */
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

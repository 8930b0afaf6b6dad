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

/** The part of WebAssembly that is used here: this side's library has no DOM types, and those of Node leave it out. */
declare namespace WebAssembly {
  class Module {
    constructor(bytes: ArrayBufferView<ArrayBuffer> | ArrayBuffer);
  }
  class Instance {
    constructor(module: Module, imports?: Record<string, Record<string, unknown>>);
    readonly exports: Record<string, unknown>;
  }

  class Memory {
    constructor(size: { initial: number });
    readonly buffer: ArrayBuffer;
  }
}

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

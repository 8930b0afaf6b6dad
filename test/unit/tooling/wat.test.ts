import { describe, expect, it } from 'vitest';
import { compileWat, watPlugin } from '../../../electron/tooling/building/plugins.mjs';
import bytes from '../../fixtures/add.wat';

describe('WebAssembly text', () => {
  it('is imported as the bytes of a module that runs', async () => {
    const { instance } = await WebAssembly.instantiate(bytes);
    const add = instance.exports.add as (a: number, b: number) => number;
    expect(add(2, 40)).toBe(42);
  });

  it('may use SIMD and bulk memory', async () => {
    const text = `(module (memory 1)
      (func (export "fill") (memory.fill (i32.const 0) (i32.const 1) (i32.const 16)))
      (func (export "sum") (result i32)
        (i32x4.extract_lane 0 (i32x4.add (v128.load (i32.const 0)) (v128.load (i32.const 0))))))`;
    const module = new WebAssembly.Module((await compileWat('simd.wat', text)) as Uint8Array<ArrayBuffer>);
    const instance = new WebAssembly.Instance(module);
    const { fill, sum } = instance.exports as { fill: () => void; sum: () => number };
    fill();
    expect(sum()).toBe(0x02020202);
  });

  it('says where a mistake is', async () => {
    await expect(compileWat('broken.wat', '(module (func (i32.nonsense)))')).rejects.toThrow(
      /broken\.wat:1:16/,
    );
  });

  it('leaves other files alone', async () => {
    expect(await watPlugin().load('/somewhere/else.ts')).toBeNull();
  });
});

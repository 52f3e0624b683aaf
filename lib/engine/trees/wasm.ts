/**
 * The part of WebAssembly's binary format that the kernels use. Each helper returns the bytes of an instruction
 * (https://webassembly.github.io/spec/core/binary/). `at` is a constant added to the address on the stack.
 */
type Code = number[];

export const I32 = 0x7f;
export const F32 = 0x7d;
export const V128 = 0x7b;

export const get = (local: number): Code => [0x20, ...unsigned(local)];
export const set = (local: number): Code => [0x21, ...unsigned(local)];
export const i32 = (value: number): Code => [0x41, ...signed(value)];
export const i32Load = (at: number): Code => [0x28, 0, ...unsigned(at)];
export const i32Load8 = (at: number): Code => [0x2d, 0, ...unsigned(at)];
export const i32Load16 = (at: number): Code => [0x2f, 0, ...unsigned(at)];
export const i32Store8: Code = [0x3a, 0, 0];
export const f32Load = (at: number): Code => [0x2a, 0, ...unsigned(at)];
export const f32GreaterThan: Code = [0x5e];
export const f32NotEqual: Code = [0x5c];
/** Selects the first of the two values below the top if the top is not 0. */
export const select: Code = [0x1b];
const i32LessThan: Code = [0x49];
export const i32Add: Code = [0x6a];
export const i32Subtract: Code = [0x6b];
export const i32ShiftLeft: Code = [0x74];
export const i32ShiftRight: Code = [0x76];
export const i64TrailingZeros: Code = [0x7a];
export const i32OfI64: Code = [0xa7];

export const v128Load = (at: number): Code => [...simd(0), 0, ...unsigned(at)];
export const v128Store = (at: number): Code => [...simd(11), 0, ...unsigned(at)];
/** Loads a byte into all bytes of the vector. */
export const v128Load8Splat = (at: number): Code => [...simd(7), 0, ...unsigned(at)];
/** Loads four bytes into one of the vector's four lanes. */
export const v128Load32Lane = (at: number, lane: number): Code => [...simd(86), 0, ...unsigned(at), lane];
/** Loads four bytes, followed by zeros. */
export const v128Load32Zero = (at: number): Code => [...simd(92), 0, ...unsigned(at)];
export const v128Bytes = (bytes: number[]): Code => [...simd(12), ...bytes];
export const v128Not: Code = simd(77);
export const v128And: Code = simd(78);
export const v128Or: Code = simd(80);
/** Selects bits of the first vector where a third one's bits are 1, otherwise bits of the second. */
export const v128BitSelect: Code = simd(82);
/** Selects bytes 0 to 31 of two vectors. */
export const i8x16Shuffle = (bytes: number[]): Code => [...simd(13), ...bytes];
/** Selects bytes of the first vector by the indexes in the second. Indexes above 15 yield 0. */
export const i8x16Swizzle: Code = simd(14);
export const i8x16GreaterThan: Code = simd(39);
export const i8x16Subtract: Code = simd(113);
export const i64Lane0: Code = [...simd(29), 0];
export const f32x4Add: Code = simd(228);

/** Adds a constant to a local. */
export const advance = (local: number, by: number): Code => [
  ...get(local),
  ...i32(by),
  ...i32Add,
  ...set(local),
];

/** Repeats the body while the first local is below the second. */
export const loopWhileBelow = (local: number, end: number, body: Code): Code => {
  return [0x03, 0x40, ...body, ...get(local), ...get(end), ...i32LessThan, 0x0d, 0, 0x0b];
};

/** A function with that many integer parameters and no result. `locals` lists the types of further locals. */
export type WasmFunction = { name: string; parameters: number; locals: number[]; body: Code };

/** Builds a module that exports the functions and imports its memory as `env.memory`. */
export function wasmModule(functions: WasmFunction[]): Uint8Array<ArrayBuffer> {
  const types = functions.map(({ parameters }) => [0x60, ...list(Array(parameters).fill([I32])), 0]);
  const memory = [...text("env"), ...text("memory"), 2, 0, 1];
  const bodies = functions.map(({ locals, body }) => {
    return sized([...list(locals.map((type) => [1, type])), ...body, 0x0b]);
  });
  const exported = functions.map(({ name }, index) => [...text(name), 0, ...unsigned(index)]);
  const sections: [number, number[][]][] = [
    [1, types],
    [2, [memory]],
    [3, functions.map((_, index) => unsigned(index))],
    [7, exported],
    [10, bodies],
  ];
  const magicAndVersion = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
  return Uint8Array.from([
    ...magicAndVersion,
    ...sections.flatMap(([id, items]) => [id, ...sized(list(items))]),
  ]);
}

function simd(operation: number): Code {
  return [0xfd, ...unsigned(operation)];
}

function list(items: number[][]): number[] {
  return [...unsigned(items.length), ...items.flat()];
}

function sized(bytes: number[]): number[] {
  return [...unsigned(bytes.length), ...bytes];
}

function text(value: string): number[] {
  return sized([...new TextEncoder().encode(value)]);
}

/** Encodes LEB128, seven bits per byte. */
function unsigned(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...unsigned(value >>> 7)];
}

function signed(value: number): number[] {
  return value >= -64 && value < 64 ? [value & 127] : [(value & 127) | 128, ...signed(value >> 7)];
}

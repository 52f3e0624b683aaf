import * as wasm from "./wasm.ts";

/** Bins of a feature: one more than cuts. NaN pads the cuts. */
export const BINS = 256;

/**
 * Returns a function that finds the bins of values at an address (`TreeKernel.binValues`) by binary search without
 * branches, as `binColumn` does.
 */
export function binValues(values: number): wasm.WasmFunction {
  const [rows, cuts, missingLeft, missingRight, row, bin, value] = [0, 1, 2, 3, 4, 5, 6];
  const { get, set, i32, i32Add } = wasm;
  const halves = Array.from({ length: Math.log2(BINS) }, (_, step) => BINS >> (step + 1));
  const search = halves.flatMap((half) => [
    ...[...get(value), ...get(bin), ...wasm.f32Load(4 * (half - 1)), ...wasm.f32GreaterThan],
    ...[...i32(Math.log2(4 * half)), ...wasm.i32ShiftLeft, ...get(bin), ...i32Add, ...set(bin)],
  ]);
  const isMissing = [...get(value), ...get(value), ...wasm.f32NotEqual];
  const each = [
    ...[...get(row), ...i32(2), ...wasm.i32ShiftLeft, ...wasm.f32Load(values), ...set(value)],
    ...[...get(cuts), ...set(bin), ...search],
    ...[...get(bin), ...get(cuts), ...wasm.i32Subtract, ...i32(2), ...wasm.i32ShiftRight],
    ...[...i32(-BINS / 2), ...i32Add, ...set(bin)],
    ...[...get(missingLeft), ...get(row), ...i32Add, ...get(bin), ...wasm.i32Store8],
    ...[...get(missingRight), ...get(row), ...i32Add],
    ...[...i32(BINS / 2 - 1), ...get(bin), ...isMissing, ...wasm.select, ...wasm.i32Store8],
    ...wasm.advance(row, 1),
  ];
  const body = wasm.loopWhileBelow(row, rows, each);
  return { name: "binValues", parameters: 4, locals: [wasm.I32, wasm.I32, wasm.F32], body };
}

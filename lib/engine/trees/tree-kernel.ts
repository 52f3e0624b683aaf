import { BINS, binValues } from "./bin-kernel.ts";
import type { FeatureBins } from "./feature-bins.ts";
import { addRow, ROW_SIZES, type RowProgram, rowKernelName } from "./row-kernel.ts";
import * as wasm from "./wasm.ts";

/** Rows evaluated side by side, one byte each: four vectors of 16. */
export const BLOCK_ROWS = 64;
export const VECTOR_ROWS = 16;

export const MAX_LEAVES = 256;
export const MAX_PLANES = 1023;
export const NODE_BYTES = 8;

/**
 * Layout of the memory, in bytes. A slot holds one byte for each row of the block. In order of address:
 *
 * - one slot for each leaf, filled with the leaf's number;
 * - one slot for the result of each node;
 * - planes of bins for each feature (one byte each for a single row);
 * - the rows' sums, and the values of one feature (float32);
 * - the program for a single row, and the program for many;
 * - the cuts of each feature (float32).
 */
export const SLOT_BYTES = BLOCK_ROWS;
export const RESULTS = MAX_LEAVES * SLOT_BYTES;
export const PLANES = 2 * RESULTS;
export const SUMS = PLANES + MAX_PLANES * SLOT_BYTES;
export const VALUES = SUMS + 4 * BLOCK_ROWS;
export const PROGRAMS = VALUES + 4 * BLOCK_ROWS;

/**
 * Trees in kernel format. `bytes`, for many rows, has a length that is a multiple of 4. `row` is for a single row,
 * null if unsupported.
 */
export type TreeProgram = { bytes: Uint8Array; row: RowProgram | null; features: FeatureBins[] };

/** Functions that evaluate the trees between two addresses and add the results to the sums of the block's rows. */
export type TreeKernel = {
  memory: WebAssembly.Memory;
  /**
   * Computes the bins of values into two planes, as bytes from -128: the number of the feature's cuts below each
   * value. NaN is above no cut; its bin is the last one in the plane `missingRight`.
   *
   * @param cuts address, like `missingLeft` and `missingRight`
   */
  binValues(rows: number, cuts: number, missingLeft: number, missingRight: number): void;
  addBlock(start: number, end: number): void;
  /** Evaluates only the block's first 16 rows, in less than half the time. */
  addVector(start: number, end: number): void;
  /** Evaluates one row with adjacent bins, in about a tenth of that time. */
  addRow: ((start: number, end: number) => void) | null;
};

let compiled: WebAssembly.Module | undefined;

/** @throws RangeError if no more memory is available */
export function createKernel({ bytes, row, features }: TreeProgram): TreeKernel {
  compiled ??= new WebAssembly.Module(wasm.wasmModule(functions()));
  const start = PROGRAMS + (row?.bytes.length ?? 0);
  const cutsAt = start + bytes.length;
  const end = cutsAt + features.length * BINS * 4;
  const memory = new WebAssembly.Memory({ initial: Math.ceil(end / 65_536) });
  const { exports } = new WebAssembly.Instance(compiled, { env: { memory } });
  const { binValues, addBlock, addVector, ...rows } = exports as Omit<TreeKernel, "memory" | "addRow">;
  const all = new Uint8Array(memory.buffer);
  for (let leaf = 0; leaf < MAX_LEAVES; leaf++) {
    all.fill(leaf, leaf * SLOT_BYTES, (leaf + 1) * SLOT_BYTES);
  }
  if (row) all.set(row.bytes, PROGRAMS);
  all.set(bytes, start);
  features.forEach(({ cuts }, index) => {
    new Float32Array(memory.buffer, cutsAt + index * BINS * 4, BINS).set(cuts);
  });
  const addRow = row && (rows as Record<string, typeof addVector>)[rowKernelName(row.shape)]!;
  return { memory, binValues, addBlock, addVector, addRow };
}

function functions(): wasm.WasmFunction[] {
  const shapes = ROW_SIZES.flatMap((leaves) => ROW_SIZES.map((planes) => ({ leaves, planes })));
  return [
    binValues(VALUES),
    addTrees("addBlock", BLOCK_ROWS / VECTOR_ROWS),
    addTrees("addVector", 1),
    ...shapes.map((shape) => addRow(shape, PLANES, SUMS)),
  ];
}

/**
 * Returns a function that evaluates trees. The program contains for each tree: the byte size of its nodes; the nodes,
 * children first and the root last (slots of the left and right child, position of the plane, threshold: `bin >
 * threshold` goes right); the values of its leaves. A node's result is that of the child that the row goes to, so the
 * root's result is the row's leaf number. All nodes are evaluated without branches: 16 rows pass a node in six
 * instructions, while a mispredicted branch would cost more.
 */
function addTrees(name: string, vectors: number): wasm.WasmFunction {
  const [at, end, nodesEnd, result, left, right, plane, threshold, values] = [0, 1, 2, 3, 4, 5, 6, 7, 8];
  const { get, set, i32, i32Add, advance } = wasm;
  const choose = Array.from({ length: vectors }, (_, vector) => {
    const rows = vector * VECTOR_ROWS;
    const goesRight = [
      ...[...get(plane), ...wasm.v128Load(PLANES + rows)],
      ...[...get(threshold), ...wasm.i8x16GreaterThan],
    ];
    return [
      ...get(result),
      ...[...get(right), ...wasm.v128Load(rows)],
      ...[...get(left), ...wasm.v128Load(rows)],
      ...[...goesRight, ...wasm.v128BitSelect],
      ...wasm.v128Store(RESULTS + rows),
    ];
  });
  const evaluateNode = [
    ...[...get(at), ...wasm.i32Load16(0), ...set(left)],
    ...[...get(at), ...wasm.i32Load16(2), ...set(right)],
    ...[...get(at), ...wasm.i32Load16(4), ...set(plane)],
    ...[...get(at), ...wasm.v128Load8Splat(6), ...set(threshold)],
    ...choose.flat(),
    ...advance(result, SLOT_BYTES),
    ...advance(at, NODE_BYTES),
  ];
  const root = RESULTS - SLOT_BYTES;
  const addLeaves = Array.from({ length: (vectors * VECTOR_ROWS) / 4 }, (_, group) => {
    const lanes = [0, 1, 2, 3].flatMap((lane) => [
      ...[...get(result), ...wasm.i32Load8(root + 4 * group + lane)],
      ...[...i32(2), ...wasm.i32ShiftLeft, ...get(at), ...i32Add],
      ...[...get(values), ...wasm.v128Load32Lane(0, lane), ...set(values)],
    ]);
    const sums = i32(SUMS + 16 * group);
    const add = [...sums, ...wasm.v128Load(0), ...get(values), ...wasm.f32x4Add];
    return [...lanes, ...sums, ...add, ...wasm.v128Store(0)];
  });
  const evaluateTree = [
    ...[...get(at), ...wasm.i32Load(0), ...get(at), ...i32Add, ...i32(4), ...i32Add, ...set(nodesEnd)],
    ...[...advance(at, 4), ...i32(0), ...set(result)],
    ...wasm.loopWhileBelow(at, nodesEnd, evaluateNode),
    ...addLeaves.flat(),
    // A tree has one more leaf than nodes: four bytes for each result slot, plus four.
    ...[...get(result), ...i32(Math.log2(SLOT_BYTES / 4)), ...wasm.i32ShiftRight],
    ...[...get(at), ...i32Add, ...i32(4), ...i32Add, ...set(at)],
  ];
  return {
    name,
    parameters: 2,
    locals: [wasm.I32, wasm.I32, wasm.I32, wasm.I32, wasm.I32, wasm.V128, wasm.V128],
    body: wasm.loopWhileBelow(at, end, evaluateTree),
  };
}

import * as wasm from "./wasm.ts";

/** Maximum leaves per tree, and maximum planes, of each kernel. */
export const ROW_SIZES = [16, 32, 64];
type RowShape = { leaves: number; planes: number };

/** Trees in the format of the kernel with that shape. */
export type RowProgram = { bytes: Uint8Array; shape: RowShape };

/**
 * Returns the layout of a tree's bytes, with leaves numbered from left to right:
 *
 * - the plane of each node (one byte), then its threshold (one byte);
 * - each node's mask of the leaves to its left: the bits of leaves 0 to 7 of all nodes, then of 8 to 15, and so on;
 * - the values of the leaves (float32).
 *
 * Masks of unused nodes are empty.
 */
export function treeLayout(leaves: number) {
  const masks = 2 * leaves;
  const values = masks + (leaves / 8) * leaves;
  return { thresholds: leaves, masks, values, treeBytes: values + 4 * leaves };
}

export const rowKernelName = ({ leaves, planes }: RowShape) => `addRow${leaves}x${planes}`;

/**
 * Returns a function that evaluates the trees between two addresses for one row and adds the result to a sum. The
 * row's bins are at the address `bins`, one byte per plane. Implements QuickScorer (Lucchese et al. 2015) with vectors
 * instead of branches: if the row goes right at a node, the leaves to the node's left are excluded, and the row's leaf
 * is the first one not excluded. A vector holds 16 nodes, and all nodes are evaluated.
 */
export function addRow(shape: RowShape, bins: number, sumAt: number): wasm.WasmFunction {
  const { get, set } = wasm;
  const { thresholds, masks, values, treeBytes } = treeLayout(shape.leaves);
  const [at, end, sum, index] = [0, 1, 2, 3];
  const tables = numbers(shape.planes / 16, 4);
  const right = numbers(shape.leaves / 16, 4 + tables.length);
  const excluded = numbers(shape.leaves / 8, 4 + tables.length + right.length);
  const loadBins = tables.map((table, part) => {
    return [...wasm.i32(0), ...wasm.v128Load(bins + 16 * part), ...set(table)];
  });
  const chooseSides = right.map((side, part) => [
    ...[...get(at), ...wasm.v128Load(16 * part), ...set(index)],
    ...lookUp(tables, index),
    ...[...get(at), ...wasm.v128Load(thresholds + 16 * part), ...wasm.i8x16GreaterThan, ...set(side)],
  ]);
  const exclude = excluded.map((leaves, byte) => [
    ...either(
      right.map((side, part) => {
        const mask = masks + byte * shape.leaves + 16 * part;
        return [...get(side), ...get(at), ...wasm.v128Load(mask), ...wasm.v128And];
      }),
    ),
    ...set(leaves),
  ]);
  const leaf = [...get(excluded[0]!), ...wasm.v128Not, ...wasm.i64Lane0, ...wasm.i64TrailingZeros];
  const addTree = [
    ...[...chooseSides.flat(), ...exclude.flat(), ...joinBytes(excluded), ...foldLanes(excluded)],
    ...[...get(at), ...leaf, ...wasm.i32OfI64, ...wasm.i32(2), ...wasm.i32ShiftLeft, ...wasm.i32Add],
    ...[...wasm.v128Load32Zero(values), ...get(sum), ...wasm.f32x4Add, ...set(sum)],
    ...wasm.advance(at, treeBytes),
  ];
  const loadSum = [...wasm.i32(sumAt), ...wasm.v128Load32Zero(0), ...set(sum)];
  return {
    name: rowKernelName(shape),
    parameters: 2,
    locals: [sum, index, ...tables, ...right, ...excluded].map(() => wasm.V128),
    body: [
      ...[...loadBins.flat(), ...loadSum, ...wasm.loopWhileBelow(at, end, addTree)],
      ...[...wasm.i32(sumAt), ...get(sum), ...wasm.v128Store(0)],
    ],
  };
}

/** Looks up the tables' bytes at the indexes. An index outside a table yields 0 by a swizzle. */
function lookUp(tables: number[], index: number): number[] {
  return either(
    tables.map((table, part) => {
      const within = part === 0 ? [] : [...wasm.v128Bytes(Array(16).fill(16 * part)), ...wasm.i8x16Subtract];
      return [...wasm.get(table), ...wasm.get(index), ...within, ...wasm.i8x16Swizzle];
    }),
  );
}

function either(vectors: number[][]): number[] {
  return vectors.flatMap((vector, at) => (at === 0 ? vector : [...vector, ...wasm.v128Or]));
}

/**
 * Joins the bytes of the masks, one byte per vector and node (16 nodes). Interleaves the bytes and ors nodes that are
 * far apart, so that the first vector holds whole masks.
 */
function joinBytes(vectors: number[], bytes = 1): number[] {
  if (vectors.length === 1) return [];
  const pairs = vectors.flatMap((low, at) => (at % 2 === 0 ? [[low, vectors[at + 1]!]] : []));
  const join = pairs.flatMap(([low, high]) => [
    ...either([0, 8].map((from) => [...wasm.get(low!), ...wasm.get(high!), ...interleave(from, bytes)])),
    ...wasm.set(low!),
  ]);
  const joined = pairs.map(([low]) => low!);
  return [...join, ...joinBytes(joined, 2 * bytes)];
}

/** Takes groups of bytes alternately from both vectors. */
function interleave(from: number, group: number): number[] {
  const lanes = numbers(16, 0).map((at) => {
    const groupIndex = Math.floor(at / group);
    return from + 16 * (groupIndex % 2) + Math.floor(groupIndex / 2) * group + (at % group);
  });
  return wasm.i8x16Shuffle(lanes);
}

/** Ors the masks of a vector until its first mask has the bits of all. */
function foldLanes([vector, ...rest]: number[]): number[] {
  const maskBytes = 1 + rest.length;
  const masks = wasm.get(vector!);
  const steps = [8, 4, 2].filter((step) => step >= maskBytes);
  return steps.flatMap((step) => {
    const moved = [...masks, ...masks, ...wasm.i8x16Shuffle(numbers(16, step).map((at) => at % 16))];
    return [...either([masks, moved]), ...wasm.set(vector!)];
  });
}

function numbers(count: number, from: number): number[] {
  return Array.from({ length: count }, (_, index) => from + index);
}

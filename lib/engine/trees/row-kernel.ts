import * as wasm from "./wasm.ts";

/** There is a kernel for trees of up to so many leaves, and one for up to so many planes. */
export const ROW_SIZES = [16, 32, 64];
export type RowShape = { leaves: number; planes: number };

/** Trees as the kernel of that shape reads them. */
export type RowProgram = { bytes: Uint8Array; shape: RowShape };

/**
 * Where in a tree's bytes what lies, the leaves numbered from left to right: each node's plane first, then its threshold,
 * both a byte; then its mask of the leaves to its left, first all nodes' bits of the leaves 0 to 7, then of 8 to 15 and
 * so on; then the leaves' values (float32). Where a tree has fewer nodes than there is room for, the masks left over are
 * empty.
 */
export function treeLayout(leaves: number) {
  const masks = 2 * leaves;
  const values = masks + (leaves / 8) * leaves;
  return { thresholds: leaves, masks, values, treeBytes: values + 4 * leaves };
}

export const rowKernelName = ({ leaves, planes }: RowShape) => `addRow${leaves}x${planes}`;

/**
 * A function that adds to the sum at an address what the trees between two addresses give for one row, whose bins lie
 * at another, a byte for each plane. QuickScorer (Lucchese et al. 2015), with vectors in place of branches: where the
 * row goes right at a node, the leaves to the node's left are not the row's; its leaf is the first of those that no
 * node excludes. A vector holds 16 nodes, and all are looked at.
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

/** The bytes of the tables that the index names. Where a number is none of a table's, a swizzle gives 0. */
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
 * Each vector has a byte of the masks, for 16 nodes. Puts these bytes beside each other and ors what nodes that were
 * far from each other give, so that the first vector has whole masks.
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

/** Takes groups of bytes from both vectors in turn. */
function interleave(from: number, group: number): number[] {
  const lanes = numbers(16, 0).map((at) => {
    const turn = Math.floor(at / group);
    return from + 16 * (turn % 2) + Math.floor(turn / 2) * group + (at % group);
  });
  return wasm.i8x16Shuffle(lanes);
}

/** Ors the masks of a vector, until its first has the bits of all. */
function foldLanes([vector, ...others]: number[]): number[] {
  const maskBytes = 1 + others.length;
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

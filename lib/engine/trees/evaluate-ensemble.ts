import type { TreeModel } from "#lib/engine/onnx/read-trees";
import { BINS } from "./bin-kernel.ts";
import {
  BLOCK_ROWS,
  createKernel,
  PLANES,
  PROGRAMS,
  SLOT_BYTES,
  SUMS,
  type TreeKernel,
  type TreeProgram,
  VALUES,
  VECTOR_ROWS,
} from "./tree-kernel.ts";
import { treeProgram } from "./tree-program.ts";

export type EnsembleEvaluator = {
  /** Returns the model's output for each row, a float32. `columns` are the model's columns. */
  predict(columns: Float32Array[], rowCount: number): Float64Array;
  /** Returns plain data from which another thread creates the same evaluator. */
  program(): EnsembleProgram;
};

/** Trees ready for evaluation, as plain data. */
export type EnsembleProgram = TreeProgram & { baseValue: number; nonNegative: boolean };

/** Above this number, a vector is faster than single rows. Measured: 6 (30 features) to 9 (12 features). */
const ROWS_ALONE = 6;

/**
 * Prepares trees for repeated evaluation. At least five times as fast as the runtime, with the same results to the
 * bit: like the runtime on one thread, adds the trees in order, then the base value, in float32.
 *
 * @returns null for unsupported trees (`treeProgram`), or if no more memory is available
 */
export function evaluatorOf({ ensemble, nonNegative }: TreeModel): EnsembleEvaluator | null {
  const program = treeProgram(ensemble);
  return program && evaluatorOfProgram({ ...program, baseValue: ensemble.baseValue, nonNegative });
}

/** @returns null if no more memory is available */
export function evaluatorOfProgram(program: EnsembleProgram): EnsembleEvaluator | null {
  const kernel = tryKernel(program);
  if (!kernel) return null;
  const { binValues, addBlock, addVector, addRow } = kernel;
  const { features, baseValue, nonNegative } = program;
  const shape = program.row?.shape;
  const middle = PROGRAMS + (program.row?.bytes.length ?? 0);
  const end = middle + program.bytes.length;
  const values = new Float32Array(kernel.memory.buffer, VALUES, BLOCK_ROWS);
  const sums = new Float32Array(kernel.memory.buffer, SUMS, BLOCK_ROWS);
  const copy = (from: number, to: number) => new Uint8Array(kernel.memory.buffer.slice(from, to));
  const least = nonNegative ? 0 : -Infinity;
  return {
    predict(columns, rowCount) {
      const predictions = new Float64Array(rowCount);
      for (let start = 0; start < rowCount; ) {
        const left = rowCount - start;
        const alone = addRow && left <= ROWS_ALONE;
        const planeBytes = alone ? 1 : SLOT_BYTES;
        // Three vectors take longer than a block.
        const rows = alone ? 1 : Math.min(left, left > 2 * VECTOR_ROWS ? BLOCK_ROWS : VECTOR_ROWS);
        for (let index = 0, cuts = end; index < features.length; index++, cuts += 4 * BINS) {
          const { feature, plane } = features[index]!;
          const column = columns[feature]!;
          for (let row = 0; row < rows; row++) values[row] = column[start + row]!;
          const missingRight = PLANES + plane * planeBytes;
          binValues(rows, cuts, missingRight + planeBytes, missingRight);
        }
        sums.fill(0);
        if (alone) addRow(PROGRAMS, middle);
        else if (rows > VECTOR_ROWS) addBlock(middle, end);
        else addVector(middle, end);
        for (let row = 0; row < rows; row++) {
          predictions[start + row] = Math.max(least, Math.fround(sums[row]! + baseValue));
        }
        start += rows;
      }
      return predictions;
    },
    // The kernel has the only copy of the bytes.
    program: () => ({
      bytes: copy(middle, end),
      row: shape ? { bytes: copy(PROGRAMS, middle), shape } : null,
      features,
      baseValue,
      nonNegative,
    }),
  };
}

function tryKernel(program: TreeProgram): TreeKernel | null {
  try {
    return createKernel(program);
  } catch (cause) {
    if (cause instanceof RangeError) return null;
    throw cause;
  }
}

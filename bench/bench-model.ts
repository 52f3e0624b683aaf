import type { Table } from "#lib/contract/table";
import { type LoadedModel, loadModel } from "#lib/engine/inference/load-model";
import { fitModel } from "#lib/engine/training/fit-model";
import type { Settings } from "./benchmark.ts";
import { friedmanTable } from "./synthetic.ts";

export const FEATURES = 12;

export type BenchModel = { name: string; onnx: Uint8Array; model: LoadedModel };

/**
 * Trains one of our models and loads it from its files, like the service. It has 300 trees (quick: 20) of at most 31
 * leaves and 12 numeric features.
 */
export async function createBenchModel({ quick, seed }: Settings): Promise<BenchModel> {
  const rounds = quick ? 20 : 300;
  const { files } = await fitModel({
    table: friedmanTable(quick ? 500 : 4_000, FEATURES, seed),
    target: "y",
    timestamp: null,
    request: {
      algorithm: "gradient_boosting",
      hyperparameters: { rounds, maxLeaves: 31, learningRate: 0.1, earlyStopping: false },
    },
  });
  const read = async (name: string) => {
    const bytes = files.get(name);
    if (!bytes) throw new Error(`The model has no file ${name}.`);
    return bytes;
  };
  const onnx = await read("model.onnx");
  return { name: `bench ${rounds} x 31, seed ${seed}`, onnx, model: await loadModel(read) };
}

/** Returns rows to predict: the features without the target. */
export function inputRows(rowCount: number, seed: number): Table {
  const { columns } = friedmanTable(rowCount, FEATURES, seed);
  return { rowCount, columns: columns.filter(({ name }) => name !== "y") };
}

/** Returns the table as a matrix in row order, the input of ONNX Runtime. */
export function matrixOf({ rowCount, columns }: Table): Float32Array {
  const matrix = new Float32Array(rowCount * columns.length);
  columns.forEach((column, feature) => {
    if (column.type === "category") throw new TypeError(`${column.name} is not numeric.`);
    for (let row = 0; row < rowCount; row++) matrix[row * columns.length + feature] = column.values[row]!;
  });
  return matrix;
}

import type { Table } from "#lib/contract/table";
import { type LoadedModel, loadModel } from "#lib/engine/inference/load-model";
import { fitModel } from "#lib/engine/training/fit-model";
import type { Settings } from "./benchmark.ts";
import { friedmanTable } from "./synthetic.ts";

export const FEATURES = 12;

export type BenchModel = { name: string; onnx: Uint8Array; model: LoadedModel };

/** A model of ours: 300 trees of at most 31 leaves on 12 numbers, read from its files as the service does. */
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

/** Rows to predict: the model's features alone. */
export function inputRows(rowCount: number, seed: number): Table {
  const { columns } = friedmanTable(rowCount, FEATURES, seed);
  return { rowCount, columns: columns.filter(({ name }) => name !== "y") };
}

/** The same, row after row, as the runtime takes it. */
export function matrixOf({ rowCount, columns }: Table): Float32Array {
  const matrix = new Float32Array(rowCount * columns.length);
  columns.forEach((column, feature) => {
    if (column.type === "category") throw new TypeError(`${column.name} is no number.`);
    for (let row = 0; row < rowCount; row++) matrix[row * columns.length + feature] = column.values[row]!;
  });
  return matrix;
}

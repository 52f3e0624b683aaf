import type { Table } from "#lib/contract/table";
import { fitModel } from "#lib/engine/training/fit-model";
import type { Settings } from "./benchmark.ts";
import { friedmanTable } from "./synthetic.ts";

export const FEATURES = 12;

export type BenchModel = { name: string; onnx: Uint8Array };

/** Trains one of our models. It has 300 trees (quick: 20) of at most 31 leaves and 12 numeric features. */
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
  return { name: `bench ${rounds} x 31, seed ${seed}`, onnx: files.get("model.onnx")! };
}

/** Returns rows to predict: the features without the target. */
export function inputRows(rowCount: number, seed: number): Table {
  const { columns } = friedmanTable(rowCount, FEATURES, seed);
  return { rowCount, columns: columns.filter(({ name }) => name !== "y") };
}

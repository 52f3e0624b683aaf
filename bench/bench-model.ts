import type { Table } from "#lib/contract/table";
import { dropColumns } from "#lib/engine/table/columns";
import { fitModel } from "#lib/engine/training/fit-model";
import { layeredModel } from "#testing/onnx-models";
import type { Settings } from "./harness.ts";
import { friedmanData, tableOf } from "./synthetic.ts";
import { requestOfTrees } from "./trained-project.ts";

export const FEATURES = 12;

export type BenchModel = { name: string; onnx: Uint8Array };

/** Trains one of our models. It has 300 trees (quick: 20) of at most 31 leaves and 12 numeric features. */
export async function createBenchModel({ quick, seed }: Settings): Promise<BenchModel> {
  const rounds = quick ? 20 : 300;
  const { files } = await fitModel({
    table: tableOf(friedmanData(quick ? 500 : 4_000, FEATURES, seed)),
    target: "y",
    timestamp: null,
    request: requestOfTrees(rounds),
  });
  return { name: `bench ${rounds} x 31, seed ${seed}`, onnx: files.get("model.onnx")! };
}

/** Returns a network of four layers, which the service runs in a guarded process. */
export function createNetwork(): BenchModel {
  return { name: "network", onnx: layeredModel(4, FEATURES, "N") };
}

/** Returns rows to predict: the features without the target. */
export function inputRows(rowCount: number, seed: number): Table {
  return dropColumns(tableOf(friedmanData(rowCount, FEATURES, seed)), ["y"]);
}

import { InferenceSession, Tensor } from "onnxruntime-node";
import { createBenchModel, FEATURES, inputRows, matrixOf } from "./bench-model.ts";
import type { Benchmark } from "./benchmark.ts";
import { measure } from "./measure.ts";

/** Compares a loaded model with ONNX Runtime on the same file, in this process. */
export const predict: Benchmark = async function* (settings) {
  settings.log("  training the model");
  const bench = await createBenchModel(settings);
  const session = await InferenceSession.create(bench.onnx, { intraOpNumThreads: 1, interOpNumThreads: 1 });
  try {
    for (const rowCount of [1, 1_000]) {
      const table = inputRows(rowCount, settings.seed + 2);
      const matrix = matrixOf(table);
      const bare = async () => {
        const feeds = { X: new Tensor("float32", matrix, [rowCount, FEATURES]) };
        return (await session.run(feeds, ["Y"])).Y!.data as Float32Array;
      };
      const { predictions } = await bench.model.predict(table);
      checkSame(predictions, await bare());
      yield await measure({
        what: `${rowCount.toLocaleString("en")} row${rowCount === 1 ? "" : "s"}, in process`,
        ours: { name: "LoadedModel.predict", run: () => bench.model.predict(table) },
        others: [{ name: "bare session.run", run: bare }],
        rounds: settings.rounds,
        repeat: settings.quick ? 5 : Math.ceil(2_000 / Math.sqrt(rowCount)),
      });
    }
  } finally {
    await Promise.all([bench.model.release(), session.release()]);
  }
};

/** Compares with float32 precision, because the runtime may add the trees of a single row in another order. */
function checkSame(ours: Float64Array, bare: Float32Array): void {
  const differs = ours.findIndex((value, row) => Math.abs(value - bare[row]!) > 1e-5 * Math.abs(value));
  if (ours.length !== bare.length || differs !== -1)
    throw new Error("Our predictions differ from those of ONNX Runtime.");
}

import { InferenceSession, Tensor } from "onnxruntime-node";
import { trainGradientBoosting } from "#lib/engine/learners/gradient-boosting";
import { treesToOnnx } from "#lib/engine/onnx/write-model";
import { openSession } from "#lib/engine/runtime/session";
import type { Benchmark } from "./benchmark.ts";
import { measure } from "./measure.ts";
import { friedmanData } from "./synthetic.ts";

const FEATURES = 12;
const TREES = 300;
const LEAVES = 31;
const ROWS = 20_000;

/**
 * Compares our tree evaluator with ONNX Runtime, both on one thread. Each call gets other rows, because the processor's
 * branch prediction would learn repeated ones.
 */
export const trees: Benchmark = async function* ({ quick, seed, rounds, log }) {
  log("  training the model");
  const training = friedmanData(quick ? 1_000 : 17_000, FEATURES, seed);
  const params = { rounds: quick ? 20 : TREES, maxLeaves: LEAVES };
  const file = treesToOnnx(trainGradientBoosting(training.columns, training.target, params).ensemble, {});
  const { columns } = friedmanData(ROWS, FEATURES, seed + 1);
  const matrix = new Float32Array(ROWS * FEATURES);
  columns.forEach((column, feature) => {
    for (let row = 0; row < ROWS; row++) matrix[row * FEATURES + feature] = column[row]!;
  });
  const bare = await InferenceSession.create(file, { intraOpNumThreads: 1, interOpNumThreads: 1 });
  const ours = await openSession(file);
  const predictBare = async (start: number, rows: number) => {
    const part = matrix.subarray(start * FEATURES, (start + rows) * FEATURES);
    return (await bare.run({ X: new Tensor("float32", part, [rows, FEATURES]) })).Y!.data as Float32Array;
  };
  const predictOurs = (start: number, rows: number) =>
    ours.predict(
      columns.map((column) => column.subarray(start, start + rows)),
      rows,
    );
  try {
    const expected = await predictBare(0, ROWS);
    if ((await predictOurs(0, ROWS)).some((value, row) => value !== expected[row]))
      throw new Error("Our predictions differ from those of ONNX Runtime.");
    for (const rows of [1, 32, 1_000, 10_000]) {
      const nextStart = rowStarts(rows);
      const nextBareStart = rowStarts(rows);
      yield await measure({
        what: `${params.rounds} × ${LEAVES}, ${rows.toLocaleString("en")} row${rows === 1 ? "" : "s"}`,
        ours: { name: "own evaluator", run: () => predictOurs(nextStart(), rows) },
        others: [{ name: "ONNX Runtime", run: () => predictBare(nextBareStart(), rows) }],
        rounds,
        repeat: Math.ceil((quick ? 1_000 : 20_000) / rows),
      });
    }
  } finally {
    await Promise.all([ours.release(), bare.release()]);
  }
};

/** Returns a function that gives the first row of each call: successive blocks of `rows` rows, then the first again. */
function rowStarts(rows: number): () => number {
  let start = 0;
  return () => {
    start = start + 2 * rows > ROWS ? 0 : start + rows;
    return start;
  };
}

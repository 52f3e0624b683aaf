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
 * Our evaluator of trees against the runtime, bare and on one thread as ours. Each call has other rows: of rows that
 * come again, the processor knows which way they go.
 */
export const trees: Benchmark = async function* ({ quick, seed, rounds, say }) {
  say("  training the model that is asked");
  const learned = friedmanData(quick ? 1_000 : 17_000, FEATURES, seed);
  const params = { rounds: quick ? 20 : TREES, maxLeaves: LEAVES };
  const file = treesToOnnx(trainGradientBoosting(learned.columns, learned.target, params).ensemble, {});
  const { columns } = friedmanData(ROWS, FEATURES, seed + 1);
  const matrix = new Float32Array(ROWS * FEATURES);
  columns.forEach((column, feature) => {
    for (let row = 0; row < ROWS; row++) matrix[row * FEATURES + feature] = column[row]!;
  });
  const bare = await InferenceSession.create(file, { intraOpNumThreads: 1, interOpNumThreads: 1 });
  const ours = await openSession(file);
  const askBare = async (start: number, rows: number) => {
    const part = matrix.subarray(start * FEATURES, (start + rows) * FEATURES);
    return (await bare.run({ X: new Tensor("float32", part, [rows, FEATURES]) })).Y!.data as Float32Array;
  };
  const askOurs = (start: number, rows: number) =>
    ours.predict(
      columns.map((column) => column.subarray(start, start + rows)),
      rows,
    );
  try {
    const theirs = await askBare(0, ROWS);
    if ((await askOurs(0, ROWS)).some((value, row) => value !== theirs[row])) throw new Error("Ours differ.");
    for (const rows of [1, 32, 1_000, 10_000]) {
      const next = rowsInTurn(rows);
      const nextBare = rowsInTurn(rows);
      yield await measure({
        what: `${params.rounds} × ${LEAVES}, ${rows.toLocaleString("en")} row${rows === 1 ? "" : "s"}`,
        ours: { name: "own evaluator", run: () => askOurs(next(), rows) },
        others: [{ name: "ONNX Runtime", run: () => askBare(nextBare(), rows) }],
        rounds,
        repeat: Math.ceil((quick ? 1_000 : 20_000) / rows),
      });
    }
  } finally {
    await Promise.all([ours.release(), bare.release()]);
  }
};

function rowsInTurn(rows: number): () => number {
  let start = 0;
  return () => {
    start = start + 2 * rows > ROWS ? 0 : start + rows;
    return start;
  };
}

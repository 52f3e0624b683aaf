import { loadModel } from "#lib/engine/inference/load-model";
import { trainGradientBoosting } from "#lib/engine/learners/gradient-boosting";
import { predictLinear } from "#lib/engine/learners/linear-design";
import { regressionMetrics } from "#lib/engine/learners/metrics";
import { trainRidge } from "#lib/engine/learners/ridge";
import { predictEnsemble } from "#lib/engine/learners/tree";
import { dropColumns } from "#lib/engine/table/columns";
import { fitModel } from "#lib/engine/training/fit-model";
import { readData, type Trained } from "./python-trainer.ts";
import { tableOf } from "./synthetic.ts";

// Trains one of our models and prints a line of JSON: `Trained`, and for `auto` the chosen algorithm.
// Usage: node bench/train-ours.ts FOLDER trees|ridge|auto THREADS ROUNDS LEAVES REPEATS
// With THREADS above 1, `trees` uses as many threads as suit the size of the data.

type Predict = (heldOut: Float32Array[]) => Float64Array | Promise<Float64Array>;
type Fitted = { predict: Predict; chosen?: string };

const [folder, model, ...numbers] = process.argv.slice(2);
const [threads, rounds, maxLeaves, repeats] = numbers.map(Number);
const training = readData(folder!, "training");

const learners: Record<string, () => Fitted | Promise<Fitted>> = { trees, ridge, auto };
const before = process.memoryUsage.rss();
let ms = Number.POSITIVE_INFINITY;
let result: Fitted | undefined;
for (let repeat = 0; repeat < repeats!; repeat++) {
  const start = performance.now();
  result = await learners[model!]!();
  ms = Math.min(ms, performance.now() - start);
}
const megabytes = process.resourceUsage().maxRSS / 1024 - before / 2 ** 20;
const heldOut = readData(folder!, "heldout");
const { rmse, mae, r2 } = regressionMetrics(heldOut.target, await result!.predict(heldOut.columns));
const none = Number.NaN;
const trained: Trained = { ms, rmse: rmse ?? none, mae: mae ?? none, r2: r2 ?? none, megabytes };
console.log(JSON.stringify({ ...trained, chosen: result!.chosen }));

function trees(): Fitted {
  const { columns, target } = training;
  const params = { rounds: rounds!, maxLeaves: maxLeaves! };
  const options = threads === 1 ? { threads } : {};
  const { ensemble } = trainGradientBoosting(columns, target, params, options);
  return { predict: (inputs) => predictEnsemble(ensemble, inputs) };
}

function ridge(): Fitted {
  const linear = trainRidge(training.columns.map(withoutGaps), training.target);
  return { predict: (inputs) => predictLinear(linear, inputs.map(withoutGaps)) };
}

async function auto(): Promise<Fitted> {
  const { files, summary } = await fitModel({
    table: tableOf(training),
    target: "y",
    timestamp: null,
    request: { algorithm: "auto" },
  });
  const loaded = await loadModel(async (name) => files.get(name)!);
  const predict = async (columns: Float32Array[]) => {
    const target = new Float64Array(columns[0]!.length);
    const { predictions } = await loaded.predict(dropColumns(tableOf({ columns, target }), ["y"]));
    return predictions;
  };
  return { predict, chosen: summary.algorithm };
}

/** Replaces missing values by 0, because a linear model needs a number. */
function withoutGaps(column: Float32Array): Float32Array {
  return column.map((x) => (Number.isNaN(x) ? 0 : x));
}

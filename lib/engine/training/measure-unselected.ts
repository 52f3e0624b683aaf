import type { TargetMetric } from "#lib/contract/models";
import { endedAfter } from "#lib/engine/forecasting/known-series";
import { naiveForecast, rowIndexes } from "#lib/engine/forecasting/naive-forecast";
import type { NaiveForecast } from "#lib/engine/inference/file-schemas";
import type { OutOfSample } from "#lib/engine/inference/out-of-sample-file";
import { comparedError } from "./back-test.ts";
import type { CandidateContext } from "./candidate.ts";
import type { Scored } from "./choose-candidate.ts";
import { withoutIgnored } from "./ignored-values.ts";
import type { Tried } from "./tried.ts";

/**
 * Returns the errors of a candidate that no search has measured, and those of the naive forecast, from the origins that
 * calibrate its intervals.
 */
export function measureUnselected(
  context: CandidateContext,
  { hyperparameters }: Tried,
  {
    backTests,
    naive,
    metric,
  }: { backTests: readonly OutOfSample[]; naive: NaiveForecast; metric: TargetMetric },
): { model: Scored; naive: Scored } {
  const { known, data, horizon } = context;
  const seasonal = "seasonal" in naive ? naive.seasonal : null;
  const none = { scores: [], learned: [] };
  if (known === null || horizon === null || !seasonal) return { model: none, naive: none };
  const cells = rowIndexes(known, data.targets.length);
  const tests = withoutIgnored(context, backTests).flatMap(({ from, actual, predicted }) => {
    const rows = Int32Array.from(actual.keys()).filter((row) => !Number.isNaN(actual[row]!));
    const at = (values: Float64Array) => Float64Array.from(rows, (row) => values[row]!);
    const own = cells.subarray(from, from + actual.length);
    const before = endedAfter(known, { before: cells[from - 1]!, last: own.at(-1)!, horizon });
    const repeated = naiveForecast(before, own, { ...seasonal, horizon });
    return rows.length === 0
      ? []
      : [{ from, actual: at(actual), own: at(predicted), repeated: at(repeated) }];
  });
  const scored = (of: "own" | "repeated"): Scored => ({
    scores: tests.map((test) => comparedError(metric, hyperparameters, test.actual, test[of])),
    learned: tests.map(({ from }) => from),
  });
  return { model: scored("own"), naive: scored("repeated") };
}

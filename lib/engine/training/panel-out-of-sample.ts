import { encodeOutOfSample, OUT_OF_SAMPLE_ROWS_MAX } from "#lib/engine/inference/out-of-sample-file";
import type { PanelBackTests } from "./panel-backtests.ts";
import type { PanelData } from "./prepare-panel.ts";

/**
 * Writes the back-tests: those of the newest origin as validation, the others as back-tests. Of too many rows, those of every second
 * series are kept, or every third, and so on.
 */
export function outOfSampleFile(
  data: PanelData,
  tests: PanelBackTests,
  predictions: Float64Array,
  last: number,
): Uint8Array {
  const partOf = (isPart: (origin: number) => boolean) => {
    const all = Int32Array.from(tests.rows.keys()).filter((at) => isPart(tests.ofOrigin[at]!));
    const every = Math.ceil(all.length / OUT_OF_SAMPLE_ROWS_MAX);
    const entries = all.filter((at) => tests.places[at]! % every === 0).slice(-OUT_OF_SAMPLE_ROWS_MAX);
    const take = (valueAt: (at: number) => number) => Float64Array.from(entries, valueAt);
    return {
      row: take((at) => data.rowNumbers[tests.rows[at]!]!),
      time: take((at) => data.times[tests.rows[at]!]!),
      step: take((at) => tests.steps[at]!),
      actual: take((at) => tests.actual[at]!),
      predicted: take((at) => predictions[at]!),
      series: take((at) => tests.places[at]!),
    };
  };
  return encodeOutOfSample({
    backTests: partOf((origin) => origin !== last),
    validation: partOf((origin) => origin === last),
  });
}
